"""One way of timing for all sections, and of running their parts and portals.

A part is a function in a process and a portal of its own: `python -m bench.MODULE PART …`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.portal.running import free_port, listens, until

ROOT = Path(__file__).resolve().parent.parent
START = 60.0  # seconds until the web listens
OTHERS = ("REDIS_URL", "DATABASE_URL", "PORTAL_SECRET_KEY")  # of another portal


def own_environment(folder: str, **others: str) -> dict[str, str]:
    """Return the environment of a new portal in this folder, on SQLite."""
    own = {"PORTAL_VAR": folder, "PORTAL_LOG": "CRITICAL", "DJANGO_SETTINGS_MODULE": "portal.settings"}
    return {name: value for name, value in os.environ.items() if name not in OTHERS} | own | others


def start_part(module: str, environment: Mapping[str, str], *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", f"bench.{module}", *words]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run_part(module: str, environment: Mapping[str, str], *words: str) -> Any:
    """Return the result of the part. One that fails ends the measurement."""
    process = start_part(module, environment, *words)
    output, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"bench.{module} {' '.join(words)} ended with {process.returncode}")
    return json.loads(output.splitlines()[-1])


def main(*parts: Callable[..., Any]) -> None:
    """Run the part that the command line names, and print its result as JSON on the last line."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    name, *words = sys.argv[1:]
    print(json.dumps({part.__name__: part for part in parts}[name](*words)), flush=True)


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a command of `manage.py` and return its output. A command that fails ends the run."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"manage.py {arguments[0]} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


@contextmanager
def serving(environment: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """Run a portal that is prepared; yield its port, and the process that supervises all others."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--cold", "--port", str(port)]
    with Path(environment["PORTAL_VAR"], "serve-log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        until(lambda: listens(port), START)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(60)


@contextmanager
def served(world_name: str, settings_module: str) -> Iterator[tuple[int, int, Any]]:
    """Run a new portal, on the database of the environment; yield its port, its supervisor and its world."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PORTAL_VAR": folder,
            "PORTAL_LOG": "ERROR",
            "PORTAL_SECOND_FACTOR": "0",
            "PORTAL_TRUSTED_PROXIES": "1",
            "PORTAL_SIMULATION_ROUNDS": "100000",
            "DJANGO_SETTINGS_MODULE": settings_module,
        }
        world = run_part("worlds", environment, world_name)
        with serving(environment) as (port, supervisor):
            urlopen(f"http://127.0.0.1:{port}/register/", timeout=START).close()
            yield port, supervisor, world


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Return the best processor time of `repeats` runs."""
    best = float("inf")
    for _ in range(repeats):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """Return the result, and the seconds, processor seconds and most megabytes so far of this process."""
    start, processor = time.perf_counter(), time.process_time()
    result = work()
    figures = {"seconds": time.perf_counter() - start, "processor": time.process_time() - processor}
    return result, figures | {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def processes(count: int) -> str:
    return f"{count} process{'es' if count > 1 else ''}"


def per_second(count: int, taken: float) -> str:
    """Return the rate as `12.30 M/s`."""
    return f"{count / taken / 1e6:,.2f} M/s"
