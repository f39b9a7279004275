"""The filled figures of an SVG as pixels, for letters that are drawn as outlines: PDFium paints them on a page.

Lines are not painted: letters are filled, and what frames them is only in the way of reading them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image

from submissions.layouts.drawing import Page
from submissions.layouts.reading.figure import Drawn, outlines
from submissions.layouts.reading.geometry import Matrix, Point, applied, times
from submissions.layouts.reading.style import FAINT, Colour

MOST_POINTS = 600_000


def painted(drawn: Iterable[Drawn], page: Page, long_side: int) -> Image.Image:
    """The page with these elements; those after too many points are left out."""
    scale = long_side / max(page.width, page.height)
    upwards: Matrix = (scale, 0, 0, -scale, 0, page.height * scale)  # PDF counts from below
    document = pdfium.PdfDocument.new()
    sheet = document.new_page(page.width * scale, page.height * scale)
    left = MOST_POINTS
    for element, name, matrix, style, view in drawn:
        if style.seen and isinstance(style.fill, tuple) and style.fill_opacity * style.opacity > FAINT:
            lines = [points for points, _ in outlines(element, name, view) if points]
            left -= sum(map(len, lines))
            if lines and left > 0:
                raw.FPDFPage_InsertObject(sheet, _path(lines, times(upwards, matrix), style.fill))
    image: Image.Image = sheet.render(scale=1, rev_byteorder=True).to_pil()
    document.close()
    return image.convert("RGB")


def _path(lines: list[list[Point]], matrix: Matrix, colour: Colour) -> object:
    path = raw.FPDFPageObj_CreateNewPath(*applied(matrix, *lines[0][0]))
    for line in lines:
        points = [applied(matrix, *point) for point in line]
        raw.FPDFPath_MoveTo(path, *points[0])
        for before, point in pairwise(points):
            if point != before:
                raw.FPDFPath_LineTo(path, *point)
        raw.FPDFPath_Close(path)
    raw.FPDFPageObj_SetFillColor(path, *(round(255 * share) for share in colour), 255)
    raw.FPDFPath_SetDrawMode(path, raw.FPDF_FILLMODE_WINDING, 0)
    return path
