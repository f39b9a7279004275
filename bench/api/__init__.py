"""How long reads and judgments of the API take at 200 a second, beside a plain DRF view of one row in the same run.

`manage.py serve` as in service, and warm; the load comes from another process over loopback, at a steady rate. The
processor time of a read, in all web processes together, says how many a core could answer. `BENCH_SECONDS` makes it
shorter.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

RATE, WARMING = 200, 2
SECONDS = int(os.environ.get("BENCH_SECONDS", "10"))
TITLE = f"The API, {RATE} calls a second for {SECONDS} s: processor time of one · what a core could answer; latency"
PLAIN = "a plain DRF view of one row"
ADDRESSES = {
    PLAIN: "/peer/5/",
    "one submission": "/api/v1/submissions/RS-2026-00005/",
    "submissions, a page of 50": "/api/v1/submissions/",
    "the register, a page of 50": "/api/v1/register/",
    "a game in force, with every answer": "/api/v1/in-force/casino-1/687a/",
    "events, a page of 50": "/api/v1/events/",
    "judging three answers": "/api/v1/chapters/687a/judge/",
}


ANSWERS = {"trips_bonus_wager": True, "trips_paytable": "DJWT-05", "adjacent_boxes_allowed": False}
BODIES = {"judging three answers": json.dumps({"answers": ANSWERS})}  # the call of these is a POST


def rows() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PORTAL_VAR": folder,
            "PORTAL_LOG": "ERROR",
            "PORTAL_SECOND_FACTOR": "0",
            "DJANGO_SETTINGS_MODULE": "bench.api.settings",
        }
        built = subprocess.run(
            [sys.executable, "-m", "bench.api.build"], env=environment, check=True, stdout=subprocess.PIPE, text=True
        )
        token = built.stdout.split()[-1]
        with _served(environment) as (port, web):
            plain = 0.0
            for label, address in ADDRESSES.items():
                body = BODIES.get(label, "")
                _ask(port, address, token, body, seconds=WARMING)
                begun = _spent(web)
                taken = _ask(port, address, token, body, seconds=SECONDS)
                each = (_spent(web) - begun) / len(taken)
                plain = plain or each
                yield label, f"{each * 1000:.2f} ms · {1 / each:,.0f}/s · {each / plain:.1f} of the plain view"
                cuts = quantiles(taken, n=100)
                yield "  p50 · p95 · p99", f"{cuts[49]:.0f} · {cuts[94]:.0f} · {cuts[98]:.0f} ms"


@contextlib.contextmanager
def _served(environment: dict[str, str]) -> Iterator[tuple[int, list[int]]]:
    """The port that is listened on, and the processes that answer."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    silent = subprocess.DEVNULL
    command = [sys.executable, "manage.py", "serve", "--cold", "--port", str(port)]
    server = subprocess.Popen(command, env=environment, stdout=silent, stderr=silent)
    try:
        _wait_for(server, port)
        (master,) = (child for child in _children(server.pid) if b"gunicorn" in _command(child))
        yield port, _children(master)
    finally:
        server.terminate()
        server.wait()


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    """Until a request is answered: the port is listened on before the web's processes are there."""
    end = time.monotonic() + 60
    while time.monotonic() < end and server.poll() is None:
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                _ask(port, ADDRESSES[PLAIN], "", seconds=1)
                return
        time.sleep(0.1)
    raise RuntimeError("the web server did not start")


def _children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def _command(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


def _spent(processes: list[int]) -> float:
    """Seconds that the processes have had of the processor."""
    stats = [Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in processes]
    return sum(int(fields[11]) + int(fields[12]) for fields in stats) / os.sysconf("SC_CLK_TCK")


def _ask(port: int, address: str, token: str, body: str = "", *, seconds: int) -> list[float]:
    """Milliseconds of each request; with a body it is a POST."""
    shown = "" if address.startswith("/peer/") else token
    command = [sys.executable, "-m", "bench.api.load", str(port), address, str(RATE), str(seconds), shown, body]
    found: list[float] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return found
