"""The best poker hand in six cards, from three-of-a-kind to a six-card royal flush.

The tables are read as those of `four_cards`; here is the count of all six-card hands too.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import ACE, FULL_DECK, SUITS
from games.maths.compiled import helper, kernel
from games.maths.ranking import card_keys, high_part, low_part
from games.maths.showdown.four_cards import RANKS, by_mask, card_bit, numbering, run_top, suited, table

CARDS, FEWEST = 6, 5
HANDS = comb(FULL_DECK, CARDS)
(
    NOTHING, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH, SIX_CARD_ROYAL, DIAMOND_ROYAL,
) = range(10)  # fmt: skip
"""Lowest first; the six-card royal flush of diamonds apart."""
CLASSES = DIAMOND_ROYAL + 1
SIX_CARD_ROYAL_FLUSH, ROYAL_OF_DIAMONDS = "Six-card royal flush", "Six-card royal flush of diamonds"
NAMES = (
    "", hands.THREE, hands.STRAIGHT, hands.FLUSH, hands.FULL_HOUSE, hands.FOUR, hands.STRAIGHT_FLUSH, hands.ROYAL_FLUSH,
    SIX_CARD_ROYAL_FLUSH, ROYAL_OF_DIAMONDS,
)  # fmt: skip
"""Of the classes."""
SIX_RANKS = tuple(range(ACE - 5, ACE + 1))
DIAMONDS = sum(1 << RANKS * SUITS.index("d") + rank for rank in SIX_RANKS)  # the six cards, as `card_bit`s

Ints = NDArray[np.int64]
Small = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class SixCards:
    """Class by ranks and by the suit that has five cards or more; the hand's class is the higher."""

    keys: Ints
    low: Small
    high: Small
    by_ranks: Small
    by_suit: Small

    @property
    def tables(self) -> tuple[Ints, Small, Small, Small, Small]:
        """What a kernel reads."""
        return self.keys, self.low, self.high, self.by_ranks, self.by_suit


@cache
def six_cards() -> SixCards:
    numbered = numbering(CARDS)
    return SixCards(
        card_keys(()), numbered.low, numbered.high, table(numbered, _of_ranks), by_mask(_of_suit, FEWEST, CARDS)
    )


def _of_ranks(ranks: tuple[int, ...]) -> int:
    most, second, *_ = (*sorted(Counter(ranks).values(), reverse=True), 0)
    if most == 4:
        return FOUR
    if most == 3 and second >= 2:
        return FULL_HOUSE
    if run_top(ranks, FEWEST) is not None:
        return STRAIGHT
    return THREE if most == 3 else NOTHING


def _of_suit(ranks: tuple[int, ...]) -> int:
    if ranks == SIX_RANKS:
        return SIX_CARD_ROYAL
    top = run_top(ranks, FEWEST)
    return FLUSH if top is None else ROYAL_FLUSH if top == ACE else STRAIGHT_FLUSH


@helper
def with_diamonds(hand_class: int, bits: int) -> int:
    """The class of a hand of these cards, where `hand_class` does not look at the suit."""
    return DIAMOND_ROYAL if hand_class == SIX_CARD_ROYAL and bits == DIAMONDS else hand_class


@cache
def six_card_counts() -> Ints:
    """How many of the `HANDS` are of each class."""
    counts = np.zeros(CLASSES, np.int64)
    _count(*six_cards().tables, counts)
    return counts


@kernel
def _count(keys: Ints, low: Small, high: Small, by_ranks: Small, by_suit: Small, counts: Ints) -> None:
    for a in range(FULL_DECK):
        for b in range(a):
            for c in range(b):
                three = keys[a] + keys[b] + keys[c]
                three_bits = 1 << card_bit(a) | 1 << card_bit(b) | 1 << card_bit(c)
                for d in range(c):
                    for e in range(d):
                        five = three + keys[d] + keys[e]
                        five_bits = three_bits | 1 << card_bit(d) | 1 << card_bit(e)
                        for f in range(e):
                            key, bits = five + keys[f], five_bits | 1 << card_bit(f)
                            place = low[low_part(key)] + high[high_part(key)]
                            hand_class = max(by_ranks[place], by_suit[suited(key, bits)])
                            counts[with_diamonds(hand_class, bits)] += 1
