"""How fast a worker is there, and how much faster two are than one: wall-clock seconds of processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial

from bench.timing import seconds

TITLE = "Workers (wall clock; wants an idle machine)"
READY = "from portal.celery import app; app.loader.import_default_modules(); import games.runs.engine"
GAME, BLOCKS = "687a", 96
DEAL = f"""
import sys
from games.rules.wagers_in_play import covering
from games.registry import chapter, play
one, deal = chapter({GAME!r}), play({GAME!r}).simulate_block
deal(one, covering(one)[0], 1, 0, 1)
print("ready", flush=True)
sys.stdin.readline()
for block in range({BLOCKS} * int(sys.argv[1]) // 2, {BLOCKS} * (int(sys.argv[1]) + int(sys.argv[2])) // 2):
    deal(one, covering(one)[0], 1, block, 2_000_000)
"""


def rows() -> Iterator[tuple[str, str]]:
    usual = os.environ | {"CELERY_SKIP_CHECKS": "1", "DJANGO_SETTINGS_MODULE": "portal.settings"}  # as the supervisor
    with tempfile.TemporaryDirectory() as empty:
        fresh = usual | {"NUMBA_CACHE_DIR": empty, "PYTHONPYCACHEPREFIX": empty}
        first, later = (partial(_run, environment) for environment in (fresh, usual))
        yield "a worker is there, the first of a fresh clone", f"{seconds(first, 1, time.perf_counter):.2f} s"
        yield "a worker is there, every later one", f"{seconds(later, 3, time.perf_counter):.2f} s"
    one, two = (min(_dealt(shares) for _ in range(3)) for shares in (((0, 2),), ((0, 1), (1, 1))))
    yield f"{BLOCKS} blocks of {GAME}, one process", f"{one:.2f} s"
    yield f"{BLOCKS} blocks of {GAME}, two processes", f"{two:.2f} s"
    yield "two are as fast as one, times", f"{one / two:.2f}"


def _run(environment: dict[str, str]) -> None:
    subprocess.run([sys.executable, "-c", READY], env=environment, check=True)


def _dealt(shares: tuple[tuple[int, int], ...]) -> float:
    """Seconds until processes, each with (first half, halves) of the blocks, are through; they start together."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", DEAL, str(first), str(halves)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for first, halves in shares
    ]
    for worker in workers:
        if worker.stdout is None or worker.stdout.readline() != "ready\n":
            raise RuntimeError("a worker did not start")
    begun = time.perf_counter()
    for worker in workers:
        if worker.stdin is not None:
            worker.stdin.close()  # the sign to begin
    for worker in workers:
        worker.wait()
    return time.perf_counter() - begun
