"""The letters of a PDF's page with their places, from PDFium, with the letters that it leaves out.

PDFium guesses spaces, which are kept if there is a gap; returns a ligature letter by letter in one place; mixes the
letters of slanted lines; and takes the second of two equal letters on such a line for a shadow of the first.
"""

import ctypes
import math
from collections.abc import Iterator
from ctypes import c_double, c_float
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2.raw as raw
from svgelements import Matrix

from submissions.layouts.recognition.svg_geometry import baseline_of, is_legible, transform_point
from submissions.layouts.recognition.word_grouping import Letter, step_between

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
    """Its letters in the file's order, and how many have no Unicode; `device`: from the page's own coordinates."""
    text = page.get_textpage()
    letters = _ordered(page, list(_read_letters(text, device)))
    unknown = sum(raw.FPDFText_HasUnicodeMapError(text, index) == 1 for index in range(text.count_chars()))
    page_letters: list[Letter] = []
    for pdf_letter in _restored(page, letters, device):
        letter = pdf_letter.letter
        if (
            page_letters
            and math.dist((page_letters[-1].x, page_letters[-1].y), (letter.x, letter.y)) < SAME_PLACE * letter.size
        ):
            letter = replace(letter, advance=letter.advance + page_letters[-1].advance)
            page_letters[-1] = replace(page_letters[-1], advance=0.0)
        elif page_letters:
            page_letters[-1] = _ended(page_letters[-1], letter)
        if pdf_letter.guessed and page_letters and _has_gap(page_letters[-1], letter):
            page_letters.append(Letter(" ", letter.x, letter.y, letter.angle, 0.0, letter.size))
        page_letters.append(letter)
    return page_letters, unknown


def _ended(last: Letter, letter: Letter) -> Letter:
    """The letter, at most as wide as the distance to the next one: the letters of a ligature are wider than it."""
    along, aside, turn = step_between((last.x, last.y, last.angle), (letter.x, letter.y, letter.angle))
    beside = 0 < along < last.advance and aside < SHADOW * last.size and turn < SHADOW
    return replace(last, advance=along) if beside else last


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
    """In the file's order: PDFium mixes slanted lines. A space is guessed where another letter was before."""
    objects = page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT])
    place = {_handle(page_object.raw): index for index, page_object in enumerate(objects)}
    order = sorted(range(len(letters)), key=lambda index: place.get(letters[index].drawn, 0))
    return [
        replace(letters[index], guessed=letters[index].guessed or last != index - 1)
        for last, index in zip([-1, *order], order, strict=False)
    ]


def _handle(drawn: Any) -> int:
    return (ctypes.cast(drawn, ctypes.c_void_p).value or 0) if drawn else 0


def _has_gap(last: Letter, letter: Letter) -> bool:
    """Whether a space fits between two letters."""
    end = last.x + last.advance * math.cos(last.angle), last.y + last.advance * math.sin(last.angle), last.angle
    return step_between(end, (letter.x, letter.y, letter.angle))[0] > SPACE * max(last.size, letter.size)


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
    """The width of a letter in its font; half its size if the font has none."""
    width = c_float()
    font = raw.FPDFTextObj_GetFont(drawn) if drawn else None
    if font and raw.FPDFFont_GetGlyphWidth(font, code, size, width) and width.value > 0:
        return float(width.value)
    return size / 2


def _restored(page: Any, letters: list[_PdfLetter], device: Matrix) -> Iterator[_PdfLetter]:
    """With the letters that PDFium took for shadows: objects without letters, of the size of the one before them."""
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
    """Whether both are visible and have the same size; a space is not visible."""
    sides = [(right - left, top - bottom) for left, bottom, right, top in (last.get_bounds(), page_object.get_bounds())]
    return min(sides[1]) > 0 and all(abs(a - b) <= SIZE_TOLERANCE * max(a, b) for a, b in zip(*sides, strict=True))


def figure_matrix(page_object: Any, device: Matrix) -> Matrix:
    """From a figure's own coordinates to points, through the forms that contain it."""
    matrices = [page_object.get_matrix().get()]
    outer = page_object.container
    while outer is not None:
        matrices.append(outer.get_matrix().get())
        outer = outer.container
    for matrix in reversed(matrices):
        device = Matrix(*matrix) @ device
    return device
