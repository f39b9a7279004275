"""Seven cards to the strength of the best five of them: an addition per card, then reads of small tables.

The keys of seven cards (those of `ranking`) add up to rank counts and suit counts. Without five cards of a suit:

    strength = BY_RANKS[LOW_RANKS[low_part(key)] + HIGH_RANKS[high_part(key)]]

With five (`flush_part(key)` is not 0) the flush is the best hand, for neither four-of-a-kind nor a full house leaves
room for it: `strength = BY_SUIT[ranks of the suit, as 13 bits]`. Tables of 0.5 MB in all.

A strength is a hand's place among the 7,462 different hands of poker, from 0. Not here: dealing, wagers.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.compiled import helper, kernel
from games.maths.ranking import (
    BASE,
    CLASS_BITS,
    HALF,
    HANDS,
    HIGH,
    LOW,
    card_key,
    flush_part,
    high_part,
    low_part,
    standard,
)

CARDS, RANKS, SUITS, PACK = 7, 13, 4, 52
KEYS = standard().keys[:PACK]
_VALUES = np.unique(standard().values[standard().values >= 0])
STRENGTHS = len(_VALUES)  # 7,462
CLASS_OF = (_VALUES >> CLASS_BITS).astype(np.int64)
"""Strength → place of its class in `hands.STANDARD`."""
Ints = NDArray[np.int64]


def class_place(name: str) -> int:
    """The place of the class in `hands.STANDARD`."""
    return hands.STANDARD.index(name)


def lowest_strength(name: str) -> int:
    """The strength of the lowest hand of the class."""
    return int(np.argmax(class_place(name) == CLASS_OF))


@helper
def suit_bit(card: int) -> int:
    """The card as one of 52 bits, suit by suit: what lies in suit s is `bits >> 13 * s & 8191`."""
    return 1 << (13 * (card & 3) + (card >> 2))


def _best(sevens: Ints, suited: bool) -> Ints:
    """The strength of the best five ranks of each row; rows of five, six or seven ranks."""
    keys = np.array([card_key(rank, 0) for rank in range(RANKS)])[sevens]
    best = np.full(len(sevens), -1)
    for chosen in combinations(range(sevens.shape[1]), 5):
        key = keys[:, chosen].sum(axis=1)
        values = standard().values[LOW[low_part(key)].astype(np.int64) + HIGH[high_part(key)] + HANDS * suited]
        best = np.maximum(best, values)
    return np.searchsorted(_VALUES, best)


def _multisets(ranks: Iterable[int], size: int) -> list[tuple[int, ...]]:
    """The multisets of so many ranks, none more than four times."""
    chosen = combinations_with_replacement(ranks, size)
    return [each for each in chosen if all(each.count(rank) <= SUITS for rank in set(each))]


def _by_ranks() -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int16]]:
    """Every multiset of seven ranks is numbered: by how many are low, which they are, which are high."""
    low = np.zeros(BASE**HALF, dtype=np.int32)
    high = np.zeros(BASE ** (RANKS - HALF), dtype=np.int32)
    sevens: list[tuple[int, ...]] = []
    for low_cards in range(CARDS + 1):
        lows, highs = _multisets(range(HALF), low_cards), _multisets(range(HALF, RANKS), CARDS - low_cards)
        for place, ranks in enumerate(lows):
            low[sum(BASE**rank for rank in ranks)] = len(sevens) + place * len(highs)
        for place, ranks in enumerate(highs):
            high[sum(BASE ** (rank - HALF) for rank in ranks)] = place
        sevens += [below + above for below in lows for above in highs]
    return low, high, _best(np.array(sevens), suited=False).astype(np.int16)


def _by_suit() -> NDArray[np.int16]:
    """The strength of the flush, by the ranks that lie in its suit as bits: five to seven."""
    strengths = np.full(1 << RANKS, -1, dtype=np.int16)
    for size in range(5, CARDS + 1):
        chosen = np.array(list(combinations(range(RANKS), size)))
        strengths[(1 << chosen).sum(axis=1)] = _best(chosen, suited=True)
    return strengths


LOW_RANKS, HIGH_RANKS, BY_RANKS = _by_ranks()
BY_SUIT = _by_suit()


@cache
def count_hands() -> tuple[int, ...]:
    """How many of the C(52, 7) hands are of each class of `hands.STANDARD`."""
    counts = np.zeros(len(hands.STANDARD), np.int64)
    _count_hands(KEYS, LOW_RANKS, HIGH_RANKS, BY_RANKS, BY_SUIT, CLASS_OF, counts)
    return tuple(int(count) for count in counts)


@kernel
def _count_hands(
    keys: Ints,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    by_ranks: NDArray[np.int16],
    by_suit: NDArray[np.int16],
    classes: Ints,
    counts: Ints,
) -> None:
    for a in range(PACK):
        for b in range(a):
            for c in range(b):
                three = keys[a] + keys[b] + keys[c]
                three_bits = suit_bit(a) | suit_bit(b) | suit_bit(c)
                for d in range(c):
                    for e in range(d):
                        five = three + keys[d] + keys[e]
                        five_bits = three_bits | suit_bit(d) | suit_bit(e)
                        for f in range(e):
                            six = five + keys[f]
                            for g in range(f):
                                key = six + keys[g]
                                strength = by_ranks[low[low_part(key)] + high[high_part(key)]]
                                if flush_part(key):
                                    bits = five_bits | suit_bit(f) | suit_bit(g)
                                    for suit in range(4):
                                        strength = max(strength, by_suit[bits >> 13 * suit & 0x1FFF])
                                counts[classes[strength]] += 1
