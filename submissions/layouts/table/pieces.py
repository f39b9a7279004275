"""The areas of a layout one by one: circles for chips, outlines of cards, dice, boxes of devices, in local millimetres.

A `Piece` knows its size; it is drawn around its own middle. Where it is put is `ring` and `middle`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from submissions.layouts.required import Required
from submissions.layouts.table import marks
from submissions.layouts.table.words import LEADING, fitted, width

CARD = (63, 88)
FACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_CROSS = ((0, 1), (-1, 0), (0, 0), (1, 0), (0, -1))  # as in the section: farthest from the tray first


@dataclass(frozen=True, slots=True)
class Piece:
    wide: float
    high: float
    draw: Callable[[], str]  # around its middle
    row: str = ""  # pieces of one row stand together where they can; "" = anywhere


def words(element: Required) -> str:
    """The words that stand on the layout: those suggested or asked for, the element's own where there are none."""
    return element.suggested or next(iter(element.phrases), element.element)


def chips(element: Required, size: float, *, row: str = "") -> Piece:
    """A circle for chips."""
    room, radius = (size * 0.8, size * 0.56), size / 2 - 2

    def draw() -> str:
        return marks.circle(0, 0, radius) + marks.label(words(element), (0, 0), room)

    return Piece(size, size, draw, row)


def chip_box(element: Required, inside: tuple[Required, ...] = ()) -> Piece:
    """A box for chips with what is inscribed in it."""
    wide, row = 190, 24
    high = 34 + row * len(inside)

    def draw() -> str:
        parts = [marks.box(-wide / 2, -high / 2, wide, high)]
        parts.append(marks.label(words(element), (0, -high / 2 + 17), (wide - 12, 26), largest=17))
        for place, one in enumerate(inside):
            said = marks.label(words(one), (0, -high / 2 + 42 + row * place), (wide - 12, 22), largest=15)
            parts.append(marks.group([said], one))
        return "".join(parts)

    return Piece(wide, high, draw)


def cards(element: Required, count: int, inscription: Required | None = None, overlap: float = 0) -> Piece:
    """Outlines of cards beneath their name or inscription; one wide outline where the number is open."""
    step = CARD[0] + 5 - overlap
    row = step * (count - 1) + CARD[0] if count else 124
    said = words(inscription or element)
    wide, high = max(row + 12, min(width(said, 15) + 14, 130)), CARD[1] + 36

    def draw() -> str:
        left, top = -row / 2, high / 2 - CARD[1] - 6
        parts = [marks.box(-wide / 2, -high / 2, wide, high)]
        named = marks.label(said, (0, -high / 2 + 15), (wide - 10, 25), largest=16)
        parts.append(marks.group([named], inscription) if inscription else named)
        outlines = [step * place for place in range(count)]
        parts += [marks.box(left + x, top, *CARD, line=marks.LIGHT, fill=marks.PALE) for x in outlines]
        if not count:
            parts.append(marks.box(left, top, row, CARD[1], line=marks.LIGHT, fill=marks.PALE, dashed=True))
        return "".join(parts)

    return Piece(wide, high, draw)


def cross(elements: Sequence[Required]) -> Piece:
    """Five card areas in the form of a cross, the first farthest from the dealer, the last before the tray."""
    wide, high = CARD[0] * 3 + 10, CARD[1] * 3 + 10

    def draw() -> str:
        parts = []
        for (x, y), element in zip(_CROSS, elements, strict=True):
            edge = marks.box(-CARD[0] / 2, -CARD[1] / 2, *CARD, line=marks.LIGHT, fill=marks.PALE)
            named = marks.label(words(element), (0, 0), (CARD[0] - 6, CARD[1] - 10), largest=14)
            parts.append(marks.group([edge, named], element, at=(x * (CARD[0] + 5), y * (CARD[1] + 5))))
        return "".join(parts)

    return Piece(wide, high, draw)


def die(x: float, y: float, size: float, face: int) -> str:
    pips = (marks.circle(x + dx * size * 0.26, y + dy * size * 0.26, size * 0.085, line="none", fill=marks.INK)
            for dx, dy in FACES[face])  # fmt: skip
    return marks.box(x - size / 2, y - size / 2, size, size, line=marks.INK, fill=marks.LIGHT) + "".join(pips)


