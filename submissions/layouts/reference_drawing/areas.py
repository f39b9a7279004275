"""The areas of a layout one by one: areas for chips, outlines of cards, dice, boxes, devices; in millimeters.

A `DrawnArea` has its size and is drawn around its own middle. Its number of cards, its dice or numbers are known from
the chapter's words, and the inscriptions inside it by their key or section. Card spots, where the text deals cards to a
place that the layout need not show, are drawn dashed, and no inspection asks for them. Not here: the places of areas
(`player_areas`, `shared_areas`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.conditions import holds
from games.rules.drawings import load_drawing_style
from games.rules.evaluate import effective
from games.rules.model import Answers, Chapter
from submissions.layouts.reference_drawing import shapes
from submissions.layouts.required_elements import RequiredElement
from submissions.layouts.typeface import LEADING, fit_words, text_width

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
class DrawnArea:
    wide: float
    high: float
    svg: str  # around its middle
    row: str = ""  # areas of the same row are placed together if possible; "" = anywhere


PlacedArea = tuple[RequiredElement, DrawnArea]


def side_by_side(row: Sequence[PlacedArea], gap: float, y: float) -> str:
    """Return the areas from left to right around the middle, at the height `y`."""
    left = -(sum(area.wide for _, area in row) + gap * (len(row) - 1)) / 2
    parts = []
    for element, area in row:
        of = None if is_cross(element) else element  # a cross names each of its areas
        parts.append(shapes.group([area.svg], of, at=(left + area.wide / 2, y)))
        left += area.wide + gap
    return "".join(parts)


def words(element: RequiredElement) -> str:
    """Return the words on the layout: those suggested or required, else the element's own."""
    return element.suggested or next(iter(element.phrases), element.element)


def chips(element: RequiredElement, size: float, shape: str = "circle", *, row: str = "") -> DrawnArea:
    """Return an area for chips, in the shape of its wager."""
    wide, high = shapes.shape_size(shape, size)
    drawn = shapes.draw_shape(shape, size) + shapes.draw_words(words(element), shape, size)
    return DrawnArea(wide, high, drawn, row)


def chip_box(element: RequiredElement, inside: tuple[RequiredElement, ...]) -> DrawnArea:
    """Return a box for chips with its inscriptions."""
    wide, row = 190, 24
    high = 34 + row * len(inside)
    parts = [shapes.box(-wide / 2, -high / 2, wide, high)]
    parts.append(shapes.label(words(element), (0, -high / 2 + 17), (wide - 12, 26), largest=17))
    for place, inscription in enumerate(inside):
        said = shapes.label(words(inscription), (0, -high / 2 + 42 + row * place), (wide - 12, 22), largest=15)
        parts.append(shapes.group([said], inscription))
    return DrawnArea(wide, high, "".join(parts))


def cards(
    element: RequiredElement, count: int, inscription: RequiredElement | None = None, overlap: float = 0
) -> DrawnArea:
    """Draw outlines of cards below their name or inscription; one wide outline if their number is not known."""
    step = CARD[0] + 5 - overlap
    row = step * (count - 1) + CARD[0] if count else 124
    said = words(inscription or element)
    wide, high = max(row + 12, min(text_width(said, 15) + 14, 130)), CARD[1] + 36
    left, top = -row / 2, high / 2 - CARD[1] - 6
    parts = [shapes.box(-wide / 2, -high / 2, wide, high)]
    named = shapes.label(said, (0, -high / 2 + 15), (wide - 10, 25), largest=16)
    parts.append(shapes.group([named], inscription) if inscription else named)
    outlines = [step * place for place in range(count)]
    parts += [shapes.box(left + x, top, *CARD, line=shapes.LIGHT, fill=shapes.PALE) for x in outlines]
    if not count:
        parts.append(shapes.box(left, top, row, CARD[1], line=shapes.LIGHT, fill=shapes.PALE, dashed=True))
    return DrawnArea(wide, high, "".join(parts))


