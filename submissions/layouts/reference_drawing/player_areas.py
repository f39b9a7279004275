"""The players' positions: at each the areas that every player has, in rows from the rail towards the dealer."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from submissions.layouts.reference_drawing import areas, shapes
from submissions.layouts.reference_drawing.areas import SPOT, DrawnArea, PlacedArea, draw_spot
from submissions.layouts.reference_drawing.table_shape import HalfMoon
from submissions.layouts.required_elements import RequiredElement

MARGIN, GAP = 22, 8  # to the rail; between pieces
MANY, SIZES, SMALL = 8, (118, 108, 98, 92, 84), (64,)  # more areas than MANY are SMALL
AREAS_TOGETHER = 3  # areas of a wager that are kept in one row
ROOMY = 650  # radius of the table's middle
_ORDER = (SPOT, "card_area", "area", "device", "inscription")
OWN_ROW = "cards"  # of the players' card spots
Shapes = Mapping[str, str]  # the shape of each wager


@dataclass(frozen=True, slots=True)
class AreaRow:
    """Areas side by side, and the distance of their middle from the table's."""

    drawn: tuple[PlacedArea, ...]
    at: float


def rows(elements: Sequence[RequiredElement], table: HalfMoon, of_wagers: Shapes) -> list[AreaRow]:
    """Return the areas of every player, from the rail inwards; as large as the room for the middle allows.

    Card spots have a row of their own if the middle has room enough, else they are next to the areas for chips.
    """
    most_room: list[AreaRow] = []
    sizes = SIZES if sum(element.kind == "area" for element in elements) <= MANY else SMALL
    for spot_row in (OWN_ROW, "") if any(element.kind == SPOT for element in elements) else ("",):
        for size in sizes:
            area_rows = _rows(_pieces(elements, table, size, of_wagers, spot_row), table)
            if inner_radius(area_rows, table) >= ROOMY:
                return area_rows
            if not most_room or inner_radius(area_rows, table) > inner_radius(most_room, table):
                most_room = area_rows
    return most_room


def _rows(remaining: Sequence[PlacedArea], table: HalfMoon) -> list[AreaRow]:
    reach = table.radius - MARGIN
    area_rows: list[AreaRow] = []
    for _, part in groupby(remaining, key=lambda placed: placed[1].row):
        group = list(part)
        while group:
            taken = _row(group, reach, table)
            high = max(piece.high for _, piece in taken)
            area_rows.append(AreaRow(tuple(taken), reach - high / 2))
            reach -= high + GAP
            group = group[len(taken) :]
    return area_rows


def inner_radius(area_rows: Sequence[AreaRow], table: HalfMoon) -> float:
    """Return the distance of the players' areas from the table's middle."""
    depths = [row.at - max(piece.high for _, piece in row.drawn) / 2 for row in area_rows]
    return min(depths, default=table.radius - MARGIN) - GAP


def draw_rows(area_rows: Sequence[AreaRow], table: HalfMoon) -> list[str]:
    """Draw every position's rows, turned towards its player."""
    foot = table.high - table.wide / 2
    drawn = [areas.side_by_side(row.drawn, GAP, row.at) for row in area_rows]
    return [shapes.group(drawn, at=(0, foot), turn=round(turn, 1)) for turn in table.turns()]


def _row(remaining: Sequence[PlacedArea], reach: float, table: HalfMoon) -> list[PlacedArea]:
    """Return the areas that fit side by side at that reach; if all need several rows, about as many in each."""
    taken: list[PlacedArea] = []
    for placed in remaining:
        longer = [*taken, *_beside(placed, remaining, taken)]
        wide = sum(piece.wide + GAP for _, piece in longer) - GAP
        if taken and wide > table.across(reach - max(piece.high for _, piece in longer)):
            break
        taken.append(placed)
    if 1 < len(taken) < len(remaining) and len({piece.wide for _, piece in remaining}) == 1:
        return list(remaining[: math.ceil(len(remaining) / math.ceil(len(remaining) / len(taken)))])
    return taken


def _beside(placed: PlacedArea, remaining: Sequence[PlacedArea], taken: Sequence[PlacedArea]) -> list[PlacedArea]:
    """Put all areas of a wager beside its first, so that none of them falls into the next row."""
    if not placed[0].wager or any(element.wager == placed[0].wager for element, _ in taken):
        return [placed]
    kind = (placed[0].wager, placed[0].kind)
    together = [candidate for candidate in remaining if (candidate[0].wager, candidate[0].kind) == kind]
    return together if len(together) <= AREAS_TOGETHER else [placed]


def _pieces(
    elements: Sequence[RequiredElement], table: HalfMoon, size: float, of_wagers: Shapes, spot_row: str
) -> list[PlacedArea]:
    within = {element.key: area for area in elements for element in elements if areas.is_inside(element, area)}
    placed: list[PlacedArea] = []
    for element in sorted((element for element in elements if element.key not in within), key=_order):
        inside = tuple(inscription for inscription in elements if within.get(inscription.key) == element)
        if element.kind == SPOT:
            piece = replace(draw_spot(element, fan=True), row=spot_row)
        else:
            piece = _piece(element, inside, table, size, of_wagers.get(element.wager, "circle"))
        placed.append((element, piece))
    return placed


def _order(element: RequiredElement) -> int:
    """Return the order: cards nearest to the player, inscriptions next to their wager's areas, dice farthest."""
    kind = "area" if element.kind == "inscription" and element.wager else element.kind
    return _ORDER.index(kind)


def _piece(
    element: RequiredElement, inside: tuple[RequiredElement, ...], table: HalfMoon, size: float, shape: str
) -> DrawnArea:
    if faces := areas.dice_faces(element):
        return areas.dice(element, faces, wide=45, size=34, row="dice")
    if element.kind == "card_area":
        return areas.cards(element, areas.card_count(element))
    if element.kind == "device":
        return areas.plate(element, wide=112, high=44)
    if element.kind == "inscription":
        return areas.inscribed(element, table.across(table.radius * 0.6), row=element.wager)
    if inside:
        return areas.chip_box(element, inside)
    return areas.chips(element, size, shape, row=element.wager if size in SMALL else "")
