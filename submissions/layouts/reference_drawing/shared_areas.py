"""The areas that all players share: the table's middle, with the name and the inscriptions, and the dealer's side.

The dealer's side has the chip tray, drop box and tip box at opposite ends, and devices on the table and next to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from games.rules.words import AREAS
from submissions.layouts.reference_drawing import areas, payout_columns, shapes
from submissions.layouts.reference_drawing.areas import SPOT, DrawnArea, PlacedArea, draw_spot
from submissions.layouts.reference_drawing.table_shape import RAIL, SIDE, HalfMoon, Oval, Table
from submissions.layouts.required_elements import RequiredElement
from submissions.layouts.typeface import LEADING, break_lines, fit_words, text_width

GAP = 12
NAMES = 94  # height of the names
BAND = 50  # of the insurance line
LONGEST = 1050  # of a line of words
IN_A_ROW, MOST_LINES = 6, 30
_NAME = (64, 54, 46, 38, 34, 30, 26, 22, 19, 17, 15, 13, 11, 9, 7.5, 6)
_SIZES = (24, 22, 20, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6.5, 6)


@dataclass(frozen=True, slots=True)
class FeltStyle:
    """The felt of a game beyond its elements: the names, and the shape of each wager."""

    licensee: str
    game: str
    shapes: Mapping[str, str]


def draw_middle(
    elements: Sequence[RequiredElement], table: Table, inner: float, style: FeltStyle, odds: RequiredElement | None
) -> tuple[list[str], bool]:
    """Return the elements of the middle, from the dealer's strip towards the players; and whether the odds fit."""
    parts = []
    line = next((element for element in elements if element.key == "insurance_line"), None)
    if line and isinstance(table, HalfMoon):
        parts.append(shapes.group([_insurance(line, inner, table)], line))
        inner -= BAND + GAP
    rest = [element for element in elements if element.key not in ("insurance_line", "name_or_logo")]
    within = {element.key: area for area in rest for element in rest if areas.is_inside(element, area)}
    figures = [element for element in rest if element.kind != "inscription" or areas.is_diagram(element)]
    y = float(SIDE + GAP)
    shown, y = _names(style, next((element for element in elements if element.key == "name_or_logo"), None), table, y)
    parts.append(shown)
    rows, y = _figures(figures, rest, table, inner, y, style.shapes)
    said = [element for element in rest if element not in figures and element.key not in within]
    printed, beneath = _odds(odds, table, inner, y) if odds else ("", y)
    written = _inscriptions(said, table, inner, beneath) if printed else None
    if written is None:
        printed, written = "", _inscriptions(said, table, inner, y, least=6)
    return [*parts, *rows, printed, *(written or [])], bool(printed)


def _names(style: FeltStyle, of: RequiredElement | None, table: Table, y: float) -> tuple[str, float]:
    """Return the certificate holder's name, below it that of the game; and their lower end.

    The game's name is a group of its own: it is neither the holder's name nor an element that the chapter asks for.
    """
    if isinstance(table, Oval):
        holder = _name(style.licensee, table.high / 2 - 40, (900, 130), _NAME, shapes.GOLD)
        game = _name(style.game, table.high / 2 + 75, (700, 60), _NAME[2:], shapes.LIGHT)
    else:
        holder = _name(style.licensee, y + 20, (840, 40), _NAME[4:], shapes.GOLD)
        game = _name(style.game, y + 62, (840, 44), _NAME[3:], shapes.LIGHT)
    return f'{shapes.group([holder], of)}<g data-inscription="game-name">{game}</g>', y + NAMES


def _name(name: str, y: float, room: tuple[float, float], sizes: Sequence[float], fill: str) -> str:
    size, lines = fit_words(name, room, sizes)
    return shapes.text_lines(0, y, size, lines, fill=fill, bold=True)


def _odds(element: RequiredElement, table: Table, inner: float, y: float) -> tuple[str, float]:
    """Return the odds in columns if legible letters fit, else ""; and their lower end."""
    blocks = list(map(payout_columns.payout_block, element.odds))
    for size in (20, 18, 17, 16, 15, 14, 13, 12):
        for most in range(min(len(blocks), 8), 0, -1):
            straight = payout_columns.columns(blocks, most)
            for columns in (straight, straight.hanging()):
                if columns.fits(size, y + GAP, lambda foot: table.room(inner, foot) / 2):
                    shown = payout_columns.draw_columns(columns, size, -columns.wide * size / 2, y + GAP)
                    return shapes.group([shown], element), y + GAP + columns.high * size
    return "", y


def _insurance(element: RequiredElement, inner: float, table: HalfMoon) -> str:
    """Draw two arcs before the players, between which the Insurance Wager is placed."""
    sweep = 70 - table.between / 4
    arcs = [table.arc(radius, sweep) for radius in (inner - 4, inner - BAND)]
    foot = table.high - table.wide / 2
    named = shapes.label(areas.words(element), (0, foot + inner - BAND / 2 - 2), (260, 30), largest=22)
    return "".join(shapes.outline(arc, thick=3) for arc in arcs) + named


