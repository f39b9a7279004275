"""The figures of a drawing: their frames, and their fill as pixels for recognition."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image
from svgelements import Matrix

from submissions.layouts.drawing_model import Box, DrawingPage
from submissions.layouts.recognition.svg_geometry import Coordinates, length, numbers, subpaths, transform_point
from submissions.layouts.recognition.svg_style import LEAST_OPACITY, Color, Style
from submissions.layouts.recognition.word_grouping import box_on_page, frame_around

KINDS = {"rect", "circle", "ellipse", "polygon", "polyline", "path", "line"}
SMALLEST, LARGEST = 0.01, 0.98  # of the page: what may be an area of the layout
LETTER_HIGH, LETTER_WIDE = 0.03, 4.0  # at most: of the page's longer side, of the letter's height
LETTER_SIZES = 10  # “Insurance pays 2 to 1” has 13; the small marks of a reference layout have up to 9
MOST = 4000
MOST_POINTS = 600_000  # that are painted
FigureDrawing = tuple[Any, str, Matrix, Style, tuple[float, float]]  # an element, its name, and what it is drawn with


@dataclass(frozen=True, slots=True)
class PaintedFigure:
    """The frame of one figure, and whether its line is closed."""

    frame: tuple[float, float, float, float]
    closed: bool = True


def painted_figures(
    element: Any, name: str, matrix: Matrix, style: Style, view: tuple[float, float]
) -> list[PaintedFigure]:
    """Return the figures that an element paints; none if they are not visible."""
    if not style.paints:
        return []
    return [
        PaintedFigure(frame_around([transform_point(matrix, *point) for point in points]), closed)
        for points, closed in outlines(element, name, view)
        if points
    ]


def outlines(element: Any, name: str, view: tuple[float, float]) -> list[tuple[list[Coordinates], bool]]:
    """Return the lines of an element in its own units, each with whether it is closed."""

    def number(key: str) -> float:
        return length(element.get(key, "0"), of=view[key in ("y", "cy", "ry", "height")])

    if name == "rect":
        x, y, right, low = number("x"), number("y"), number("x") + number("width"), number("y") + number("height")
        return [([(x, y), (right, y), (right, low), (x, low)], True)]
    if name in ("circle", "ellipse"):
        rx, ry = (number("r"), number("r")) if name == "circle" else (number("rx"), number("ry"))
        x, y = number("cx"), number("cy")
        return [([(x - rx, y - ry), (x + rx, y - ry), (x + rx, y + ry), (x - rx, y + ry)], True)]
    if name in ("polygon", "polyline"):
        values = numbers(element.get("points", ""))
        points = list(zip(values[::2], values[1::2], strict=False))
        return [(points, name == "polygon" or points[:1] == points[-1:])]
    if name == "path":
        drawn = subpaths(element.get("d", ""))
        return [(part.points, part.closed or part.points[0] == part.points[-1]) for part in drawn]
    return []


def may_be_letters(figures: Iterable[PaintedFigure], page: DrawingPage) -> bool:
    """Return whether an inscription may be among the figures: many low ones of many sizes. Marks and chips repeat."""
    long_side = max(page.width, page.height)
    sides = ((right - left, bottom - top) for left, top, right, bottom in (figure.frame for figure in figures))
    low = [side for side in sides if 0 < side[1] < LETTER_HIGH * long_side and side[0] < LETTER_WIDE * side[1]]
    return len({tuple(round(length / long_side, 3) for length in side) for side in low}) >= LETTER_SIZES


def area_boxes(figures: Iterable[PaintedFigure], page: DrawingPage, *, closed: bool = True) -> list[Box]:
    """Return the frames of the figures that are large enough for an area, and smaller than the page.

    Not `closed`: the frames of open lines of that size, as the arcs of an insurance line are.
    """
    boxes = (box_on_page(figure.frame, page) for figure in figures if figure.closed == closed)
    return [box for box in boxes if SMALLEST <= min(box.width, box.height) < LARGEST][:MOST]


def paint_figures(drawn: Iterable[FigureDrawing], page: DrawingPage, long_side: int) -> Image.Image:
    """Return the page with the fill of these elements; those after too many points are left out.

    Strokes are not painted: letters are filled, and frames around them would disturb recognition.
    """
    scale = long_side / max(page.width, page.height)
    upwards = Matrix(scale, 0, 0, -scale, 0, page.height * scale)  # PDF counts from below
    document = pdfium.PdfDocument.new()
    sheet = document.new_page(page.width * scale, page.height * scale)
    left = MOST_POINTS
    for element, name, matrix, style, view in drawn:
        if style.paints and isinstance(style.fill, tuple) and style.fill_opacity * style.opacity > LEAST_OPACITY:
            lines = [points for points, _ in outlines(element, name, view) if points]
            left -= sum(map(len, lines))
            if lines and left > 0:
                raw.FPDFPage_InsertObject(sheet, _path(lines, matrix @ upwards, style.fill))
    image: Image.Image = sheet.render(scale=1, rev_byteorder=True).to_pil()
    document.close()
    return image.convert("RGB")


def _path(lines: list[list[Coordinates]], matrix: Matrix, color: Color) -> object:
    path = raw.FPDFPageObj_CreateNewPath(*transform_point(matrix, *lines[0][0]))
    for line in lines:
        points = [transform_point(matrix, *point) for point in line]
        raw.FPDFPath_MoveTo(path, *points[0])
        for before, point in pairwise(points):
            if point != before:
                raw.FPDFPath_LineTo(path, *point)
        raw.FPDFPath_Close(path)
    raw.FPDFPageObj_SetFillColor(path, *(round(255 * share) for share in color), 255)
    raw.FPDFPath_SetDrawMode(path, raw.FPDF_FILLMODE_WINDING, 0)
    return path
