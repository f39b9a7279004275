"""High hands of five cards with a joker as numbers, and the number of a hand by its ranks alone.

The joker (52) is an ace, or any card that completes a straight, a flush or both. Ace to 5 is the second highest
straight, and the highest straight flush below the royal flush. A higher number is a higher hand; the first five digits
of base 13 are ranks, what is above them is the class. Compiled helpers take the cards as scalars.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper
from games.second.hands import (
    ACE,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
)

FIVE_ALIKE: Final = 10  # above the classes of a deck without a joker
JOKER: Final = 52
JOKER_RANK: Final = 13
DECK: Final = 53
CLASS: Final = 13**5
FIRST: Final = 13**4  # weight of the highest rank of a hand without a pair
PAIRED: Final = 13**3  # weight of the rank of a pair
TO_TEN, TO_FIVE = 13, 12  # of straights: ace to 10, ace to 5; the others by their highest rank

Ints = NDArray[np.int64]


@helper
def rank_of(card: int) -> int:
    """Return the rank, of the joker an ace's."""
    return min(card >> 2, ACE)


@helper
def by_groups(counts: int) -> int:
    """Return the number of five cards by equal ranks alone; `counts`: four bits for each rank."""
    alone, twice, pairs, alike, most = 0, 0, 0, 0, 0
    for rank in range(ACE, -1, -1):
        size = counts >> 4 * rank & 15
        if size == 1:
            alone = 13 * alone + rank
        elif size == 2:
            twice = 13 * twice + rank
            pairs += 1
        elif size > 2:
            alike, most = rank, size
    if most == 5:
        return FIVE_ALIKE * CLASS + alike
    if most == 4:
        return FOUR * CLASS + 13 * alike + alone
    if most == 3:
        return FULL_HOUSE * CLASS + 13 * alike + twice if pairs else THREE * CLASS + 169 * alike + alone
    if pairs == 2:
        return TWO_PAIR * CLASS + 13 * twice + alone
    return PAIR * CLASS + PAIRED * twice + alone if pairs else alone


@helper
def run(ranks: int) -> int:
    """Return the highest straight that contains all these ranks, as bits; 0 = none."""
    if ranks & ~(31 << 8) == 0:
        return TO_TEN
    if ranks & ~(1 << ACE | 15) == 0:
        return TO_FIVE
    for top in range(ACE - 1, 3, -1):
        if ranks & ~(31 << (top - 4)) == 0:
            return top
    return 0


@helper
def suits_of(card: int) -> int:
    """Return the suit as a bit; the joker has all four."""
    return 15 if card == JOKER else 1 << (card & 3)


@helper
def five_cards(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the number of a high hand."""
    all_counts = (1 << 4 * (a >> 2)) + (1 << 4 * (b >> 2)) + (1 << 4 * (c >> 2)) + (1 << 4 * (d >> 2))
    all_counts += 1 << 4 * (e >> 2)
    joker = all_counts >> 4 * JOKER_RANK
    counts = all_counts - (joker << 4 * JOKER_RANK)
    grouped = by_groups(counts + (joker << 4 * ACE))
    if counts & 0xEEEEEEEEEEEEE:  # two cards besides the joker are of one rank
        return grouped
    ranks = (1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2) | 1 << (d >> 2) | 1 << (e >> 2)) & 0x1FFF
    straight = run(ranks)
    if suits_of(a) & suits_of(b) & suits_of(c) & suits_of(d) & suits_of(e):
        if straight:
            return (ROYAL_FLUSH if straight == TO_TEN else STRAIGHT_FLUSH) * CLASS + straight
        highest = ACE
        while ranks >> highest & 1:  # the joker is the highest rank that the flush lacks
            highest -= 1
        return FLUSH * CLASS + by_groups(counts + (joker << 4 * highest))
    return STRAIGHT * CLASS + straight if straight else grouped


_SUITS: Final = 40  # of a sum of keys: where the suits begin
NO_FLUSH: Final = 0x3333 << _SUITS  # the sum to begin with: with five of a suit, bit 3 of its four bits is set
FLUSHES: Final = 0x8888 << _SUITS
_LOW: Final = 7  # ranks in the lower half


@cache
def keys() -> Ints:
    """Return for each card what it adds to the sum: its suit, and its rank in one of two numbers of base 5."""
    by_rank = [5**rank if rank < _LOW else 5 ** (rank - _LOW) << 20 for rank in range(JOKER_RANK + 1)]
    suited = [by_rank[card >> 2] + (1 << _SUITS + 4 * (card & 3)) for card in range(JOKER)]
    return np.array([*suited, by_rank[JOKER_RANK] + (0x1111 << _SUITS)])


@helper
def lower(total: int) -> int:
    """Return the lower ranks of a sum of keys."""
    return total & 0xFFFFF


@helper
def upper(total: int) -> int:
    """Return the upper ranks of a sum of keys."""
    return total >> 20 & 0xFFFFF


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number from 0 for all hands of equal ranks: `low[lower(sum)] + high[upper(sum)]`, and their ranks, rising."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    ranks: Ints

    def of(self, ranks: Ints) -> Ints:
        """Return the number of each row of ranks."""
        totals = keys()[4 * ranks].sum(axis=1)
        return np.asarray(self.low[lower(totals)] + self.high[upper(totals)])


@cache
def numbers(cards: int) -> Numbers:
    """Return the numbers of hands of so many cards."""
    low, high = np.zeros(5**_LOW, np.int32), np.zeros(2 * 5 ** (JOKER_RANK - _LOW), np.int32)
    rows: list[tuple[int, ...]] = []
    for below in range(cards + 1):
        lows, highs = _sets(range(_LOW), below), _sets(range(_LOW, JOKER_RANK + 1), cards - below)
        for place, ranks in enumerate(lows):
            low[lower(_total(ranks))] = len(rows) + place * len(highs)
        for place, ranks in enumerate(highs):
            high[upper(_total(ranks))] = place
        rows += [(*under, *over) for under in lows for over in highs]
    return Numbers(low, high, np.array(rows))


def _sets(ranks: range, cards: int) -> list[tuple[int, ...]]:
    """Return all ways to take so many cards of these ranks, of which a deck has four each and one joker."""
    return [
        taken
        for taken in combinations_with_replacement(ranks, cards)
        if all(taken.count(rank) <= (1 if rank == JOKER_RANK else 4) for rank in set(taken))
    ]


def _total(ranks: tuple[int, ...]) -> int:
    return sum(int(keys()[4 * rank]) for rank in ranks)


def cards_of(ranks: Ints) -> Ints:
    """Return cards of these rows of rising ranks of which no five, with the joker, are of one suit."""
    return np.asarray(np.minimum(4 * ranks + np.arange(ranks.shape[1]) % 4, JOKER))
