"""A PDF's words and closed figures, by PDFium; letters that are drawn as outlines are recognised from the pixels.

Only within `confined`. A word is seen where the painted page has contrast in its place: that finds white on white,
what is covered, transparent, clipped or on a hidden layer, without asking why.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from ctypes import c_float, c_int
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from submissions.errors import Refusal
from submissions.layouts.drawing import Drawing, Page, Shape, Source, Word
from submissions.layouts.reading import figure, picture
from submissions.layouts.reading.geometry import Matrix, Point, applied
from submissions.layouts.reading.guard import counted
from submissions.layouts.reading.pdf_letters import letters_of, within
from submissions.layouts.reading.pieces import Piece, frame, lined, pieces

MOST_SEGMENTS = 400_000
LONG_SIDE = 1800  # pixels of a page painted to see what shows
LONG_SIDE_READ = 3300  # … to recognise letters
CONTRAST = 12  # of 255, in any colour
MANY = 20  # figures that may be letters
UNREADABLE = 0.5  # of the letters without meaning
PRECISE = 1000  # device units a point
FIGURES = (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
MILLIMETRES = 25.4 / 72


@dataclass(frozen=True, slots=True)
class _Read:
    """One page: its size in points, what stands on it, and whether its letters are outlines."""

    page: Page
    words: list[Word]
    shapes: list[Shape]
    outlined: bool
    recognised: bool = False


def read(content: bytes) -> Drawing:
    """The drawing; it holds nothing that acts (`inspection`)."""
    counted(content)
    with pdfium.PdfDocument(content) as document:
        found = [_page(document[number], number) for number in range(len(document))]
    told = tuple(Page(*(round(side * MILLIMETRES, 2) for side in (one.page.width, one.page.height))) for one in found)
    return Drawing(
        source=Source.PICTURE if any(one.recognised for one in found) else Source.PDF,
        pages=told,
        words=tuple(word for one in found for word in one.words),
        shapes=tuple(dict.fromkeys(shape for one in found for shape in one.shapes)),
        outlined=any(one.outlined for one in found) and not any(one.words for one in found if not one.recognised),
    )


def _page(page: Any, number: int) -> _Read:
    size = Page(*page.get_size())
    device = _device(page, size)
    letters, unknown = letters_of(page, device)
    shown = _shown(page, pieces(letters), size)
    drawn, pictures = _figures(page, device)
    shapes = [Shape(number, box) for box in figure.areas(drawn, size)]
    if unknown > UNREADABLE * max(1, len(letters)):
        shown = []
    outlined = not shown and (len(drawn) >= MANY or pictures > 0)
    if not outlined or not picture.available():
        return _Read(size, lined(shown, number, size), shapes, outlined)
    image = _painted(page, size, LONG_SIDE_READ).to_pil().convert("L")
    return _Read(size, picture.words(image, number), shapes, outlined, recognised=True)


def _device(page: Any, size: Page) -> Matrix:
    """From the page's own coordinates to points from its upper left, as it is turned and cut."""

    def place(x: float, y: float) -> Point:
        across, down = c_int(), c_int()
        width, height = round(size.width * PRECISE), round(size.height * PRECISE)
        raw.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, across, down)
        return across.value / PRECISE, down.value / PRECISE

    (e, f), (a, b), (c, d) = place(0, 0), place(100, 0), place(0, 100)
    return ((a - e) / 100, (b - f) / 100, (c - e) / 100, (d - f) / 100, e, f)


def _painted(page: Any, size: Page, long_side: int) -> Any:
    scale = long_side / max(size.width, size.height, 1.0)
    return page.render(scale=scale, may_draw_forms=False, rev_byteorder=True)


def _shown(page: Any, found: list[Piece], size: Page) -> list[Piece]:
    """Those of the words that can be seen on the painted page."""
    if not found:
        return []
    pixels = np.asarray(_painted(page, size, LONG_SIDE).to_numpy())
    down, across = pixels.shape[0] / size.height, pixels.shape[1] / size.width
    return [piece for piece in found if _contrast(pixels, piece, across, down) >= CONTRAST]


def _contrast(pixels: np.ndarray[Any, Any], piece: Piece, across: float, down: float) -> int:
    left, top, right, bottom = piece.frame
    inset = 0.1 * (bottom - top)
    rows = slice(max(0, int((top + inset) * down)), max(0, math.ceil((bottom - inset) * down)))
    part = pixels[rows, max(0, int(left * across)) : max(0, math.ceil(right * across))]
    if not part.size:
        return 0
    flat = part.reshape(-1, part.shape[-1])
    return int((flat.max(axis=0).astype(int) - flat.min(axis=0)).max())


def _figures(page: Any, device: Matrix) -> tuple[list[figure.Painted], int]:
    """Its closed figures, and how many pictures it shows."""
    found: list[figure.Painted] = []
    pictures, budget = 0, MOST_SEGMENTS
    for one in page.get_objects(filter=FIGURES):
        if one.type != raw.FPDF_PAGEOBJ_PATH:
            pictures += one.type == raw.FPDF_PAGEOBJ_IMAGE
            continue
        budget -= raw.FPDFPath_CountSegments(one)
        if budget < 0:
            raise Refusal("layout-too-large", "The PDF draws too many lines.", fix="Simplify the drawing.")
        fill, stroke = c_int(), c_int()
        raw.FPDFPath_GetDrawMode(one, fill, stroke)
        if fill.value or stroke.value:
            found += [figure.Painted(frame(points), None) for points in _closed(one, within(one, device), fill.value)]
    return found, pictures


def _closed(one: Any, matrix: Matrix, filled: int) -> Iterator[list[Point]]:
    """The closed figures of a path; whatever is filled is closed. Curves by their control points, close enough."""
    points: list[Point] = []
    for index in range(raw.FPDFPath_CountSegments(one)):
        segment = raw.FPDFPath_GetPathSegment(one, index)
        if raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_MOVETO:
            if len(points) > 2 and (filled or points[0] == points[-1]):
                yield points
            points = []
        x, y = c_float(), c_float()
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        points.append(applied(matrix, x.value, y.value))
        if raw.FPDFPathSegment_GetClose(segment):
            yield points
            points = []
    if len(points) > 2 and (filled or points[0] == points[-1]):
        yield points
