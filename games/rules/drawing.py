"""How a chapter's reference layout is drawn where the text leaves it open: shapes of wagers, places of cards.

Not here: what the layout must show (`model.LayoutElement`), how the files are read (`loading/drawings`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.rules.model import ALWAYS, Condition

SHAPES = ("circle", "square", "diamond", "hexagon", "oval")
PLACES = ("player", "dealer")


@dataclass(frozen=True, slots=True)
class CardSpot:
    """Where the text deals cards to a place that the layout need not show. `element` says how many cards, in words."""

    place: str  # one of PLACES
    element: str
    label: str
    citation: str
    condition: Condition = ALWAYS


@dataclass(frozen=True, slots=True)
class DrawingStyle:
    """The shape of each wager's areas, by the wager's key, and the card spots."""

    shapes: Mapping[str, str]
    spots: tuple[CardSpot, ...]
