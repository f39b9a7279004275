"""Seven cards by suits: what the longest flush is worth, the longest straight flush, and what lies beside a flush.

The cards of a suit are 13 bits, a bit a rank. A flush is worth `size << 13 | ranks`: longer ones above shorter ones, of
one size the one with the highest card that the other lacks. A hand is worth its best suit.
Not here: the dealer's hand (`exact`), dealing (`rounds`).
"""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE
from games.maths.compiled import helper

CARDS, RANKS, SUITS = 7, 13, 4
SUIT = (1 << RANKS) - 1
LEAST = 2  # cards of one suit that seven cards of four suits always have
FLUSH, STRAIGHT_FLUSH = KINDS = ("flush", "straight flush")
"""What optional wagers are paid by: the most cards of a suit, or the most of a suit in consecutive rank."""
THREE_AND_ONE, TWO_AND_TWO = 286 * RANKS, 78 * 79 // 2
BESIDE = THREE_AND_ONE + TWO_AND_TWO + 78 * (RANKS * (RANKS + 1) // 2)  # ways to have four cards in three suits
Ints = NDArray[np.int64]


@helper
def suit_bit(card: int) -> int:
    """The card as one of 52 bits, suit by suit."""
    return 1 << (RANKS * (card & 3) + (card >> 2))


@helper
def unordered(first: int, second: int) -> int:
    """Two numbers as one, in any order."""
    return max(first, second) * (max(first, second) + 1) // 2 + min(first, second)


@helper
def beside_number(size: int, second_size: int, first: int, second: int, third: int) -> int:
    """Four cards in three suits as a number: the sizes of the two largest holdings, and the places of all three
    (`PLACES`), the largest first."""
    if size == 3:
        return first * RANKS + second
    if second_size == 2:
        return THREE_AND_ONE + unordered(first, second)
    return THREE_AND_ONE + TWO_AND_TWO + first * 91 + unordered(second, third)


def longest_run(ranks: int) -> int:
    """The most cards in consecutive rank, the ace high or low."""
    bits, length = ranks << 1 | ranks >> ACE, 0
    while bits:
        bits, length = bits & bits << 1, length + 1
    return length


def _places() -> Ints:
    seen: Counter[int] = Counter()
    places = np.zeros(1 << RANKS, np.int64)
    for ranks in range(1 << RANKS):
        places[ranks] = seen[ranks.bit_count()]
        seen[ranks.bit_count()] += 1
    return places


SIZES = np.array([ranks.bit_count() for ranks in range(1 << RANKS)], dtype=np.int64)
PLACES = _places()
"""The cards of a suit → their place among the holdings of its size."""
RUNS = np.array([longest_run(ranks) for ranks in range(1 << RANKS)], dtype=np.int64)
OF_SIZE = tuple(np.flatnonzero(size == SIZES).tolist() for size in range(CARDS + 1))


@cache
def beside(cards: int) -> tuple[Ints, Ints]:
    """Every way to have so many cards in three suits, none more than three: the holdings, largest first, and to how
    many deals of the suits they belong. Four cards are in the order of `beside_number`."""
    holdings: list[tuple[int, ...]] = []
    for sizes in sorted(combinations_with_replacement((3, 2, 1, 0), 3), reverse=True):
        if sum(sizes) == cards:
            groups = [_holdings(size, times) for size, times in sorted(Counter(sizes).items(), reverse=True)]
            holdings += [sum(chosen, ()) for chosen in product(*groups)]
    ways = [factorial(3) // prod(factorial(times) for times in Counter(three).values()) for three in holdings]
    return np.array(holdings), np.array(ways)


def _holdings(size: int, times: int) -> list[tuple[int, ...]]:
    """So many holdings of the same size, the higher ones first, in the order of `unordered`."""
    if times == 3:
        return [chosen[::-1] for chosen in combinations_with_replacement(OF_SIZE[size], 3)]
    if times == 1:
        return [(ranks,) for ranks in OF_SIZE[size]]
    return [(first, second) for place, first in enumerate(OF_SIZE[size]) for second in OF_SIZE[size][: place + 1]]


@cache
def count_hands(kind: str) -> tuple[int, ...]:
    """How many of the C(52, 7) hands have a longest one of each size; `kind` is one of `KINDS`."""
    return _by_most(SIZES if kind == FLUSH else RUNS)


def _by_most(measure: Ints) -> tuple[int, ...]:
    """The hands of seven by the most that one of their suits measures: suits multiply as generating functions."""
    upto = []
    for most in range(CARDS + 1):
        suit = np.bincount(SIZES[(measure <= most) & (SIZES <= CARDS)], minlength=CARDS + 1).tolist()
        hand = [1] + [0] * CARDS
        for _ in range(SUITS):
            hand = [sum(hand[k - taken] * suit[taken] for taken in range(k + 1)) for k in range(CARDS + 1)]
        upto.append(hand[CARDS])
    return tuple(now - before for before, now in zip([0, *upto], upto, strict=False))
