"""A layout's content placed on a table: figures and lines of text, in millimeters from the upper left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.submissions.layouts.held_set.sheets import OddsTable, Sheet

WIDE, HIGH = 1800.0, 1000.0
EM = 0.56  # usual width of a letter, of its size
CAPITAL_EM = 0.74  # of a capital letter
MIDDLE = WIDE / 2
BOX_WIDE, BOX_HIGH = 190.0, 46.0
LONGEST = 56  # letters of an outcome in one line


@dataclass(frozen=True, slots=True)
class Figure:
    left: float
    top: float
    wide: float
    high: float
    round: bool = False


@dataclass(frozen=True, slots=True)
class TextLine:
    """x: of the anchor (`start`, `middle` or `end`); y: of the baseline."""

    text: str
    x: float
    y: float
    size: float
    anchor: str = "middle"
    hidden: bool = False


Item = Figure | TextLine


def compose(sheet: Sheet) -> list[Item]:
    return [*_head(sheet), *_equipment(sheet), *_dealer_side(sheet), *_tables(sheet), *_seats(sheet)]


def _head(sheet: Sheet) -> Iterator[Item]:
    yield TextLine(sheet.licensee, MIDDLE, 64, 40)
    yield TextLine(sheet.title, MIDDLE, 110, 32)
    y = 162.0
    for text in sheet.hidden:
        yield TextLine(text, MIDDLE, 132, 16, hidden=True)
    for text in (*sheet.inscriptions, *sheet.advertised):
        size = 22.0 if len(text) < 60 else 17.0
        for line in wrapped(text, 900 / (EM * size)):
            yield TextLine(line, MIDDLE, y, size)
            y += 1.2 * size
        y += 14


def _equipment(sheet: Sheet) -> Iterator[Item]:
    for place, label in enumerate(sheet.equipment):
        left = 30.0 if place % 2 else WIDE - 30 - BOX_WIDE
        yield from _box(label, left, 24 + place // 2 * 62, BOX_WIDE, BOX_HIGH)


def _dealer_side(sheet: Sheet) -> Iterator[Item]:
    for place, label in enumerate(sheet.dealer_side):
        yield from _box(label, 262.0 if place == 0 else WIDE - 262 - BOX_WIDE, 24, BOX_WIDE, 74)


def _box(label: str, left: float, top: float, wide: float, high: float) -> Iterator[Item]:
    yield Figure(left, top, wide, high)
    yield from _label(label, left + wide / 2, top + high / 2, wide * 0.9)


def _label(label: str, x: float, y: float, room: float) -> Iterator[TextLine]:
    lines = list(wrapped(label, max(room / (EM * 14), *map(len, label.split()))))
    size = min(15.0, room / (EM * 1.08 * max(map(len, lines))))
    first = y - (len(lines) - 1) * 0.6 * size + 0.36 * size
    for place, line in enumerate(lines):
        yield TextLine(line, x, first + place * 1.2 * size, size)


def wrapped(text: str, most: float) -> Iterator[str]:
    """Lines of at most so many letters."""
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > most:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    yield line


def _tables(sheet: Sheet) -> Iterator[Item]:
    """Side by side below the inscriptions, the last of the tables at the right."""
    wide = 1720 / max(1, len(sheet.tables))
    for place, table in enumerate(sheet.tables):
        yield from _table(table, 40 + place * wide + wide / 2)


def _table(table: OddsTable, middle: float) -> Iterator[Item]:
    size, top, leading = 13.0, 412.0, 17.5
    rows = [(list(wrapped(outcome, LONGEST)), pays) for outcome, *pays in table.rows]
    first = size * max(_ems(line) for lines, _ in rows for line in lines) + 24
    pay = size * EM * 13
    left = middle - (first + pay * max(1, len(table.columns))) / 2
    yield TextLine(table.heading, middle, top, 17)
    for place, column in enumerate(table.columns):
        yield TextLine(column, left + first + place * pay, top + 20, size, "start")
    y = top + (44 if table.columns else 24)
    for lines, pays in rows:
        for line in lines:
            yield TextLine(line, left, y, size, "start")
            y += leading
        for place, text in enumerate(pays):
            yield TextLine(text, left + first + place * pay, y - leading, size, "start")


def _ems(line: str) -> float:
    return len(line) * (CAPITAL_EM if line.isupper() else EM)


def _seats(sheet: Sheet) -> Iterator[Item]:
    """In an arc: the seats in the middle are nearer to the players."""
    room = (WIDE - 60) / len(sheet.seats)
    for place, labels in enumerate(sheet.seats):
        middle = 30 + (place + 0.5) * room
        off = (middle - MIDDLE) / MIDDLE
        yield from _seat(labels, middle, 690 - 40 * off * off, room, circled=sheet.circled)


def _seat(labels: tuple[str, ...], middle: float, top: float, room: float, *, circled: bool) -> Iterator[Item]:
    columns = 2 if len(labels) < 7 else 3
    across = min(room / columns, 118.0)
    radius = min(across, 270 / -(-len(labels) // columns)) / 2 - 4
    for place, label in enumerate(labels):
        x = middle + (place % columns - (columns - 1) / 2) * across
        y = top + (place // columns + 0.5) * (2 * radius + 8)
        if circled:
            yield Figure(x - radius, y - radius, 2 * radius, 2 * radius, round=True)
        yield from _label(label, x, y, 1.62 * radius)