def _figures(
    figures: Sequence[RequiredElement],
    all_: Sequence[RequiredElement],
    table: Table,
    inner: float,
    y: float,
    of_wagers: Mapping[str, str],
) -> tuple[list[str], float]:
    """Draw areas and cards in centered rows, those in an area for all wagers in its frame; and their lower end."""
    frame = next((figure for figure in figures if "depicts all wagers" in figure.element), None)
    framed = [figure for figure in figures if frame and figure.wager]
    parts: list[str] = []
    if frame:
        top = y
        drawn = [(figure, _piece(figure, all_, of_wagers)) for figure in framed]
        parts, y, wide = _rows(drawn, table, inner, y + GAP)
        edge = shapes.box(-wide / 2 - GAP, top, wide + 2 * GAP, y - top)
        parts.insert(0, shapes.group([edge], frame))
        y += GAP
    crossed = [figure for figure in figures if areas.is_cross(figure)]
    rest: list[PlacedArea] = [(crossed[0], areas.cross(crossed))] if crossed else []
    rest += [
        (figure, _piece(figure, all_, of_wagers)) for figure in figures if figure not in (frame, *framed, *crossed)
    ]
    rows, y, _ = _rows(rest, table, inner, y)
    return [*parts, *rows], y


def _rows(made: Sequence[PlacedArea], table: Table, inner: float, y: float) -> tuple[list[str], float, float]:
    """Return the rows, their lower end, and the width of the widest."""
    parts: list[str] = []
    widest = 0.0
    for _, together in groupby(made, key=lambda placed: placed[1].row):
        remaining = list(together)
        while remaining:
            taken = _row(remaining, table, inner, y)
            high = max(piece.high for _, piece in taken)
            widest = max(widest, sum(piece.wide + GAP for _, piece in taken) - GAP)
            parts.append(areas.side_by_side(taken, GAP, y + high / 2))
            y, remaining = y + high + GAP, remaining[len(taken) :]
    return parts, y, widest


def _row(remaining: Sequence[PlacedArea], table: Table, inner: float, y: float) -> list[PlacedArea]:
    taken: list[PlacedArea] = []
    for placed in remaining:
        longer = [*taken, placed]
        high = max(piece.high for _, piece in longer)
        wide = sum(piece.wide + GAP for _, piece in longer)
        if taken and (wide > table.room(inner, y + high) or len(taken) == IN_A_ROW):
            break
        taken = longer
    return taken


def _piece(element: RequiredElement, all_: Sequence[RequiredElement], of_wagers: Mapping[str, str]) -> DrawnArea:
    inside = tuple(inscription for inscription in all_ if areas.is_inside(inscription, element))
    faces, shown = areas.dice_faces(element), areas.shown_numbers(element)
    if areas.is_diagram(element):
        return areas.diagram(element)
    if element.kind == SPOT:
        return draw_spot(element, fan=False)
    if element.kind == "card_area":
        count = areas.card_count(element)
        return areas.cards(element, count, next(iter(inside), None), overlap=36 if count > 5 else 0)
    if element.kind == "box":
        return areas.compartments(element, tuple(reversed(inside)))
    if faces:
        return areas.dice(element, faces, wide=150, size=46, row=element.wager)
    if shown or (element.wager and element.key.endswith("_box")):
        return areas.numbers(element, shown)
    return areas.chips(element, 124, of_wagers.get(element.wager, "circle"))


def _inscriptions(
    said: Sequence[RequiredElement], table: Table, inner: float, y: float, *, least: float = 11
) -> list[str] | None:
    """Return the inscriptions one below the other, in the largest letters that fit all; None if the least do not."""
    shown = (_in_size(said, size, table, inner, y) for size in _SIZES if size >= least)
    return next((parts for parts in shown if parts is not None), None)


def _in_size(said: Sequence[RequiredElement], size: float, table: Table, inner: float, y: float) -> list[str] | None:
    """Return the inscriptions in that size; None if they end too low or a word is longer than its line may be."""
    parts = []
    for element in said:
        rooms = [min(table.room(inner, y + (place + 1) * size * LEADING), LONGEST) for place in range(MOST_LINES)]
        lines = _lines(areas.words(element), size, rooms)
        if len(lines) > MOST_LINES or any(
            text_width(line, size) > room for line, room in zip(lines, rooms, strict=False)
        ):
            return None
        feet = [y + (place + 0.85) * size * LEADING for place in range(len(lines))]
        shown = [shapes.text(0, foot, size, line) for foot, line in zip(feet, lines, strict=True)]
        parts.append(shapes.group(shown, element))
        y += (len(lines) + 0.35) * size * LEADING
    return parts if y <= inner else None


def _lines(words: str, size: float, rooms: Sequence[float]) -> list[str]:
    """Divide into as few lines as possible, about equally long."""
    fewest = break_lines(words, size, rooms)
    narrower = (break_lines(words, size, [share * room for room in rooms]) for share in (0.5, 0.6, 0.7, 0.8, 0.9))
    return next((lines for lines in narrower if len(lines) == len(fewest)), fewest)


