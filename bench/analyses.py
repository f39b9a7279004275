"""Seconds to analyze a configuration: the command, from start to end of its process.

A chapter's figures without answers are shipped; those of the configuration, which offers every wager, are computed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.timing import children, seconds
from games.registry import folders
from tests.games.worst_configurations import worst_answers

TITLE = "Seconds for `python -m games analyze N --json`"


def rows() -> Iterator[tuple[str, str]]:
    for number in folders():
        with tempfile.TemporaryDirectory() as empty:
            config = Path(empty) / "config.json"
            config.write_text(json.dumps(worst_answers(number)), "utf-8")
            environment = os.environ | {"NUMBA_CACHE_DIR": empty}
            shipped, computed = (
                partial(_run, environment, number),
                partial(_run, environment, number, "--config", config),
            )
            yield f"{number}, figures that are shipped", f"{seconds(shipped, 1, children):.2f} s"
            yield f"{number}, a configuration in a fresh clone (compiles)", f"{seconds(computed, 1, children):.2f} s"
            yield f"{number}, a configuration in every later run", f"{seconds(computed, 2, children):.2f} s"


def _run(environment: dict[str, str], number: str, *options: str | Path) -> None:
    command = [sys.executable, "-m", "games", "analyze", number, "--json", *options]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
