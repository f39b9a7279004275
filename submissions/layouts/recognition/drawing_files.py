"""A layout's drawing as a file: admitted, then read or painted in an isolated process.

`admit` decides in a moment whether a file may be read at all. Nothing in a file is executed and nothing it names is
fetched.
"""

import base64
from typing import Any

from submissions.core import uploads
from submissions.core.errors import Busy, Refusal
from submissions.core.isolated_process import IsolatedFunction, IsolatedProcessFailed
from submissions.layouts.drawing_model import Box, Drawing, DrawingPage, DrawingSource, PagePlace, Word
from submissions.layouts.recognition.file_checks import check_picture_size, kind_of, refuse_unsafe_svg
from submissions.layouts.recognition.reader_process import run_task

LARGEST = 20 << 20  # bytes
LARGEST_SVG = 10 << 20
SECONDS = 9  # of the processor
MEMORY = 480 << 20
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}  # each thread would set memory aside
run_isolated: IsolatedFunction[Any] = IsolatedFunction(
    run_task, cpu_seconds=SECONDS, wall_seconds=4 * SECONDS, memory=MEMORY, environment=ONE_THREAD
)


def read_drawing(name: str, content: bytes) -> Drawing:
    """Return the words and shapes that the drawing shows.

    Raises:
        Refusal: those of `admit`, `layout-too-heavy`, `ocr-missing` or `ocr-failed`.
    """
    data = _run(admit(name, content), content)
    return Drawing(
        source=DrawingSource(data["source"]),
        pages=tuple(DrawingPage(**page) for page in data["pages"]),
        words=_words(data["words"]),
        shapes=_places(data["shapes"]),
        outlined=data["outlined"],
        unclear=_words(data["unclear"]),
        lines=_places(data["lines"]),
    )


def _words(data: list[dict[str, Any]]) -> tuple[Word, ...]:
    return tuple(Word(**{**word, "box": Box(**word["box"])}) for word in data)


def _places(data: list[dict[str, Any]]) -> tuple[PagePlace, ...]:
    return tuple(PagePlace(place["page"], Box(**place["box"])) for place in data)


def previews(name: str, content: bytes) -> list[bytes]:
    """Return a PNG for each of the first four pages; none for an SVG, which browsers show themselves.

    Raises:
        Refusal: `layout-kind`, `layout-too-large`, `layout-damaged` or `layout-too-heavy`.
    """
    kind = kind_of(name, content)
    return [] if kind == "svg" else [base64.b64decode(page) for page in _run(f"{kind}-preview", content)]


def admit(name: str, content: bytes) -> str:
    """Return the kind of file: `svg`, `pdf` or `picture`.

    Raises:
        Refusal: `layout-kind`, `layout-too-large`, `layout-damaged`, `layout-active-content`, `layout-external`,
            `layout-foreign` or `layout-entities`.
    """
    kind = kind_of(name, content)
    limit = LARGEST_SVG if kind == "svg" else LARGEST
    if len(content) > limit:
        raise Refusal(
            "layout-too-large/bytes", name=name, megabytes=len(content) / (1 << 20), limit_megabytes=limit >> 20
        )
    if kind == "svg":
        refuse_unsafe_svg(name, content)
    elif kind == "picture":
        check_picture_size(content, name)
    else:
        _refuse_active_pdf(name, content)
        _run("pages", content)
    return kind


def _refuse_active_pdf(name: str, content: bytes) -> None:
    try:
        uploads.check_upload(name, content)
    except Busy:  # says nothing about the file
        raise
    except Refusal as refusal:
        raise Refusal(refusal.code.replace("attachment-", "layout-"), refusal.message, fix=refusal.fix) from refusal


def _run(task: str, content: bytes) -> Any:
    try:
        return run_isolated(content, task)
    except IsolatedProcessFailed as error:
        raise Refusal("layout-too-heavy", seconds=SECONDS, megabytes=MEMORY >> 20) from error
