"""Pictures of a drawing for pages: a PNG for each page of a PDF, one for a picture; none for an SVG: browsers show it.

Painted within `confined`, like all that decodes a file. Not here: what the drawing says (`pdf`, `picture`).
"""

from __future__ import annotations

import base64
import io
from typing import Any

from PIL import Image

from submissions.layouts.reading.confined import said
from submissions.layouts.reading.guard import counted, kind_of
from submissions.layouts.reading.pixels import decoded

MOST_PAGES = 4
LONG_SIDE_PDF = 2000  # pixels
LONG_SIDE = 2400


def previews(name: str, content: bytes) -> list[bytes]:
    """A PNG a page, of the first four pages; nothing for an SVG.

    Raises:
        Refusal: `layout-kind`, `layout-too-large`, `layout-damaged` or `layout-too-heavy`.
    """
    kind = kind_of(name, content)
    if kind == "svg":
        return []
    return [base64.b64decode(page) for page in said(f"{kind}-preview", content)["pages"]]


def painted(kind: str, content: bytes) -> dict[str, list[str]]:
    """What the confined process prints: the pages as base64."""
    pages = _of_pdf(content) if kind == "pdf-preview" else [_png(decoded(content, LONG_SIDE)[0])]
    return {"pages": [base64.b64encode(page).decode() for page in pages]}


def _of_pdf(content: bytes) -> list[bytes]:
    import pypdfium2  # only in the process that reads: it takes time and maps memory

    pages = min(counted(content), MOST_PAGES)
    with pypdfium2.PdfDocument(content) as document:
        return [_png(_page(document[number])) for number in range(pages)]


def _page(page: Any) -> Image.Image:
    scale = LONG_SIDE_PDF / max(*page.get_size(), 1.0)
    image: Image.Image = page.render(scale=scale, may_draw_forms=False, rev_byteorder=True).to_pil()
    return image.convert("RGB")


def _png(image: Image.Image) -> bytes:
    kept = io.BytesIO()
    image.save(kept, "PNG", compress_level=4)
    return kept.getvalue()
