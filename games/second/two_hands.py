"""High hands of five cards with a joker as numbers, and the number of a hand by its ranks alone.

The joker (52) is an ace, or any card that completes a straight, a flush or both. Ace to 5 is the second highest
straight, and the highest straight flush below the royal flush. A higher number is a higher hand: the class, then the
ranks of pairs and more as 13 bits, then the ranks of the other cards, or the straight. Low hands are numbered alike, so
that a high hand that ranks equal to or higher than a low hand has a number as high. Compiled helpers take the cards as
scalars.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.second.hands import (
    ACE,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
)

FIVE_ALIKE: Final = 10  # above the classes of a deck without a joker
JOKER: Final = 52
JOKER_RANK: Final = 13
DECK: Final = 53
CLASS, GROUPED = 26, 13  # bits below the class, and below the ranks of pairs and more

Ints = NDArray[np.int64]


@helper
def rank_of(card: int) -> int:
    """Return the rank, of the joker an ace's."""
    return min(card >> 2, ACE)


@helper
def class_of(hand: int) -> int:
    """Return the class of a high hand."""
    return hand >> CLASS


@helper
def run(ranks: int) -> int:
    """Return the highest straight that contains these ranks, as bits; 0 = none.

    A straight is its lowest card as a bit; ace to 5 and ace to 10 are the two bits above king to 9.
    """
    if ranks & ~(31 << 8) == 0:
        return 1 << 9
    if ranks & ~(1 << ACE | 15) == 0:
        return 1 << 8
    lowest = ranks & -ranks
    return lowest if ranks & ~(31 * lowest) == 0 else 0


@helper
def five_cards(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the number of a high hand."""
    once, twice, thrice, four_times, five_times = 0, 0, 0, 0, 0  # ranks that there are so often, or more often
    joker, suits = 0, 15
    for card in (a, b, c, d, e):
        if card == JOKER:
            joker = 1
        else:
            rank = 1 << (card >> 2)
            four_times |= thrice & rank
            thrice |= twice & rank
            twice |= once & rank
            once |= rank
            suits &= 1 << (card & 3)
    if twice == 0:
        straight = run(once)
        if suits:
            if straight:
                return (ROYAL_FLUSH if straight == 1 << 9 else STRAIGHT_FLUSH) << CLASS | straight
            highest = 1 << ACE
            while once & highest:
                highest >>= 1
            return FLUSH << CLASS | once | joker * highest  # the joker is the highest rank that the flush lacks
        if straight:
            return STRAIGHT << CLASS | straight
    if joker:
        rank = 1 << ACE
        five_times = four_times & rank
        four_times |= thrice & rank
        thrice |= twice & rank
        twice |= once & rank
        once |= rank
    if five_times:
        return FIVE_ALIKE << CLASS | five_times << GROUPED
    if four_times:
        return FOUR << CLASS | four_times << GROUPED | once ^ four_times
    if thrice:
        return (FULL_HOUSE if twice != thrice else THREE) << CLASS | thrice << GROUPED | once ^ thrice
    pairs = (twice != 0) + (twice & (twice - 1) != 0)
    return pairs << CLASS | twice << GROUPED | once ^ twice


@kernel
def suit(cards: Ints) -> tuple[int, int]:
    """Return (suit that five of the cards share, the joker any; its ranks as bits); −1 without such a suit."""
    for shared in range(4):
        ranks, size = 0, 0
        for card in cards:
            if card == JOKER:
                size += 1
            elif card & 3 == shared:
                ranks |= 1 << (card >> 2)
                size += 1
        if size >= 5:
            return shared, ranks
    return -1, 0


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
