"""The words and closed figures of a PDF, by PDFium; letters drawn as outlines or pictures are recognized from pixels.

Only in the isolated process. Which words are visible: `pdf_visibility`.
"""

from collections.abc import Iterator, Sequence
from ctypes import c_float, c_int
from dataclasses import replace
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from svgelements import Matrix

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import Drawing, DrawingPage, DrawingSource, PagePlace
from submissions.layouts.recognition import figures, picture
from submissions.layouts.recognition.file_limits import check_pages
from submissions.layouts.recognition.legibility import Sight
from submissions.layouts.recognition.pdf_letters import figure_matrix, letters_of
from submissions.layouts.recognition.pdf_visibility import painted_page, sights_and_removal
from submissions.layouts.recognition.svg_geometry import Coordinates, transform_point
from submissions.layouts.recognition.tesseract import is_installed
from submissions.layouts.recognition.word_grouping import PlacedWord, frame_around, group_letters, words_in_lines

MOST_SEGMENTS = 400_000
LONG_SIDE_READ = 3300  # pixels of a page painted to recognize letters
OUTLINE_FIGURES = 20  # figures that may be letters, where there is no text
UNREADABLE = 0.5  # of the letters without meaning
PRECISE = 1000  # device units a point
FIGURES = (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
MILLIMETERS = 25.4 / 72


def read(content: bytes) -> Drawing:
    """The drawing; `core.upload_scan` has refused active content."""
    check_pages(content)
    with pdfium.PdfDocument(content) as document:
        drawings = [_page(document[number], number) for number in range(len(document))]
    as_text = [drawing for drawing in drawings if drawing.source is DrawingSource.PDF]
    return Drawing(
        source=DrawingSource.PDF if len(as_text) == len(drawings) else DrawingSource.PICTURE,
        pages=tuple(size for drawing in drawings for size in drawing.pages),
        words=tuple(word for drawing in drawings for word in drawing.words),
        shapes=tuple(dict.fromkeys(shape for drawing in drawings for shape in drawing.shapes)),
        outlined=any(drawing.outlined for drawing in drawings) and not any(drawing.words for drawing in as_text),
        unclear=tuple(word for drawing in drawings for word in drawing.unclear),
    )


def _page(page: Any, number: int) -> Drawing:
    """One page; a picture if it has no visible text and its letters were recognized.

    A scan is read as the file of a picture is, made straight. Beside visible text, letters in pictures and outlines are
    recognized on the page without its text.
    """
    size = DrawingPage(*page.get_size())
    stated = (DrawingPage(*(round(side * MILLIMETERS, 2) for side in page.get_size())),)
    device = _device(page, size)
    drawn, pictures = _figures(page, device)
    shapes = tuple(PagePlace(number, box) for box in figures.area_boxes(drawn, size))
    shown, unclear = (words_in_lines(words, number, size) for words in _words(page, device, size))
    if not shown and _may_be_scan(drawn, pictures) and is_installed():
        image = painted_page(page, LONG_SIDE_READ).to_pil().convert("RGB")
        return replace(picture.read_image(image, *stated, number), outlined=True, unclear=tuple(unclear))
    outlined = not shown and (len(drawn) >= OUTLINE_FIGURES or pictures > 0)
    if is_installed() and (outlined or pictures > 0 or figures.may_be_letters(drawn, size)):
        image = painted_page(page, LONG_SIDE_READ).to_pil().convert("L")
        shown += picture.recognize_beside(image, number, shown)
    source = DrawingSource.PICTURE if outlined and is_installed() else DrawingSource.PDF
    return Drawing(source, stated, tuple(shown), shapes, outlined, tuple(unclear))


def is_scan(page: Any) -> bool:
    """Whether the page is read as a picture and made straight."""
    size = DrawingPage(*page.get_size())
    device = _device(page, size)
    return _may_be_scan(*_figures(page, device)) and is_installed() and not _words(page, device, size)[0]


def _may_be_scan(drawn: Sequence[figures.PaintedFigure], pictures: int) -> bool:
    return pictures > 0 and len(drawn) < OUTLINE_FIGURES


def _words(page: Any, device: Matrix, size: DrawingPage) -> tuple[list[PlacedWord], list[PlacedWord]]:
    """The words of its text that are visible, and those that may be; the page is then without its text."""
    letters, unknown = letters_of(page, device)
    placed = group_letters(letters) if unknown <= UNREADABLE * max(1, len(letters)) else []
    seen = list(zip(placed, sights_and_removal(page, placed, size, MILLIMETERS), strict=True))
    shown, unclear = ([word for word, sight in seen if sight is wanted] for wanted in (Sight.VISIBLE, Sight.UNCLEAR))
    return shown, unclear


def _device(page: Any, size: DrawingPage) -> Matrix:
    """From the page's own coordinates to points from its upper left, with its rotation and crop box."""

    def place(x: float, y: float) -> Coordinates:
        across, down = c_int(), c_int()
        width, height = round(size.width * PRECISE), round(size.height * PRECISE)
        raw.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, across, down)
        return across.value / PRECISE, down.value / PRECISE

    (e, f), (a, b), (c, d) = place(0, 0), place(100, 0), place(0, 100)
    return Matrix((a - e) / 100, (b - f) / 100, (c - e) / 100, (d - f) / 100, e, f)


def _figures(page: Any, device: Matrix) -> tuple[list[figures.PaintedFigure], int]:
    """Its closed figures, and the number of its pictures."""
    painted: list[figures.PaintedFigure] = []
    pictures, budget = 0, MOST_SEGMENTS
    for page_object in page.get_objects(filter=FIGURES):
        if page_object.type != raw.FPDF_PAGEOBJ_PATH:
            pictures += page_object.type == raw.FPDF_PAGEOBJ_IMAGE
            continue
        budget -= raw.FPDFPath_CountSegments(page_object)
        if budget < 0:
            raise Refusal("layout-too-large/pdf-lines")
        fill, stroke = c_int(), c_int()
        raw.FPDFPath_GetDrawMode(page_object, fill, stroke)
        if fill.value or stroke.value:
            painted += [
                figures.PaintedFigure(frame_around(points))
                for points in _closed(page_object, figure_matrix(page_object, device), fill.value)
            ]
    return painted, pictures


def _closed(path: Any, matrix: Matrix, filled: int) -> Iterator[list[Coordinates]]:
    """The closed figures of a path; a filled one is closed. Curves by their control points, which are close enough."""
    points: list[Coordinates] = []
    for index in range(raw.FPDFPath_CountSegments(path)):
        segment = raw.FPDFPath_GetPathSegment(path, index)
        if raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_MOVETO:
            if len(points) > 2 and (filled or points[0] == points[-1]):
                yield points
            points = []
        x, y = c_float(), c_float()
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        points.append(transform_point(matrix, x.value, y.value))
        if raw.FPDFPathSegment_GetClose(segment):
            yield points
            points = []
    if len(points) > 2 and (filled or points[0] == points[-1]):
        yield points