def cross(elements: Sequence[RequiredElement]) -> DrawnArea:
    """Draw five card areas as a cross, the first farthest from the dealer, the last before the tray."""
    parts = []
    for (x, y), element in zip(_CROSS, elements, strict=True):
        edge = shapes.box(-CARD[0] / 2, -CARD[1] / 2, *CARD, line=shapes.LIGHT, fill=shapes.PALE)
        named = shapes.label(words(element), (0, 0), (CARD[0] - 6, CARD[1] - 10), largest=14)
        parts.append(shapes.group([edge, named], element, at=(x * (CARD[0] + 5), y * (CARD[1] + 5))))
    return DrawnArea(CARD[0] * 3 + 10, CARD[1] * 3 + 10, "".join(parts))


def die(x: float, y: float, size: float, face: int) -> str:
    pips = (shapes.circle(x + dx * size * 0.26, y + dy * size * 0.26, size * 0.085, line="none", fill=shapes.INK)
            for dx, dy in FACES[face])  # fmt: skip
    return shapes.box(x - size / 2, y - size / 2, size, size, line=shapes.INK, fill=shapes.LIGHT) + "".join(pips)


def dice(element: RequiredElement, faces: tuple[int, ...], *, wide: float, size: float, row: str = "") -> DrawnArea:
    """Draw dice above their name, with a frame if there are several."""
    high, step = size + 38, size + 8
    parts = [shapes.box(-wide / 2, -high / 2, wide, high)] if len(faces) > 1 else []
    for place, face in enumerate(faces):
        parts.append(die((place - (len(faces) - 1) / 2) * step, -high / 2 + size / 2 + 5, size, face))
    letters = max(min(14, (wide - 4) / text_width(words(element), 1)), 6)  # in one line: other areas are close to it
    parts.append(shapes.text_lines(0, high / 2 - 15, letters, [words(element)]))
    return DrawnArea(wide, high, "".join(parts), row)


def numbers(element: RequiredElement, shown: tuple[str, ...]) -> DrawnArea:
    """Return a box that shows numbers above its name."""
    match = re.search(r"with the (\d+) and the (\d+) circled", element.element)
    circled = match.groups() if match else ()
    wide, high = max(40 * len(shown) + 14, 118), 78
    parts = [shapes.box(-wide / 2, -high / 2, wide, high)]
    for place, number in enumerate(shown):
        x = (place - (len(shown) - 1) / 2) * 40
        parts.append(shapes.text(x, -4, 24, number, bold=True))
        if number in circled:
            parts.append(shapes.circle(x, -12.5, 18, line=shapes.LIGHT))
    middle, room = ((0, 20), 26) if shown else ((0, 0), 60)
    parts.append(shapes.label(words(element), middle, (wide - 10, room), largest=16))
    return DrawnArea(wide, high, "".join(parts))


def plate(element: RequiredElement, *, wide: float, high: float, fill: str = shapes.PALE) -> DrawnArea:
    """Return a device or box, seen from above."""
    shape = shapes.box(-wide / 2, -high / 2, wide, high, line=shapes.LIGHT, fill=fill)
    return DrawnArea(wide, high, shape + shapes.label(words(element), (0, 0), (wide - 10, high - 8), largest=17))


def inscribed(element: RequiredElement, wide: float, *, row: str = "") -> DrawnArea:
    """Draw words without a frame."""
    size, broken = fit_words(words(element), (wide, 66), (13, 12, 11, 10, 9, 8, 7, 6.5, 6))
    widest = max(text_width(line, size) for line in broken)
    return DrawnArea(widest + 4, len(broken) * size * LEADING + 6, shapes.text_lines(0, 0, size, broken), row)


def compartments(element: RequiredElement, inside: tuple[RequiredElement, ...]) -> DrawnArea:
    """Return a box set into the table, with a named part for each inscription in it."""
    part, high = 92, 118
    wide = part * max(len(inside), 2) + 16
    parts = [shapes.box(-wide / 2, -high / 2, wide, high, fill=shapes.PALE, line=shapes.LIGHT)]
    parts.append(shapes.label(words(element), (0, -high / 2 + 15), (wide - 12, 24), largest=18))
    for place, inscription in enumerate(inside):
        x = -wide / 2 + 8 + part * place
        edge = shapes.box(x + 3, -high / 2 + 30, part - 6, high - 38)
        parts.append(
            shapes.group([edge, shapes.label(words(inscription), (x + part / 2, 11), (part - 14, 60))], inscription)
        )
    return DrawnArea(wide, high, "".join(parts))


