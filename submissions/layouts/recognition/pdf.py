"""The words and closed figures of a PDF, by PDFium; letters drawn as outlines or pictures are recognized from pixels.

Only in the isolated process. PDFium guesses spaces, which are kept if there is a gap; returns a ligature letter by
letter in one place; mixes the letters of slanted lines; and takes the second of two equal letters on such a line for a
shadow of the first. The letters that it leaves out are restored.

The page is painted with its text and without: people can see the words that make a difference to the pixels. That finds
words that are invisible by their render mode, white on white, covered, transparent, clipped, on a hidden layer, or over
or under a scan that shows something else. And where the page without its text has a line from one side of a word to the
other, the word is struck through: it may be meant to count or not to count (`legibility`).
"""

import ctypes
import math
from collections.abc import Iterator, Sequence
from ctypes import POINTER, c_double, c_float, c_int, c_ushort, cast, create_string_buffer
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from svgelements import Matrix

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import Drawing, DrawingPage, DrawingSource, PagePlace
from submissions.layouts.recognition import figures, picture
from submissions.layouts.recognition.file_checks import check_pages
from submissions.layouts.recognition.legibility import (
    CLEAR,
    FAINT,
    LONG_SIDE,
    Sight,
    is_crossed,
    samples,
    sight_by_size,
)
from submissions.layouts.recognition.line_recognition import is_tesseract_installed
from submissions.layouts.recognition.svg_geometry import Coordinates, baseline_of, is_legible, transform_point
from submissions.layouts.recognition.word_grouping import (
    Letter,
    PlacedWord,
    frame_around,
    group_letters,
    step_between,
    words_in_lines,
)

MOST_SEGMENTS = 400_000
LONG_SIDE_READ = 3300  # pixels of a page painted to recognize letters
OUTLINE_FIGURES = 20  # figures that may be letters, where there is no text
UNREADABLE = 0.5  # of the letters without meaning
PRECISE = 1000  # device units a point
FIGURES = (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
MILLIMETERS = 25.4 / 72


def read(content: bytes) -> Drawing:
    """Return the drawing; `core.uploads` has refused active content."""
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
    """Return one page; a picture if it has no visible text and its letters were recognized.

    A scan is read as the file of a picture is, made straight. Beside visible text, letters in pictures and outlines are
    recognized on the page without its text.
    """
    size = DrawingPage(*page.get_size())
    stated = (DrawingPage(*(round(side * MILLIMETERS, 2) for side in page.get_size())),)
    device = _device(page, size)
    drawn, pictures = _figures(page, device)
    shapes = tuple(PagePlace(number, box) for box in figures.area_boxes(drawn, size))
    shown, unclear = (words_in_lines(words, number, size) for words in _words(page, device, size))
    if not shown and _may_be_scan(drawn, pictures) and is_tesseract_installed():
        image = painted_page(page, LONG_SIDE_READ).to_pil().convert("RGB")
        return replace(picture.read_image(image, *stated, number), outlined=True, unclear=tuple(unclear))
    outlined = not shown and (len(drawn) >= OUTLINE_FIGURES or pictures > 0)
    if is_tesseract_installed() and (outlined or pictures > 0 or figures.may_be_letters(drawn, size)):
        image = painted_page(page, LONG_SIDE_READ).to_pil().convert("L")
        shown += picture.recognize_beside(image, number, shown)
    source = DrawingSource.PICTURE if outlined and is_tesseract_installed() else DrawingSource.PDF
    return Drawing(source, stated, tuple(shown), shapes, outlined, tuple(unclear))


def is_scan(page: Any) -> bool:
    """Return whether the page is read as a picture and made straight."""
    size = DrawingPage(*page.get_size())
    device = _device(page, size)
    return _may_be_scan(*_figures(page, device)) and is_tesseract_installed() and not _words(page, device, size)[0]


def _may_be_scan(drawn: Sequence[figures.PaintedFigure], pictures: int) -> bool:
    return pictures > 0 and len(drawn) < OUTLINE_FIGURES


def _words(page: Any, device: Matrix, size: DrawingPage) -> tuple[list[PlacedWord], list[PlacedWord]]:
    """Return the words of its text that are visible, and those that may be; the page is then without its text."""
    letters, unknown = letters_of(page, device)
    placed = group_letters(letters) if unknown <= UNREADABLE * max(1, len(letters)) else []
    seen = list(zip(placed, sights_and_removal(page, placed, size, MILLIMETERS), strict=True))
    shown, unclear = ([word for word, sight in seen if sight is wanted] for wanted in (Sight.VISIBLE, Sight.UNCLEAR))
    return shown, unclear


def _device(page: Any, size: DrawingPage) -> Matrix:
    """Return the matrix from the page's own coordinates to points from its upper left, rotated and cropped."""

    def place(x: float, y: float) -> Coordinates:
        across, down = c_int(), c_int()
        width, height = round(size.width * PRECISE), round(size.height * PRECISE)
        raw.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, across, down)
        return across.value / PRECISE, down.value / PRECISE

    (e, f), (a, b), (c, d) = place(0, 0), place(100, 0), place(0, 100)
    return Matrix((a - e) / 100, (b - f) / 100, (c - e) / 100, (d - f) / 100, e, f)