def dice(element: Required, faces: tuple[int, ...], *, wide: float, size: float, row: str = "") -> Piece:
    """Dice above their name, framed where there are several."""
    high = size + 38

    def draw() -> str:
        step = size + 8
        parts = [marks.box(-wide / 2, -high / 2, wide, high)] if len(faces) > 1 else []
        parts += [
            die((place - (len(faces) - 1) / 2) * step, -high / 2 + size / 2 + 5, size, face)
            for place, face in enumerate(faces)
        ]
        letters = max(min(14, (wide - 4) / width(words(element), 1)), 6)  # in one line: others stand close beside it
        parts.append(marks.lines(0, high / 2 - 15, letters, [words(element)]))
        return "".join(parts)

    return Piece(wide, high, draw, row)


def numbers(element: Required, shown: tuple[str, ...], circled: tuple[str, ...]) -> Piece:
    """A box that shows numbers above its name."""
    wide, high = max(40 * len(shown) + 14, 118), 78

    def draw() -> str:
        parts = [marks.box(-wide / 2, -high / 2, wide, high)]
        for place, one in enumerate(shown):
            x = (place - (len(shown) - 1) / 2) * 40
            parts.append(marks.text(x, -4, 24, one, bold=True))
            if one in circled:
                parts.append(marks.circle(x, -12.5, 18, line=marks.LIGHT))
        middle, room = ((0, 20), 26) if shown else ((0, 0), 60)
        parts.append(marks.label(words(element), middle, (wide - 10, room), largest=16))
        return "".join(parts)

    return Piece(wide, high, draw)


def plate(element: Required, *, wide: float = 132, high: float = 60, fill: str = marks.PALE) -> Piece:
    """A device or box, seen from above."""
    room = (wide - 10, high - 8)

    def draw() -> str:
        shape = marks.box(-wide / 2, -high / 2, wide, high, line=marks.LIGHT, fill=fill)
        return shape + marks.label(words(element), (0, 0), room, largest=17)

    return Piece(wide, high, draw)


def inscribed(element: Required, wide: float, *, row: str = "") -> Piece:
    """Words without a frame."""
    size, broken = fitted(words(element), (wide, 66), (13, 12, 11, 10, 9, 8, 7, 6.5, 6))
    high = len(broken) * size * LEADING + 6
    widest = max(width(line, size) for line in broken)
    return Piece(widest + 4, high, lambda: marks.lines(0, 0, size, broken), row)


def compartments(element: Required, inside: tuple[Required, ...]) -> Piece:
    """A box set into the table, with a named part for each inscription in it."""
    part, high = 92, 118
    wide = part * max(len(inside), 2) + 16

    def draw() -> str:
        parts = [marks.box(-wide / 2, -high / 2, wide, high, fill=marks.PALE, line=marks.LIGHT)]
        parts.append(marks.label(words(element), (0, -high / 2 + 15), (wide - 12, 24), largest=18))
        for place, one in enumerate(inside):
            x = -wide / 2 + 8 + part * place
            edge = marks.box(x + 3, -high / 2 + 30, part - 6, high - 38)
            parts.append(marks.group([edge, marks.label(words(one), (x + part / 2, 11), (part - 14, 60))], one))
        return "".join(parts)

    return Piece(wide, high, draw)


def diagram(element: Required) -> Piece:
    """Where in each box the chips of the players lie: one spot for each, as they sit."""
    wide, high, seats = 230, 78, 6

    def draw() -> str:
        parts = [marks.box(-wide / 2, -high / 2, wide, high)]
        parts.append(marks.label(words(element), (-42, 0), (wide - 100, high - 10), largest=15))
        parts.append(marks.box(36, -high / 2 + 8, 70, high - 16, line=marks.LIGHT, round_=3))
        for place in range(seats):
            x, y = 94 - 23 * (place % 3), -14 + 28 * (place // 3)
            parts.append(marks.text(x, y + 6, 16, str(place + 1)))
        return "".join(parts)

    return Piece(wide, high, draw)
