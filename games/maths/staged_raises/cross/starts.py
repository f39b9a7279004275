"""The starting hands of two cards, and what may lie at the ends of a line: those of one orbit under a renaming of suits
only once.

Not here: what they are worth (`best_play`).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK, RANKS, SUITS

STARTS = len(RANKS) ** 2
ALL_PAIRS = np.array(list(combinations(range(FULL_DECK), 2)))
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Start:
    """One of the 169 starting hands: its cards, how many deals its orbit has; its outer pairs (place, higher card,
    lower card), and those of the row to look at (index among the pairs, size of the orbit)."""

    place: int
    own: tuple[int, int]
    orbit_size: int
    pairs: Ints
    rows: Ints
    same: Ints  # index among the pairs → index among `rows` of the one in its orbit


@cache
def starts() -> tuple[Start, ...]:
    """All 169, of one suit (the first) or of two (the first and second)."""
    all_starts = []
    for place in range(STARTS):
        row, column = divmod(place, len(RANKS))
        high, low, suited = max(row, column), min(row, column), row > column
        own = (4 * high, 4 * low + 1) if row < column else (4 * high + (row == column), 4 * low)
        all_starts.append(_start(place, own, 4 if suited else 6 if row == column else 12))
    return tuple(all_starts)


def _start(place: int, own: tuple[int, int], orbit_size: int) -> Start:
    orders = [order for order in permutations(range(len(SUITS))) if {_renamed(card, order) for card in own} == {*own}]
    low, high = ALL_PAIRS[~np.isin(ALL_PAIRS, own).any(axis=1)].T
    renamed_low, renamed_high = (
        np.array([_renamed(part, np.array(order)) for order in orders]) for part in (low, high)
    )
    least = _places(np.maximum(renamed_low, renamed_high), np.minimum(renamed_low, renamed_high)).min(axis=0)
    _, first, same, counts = np.unique(least, return_index=True, return_inverse=True, return_counts=True)
    pairs = np.stack((_places(high, low), high, low), axis=1)
    return Start(place, own, orbit_size, pairs, np.stack((first, counts), axis=1), same)


def _places(high: Ints, low: Ints) -> Ints:
    """`place_2` of many pairs."""
    return high * (high - 1) // 2 + low


def _renamed(cards: Any, order: Any) -> Any:
    """The card or cards, with suits renamed."""
    return cards - cards % 4 + order[cards % 4]
