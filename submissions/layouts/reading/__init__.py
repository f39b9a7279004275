"""A layout's drawing from a file: SVG, PDF, or a picture whose letters are recognised.

`admit` says in a moment whether a file may be read at all; `read` reads it and `previews` paints it, in a process of
their own. Nothing in a file is executed and nothing it names is fetched.
"""

from __future__ import annotations

from submissions.errors import Refusal
from submissions.layouts.drawing import Drawing
from submissions.layouts.reading.confined import confined
from submissions.layouts.reading.guard import kind_of, measured
from submissions.layouts.reading.harmless import harmless
from submissions.layouts.reading.previews import previews

LARGEST = 20 << 20  # bytes
LARGEST_SVG = 10 << 20


def read(name: str, content: bytes) -> Drawing:
    """What the drawing shows.

    Raises:
        Refusal: what `admit` refuses, `layout-damaged`, `layout-too-heavy`, `ocr-missing` or `ocr-failed`.
    """
    drawing = confined(admit(name, content), content)
    if drawing is None:
        raise Refusal("layout-damaged", f"“{name}” cannot be read.", fix="Save it anew and upload it.")
    return drawing


def admit(name: str, content: bytes) -> str:
    """Which reader is to read it: `svg`, `pdf` or `picture`.

    Raises:
        Refusal: `layout-kind`, `layout-too-large`, `layout-damaged`, `layout-active-content`, `layout-external`,
            `layout-foreign` or `layout-entities`.
    """
    kind = kind_of(name, content)
    most = LARGEST_SVG if kind == "svg" else LARGEST
    if len(content) > most:
        raise Refusal(
            "layout-too-large",
            f"“{name}” has {len(content) / (1 << 20):,.1f} MB; {most >> 20} are accepted.",
            fix="Simplify it, or save it at a lower resolution.",
        )
    if kind == "svg":
        harmless(name, content)
    elif kind == "picture":
        measured(content, name)
    else:
        _passive(name, content)
        confined("pages", content)
    return kind


def _passive(name: str, content: bytes) -> None:
    from submissions import inspection  # not in the process that reads: it has no need of it

    try:
        inspection.inspect(name, content)
    except Refusal as refusal:
        raise Refusal(refusal.code.replace("attachment-", "layout-"), refusal.message, fix=refusal.fix) from refusal


__all__ = ["admit", "previews", "read"]
