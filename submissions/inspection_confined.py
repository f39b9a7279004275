"""Looking into a PDF from outside in a process of its own, with limits of memory and time.

A stream of objects of a few kilobytes can unpack to gigabytes; no parser that reads it here would be left alive.
`python -m submissions.inspection_confined < FILE.pdf` prints the finding as JSON; `look_into` starts it.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

SECONDS = 10
MEMORY = 1 << 30
HOUSE = Path(__file__).resolve().parents[1]
_few_at_a_time = BoundedSemaphore(2)  # so many times the memory, however many people upload


def look_into(content: bytes) -> str | None:
    """What acts in the PDF, "" if nothing does; `inspection.LOCKED` if it has a password; None if it cannot be read."""
    with _few_at_a_time:
        try:
            ended = subprocess.run(
                [sys.executable, "-m", "submissions.inspection_confined"],
                input=content,
                capture_output=True,
                cwd=HOUSE,
                timeout=SECONDS + 10,
            )
            said: str | None = json.loads(ended.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            return None
    return said


def main() -> None:
    from submissions.inspection import what_acts  # after the limits

    json.dump(what_acts(sys.stdin.buffer.read()), sys.stdout)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    main()