def _figures(page: Any, device: Matrix) -> tuple[list[figures.PaintedFigure], int]:
    """Return the closed figures of the page, and the number of its pictures."""
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
    """Yield the closed figures of a path; a filled one is closed.

    Curves by their control points, which are close enough.
    """
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


SPACE = 0.12  # of a letter's size
SAME_PLACE = 0.01
SHADOW = 0.15  # a shadow is nearer to its letter
SIZE_TOLERANCE = 0.05


@dataclass(frozen=True, slots=True)
class _PdfLetter:
    """A letter, the object of the page that draws it, and whether PDFium guesses a space before it."""

    letter: Letter
    drawn: int
    guessed: bool


def letters_of(page: Any, device: Matrix) -> tuple[list[Letter], int]:
    """Return the letters in the file's order, and the number without Unicode; `device`: from the page's own units."""
    text = page.get_textpage()
    letters = _ordered(page, list(_read_letters(text, device)))
    unknown = sum(raw.FPDFText_HasUnicodeMapError(text, index) == 1 for index in range(text.count_chars()))
    page_letters: list[Letter] = []
    for pdf_letter in _restored(page, letters, device):
        letter = pdf_letter.letter
        if page_letters:
            last = page_letters[-1]
            along, aside, turn = step_between(last.begin, letter.begin)
            if math.dist((last.x, last.y), (letter.x, letter.y)) < SAME_PLACE * letter.size:
                letter = replace(letter, advance=letter.advance + last.advance)
                last = replace(last, advance=0.0)
            elif 0 < along < last.advance and aside < SHADOW * last.size and turn < SHADOW:
                last = replace(last, advance=along)  # letters of a ligature are wider than it
            page_letters[-1] = last
            gap = step_between(last.end, letter.begin)[0]
            if pdf_letter.guessed and gap > SPACE * max(last.size, letter.size):
                page_letters.append(Letter(" ", letter.x, letter.y, letter.angle, 0.0, letter.size))
        page_letters.append(letter)
    return page_letters, unknown


def _read_letters(text: Any, device: Matrix) -> Iterator[_PdfLetter]:
    guessed = False
    for index in range(text.count_chars()):
        if raw.FPDFText_IsGenerated(text, index) == 1:
            guessed = True
            continue
        drawn = raw.FPDFText_GetTextObject(text, index)
        yield _PdfLetter(_letter(text, index, drawn, device), _handle(drawn), guessed)
        guessed = False


def _ordered(page: Any, letters: list[_PdfLetter]) -> list[_PdfLetter]:
    """Return letters in the file's order, as PDFium mixes slanted lines; a space where the order changes is a guess."""
    objects = page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT])
    place = {_handle(page_object.raw): index for index, page_object in enumerate(objects)}
    order = sorted(range(len(letters)), key=lambda index: place.get(letters[index].drawn, 0))
    return [
        replace(letters[index], guessed=letters[index].guessed or last != index - 1)
        for last, index in zip([-1, *order], order, strict=False)
    ]


def _handle(drawn: Any) -> int:
    return (ctypes.cast(drawn, ctypes.c_void_p).value or 0) if drawn else 0


def _letter(text: Any, index: int, drawn: Any, device: Matrix) -> Letter:
    code = raw.FPDFText_GetUnicode(text, index)
    letter = chr(code) if 32 <= code < 0xD800 or 0xE000 <= code < 0x110000 else {2: "-"}.get(code, " ")
    x, y, own = c_double(), c_double(), raw.FS_MATRIX()
    raw.FPDFText_GetCharOrigin(text, index, x, y)
    raw.FPDFText_GetMatrix(text, index, own)
    size = raw.FPDFText_GetFontSize(text, index)
    placing = Matrix(own.a, own.b, own.c, own.d, 0, 0) @ device
    angle, stretch, rise = baseline_of(placing)
    place = transform_point(device, x.value, y.value)
    advance = _advance(drawn, code, size) * stretch
    return Letter(letter, *place, angle, advance, size * rise, legible=is_legible(Matrix(1, 0, 0, -1, 0, 0) @ placing))


def _advance(drawn: Any, code: int, size: float) -> float:
    """Return the width of a letter in its font; half its size if the font has none."""
    width = c_float()
    font = raw.FPDFTextObj_GetFont(drawn) if drawn else None
    if font and raw.FPDFFont_GetGlyphWidth(font, code, size, width) and width.value > 0:
        return float(width.value)
    return size / 2


