"""Limits of a drawing's file that are checked before it is decoded: its kind, a picture's pixels, a PDF's pages.

Nothing may lie on those pages that is not part of them.

Not here: whether a PDF could act (`submissions.core.upload_scan`), or an SVG (`svg_safety`).
"""

import io
import re
from pathlib import PurePath

import pypdfium2
import pypdfium2.raw as raw
from PIL import Image

from submissions.core.errors import Refusal

MOST_PIXELS = 40_000_000
MOST_PAGES = 10
PLAIN = (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP)  # show nothing but with an appearance of their own
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
        raise Refusal("layout-kind", name=name)
    return ENDINGS[ending]


def damaged_file(name: str = "") -> Refusal:
    return Refusal("layout-damaged/file", what=f"“{name}”" if name else "The drawing")


def check_picture_size(content: bytes, name: str = "") -> None:
    """Check the number of pixels that the file's header states, without decoding the picture.

    Raises:
        Refusal: `layout-too-large` or `layout-damaged`.
    """
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as image:
            pixels = image.width * image.height
    except Image.DecompressionBombError as error:  # Pillow names them: “Image size (400000000 pixels) exceeds …”
        pixels = int(next(iter(re.findall(r"\d+", str(error))), MOST_PIXELS + 1))
    except Exception as error:  # decoders raise errors of every kind for damaged files
        raise damaged_file(name) from error
    if pixels > MOST_PIXELS:
        shown = f"“{name}”" if name else "The picture"
        raise Refusal("layout-too-large/pixels", picture=shown, pixels=pixels, most_pixels=MOST_PIXELS)


def check_pages(content: bytes) -> int:
    """The number of pages of a PDF that has not too many, and nothing on them that is not theirs; only in the isolated
    process.

    Raises:
        Refusal: `layout-too-large`, or `layout-damaged` for a comment, a stamp or a form field on a page.
    """
    with pypdfium2.PdfDocument(content) as document:
        if len(document) > MOST_PAGES:
            raise Refusal("layout-too-large/pages", count=len(document), most_pages=MOST_PAGES)
        for place in range(len(document)):
            _refuse_annotations(document[place], place + 1)
        return len(document)


def _refuse_annotations(page: pypdfium2.PdfPage, number: int) -> None:
    """Programs show and print an annotation or not, each in its own way: nobody can say what the drawing shows."""
    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        is_plain = raw.FPDFAnnot_GetSubtype(annotation) in PLAIN and not raw.FPDFAnnot_HasKey(annotation, b"AP")
        is_hidden = raw.FPDFAnnot_GetFlags(annotation) & raw.FPDF_ANNOT_FLAG_HIDDEN
        raw.FPDFPage_CloseAnnot(annotation)
        if not is_plain and not is_hidden:
            raise Refusal("layout-damaged/annotation", page=number)
