"""The players' places: at each the areas that every player has, in rows from the rail towards the dealer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from submissions.layouts.required import Required
from submissions.layouts.table import marks, pieces, says
from submissions.layouts.table.pieces import Piece
from submissions.layouts.table.places import HalfMoon

MARGIN, GAP = 22, 8  # to the rail; between pieces
MANY, SIZES, SMALL = 8, (118, 108, 98, 92), (64,)  # more areas than that are smaller
TOGETHER = 3  # areas of a wager that stand in one row
ROOMY = 650  # radius of the table's middle
_ORDER = ("card_area", "area", "device", "inscription")

Drawn = tuple[Required, Piece]


@dataclass(frozen=True, slots=True)
class Row:
    """Pieces side by side, and how far their middle is from the table's."""

    drawn: tuple[Drawn, ...]
    at: float


def rows(elements: Sequence[Required], table: HalfMoon) -> list[Row]:
    """What every player has, from the rail inwards; circles as large as leaves the middle its room."""
    sizes = SIZES if sum(one.kind == "area" for one in elements) <= MANY else SMALL
    for size in sizes:
        found = _rows(_pieces(elements, table, size), table)
        if inner(found, table) >= ROOMY:
            return found
    return _rows(_pieces(elements, table, sizes[-1]), table)


def _rows(waiting: Sequence[Drawn], table: HalfMoon) -> list[Row]:
    reach = table.radius - MARGIN
    found: list[Row] = []
    for _, part in groupby(waiting, key=lambda one: one[1].row):
        together = list(part)
        while together:
            taken = _row(together, reach, table)
            high = max(piece.high for _, piece in taken)
            found.append(Row(tuple(taken), reach - high / 2))
            reach -= high + GAP
            together = together[len(taken) :]
    return found


def inner(found: Sequence[Row], table: HalfMoon) -> float:
    """How far from the table's middle the players' areas begin."""
    depths = [row.at - max(piece.high for _, piece in row.drawn) / 2 for row in found]
    return min(depths, default=table.radius - MARGIN) - GAP


def drawn(found: Sequence[Row], table: HalfMoon) -> list[str]:
    """Every position's rows, turned towards its player."""
    foot = table.high - table.wide / 2
    return [
        marks.group([_row_drawn(row) for row in found], at=(0, foot), turn=round(turn, 1)) for turn in table.turns()
    ]


def _row_drawn(row: Row) -> str:
    left = -(sum(piece.wide for _, piece in row.drawn) + GAP * (len(row.drawn) - 1)) / 2
    parts = []
    for element, piece in row.drawn:
        parts.append(marks.group([piece.draw()], element, at=(left + piece.wide / 2, row.at)))
        left += piece.wide + GAP
    return "".join(parts)


def _row(waiting: Sequence[Drawn], reach: float, table: HalfMoon) -> list[Drawn]:
    """As many as fit beside each other at that reach; where all need several rows, about as many in each."""
    taken: list[Drawn] = []
    for one in waiting:
        if taken and not _fits([*taken, *_beside(one, waiting, taken)], reach, table):
            break
        taken.append(one)
    if 1 < len(taken) < len(waiting) and len({piece.wide for _, piece in waiting}) == 1:
        return list(waiting[: math.ceil(len(waiting) / math.ceil(len(waiting) / len(taken)))])
    return taken


def _fits(row: Sequence[Drawn], reach: float, table: HalfMoon) -> bool:
    wide = sum(piece.wide + GAP for _, piece in row) - GAP
    return wide <= table.across(reach - max(piece.high for _, piece in row))


def _beside(one: Drawn, waiting: Sequence[Drawn], taken: Sequence[Drawn]) -> list[Drawn]:
    """With the first area of a wager all its areas, so that none of them falls into the next row."""
    if not one[0].wager or any(element.wager == one[0].wager for element, _ in taken):
        return [one]
    together = [other for other in waiting if other[0].wager == one[0].wager and other[0].kind == one[0].kind]
    return together if len(together) <= TOGETHER else [one]


def _pieces(elements: Sequence[Required], table: HalfMoon, size: float) -> list[Drawn]:
    within = {one.key: area for area in elements for one in elements if says.stands_in(one, area)}
    free = sorted((one for one in elements if one.key not in within), key=_order)
    found: list[Drawn] = []
    for element in free:
        inside = tuple(one for one in elements if within.get(one.key) == element)
        found.append((element, _piece(element, inside, table, size)))
    return found


def _order(element: Required) -> int:
    """Cards nearest to the player; what is inscribed at a wager's areas beside them; dice farthest."""
    kind = "area" if element.kind == "inscription" and element.wager else element.kind
    return _ORDER.index(kind)


def _piece(element: Required, inside: tuple[Required, ...], table: HalfMoon, size: float) -> Piece:
    faces = says.dice(element)
    if faces:
        return pieces.dice(element, faces, wide=45, size=34, row="dice")
    if element.kind == "card_area":
        return pieces.cards(element, says.cards(element))
    if element.kind == "device":
        return pieces.plate(element, wide=112, high=44)
    if element.kind == "inscription":
        return pieces.inscribed(element, table.across(table.radius * 0.6), row=element.wager)
    if inside:
        return pieces.chip_box(element, inside)
    return pieces.chips(element, size, row=element.wager if size in SMALL else "")
