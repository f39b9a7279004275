"""The table's middle: cards and areas that all players share, the name, and inscriptions between dealer and players."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from submissions.layouts.required import Required
from submissions.layouts.table import marks, payouts, pieces, says
from submissions.layouts.table.pieces import Piece
from submissions.layouts.table.places import SIDE, HalfMoon, Oval, Table
from submissions.layouts.table.words import LEADING, broken, fitted, width

GAP = 12
BAND = 50  # of the insurance line
LONGEST = 1050  # of a line of words
IN_A_ROW, MOST_LINES = 6, 30
_NAME = (64, 54, 46, 38, 34, 30, 26, 22, 19, 17, 15, 13, 11, 9, 7.5, 6)
_SIZES = (24, 22, 20, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6.5, 6)

Drawn = tuple[Required, Piece]


def drawn(
    elements: Sequence[Required], table: Table, inner: float, name: str, odds: Required | None = None
) -> tuple[list[str], bool]:
    """What stands in the middle, from the dealer's strip towards the players; and whether the odds found room."""
    parts = []
    line = next((one for one in elements if one.key == "insurance_line"), None)
    if line and isinstance(table, HalfMoon):
        parts.append(marks.group([_insurance(line, inner, table)], line))
        inner -= BAND + GAP
    rest = [one for one in elements if one.key not in ("insurance_line", "name_or_logo")]
    within = {one.key: area for area in rest for one in rest if says.stands_in(one, area)}
    shapes = [one for one in rest if one.kind != "inscription" or says.is_diagram(one)]
    y = float(SIDE + GAP)
    shown, y = _name(name, table, y)
    parts.append(marks.group([shown], next((one for one in elements if one.key == "name_or_logo"), None)))
    rows, y = _shapes(shapes, rest, table, inner, y)
    said = [one for one in rest if one not in shapes and one.key not in within]
    printed, beneath = _odds(odds, table, inner, y) if odds else ("", y)
    written = _inscriptions(said, table, inner, beneath) if printed else None
    if written is None:
        printed, written = "", _inscriptions(said, table, inner, y, least=6)
    return [*parts, *rows, printed, *(written or [])], bool(printed)


def _name(name: str, table: Table, y: float) -> tuple[str, float]:
    """The certificate holder's name; and where what follows begins."""
    at, room = ((0.0, table.high / 2), (900, 130)) if isinstance(table, Oval) else ((0.0, y + 24), (840, 48))
    size, lines = fitted(name, room, [size for size in _NAME if size <= room[1] / 2 or size <= 38])
    return marks.lines(*at, size, lines, fill=marks.GOLD, bold=True), y + 52


def _odds(element: Required, table: Table, inner: float, y: float) -> tuple[str, float]:
    """The odds in columns, where letters of a good size find room; "" where they do not; and where they end."""
    blocks = payouts.blocks(element)
    for size in (20, 18, 17, 16, 15, 14, 13, 12):
        for most in range(min(len(blocks), 8), 0, -1):
            straight = payouts.columns(blocks, most)
            for laid in (straight, straight.hanging()):
                if laid.fits(size, y + GAP, lambda foot: table.room(inner, foot) / 2):
                    shown = payouts.drawn(laid, size, -laid.wide * size / 2, y + GAP)
                    return marks.group([shown], element), y + GAP + laid.high * size
    return "", y


def _insurance(element: Required, inner: float, table: HalfMoon) -> str:
    """Two arcs before the players, between which the Insurance Wager is placed."""
    sweep = 70 - table.between / 4
    arcs = [table.arc(radius, sweep) for radius in (inner - 4, inner - BAND)]
    foot = table.high - table.wide / 2
    named = marks.label(pieces.words(element), (0, foot + inner - BAND / 2 - 2), (260, 30), largest=22)
    return "".join(marks.outline(arc, thick=3) for arc in arcs) + named


def _shapes(
    shapes: Sequence[Required], all_: Sequence[Required], table: Table, inner: float, y: float
) -> tuple[list[str], float]:
    """Areas and cards in rows, centred, those of one area that depicts all wagers in its frame; and where they end."""
    frame = next((one for one in shapes if says.depicts_all(one)), None)
    framed = [one for one in shapes if frame and one.wager]
    parts: list[str] = []
    if frame:
        top = y
        parts, y, wide = _rows([(one, _piece(one, all_)) for one in framed], table, inner, y + GAP)
        edge = marks.box(-wide / 2 - GAP, top, wide + 2 * GAP, y - top)
        parts.insert(0, marks.group([edge], frame))
        y += GAP
    crossed = [one for one in shapes if says.is_cross(one)]
    rest: list[Drawn] = [(crossed[0], pieces.cross(crossed))] if crossed else []
    rest += [(one, _piece(one, all_)) for one in shapes if one not in (frame, *framed, *crossed)]
    rows, y, _ = _rows(rest, table, inner, y)
    return [*parts, *rows], y


