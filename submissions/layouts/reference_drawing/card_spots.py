"""Card spots: where the text deals cards to a place that the layout need not show (the data of `games.rules.drawing`).

They are drawn dashed, and no inspection asks for them. Not here: the card areas that a layout must show (`areas`).
"""

from games.rules.conditions import holds
from games.rules.drawing import CardSpot
from games.rules.evaluate import effective
from games.rules.loading.drawings import load_drawing_style
from games.rules.model import Answers, Chapter
from submissions.layouts.reference_drawing import element_text, shapes
from submissions.layouts.reference_drawing.areas import CARD, DrawnArea
from submissions.layouts.reference_drawing.text_fitting import width
from submissions.layouts.required_elements import RequiredElement

SPOT = "spot"
STEP, FAN = CARD[0] + 5, 100  # from card to card; how far the cards of a fan reach beyond the first
MOST_BESIDE = 2  # cards of a player that are not in a fan
LETTERS, HEAD = 13, 20


def card_spots(chapter: Chapter, answers: Answers, place: str) -> list[RequiredElement]:
    """The spots at that place as elements to draw, of a kind that no layout must have."""
    counted = effective(chapter, answers)
    spots = [
        spot for spot in load_drawing_style(chapter).spots if spot.place == place and holds(spot.condition, counted)
    ]
    return [_element(spot, number) for number, spot in enumerate(spots, start=1)]


def _element(spot: CardSpot, number: int) -> RequiredElement:
    key = f"{SPOT}.{spot.place}.{number}"
    return RequiredElement(key, spot.citation, spot.element, SPOT, (), 0, suggested=spot.label)


def draw_spot(spot: RequiredElement, *, fan: bool) -> DrawnArea:
    """Outlines of its cards below its label; `fan`: over one another if there are more than two."""
    count = element_text.counted_cards(spot)
    step = FAN / (count - 1) if fan and count > MOST_BESIDE else STEP
    row, label = step * (count - 1) + CARD[0], spot.suggested
    wide, high = max(row, width(label, LETTERS)) + 6, CARD[1] + HEAD + 4
    top = high / 2 - CARD[1] - 2
    cards = (
        shapes.box(-row / 2 + step * place, top, *CARD, line=shapes.LIGHT, fill=shapes.PALE, dashed=True)
        for place in range(count)
    )
    named = shapes.text(0, -high / 2 + HEAD * 0.75, LETTERS, label)
    return DrawnArea(wide, high, named + "".join(cards))
