"""What is asked of a file before anything in it is decoded: its kind, a picture's pixels, the pages of a PDF.

Not here: whether a PDF could act (`submissions.inspection`), or an SVG (`harmless`).
"""

from __future__ import annotations

import io
import re
from pathlib import PurePath

from PIL import Image

from submissions.errors import Refusal

MOST_PIXELS = 40_000_000
MOST_PAGES = 10
ENDINGS = {".svg": "svg", ".pdf": "pdf", ".png": "picture", ".jpg": "picture", ".jpeg": "picture"}
BEGINNINGS = {b"%PDF-": (".pdf",), b"\x89PNG\r\n\x1a\n": (".png",), b"\xff\xd8\xff": (".jpg", ".jpeg")}


def kind_of(name: str, content: bytes) -> str:
    """`svg`, `pdf` or `picture`.

    Raises:
        Refusal: `layout-kind`, where the name and the content do not agree on one of them.
    """
    ending = PurePath(name).suffix.lower()
    begins = next((endings for magic, endings in BEGINNINGS.items() if content.startswith(magic)), (".svg",))
    if ending not in ENDINGS or ending not in begins:
        raise Refusal(
            "layout-kind",
            f"“{name}” is not a drawing of an accepted kind (SVG, PDF, PNG, JPEG), or not of the kind its name says.",
            fix="Save it as SVG or PDF with its text as text, or as PNG or JPEG.",
        )
    return ENDINGS[ending]


def damaged(name: str = "") -> Refusal:
    what = f"“{name}”" if name else "The drawing"
    return Refusal("layout-damaged", f"{what} cannot be read: it is damaged.", fix="Save it anew and upload it.")


def measured(content: bytes, name: str = "") -> None:
    """Refuse by what the file's head says, without decoding it.

    Raises:
        Refusal: `layout-too-large` or `layout-damaged`.
    """
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as image:
            pixels = image.width * image.height
    except Image.DecompressionBombError as error:  # Pillow names them: “Image size (400000000 pixels) exceeds …”
        pixels = int(next(iter(re.findall(r"\d+", str(error))), MOST_PIXELS + 1))
    except Exception as error:  # whatever a decoder stumbles over
        raise damaged(name) from error
    if pixels > MOST_PIXELS:
        raise Refusal(
            "layout-too-large",
            f"{f'“{name}”' if name else 'The picture'} has {pixels:,} pixels; {MOST_PIXELS:,} are read.",
            fix="Save it at a lower resolution.",
        )


def counted(content: bytes) -> int:
    """How many pages a PDF has; only within `confined`.

    Raises:
        Refusal: `layout-too-large`.
    """
    import pypdfium2  # only in the process that reads: it takes time and maps memory

    with pypdfium2.PdfDocument(content) as document:
        if len(document) > MOST_PAGES:
            raise Refusal(
                "layout-too-large",
                f"The PDF has {len(document):,} pages; a drawing has {MOST_PAGES} at most.",
                fix="Upload only the pages that show the layout.",
            )
        return len(document)