def _rows(made: Sequence[Drawn], table: Table, inner: float, y: float) -> tuple[list[str], float, float]:
    """The rows, where they end, and how wide the widest is."""
    parts: list[str] = []
    widest = 0.0
    for _, together in groupby(made, key=lambda one: one[1].row):
        waiting = list(together)
        while waiting:
            taken = _row(waiting, table, inner, y)
            high = max(piece.high for _, piece in taken)
            wide = sum(piece.wide + GAP for _, piece in taken) - GAP
            parts.append(_across(taken, wide, y + high / 2))
            widest, y, waiting = max(widest, wide), y + high + GAP, waiting[len(taken) :]
    return parts, y, widest


def _across(taken: Sequence[Drawn], wide: float, y: float) -> str:
    left, parts = -wide / 2, []
    for element, piece in taken:
        of = None if says.is_cross(element) else element
        parts.append(marks.group([piece.draw()], of, at=(left + piece.wide / 2, y)))
        left += piece.wide + GAP
    return "".join(parts)


def _row(waiting: Sequence[Drawn], table: Table, inner: float, y: float) -> list[Drawn]:
    taken: list[Drawn] = []
    for one in waiting:
        longer = [*taken, one]
        high = max(piece.high for _, piece in longer)
        wide = sum(piece.wide + GAP for _, piece in longer)
        if taken and (wide > table.room(inner, y + high) or len(taken) == IN_A_ROW):
            break
        taken = longer
    return taken


def _piece(element: Required, all_: Sequence[Required]) -> Piece:
    inside = tuple(one for one in all_ if says.stands_in(one, element))
    faces, shown = says.dice(element), says.numbers(element)
    if says.is_diagram(element):
        return pieces.diagram(element)
    if element.kind == "card_area":
        count = says.cards(element)
        return pieces.cards(element, count, next(iter(inside), None), overlap=36 if count > 5 else 0)
    if element.kind == "box":
        return pieces.compartments(element, tuple(reversed(inside)))
    if faces:
        return pieces.dice(element, faces, wide=150, size=46, row=element.wager)
    if shown or (element.wager and element.key.endswith("_box")):
        return pieces.numbers(element, shown, says.circled(element))
    return pieces.chips(element, 124)


def _inscriptions(
    said: Sequence[Required], table: Table, inner: float, y: float, *, least: float = 11
) -> list[str] | None:
    """The inscriptions under each other, in the largest letters in which all fit; None where the least do not."""
    for size in (size for size in _SIZES if size >= least):
        parts, end = _in_size(said, size, table, inner, y)
        if parts is not None and end <= inner:
            return parts
    return None


def _in_size(
    said: Sequence[Required], size: float, table: Table, inner: float, y: float
) -> tuple[list[str] | None, float]:
    """The inscriptions in that size and where they end; None where a word is longer than its line may be."""
    parts = []
    for element in said:
        rooms = [min(table.room(inner, y + (place + 1) * size * LEADING), LONGEST) for place in range(MOST_LINES)]
        lines = _lines(pieces.words(element), size, rooms)
        if len(lines) > MOST_LINES or any(width(line, size) > room for line, room in zip(lines, rooms, strict=False)):
            return None, y
        feet = [y + (place + 0.85) * size * LEADING for place in range(len(lines))]
        shown = [marks.text(0, foot, size, line) for foot, line in zip(feet, lines, strict=True)]
        parts.append(marks.group(shown, element))
        y += (len(lines) + 0.35) * size * LEADING
    return parts, y


def _lines(words: str, size: float, rooms: Sequence[float]) -> list[str]:
    """As few lines as need be, about equally long."""
    fewest = broken(words, size, rooms)
    narrower = (broken(words, size, [share * room for room in rooms]) for share in (0.5, 0.6, 0.7, 0.8, 0.9))
    return next((lines for lines in narrower if len(lines) == len(fewest)), fewest)
