"""The reader in the isolated process: it reads a drawing's file, counts or paints its pages, and returns JSON data.

Previews are PNG files in base64. Not here: starting the process, and the refusal if it fails (`drawing_files`).
"""

import base64
import io
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pypdfium2
from PIL import Image

from submissions.core.errors import Refusal
from submissions.layouts.recognition import pdf, picture, svg
from submissions.layouts.recognition.file_checks import check_pages, damaged_file
from submissions.layouts.recognition.pdf import painted_page

MOST_PAGES = 4
LONG_SIDE_PDF = 2000  # pixels
LONG_SIDE = 2400


def run_task(content: bytes, task: str) -> Any:
    """Return the result of one of `TASKS`.

    Raises:
        Refusal: as the reader raises it; `layout-damaged` for any error of a parser.
    """
    try:
        return TASKS[task](content)
    except (Refusal, MemoryError, RecursionError):
        raise
    except Exception as error:  # parsers raise errors of every kind for damaged files
        raise damaged_file() from error


def _pdf_previews(content: bytes) -> list[str]:
    pages = min(check_pages(content), MOST_PAGES)
    with pypdfium2.PdfDocument(content) as document:
        previews = []
        for number in range(pages):
            page = document[number]
            image = painted_page(page, LONG_SIDE_PDF).to_pil().convert("RGB")
            previews.append(_png(picture.straight_image(image) if pdf.is_scan(page) else image))
        return previews


def _png(image: Image.Image) -> str:
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=4)
    return base64.b64encode(file.getvalue()).decode()


TASKS: dict[str, Callable[[bytes], Any]] = {
    "svg": lambda content: asdict(svg.read(content)),
    "pdf": lambda content: asdict(pdf.read(content)),
    "picture": lambda content: asdict(picture.read(content)),
    "pages": check_pages,
    "pdf-preview": _pdf_previews,
    "picture-preview": lambda content: [_png(picture.straight_image(picture.decode_picture(content, LONG_SIDE)[0]))],
}
