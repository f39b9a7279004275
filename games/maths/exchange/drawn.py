"""The counted rounds with a draw, or in which the dealer may be forced: shipped, since counting takes half an hour.

`python -m games.maths.exchange.drawn_terms` writes the file for the stakes and odds that it names. Not here: the
counting (`drawn_counting`), the estimate for other stakes and odds (`estimate`).
"""

import hashlib
import json
from functools import cache
from math import comb
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.maths.exchange.combinations import COMBINATIONS, lowest_ace_king, tables
from games.maths.exchange.drawn_counting import DRAWS
from games.maths.exchange.ends import WAYS
from games.maths.exchange.no_draw import DEALS
from games.maths.exchange.strategy import highest_card_table
from games.maths.exchange.terms import Terms

SHIPPED: Final = Path(__file__).with_suffix(".json")
NOT_ACES: Final = -1  # up cards that are no ace
UNSEEN: Final = 46  # by a player who looks at five cards and the up card
Ints = NDArray[np.int64]


def cycle(drawn: int) -> int:
    """The deals of a round in which so many cards are drawn: the player's five and the up card, a club; the new cards;
    the dealer's four; the card for a forced dealer."""
    return DEALS * rounds_from(drawn)


def rounds_from(drawn: int) -> int:
    """The same from one start."""
    return comb(UNSEEN, drawn) * comb(UNSEEN - drawn, 4) * (UNSEEN - drawn - 4)


def rules_digest(terms: Terms) -> str:
    """Of the stakes, the odds, the ranking of hands and the table of highest cards. What else the counts depend on is
    program: the number of rounds from each first decision is compared to `no_draw`, and a test counts a part again."""
    digest = hashlib.sha256(repr((terms.odds, terms.stakes.forcing, lowest_ace_king())).encode())
    ranking: list[NDArray[np.signedinteger[Any]]] = [highest_card_table(), *tables()]
    for table in ranking:
        digest.update(repr(table.shape).encode() + table.astype("<i8").tobytes())
    return digest.hexdigest()


@cache
def shipped(terms: Terms) -> dict[int, Ints] | None:
    """Rank of the up card, or `NOT_ACES` → `ends[cards drawn, way, combination, second]`; None if the counts shipped
    are of other rules."""
    content = json.loads(SHIPPED.read_text("utf-8"))
    if content["rules"] != rules_digest(terms):
        return None
    return {int(up): _ends(rows) for up, rows in content["ends"].items()}


def _ends(rows: list[list[int]]) -> Ints:
    ends = np.zeros((DRAWS, WAYS, len(COMBINATIONS), len(COMBINATIONS)), np.int64)
    for *place, number in rows:
        ends[tuple(place)] = number
    return ends


def rows_of(ends: Ints) -> list[list[int]]:
    """The ends that occur: cards drawn, way, combination, second, number."""
    return [[*map(int, place), int(ends[tuple(place)])] for place in np.argwhere(ends)]