TRAY = 600
SLOT = (148, 70)  # of a device, with the space around it
DEALER_BOXES = 96  # height of the boxes at the dealer's side
_FIXED = ("rack", "shoe", "shuffler", "shuffling", "card_reader")
_LEFT = ("rack", "card_reader", "rake_area", "shaker", "dice", "deck_area")  # the dealer's right, as players see it


def is_at_dealer(element: RequiredElement) -> bool:
    """Return whether the element is on the dealer's side, not in the middle of the table."""
    if element.kind in AREAS:
        return any(part in element.key for part in ("shaker", "rake", "deck_area"))
    return element.kind == "device" or element.key in ("drop_box", "tip_box", "jackpot_box")


def draw_dealer_side(elements: Sequence[RequiredElement], table: Table) -> list[str]:
    top = RAIL if isinstance(table, Oval) else 0
    boxes = [element for element in elements if element.kind == "box"]
    devices = [element for element in elements if element.kind != "box"]
    beside = [
        device for device in devices if device.kind not in AREAS and not any(part in device.key for part in _FIXED)
    ]
    on_table = [device for device in devices if device not in beside]
    in_tray = [device for device in on_table if device.key.endswith("_in_inventory")]
    left = [device for device in on_table if device not in in_tray and _goes_left(device)]
    right = [device for device in on_table if device not in in_tray and device not in left]
    left.sort(key=lambda device: "rack" not in device.key)  # the rack and its mark next to the tray
    while len(right) > len(left) + 2:  # about as many on either side
        left.append(right.pop())
    dealer = shapes.label("Dealer", (0, -DEALER_BOXES / 2 - 6), (140, 40), fill=shapes.INK, largest=24)
    slots = _slots(left, -1, top) + _slots(right, 1, top)
    return [_tray(in_tray, top), dealer, *_boxes(boxes, table), *slots, *_beside(beside)]


def _goes_left(element: RequiredElement) -> bool:
    return any(part in element.key for part in _LEFT) and not element.key.endswith("_elsewhere")


def _tray(inside: Sequence[RequiredElement], top: float) -> str:
    """Return the table inventory container, with its tubes."""
    edge = shapes.box(-TRAY / 2, top + 14, TRAY, 116, line=shapes.LIGHT, fill=shapes.PALE)
    paths = [] if inside else [f"M{x} {top + 46:g}V{top + 122:g}" for x in range(-260, 261, 40)]
    tubes = [shapes.outline(path, line=shapes.LIGHT, thick=1) for path in paths]
    named = shapes.text(0, top + 36, 17, "Table inventory container")
    plates = [shapes.group([areas.plate(device, wide=300, high=56).svg], device, at=(0, top + 86)) for device in inside]
    return "".join([edge, *tubes, named, *plates])


def _boxes(boxes: Sequence[RequiredElement], table: Table) -> list[str]:
    """Return the drop box at the dealer's right, the tip box at the left, other locked boxes next to the drop box."""
    parts, ends = [], {-1: 0, 1: 0}
    half = (table.wide - (table.high if isinstance(table, Oval) else 0)) / 2
    for box in boxes:
        side = 1 if box.key == "tip_box" else -1
        parts.append(_outside(box, side * (half - 75 - 150 * ends[side]), shapes.RAIL))
        ends[side] += 1
    return parts


def _outside(element: RequiredElement, x: float, fill: str) -> str:
    """Return a plate at the dealer's side of the table's edge."""
    plate = areas.plate(element, wide=138, high=DEALER_BOXES - 20, fill=fill)
    return shapes.group([plate.svg], element, at=(x, -DEALER_BOXES / 2 - 4))


def _slots(devices: Sequence[RequiredElement], side: int, top: float) -> list[str]:
    """Draw devices next to the tray, from it outwards: plates in two rows, a circle in both."""
    parts, column, row = [], 0, 0
    for device in sorted(devices, key=_is_circle):
        whole = _is_circle(device)
        column, row = (column + 1, 0) if whole and row else (column, row)
        x = side * (TRAY / 2 + 14 + SLOT[0] * (column + 0.5))
        y = top + 12 + SLOT[1] * (1 if whole else row + 0.5)
        fill = "none" if device.kind in AREAS else shapes.PALE
        area = areas.chips(device, 132) if whole else areas.plate(device, fill=fill, wide=138, high=62)
        parts.append(shapes.group([area.svg], device, at=(x, y)))
        column, row = (column + 1, 0) if whole or row else (column, 1)
    return parts


def _is_circle(element: RequiredElement) -> bool:
    """Return True if the element is a place for a shaker, which is round."""
    return element.kind == "area" and "shaker" in element.key


def _beside(devices: Sequence[RequiredElement]) -> list[str]:
    """Draw devices at the table but not on it, to either side of the dealer."""
    parts = []
    for place, device in enumerate(devices):
        x = 90 + SLOT[0] * (place // 2 + 0.5)
        parts.append(_outside(device, -x if place % 2 else x, shapes.GRAY))
    return parts
