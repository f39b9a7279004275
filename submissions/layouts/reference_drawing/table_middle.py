"""The table's middle: cards and areas that all players share, the name, and the inscriptions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from submissions.layouts.reference_drawing import areas, element_text, payout_columns, shapes
from submissions.layouts.reference_drawing.areas import DrawnArea, PlacedArea
from submissions.layouts.reference_drawing.card_spots import SPOT, draw_spot
from submissions.layouts.reference_drawing.table_shape import SIDE, HalfMoon, Oval, Table
from submissions.layouts.reference_drawing.text_fitting import LEADING, break_lines, fit_words, width
from submissions.layouts.required_elements import RequiredElement

GAP = 12
NAMES = 94  # height of the names
BAND = 50  # of the insurance line
LONGEST = 1050  # of a line of words
IN_A_ROW, MOST_LINES = 6, 30
_NAME = (64, 54, 46, 38, 34, 30, 26, 22, 19, 17, 15, 13, 11, 9, 7.5, 6)
_SIZES = (24, 22, 20, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6.5, 6)


@dataclass(frozen=True, slots=True)
class FeltStyle:
    """What the felt shows of a game beyond its elements: the names, and the shape of each wager."""

    licensee: str
    game: str
    shapes: Mapping[str, str]


def draw_middle(
    elements: Sequence[RequiredElement], table: Table, inner: float, style: FeltStyle, odds: RequiredElement | None
) -> tuple[list[str], bool]:
    """The elements of the middle, from the dealer's strip towards the players; and whether the odds fit."""
    parts = []
    line = next((element for element in elements if element.key == "insurance_line"), None)
    if line and isinstance(table, HalfMoon):
        parts.append(shapes.group([_insurance(line, inner, table)], line))
        inner -= BAND + GAP
    rest = [element for element in elements if element.key not in ("insurance_line", "name_or_logo")]
    within = {element.key: area for area in rest for element in rest if element_text.is_inside(element, area)}
    figures = [element for element in rest if element.kind != "inscription" or element_text.is_diagram(element)]
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
    """The certificate holder's name, below it that of the game; and their lower end.

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
    return shapes.lines(0, y, size, lines, fill=fill, bold=True)


def _odds(element: RequiredElement, table: Table, inner: float, y: float) -> tuple[str, float]:
    """The odds in columns if legible letters fit, else ""; and their lower end."""
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
    """Two arcs before the players, between which the Insurance Wager is placed."""
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
    """Areas and cards in centered rows, those of an area that depicts all wagers in its frame; and their lower end."""
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
    crossed = [figure for figure in figures if element_text.is_cross(figure)]
    rest: list[PlacedArea] = [(crossed[0], areas.cross(crossed))] if crossed else []
    rest += [
        (figure, _piece(figure, all_, of_wagers)) for figure in figures if figure not in (frame, *framed, *crossed)
    ]
    rows, y, _ = _rows(rest, table, inner, y)
    return [*parts, *rows], y


def _rows(made: Sequence[PlacedArea], table: Table, inner: float, y: float) -> tuple[list[str], float, float]:
    """The rows, their lower end, and the width of the widest."""
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
    inside = tuple(inscription for inscription in all_ if element_text.is_inside(inscription, element))
    faces, shown = element_text.dice(element), element_text.numbers(element)
    if element_text.is_diagram(element):
        return areas.diagram(element)
    if element.kind == SPOT:
        return draw_spot(element, fan=False)
    if element.kind == "card_area":
        count = element_text.cards(element)
        return areas.cards(element, count, next(iter(inside), None), overlap=36 if count > 5 else 0)
    if element.kind == "box":
        return areas.compartments(element, tuple(reversed(inside)))
    if faces:
        return areas.dice(element, faces, wide=150, size=46, row=element.wager)
    if shown or (element.wager and element.key.endswith("_box")):
        return areas.numbers(element, shown, element_text.circled(element))
    return areas.chips(element, 124, of_wagers.get(element.wager, "circle"))


def _inscriptions(
    said: Sequence[RequiredElement], table: Table, inner: float, y: float, *, least: float = 11
) -> list[str] | None:
    """The inscriptions one below the other, in the largest letters in which all fit; None if the least do not."""
    shown = (_in_size(said, size, table, inner, y) for size in _SIZES if size >= least)
    return next((parts for parts in shown if parts is not None), None)


def _in_size(said: Sequence[RequiredElement], size: float, table: Table, inner: float, y: float) -> list[str] | None:
    """The inscriptions in that size; None if they end too low or a word is longer than its line may be."""
    parts = []
    for element in said:
        rooms = [min(table.room(inner, y + (place + 1) * size * LEADING), LONGEST) for place in range(MOST_LINES)]
        lines = _lines(areas.words(element), size, rooms)
        if len(lines) > MOST_LINES or any(width(line, size) > room for line, room in zip(lines, rooms, strict=False)):
            return None
        feet = [y + (place + 0.85) * size * LEADING for place in range(len(lines))]
        shown = [shapes.text(0, foot, size, line) for foot, line in zip(feet, lines, strict=True)]
        parts.append(shapes.group(shown, element))
        y += (len(lines) + 0.35) * size * LEADING
    return parts if y <= inner else None


def _lines(words: str, size: float, rooms: Sequence[float]) -> list[str]:
    """As few lines as possible, about equally long."""
    fewest = break_lines(words, size, rooms)
    narrower = (break_lines(words, size, [share * room for room in rooms]) for share in (0.5, 0.6, 0.7, 0.8, 0.9))
    return next((lines for lines in narrower if len(lines) == len(fewest)), fewest)
