"""Reading a drawing in a process of its own, with limits of memory and time.

`python -m submissions.layouts.reading.confined KIND < FILE` prints what was read, or why not, as JSON; `confined`
starts it. KIND is `svg`, `pdf`, `picture`, `pages` to count those of a PDF, or `pdf-preview` and `picture-preview`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from submissions.errors import Refusal
from submissions.layouts.drawing import Box, Drawing, Page, Shape, Source, Word
from submissions.layouts.reading.guard import counted

SECONDS = 9  # of the processor
MEMORY = 480 << 20
HOUSE = Path(__file__).resolve().parents[3]
ALONE = {"OPENBLAS_NUM_THREADS": "1"}  # each thread would set memory aside
_few_at_a_time = BoundedSemaphore(2)  # so many times the memory


def confined(kind: str, content: bytes) -> Drawing | None:
    """The drawing; None where only pages were counted.

    Raises:
        Refusal: as `said` raises it.
    """
    found = said(kind, content)
    return _drawing(found) if found else None


def said(kind: str, content: bytes) -> dict[str, Any]:
    """What the process prints.

    Raises:
        Refusal: what the reader says; `layout-too-heavy` where it ended without a word.
    """
    with _few_at_a_time:
        try:
            ended = subprocess.run(
                [sys.executable, "-m", "submissions.layouts.reading.confined", kind],
                input=content,
                capture_output=True,
                cwd=HOUSE,
                env={**os.environ, **ALONE},
                timeout=4 * SECONDS,
            )
            found: dict[str, Any] = json.loads(ended.stdout)
        except (subprocess.TimeoutExpired, ValueError) as error:
            raise Refusal(
                "layout-too-heavy",
                f"The drawing could not be read within {SECONDS} seconds and {MEMORY >> 20} MB.",
                fix="Simplify it, or save it at a lower resolution.",
            ) from error
    if "refused" in found:
        raise Refusal(found["refused"], found["message"], fix=found["fix"])
    return found


def _drawing(found: dict[str, Any]) -> Drawing:
    return Drawing(
        source=Source(found["source"]),
        pages=tuple(Page(**page) for page in found["pages"]),
        words=tuple(Word(**{**word, "box": Box(**word["box"])}) for word in found["words"]),
        shapes=tuple(Shape(shape["page"], Box(**shape["box"])) for shape in found["shapes"]),
        outlined=found["outlined"],
    )


def main(kind: str, content: bytes) -> dict[str, Any]:
    """What is printed."""
    try:
        return _read(kind, content)
    except Refusal as refusal:
        return {"refused": refusal.code, "message": refusal.message, "fix": refusal.fix}
    except (MemoryError, RecursionError):
        raise
    except Exception:  # whatever a parser stumbles over
        fix = "Save it anew and upload it."
        return {"refused": "layout-damaged", "message": "The drawing cannot be read: it is damaged.", "fix": fix}


def _read(kind: str, content: bytes) -> dict[str, Any]:
    """Each reader is imported only where it is needed: what it stands on takes time."""
    if kind == "svg":
        from submissions.layouts.reading import svg

        return asdict(svg.read(content))
    if kind == "picture":
        from submissions.layouts.reading import picture

        return asdict(picture.read(content))
    if kind == "pages":
        counted(content)
        return {}
    if kind.endswith("-preview"):
        from submissions.layouts.reading.previews import painted

        return painted(kind, content)
    from submissions.layouts.reading import pdf

    return asdict(pdf.read(content))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    json.dump(main(sys.argv[1], sys.stdin.buffer.read()), sys.stdout)
