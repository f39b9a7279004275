"""The letters of a PDF's page with their places, as PDFium tells them, and what it leaves out put back.

PDFium guesses spaces, which are kept where there is room for one; tells a ligature letter by letter in one place; mixes
the letters of slanted lines; and takes the second of two equal letters on such a line for a shadow of the first.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from ctypes import c_double, c_float
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2.raw as raw

from submissions.layouts.reading.geometry import Matrix, applied, scaled, times, turned
from submissions.layouts.reading.pieces import Letter, step

SPACE = 0.12  # of a letter's size
SAME = 0.01
SHADOW = 0.15  # a shadow is nearer to what throws it
ALIKE = 0.05


@dataclass(frozen=True, slots=True)
class _Told:
    """A letter, the object of the page that draws it, and whether PDFium guesses a space before it."""

    letter: Letter
    drawn: int
    guessed: bool


def letters_of(page: Any, device: Matrix) -> tuple[list[Letter], int]:
    """Its letters in the file's order, and how many of them have no meaning; `device` from the page's own places."""
    text = page.get_textpage()
    told = _ordered(page, list(_told(text, device)))
    unknown = sum(raw.FPDFText_HasUnicodeMapError(text, index) == 1 for index in range(text.count_chars()))
    found: list[Letter] = []
    for one in _restored(page, told, device):
        letter = one.letter
        if found and math.dist((found[-1].x, found[-1].y), (letter.x, letter.y)) < SAME * letter.size:
            letter = replace(letter, advance=letter.advance + found[-1].advance)
            found[-1] = replace(found[-1], advance=0.0)
        elif found:
            found[-1] = _ended(found[-1], letter)
        if one.guessed and found and _apart(found[-1], letter):
            found.append(Letter(" ", letter.x, letter.y, letter.angle, 0.0, letter.size))
        found.append(letter)
    return found, unknown


def _ended(last: Letter, letter: Letter) -> Letter:
    """No wider than up to the next letter of its line: a ligature's letters together are wider than it is."""
    along, aside, turn = step((last.x, last.y, last.angle), (letter.x, letter.y, letter.angle))
    beside = 0 < along < last.advance and aside < SHADOW * last.size and turn < SHADOW
    return replace(last, advance=along) if beside else last


def _told(text: Any, device: Matrix) -> Iterator[_Told]:
    guessed = False
    for index in range(text.count_chars()):
        if raw.FPDFText_IsGenerated(text, index) == 1:
            guessed = True
            continue
        drawn = raw.FPDFText_GetTextObject(text, index)
        yield _Told(_letter(text, index, drawn, device), _handle(drawn), guessed)
        guessed = False


def _ordered(page: Any, told: list[_Told]) -> list[_Told]:
    """As the file has them: PDFium mixes slanted lines. Where another letter was before, a space is guessed."""
    objects = page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT])
    place = {_handle(one.raw): index for index, one in enumerate(objects)}
    order = sorted(range(len(told)), key=lambda index: place.get(told[index].drawn, 0))
    before = [-1, *order]
    return [
        told[index] if before[at] == index - 1 else replace(told[index], guessed=True) for at, index in enumerate(order)
    ]


def _handle(drawn: Any) -> int:
    return (ctypes.cast(drawn, ctypes.c_void_p).value or 0) if drawn else 0


def _apart(last: Letter, letter: Letter) -> bool:
    """Whether there is room for a space between two letters."""
    end = last.x + last.advance * math.cos(last.angle), last.y + last.advance * math.sin(last.angle), last.angle
    return step(end, (letter.x, letter.y, letter.angle))[0] > SPACE * max(last.size, letter.size)


def _letter(text: Any, index: int, drawn: Any, device: Matrix) -> Letter:
    code = raw.FPDFText_GetUnicode(text, index)
    letter = chr(code) if 32 <= code < 0xD800 or 0xE000 <= code < 0x110000 else {2: "-"}.get(code, " ")
    x, y, own = c_double(), c_double(), raw.FS_MATRIX()
    raw.FPDFText_GetCharOrigin(text, index, x, y)
    raw.FPDFText_GetMatrix(text, index, own)
    matrix = times(device, (own.a, own.b, own.c, own.d, 0, 0))
    size = raw.FPDFText_GetFontSize(text, index)
    stretch, rise = scaled(matrix)
    place = applied(device, x.value, y.value)
    return Letter(letter, *place, turned(matrix), _advance(drawn, code, size) * stretch, size * rise)


def _advance(drawn: Any, code: int, size: float) -> float:
    """How wide the font makes a letter; about half its size where it does not say."""
    width = c_float()
    font = raw.FPDFTextObj_GetFont(drawn) if drawn else None
    if font and raw.FPDFFont_GetGlyphWidth(font, code, size, width) and width.value > 0:
        return float(width.value)
    return size / 2


def _restored(page: Any, told: list[_Told], device: Matrix) -> Iterator[_Told]:
    """With the letters that PDFium took for shadows: objects without letters, as large as the one before them."""
    known = {one.drawn for one in told}
    more: dict[int, list[tuple[float, float]]] = {}
    last: Any = None
    for one in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT]):
        if _handle(one.raw) in known:
            last = one
        elif last is not None and _equal(last, one):
            before, after = within(last, device), within(one, device)
            more.setdefault(_handle(last.raw), []).append((after[4] - before[4], after[5] - before[5]))
    ends = {one.drawn: index for index, one in enumerate(told)}
    for index, one in enumerate(told):
        yield one
        if ends[one.drawn] == index:
            for dx, dy in more.get(one.drawn, ()):
                again = [copy for copy in told if copy.drawn == one.drawn]
                if math.hypot(dx, dy) > SHADOW * one.letter.size:
                    yield from (_moved(copy, dx, dy) for copy in again)


def _moved(one: _Told, dx: float, dy: float) -> _Told:
    return replace(one, letter=replace(one.letter, x=one.letter.x + dx, y=one.letter.y + dy), guessed=False)


def _equal(last: Any, one: Any) -> bool:
    """Whether both show something, and of one size; a space shows nothing."""
    sides = [(right - left, top - bottom) for left, bottom, right, top in (last.get_bounds(), one.get_bounds())]
    return min(sides[1]) > 0 and all(abs(a - b) <= ALIKE * max(a, b) for a, b in zip(*sides, strict=True))


def within(one: Any, device: Matrix) -> Matrix:
    """From a figure's own coordinates to points, through the forms it is drawn in."""
    matrices = [one.get_matrix().get()]
    outer = one.container
    while outer is not None:
        matrices.append(outer.get_matrix().get())
        outer = outer.container
    for matrix in reversed(matrices):
        device = times(device, matrix)
    return device
