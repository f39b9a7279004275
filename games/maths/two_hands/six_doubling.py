"""When a player doubles the required wager, and what then comes of it, exactly.

The player knows the own two hands, not the dealer's. For each low hand there is a least high hand, given by its class
and first rank, from which on doubling wins more than it loses; of equal plays the one that doubles more is taken. Not
here: the counting of deals (`six_pairs`).
"""

from functools import cache
from typing import Final, cast

import numpy as np

from games.maths.cards import RANK_NAMES
from games.maths.two_hands.ranking import (
    FIVE_ACES,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    ROYAL_FLUSH,
    RUNS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
)
from games.maths.two_hands.six_cards import LOWS, Ints, high_hands
from games.maths.two_hands.six_pairs import (
    ALL_DEALS,
    DEALS,
    QUALIFIED,
    QUALIFIED_LOSS,
    QUALIFIED_WIN,
    WAYS,
    count,
)

FIRST_RANK: Final = 16  # bits below category and first rank in a value (`ranking`)

_COUNTED: Final = [QUALIFIED_WIN, QUALIFIED_LOSS, QUALIFIED, ALL_DEALS]
_WORDS: Final = {
    HIGH_CARD: "{} high",
    PAIR: "a pair of {}s",
    TWO_PAIR: "two pairs, the higher of {}s",
    THREE_OF_A_KIND: "three {}s",
    FLUSH: "a flush, {} high",
    FULL_HOUSE: "a full house with three {}s",
    FOUR_OF_A_KIND: "four {}s",
    FIVE_ACES: "five {}s",
}


@cache
def best_thresholds(way: int) -> tuple[int, ...]:
    """For each low hand (13 = the joker) the place of the least high hand to double with, among `high_hands`; `way` is
    how the player sets, `BEST` or `REGULATION`."""
    edge = _qualified(way)[QUALIFIED_WIN] - _qualified(way)[QUALIFIED_LOSS]
    levels = high_hands() >> FIRST_RANK
    starts = np.flatnonzero(np.diff(levels, prepend=-1))
    from_here_on = np.concatenate([edge[::-1].cumsum(axis=0)[::-1], np.zeros((1, LOWS), np.int64)])
    candidates = np.append(starts, len(levels))
    return tuple(int(candidates[from_here_on[candidates, low].argmax()]) for low in range(LOWS))


@cache
def doubled(way: int, thresholds: tuple[int, ...]) -> tuple[int, int, int, int, int]:
    """Of `six_pairs.DEALS`, where high hands from these places on double: won, tied, lost, returned, not placed."""
    places = np.arange(len(high_hands()))[:, None] >= np.array(thresholds)
    won, lost, dealt, every = (int(counts[places].sum()) for counts in _qualified(way)[_COUNTED])
    return won, dealt - won - lost, lost, every - dealt, DEALS - every


def _qualified(way: int) -> Ints:
    return cast(Ints, count().qualified[WAYS.index(way)])


def words(place: int) -> str:
    """The least high hand of its class and first rank: "a pair of 8s"."""
    if place in (0, len(high_hands())):
        return "never" if place else "any"
    category, first = divmod(int(high_hands()[place]) >> FIRST_RANK, 16)
    if category in (STRAIGHT, STRAIGHT_FLUSH, ROYAL_FLUSH):
        return ("a straight, " if category == STRAIGHT else "a straight flush, ") + _run(first)
    return _WORDS[category].format(RANK_NAMES[first])


def _run(place: int) -> str:
    """Ace to 5 is above king to 9."""
    return "ace to 5" if place == len(RUNS) - 2 else f"up to the {RANK_NAMES[max(RUNS[place])]}"
