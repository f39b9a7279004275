"""One way of timing for all sections, and of running their parts.

A part is a function in a process and a portal of its own: `python -m bench.MODULE PART …`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any


def own_environment(folder: str, **others: str) -> dict[str, str]:
    """Return the environment of a new portal in this folder, on SQLite."""
    own = {"PORTAL_VAR": folder, "PORTAL_LOG": "CRITICAL", "DJANGO_SETTINGS_MODULE": "portal.settings"}
    return {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | own | others


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


Clock = Callable[[], float]


def seconds(work: Callable[[], object], repeats: int = 3, clock: Clock = time.process_time) -> float:
    """Return the best processor time of `repeats` runs; for work in processes of its own the clock is `children`."""
    best = float("inf")
    for _ in range(repeats):
        begun = clock()
        work()
        best = min(best, clock() - begun)
    return best


def children() -> float:
    """Return the seconds that finished child processes have had of the processor."""
    spent = os.times()
    return spent.children_user + spent.children_system


def per_second(count: int, taken: float) -> str:
    """Return the rate as `12.30 M/s`."""
    return f"{count / taken / 1e6:,.2f} M/s"