def diagram(element: RequiredElement) -> DrawnArea:
    """Return the spots of the players' chips in a box: one for each, in the order of their positions."""
    wide, high, players = 230, 78, 6
    parts = [shapes.box(-wide / 2, -high / 2, wide, high)]
    parts.append(shapes.label(words(element), (-42, 0), (wide - 100, high - 10), largest=15))
    parts.append(shapes.box(36, -high / 2 + 8, 70, high - 16, line=shapes.LIGHT, round_=3))
    for place in range(players):
        x, y = 94 - 23 * (place % 3), -14 + 28 * (place // 3)
        parts.append(shapes.text(x, y + 6, 16, str(place + 1)))
    return DrawnArea(wide, high, "".join(parts))


SPOT = "spot"
STEP, FAN = CARD[0] + 5, 100  # from card to card; how far the cards of a fan reach beyond the first
MOST_BESIDE = 2  # cards of a player that are not in a fan
LETTERS, HEAD = 13, 20


def card_spots(chapter: Chapter, answers: Answers, place: str) -> list[RequiredElement]:
    """Return the spots at that place as elements to draw, of a kind that no layout must have."""
    counted = effective(chapter, answers)
    spots = [
        spot for spot in load_drawing_style(chapter).spots if spot.place == place and holds(spot.condition, counted)
    ]
    return [
        RequiredElement(f"{SPOT}.{place}.{number}", spot.citation, spot.element, SPOT, (), 0, suggested=spot.label)
        for number, spot in enumerate(spots, start=1)
    ]


def draw_spot(spot: RequiredElement, *, fan: bool) -> DrawnArea:
    """Draw outlines of its cards below its label; `fan`: over one another if there are more than two."""
    count = cards_in_words(spot)
    step = FAN / (count - 1) if fan and count > MOST_BESIDE else STEP
    row, label = step * (count - 1) + CARD[0], spot.suggested
    wide, high = max(row, text_width(label, LETTERS)) + 6, CARD[1] + HEAD + 4
    top = high / 2 - CARD[1] - 2
    cards = (
        shapes.box(-row / 2 + step * place, top, *CARD, line=shapes.LIGHT, fill=shapes.PALE, dashed=True)
        for place in range(count)
    )
    named = shapes.text(0, -high / 2 + HEAD * 0.75, LETTERS, label)
    return DrawnArea(wide, high, named + "".join(cards))


_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_COUNTED = re.compile(r"\b(one|two|three|four|five|six|seven)\b[A-Za-z' -]*?\bcards?\b")
_DIE = re.compile(r"(?:value of|one of) (\d|one|two|three|four|five|six)\b")
_SHOWN = re.compile(r"shows the numbers? ([\d, and]+)")


def _value(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def card_count(element: RequiredElement) -> int:
    """Return the number of its cards: “An area for the dealer's six cards”; 0 if it is not stated."""
    return 1 if "." in element.key else cards_in_words(element)  # with a number in the key: one of several


def cards_in_words(element: RequiredElement) -> int:
    """Return the number of cards in its words."""
    match = _COUNTED.search(element.element)
    return _value(match[1]) if match else 1 if "card" in element.element and "hand" not in element.element else 0


def is_cross(element: RequiredElement) -> bool:
    return element.kind == "card_area" and "cross" in element.element


def dice_faces(element: RequiredElement) -> tuple[int, ...]:
    """Return the faces of the dice that it shows."""
    if element.kind != "area" or not re.search(r"\bdie\b|\bdice\b", element.element):
        return ()
    faces = [_value(face) for face in _DIE.findall(element.element)]
    return tuple(faces * 2 if len(faces) == 1 and "two dice" in element.element else faces)


def shown_numbers(element: RequiredElement) -> tuple[str, ...]:
    match = _SHOWN.search(element.element) if element.kind == "area" else None
    return tuple(re.findall(r"\d+", match[1])) if match else ()


def is_inside(inscription: RequiredElement, area: RequiredElement) -> bool:
    if inscription.kind != "inscription":
        return False
    if area.kind == "box":
        return inscription.key.startswith(f"{area.key}_")
    if area.kind == "card_area":
        return inscription.key == area.key.removesuffix("_area") + "_inscription"
    return area.kind == "area" and inscription.citation.startswith(f"{area.citation}(")


def is_diagram(element: RequiredElement) -> bool:
    return "diagram" in element.key
