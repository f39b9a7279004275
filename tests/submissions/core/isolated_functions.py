"""Functions that misbehave in the ways of a parser that reads a hostile file; called in a child process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from submissions.core.errors import Refusal


def describe(content: bytes, *texts: str) -> dict[str, object]:
    return {"length": len(content), "texts": texts, "process": os.getpid(), "openpyxl": "openpyxl" in sys.modules}


def refuse(content: bytes) -> None:
    raise Refusal("sheet-formula", "Cell A1 contains a formula.", fix="Paste the value.", option="A1", citation="§ 1")


def compute_forever(content: bytes) -> None:
    while True:
        pass


def allocate(content: bytes) -> int:
    return len(bytes(1 << 30))


def crash(content: bytes) -> None:
    os.abort()


def fail(content: bytes) -> None:
    raise ValueError("no such thing")


def wait_with_child(content: bytes, path: str) -> None:
    """Writes the number of the process that it starts to the file at `path`."""
    child = subprocess.Popen(["sleep", "60"])
    with open(path, "w") as file:
        file.write(str(child.pid))
    time.sleep(60)


def wait_until_removed(content: bytes, path: str) -> None:
    """Create the file at `path` and wait until it is removed."""
    file = Path(path)
    file.touch()
    while file.exists():
        time.sleep(0.02)
