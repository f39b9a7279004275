"""How many of the C(53, 7) = 154,143,080 hands of seven cards make what: exact counts for paytables.

Here lives the counting, by ranks and by the one suit that can make a flush, without dealing a card. Not here: the
meaning of the bits (`hands`), odds (`exact`).

Ranks are taken as multisets, weighted with their suits. At most one suit can make a flush (five of its cards, or
four and the joker); every choice of ranks in that suit beside every multiset of the other cards is counted with the
flush and taken off the count of its ranks without.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE
from games.maths.two_hands.hands import ROYAL_MATCH, SEVEN_NATURAL, SEVEN_WITH_JOKER, THREE_PAIR
from games.maths.two_hands.ranking import (
    FIVE_ACES,
    FIVE_OF_A_KIND,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    ROYAL_FLUSH,
    RUNS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
)

HANDS: Final = comb(53, 7)
QUEEN, KING = ACE - 2, ACE - 1
Numbers = NDArray[np.int64]

_RANKS = np.arange(13)
_SEVENS: Final = (*(set(range(low, low + 7)) for low in range(7)), {ACE, *range(6)})


@cache
def count_hands(wild: bool) -> dict[int, int]:
    """Bits of `hands` → number of seven-card hands that make them; `wild`: under a fully wild joker."""
    counts = Counter(_counted(0, False))
    counts.update(_counted(1, wild))
    return {bits: count for bits, count in counts.items() if count}


@cache
def _counted(joker: int, wild: bool) -> Counter[int]:
    counts: Counter[int] = Counter()
    ranks = _multisets(7 - joker, 4)
    _add(counts, _rank_bits(ranks, joker, wild), _suitings(4)[ranks].prod(axis=1))
    for size in range(5 - joker, 8 - joker):
        suit = np.array(list(combinations(range(13), size)))
        other_suits = _multisets(7 - joker - size, 3)
        in_suit = (suit[:, :, None] == _RANKS).sum(axis=1)
        together = (in_suit[:, None, :] + other_suits[None, :, :]).reshape(-1, 13)
        weights = np.tile(4 * _suitings(3)[other_suits].prod(axis=1), len(suit))
        by_rank = _rank_bits(together, joker, wild)
        flush = by_rank | np.repeat(_flush_bits(in_suit, joker), len(other_suits))
        # A king and a queen beside the royal flush are of one suit in three of their nine suitings.
        match = ((other_suits[:, [QUEEN, KING]] == 1).all(axis=1) & (other_suits.sum(axis=1) == 2)).astype(np.int64)
        matched = np.where(flush & 1 << ROYAL_FLUSH, np.tile(match, len(suit)), 0) * weights // 3
        _add(counts, by_rank, -weights)
        _add(counts, flush, weights - matched)
        _add(counts, flush | ROYAL_MATCH, matched)
    return counts


def _rank_bits(sizes: Numbers, joker: int, wild: bool) -> Numbers:
    """What the cards make by their ranks alone. `sizes[hand, rank]`; the joker is an ace, or (`wild`) any card."""
    extra = joker if wild else 0
    present = sizes > 0
    counted = sizes + (_RANKS == ACE) * (joker - extra)
    first, second, third = -np.sort(-counted, axis=1)[:, :3].T
    return np.asarray(
        _bit(1 << STRAIGHT, _longest(present, RUNS) + joker >= 5)
        | _bit(1 << FIVE_OF_A_KIND, first + extra >= 5)
        | _bit(1 << FIVE_ACES, counted[:, ACE] + extra >= 5)
        | _bit(1 << FOUR_OF_A_KIND, first + extra >= 4)
        | _bit(1 << FULL_HOUSE, np.minimum(first, 3) + np.minimum(second, 2) + extra >= 5)
        | _bit(1 << THREE_OF_A_KIND, first + extra >= 3)
        | _bit(THREE_PAIR, third >= 2)
    )


def _flush_bits(in_suit: Numbers, joker: int) -> Numbers:
    """What the cards of the flush's suit, with the joker, make. `in_suit[hand, rank]`."""
    seven = SEVEN_WITH_JOKER if joker else SEVEN_NATURAL
    return np.asarray(
        1 << FLUSH
        | _bit(1 << STRAIGHT_FLUSH, _longest(in_suit > 0, RUNS) + joker >= 5)
        | _bit(1 << ROYAL_FLUSH, _longest(in_suit > 0, RUNS[-1:]) + joker >= 5)
        | _bit(seven, _longest(in_suit > 0, _SEVENS) + joker >= 7)
    )


def _longest(present: NDArray[np.bool_], runs: Iterable[Collection[int]]) -> Numbers:
    """The most cards that a hand has of any of the runs."""
    return np.asarray(np.max([present[:, sorted(run)].sum(axis=1) for run in runs], axis=0))


def _bit(bit: int, where: NDArray[np.bool_]) -> Numbers:
    return np.where(where, bit, 0)


def _multisets(size: int, most: int) -> Numbers:
    """How many of each rank: every multiset of so many cards with no rank more than `most` times."""
    cards = np.array(list(combinations_with_replacement(range(13), size)), dtype=np.int64)
    sizes = (cards.reshape(len(cards), size, 1) == _RANKS).sum(axis=1)
    return np.asarray(sizes[sizes.max(axis=1) <= most])


def _suitings(suits: int) -> Numbers:
    return np.array([comb(suits, size) for size in range(5)])


def _add(counts: Counter[int], bits: Numbers, weights: Numbers) -> None:
    """Add up the weights of equal bits; whole numbers far below 2^53, so that the sums are exact."""
    values, where = np.unique(bits, return_inverse=True)
    for value, total in zip(values, np.bincount(where, weights), strict=True):
        counts[int(value)] += int(total)