def _restored(page: Any, letters: list[_PdfLetter], device: Matrix) -> Iterator[_PdfLetter]:
    """Yield the letters and those that PDFium took for shadows: objects without letters, as large as the one before."""
    known = {letter.drawn for letter in letters}
    more: dict[int, list[tuple[float, float]]] = {}
    last: Any = None
    for page_object in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT]):
        if _handle(page_object.raw) in known:
            last = page_object
        elif last is not None and _equal(last, page_object):
            before, after = figure_matrix(last, device), figure_matrix(page_object, device)
            more.setdefault(_handle(last.raw), []).append((after.e - before.e, after.f - before.f))
    ends = {pdf_letter.drawn: index for index, pdf_letter in enumerate(letters)}
    for index, pdf_letter in enumerate(letters):
        yield pdf_letter
        if ends[pdf_letter.drawn] == index:
            for dx, dy in more.get(pdf_letter.drawn, ()):
                if math.hypot(dx, dy) > SHADOW * pdf_letter.letter.size:
                    again = (copy.letter for copy in letters if copy.drawn == pdf_letter.drawn)
                    moved = (replace(letter, x=letter.x + dx, y=letter.y + dy) for letter in again)
                    yield from (_PdfLetter(letter, pdf_letter.drawn, guessed=False) for letter in moved)


def _equal(last: Any, page_object: Any) -> bool:
    """Return whether both are visible and have the same size; a space is not visible."""
    sides = [(right - left, top - bottom) for left, bottom, right, top in (last.get_bounds(), page_object.get_bounds())]
    return min(sides[1]) > 0 and all(abs(a - b) <= SIZE_TOLERANCE * max(a, b) for a, b in zip(*sides, strict=True))


def figure_matrix(page_object: Any, device: Matrix) -> Matrix:
    """Return the matrix from a figure's own coordinates to points, through the forms that contain it."""
    if page_object.container is not None:
        device = figure_matrix(page_object.container, device)
    return Matrix(*page_object.get_matrix().get()) @ device


DEEPEST = 15  # forms within forms
AWAY = 1_000_000.0  # points
FEW, MOST = 0.2, 0.7  # of a word's parts, each as wide as a letter on average: an “i” fills less, an “m” more
DASHES = set("-_=~‐‑‒–—―−─━ ")  # text of nothing else is a line
UPWARDS = tuple(step / 16 for step in range(-2, 13))  # of the letters' size

Pixels = np.ndarray[Any, np.dtype[np.uint8]]


def painted_page(page: Any, long_side: int) -> Any:
    """Return the page as a bitmap of PDFium, its longer side of that many pixels."""
    return page.render(scale=long_side / max(*page.get_size(), 1.0), may_draw_forms=False, rev_byteorder=True)


def sights_and_removal(page: Any, words: Sequence[PlacedWord], size: DrawingPage, unit_mm: float) -> list[Sight]:
    """Return the sight of each word. Afterwards the page, in memory, has no text; with no words, nothing is done."""
    if not words:
        return []
    with_text = _pixels(page)
    _remove_text(page)
    rest = _pixels(page).astype(np.int16)
    difference = np.abs(rest - with_text).max(axis=-1)
    scale = difference.shape[1] / size.width, difference.shape[0] / size.height
    long_side = max(size.width, size.height)
    sights = [_sight(word, difference, scale, sight_by_size(word.size, unit_mm, long_side)) for word in words]
    return [
        Sight.UNCLEAR if sight is Sight.VISIBLE and (not word.legible or is_crossed(word, rest, scale)) else sight
        for word, sight in zip(words, sights, strict=True)
    ]


def _pixels(page: Any) -> Pixels:
    return np.array(painted_page(page, LONG_SIDE).to_numpy())


def _remove_text(page: Any) -> None:
    """Move it off the page: objects within forms cannot be removed, and letters of Type 3 have no other paint."""
    read = page.get_textpage()
    for text in list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=DEEPEST)):
        if not _is_line(text, read):
            raw.FPDFPageObj_Transform(text.raw, 1, 0, 0, 1, AWAY, AWAY)


def _is_line(text: Any, read: Any) -> bool:
    """Return whether the object has dashes and nothing else."""
    length = raw.FPDFTextObj_GetText(text.raw, read.raw, None, 0)
    buffer = create_string_buffer(length)
    raw.FPDFTextObj_GetText(text.raw, read.raw, cast(buffer, POINTER(c_ushort)), length)
    said = buffer.raw.decode("utf-16-le", "ignore").strip("\0")
    return bool(said.strip()) and set(said) <= DASHES


def _sight(word: PlacedWord, difference: np.ndarray[Any, Any], scale: tuple[float, float], by_size: Sight) -> Sight:
    column, row, inside = samples(word, UPWARDS, difference.shape, scale)
    most = np.where(inside, difference[row, column], 0).max(axis=(1, 2))  # of each part
    if (most >= FAINT).mean() <= FEW or by_size is Sight.HIDDEN:
        return Sight.HIDDEN
    return by_size if (most >= CLEAR).mean() >= MOST else Sight.UNCLEAR
