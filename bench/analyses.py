"""Seconds to analyse a chapter, every paytable of every wager: the command, from start to end of its process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial

from bench.timing import children, seconds
from games.registry import folders

TITLE = "Seconds for `python -m games analyze N --json`"


def rows() -> Iterator[tuple[str, str]]:
    for number in folders():
        with tempfile.TemporaryDirectory() as empty:
            run = partial(_run, number, os.environ | {"NUMBA_CACHE_DIR": empty})
            yield f"{number}, the first run of a fresh clone (compiles)", f"{seconds(run, 1, children):.2f} s"
            yield f"{number}, every later run", f"{seconds(run, 2, children):.2f} s"


def _run(number: str, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "games", "analyze", number, "--json"]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
