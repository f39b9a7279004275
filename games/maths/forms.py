"""The form of six or seven cards: the multiset of their ranks, as a number found by one addition a card.

Where no five cards share a suit, all that a hand is worth follows from its form, so a table by form replaces working
it out. Keys are those of `maths.ranking`: the sum of the cards' keys contains ranks and suits. A kernel reads

    number = forms.low[low_part(key)] + forms.high[high_part(key)]        unless flush_part(key)

Not here: what a form is worth (`two_hands`, `staged_raises.turns.rounds`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.ranking import BASE, FIELD, HALF, WILD, card_key, card_keys

KEYS: Final = card_keys(())  # per card; the joker is a fourteenth rank, and of every suit
ONE_DECK: Final = BASE - 1  # cards of a rank


@dataclass(frozen=True, slots=True)
class Forms:
    """All forms of so many cards of 53: the two tables that number them, and each one's ranks, rising (13 = joker)."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    ranks: NDArray[np.int64]  # [number, card]


@cache
def forms(size: int) -> Forms:
    """First come the forms without low cards (2s to 8s), last those of low cards only."""
    low, high = np.zeros(BASE**HALF, np.int32), np.zeros(2 * BASE ** (HALF - 1), np.int32)
    ranks: list[tuple[int, ...]] = []
    for low_cards in range(size + 1):
        lows, highs = _multisets(range(HALF), low_cards), _multisets(range(HALF, WILD + 1), size - low_cards)
        low[[_key(part) for part in lows]] = len(ranks) + np.arange(len(lows)) * len(highs)
        high[[_key(part) >> FIELD for part in highs]] = np.arange(len(highs))
        ranks += [first + second for first in lows for second in highs]
    return Forms(low, high, np.array(ranks, dtype=np.int64))


def _multisets(ranks: Iterable[int], size: int) -> list[tuple[int, ...]]:
    chosen = combinations_with_replacement(ranks, size)
    return [part for part in chosen if all(part.count(rank) <= (ONE_DECK if rank < WILD else 1) for rank in part)]


def _key(ranks: tuple[int, ...]) -> int:
    return sum(card_key(rank, 0) for rank in ranks)
