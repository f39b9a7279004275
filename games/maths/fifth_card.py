"""Five-card hands from four cards and a fifth: all in sequence, one read of a small table per hand.

The values of four cards with each of the 52 are in a row, card by card. A loop over hands, each with its cards
from the highest down, keeps the row of the first four and reads along it as fast as memory gives:

    row = QUADS[a >> 2] + TRIPLES[b >> 2] + PAIRS[c >> 2] + (d >> 2), and suited_part(a, b, c, d) more
    value = rows()[row, e]

All rows are under 1 MB. For 52 cards without wilds. Not here: what hands are worth (`ranking`, `hands`).
"""

from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import helper, kernel
from games.maths.ranking import CLASS_BITS, HANDS, HIGH, LOW, card_key, high_part, low_part, standard

FOURS = comb(13 + 3, 4)  # multisets of four out of 13 ranks, numbered from the highest rank down
QUADS, TRIPLES, PAIRS = (
    np.array([comb(rank + size - 1, size) for rank in range(13)], dtype=np.int64) for size in (4, 3, 2)
)
NO_ROW = np.uint16(0xFFFF)  # where a card cannot be the fifth
COUNT_BITS = 6  # of a packed count: a row adds 48 to a class at most, and ten classes fit into 64 bits
_EVERY_OTHER = 0x03F03F03F03F03F  # counts 0, 2, 4 …, each with room for all rows of three cards
_ROOM = (1 << 2 * COUNT_BITS) - 1

Rows = NDArray[np.uint16]
Ints = NDArray[np.int64]


@helper
def suited_part(a: int, b: int, c: int, d: int) -> int:
    """Return the part that four cards of one suit add to their row; 0 for other cards."""
    return FOURS * (1 + (a & 3)) if (((a ^ b) | (a ^ c) | (a ^ d)) & 3) == 0 else 0


@cache
def rows() -> Rows:
    """Return `rows()[row, card]`: the value by `ranking.standard` of a row's cards with a fifth; or `NO_ROW`."""
    values = np.full((5 * FOURS, FULL_DECK), NO_ROW)
    for ranks in combinations_with_replacement(range(12, -1, -1), 4):
        row = QUADS[ranks[0]] + TRIPLES[ranks[1]] + PAIRS[ranks[2]] + ranks[3]
        unsuited, suited = (_fifths(ranks, part) for part in (0, HANDS))
        values[row] = unsuited.repeat(4)
        if len(set(ranks)) == 4:
            for suit in range(4):
                values[row + FOURS * (1 + suit)] = unsuited.repeat(4)
                values[row + FOURS * (1 + suit), suit::4] = suited
    return values


def _fifths(ranks: tuple[int, ...], part: int) -> Rows:
    """Return the value of the four ranks with each of the 13, of one suit for the part `HANDS`."""
    keys = np.array([sum(card_key(rank, 0) for rank in (*ranks, fifth)) for fifth in range(13)])
    there = np.array([ranks.count(fifth) < 4 and not (part and fifth in ranks) for fifth in range(13)])
    values = np.full(13, NO_ROW)
    values[there] = standard().values[LOW[low_part(keys[there])] + HIGH[high_part(keys[there])] + part]
    return values


def class_counts() -> Ints:
    """Return the number of the 2,598,960 hands in each class of `hands.STANDARD`, each read from its row."""
    return _count_classes(_packed())


@cache
def _packed() -> Ints:
    """Return `_packed()[row, card]`: a one in the place of the hand's class, in a packed count of all ten."""
    classes = rows().astype(np.int64) >> CLASS_BITS
    return np.where(rows() == NO_ROW, 0, np.int64(1) << (COUNT_BITS * (classes % 10)))


@kernel
def _count_classes(packed: Ints) -> Ints:
    """Sum the rows of packed counts, hand by hand."""
    counts = np.zeros(10, np.int64)
    for a in range(FULL_DECK):
        for b in range(a):
            for c in range(b):
                three = QUADS[a >> 2] + TRIPLES[b >> 2] + PAIRS[c >> 2]
                even, odd = np.int64(0), np.int64(0)
                for d in range(c):
                    row = packed[three + (d >> 2) + suited_part(a, b, c, d)]
                    sums = np.int64(0)
                    for e in range(d):
                        sums += row[e]
                    even += sums & _EVERY_OTHER
                    odd += (sums >> COUNT_BITS) & _EVERY_OTHER
                for place in range(5):
                    counts[2 * place] += (even >> (2 * COUNT_BITS * place)) & _ROOM
                    counts[2 * place + 1] += (odd >> (2 * COUNT_BITS * place)) & _ROOM
    return counts


@kernel
def sum_values(values: Rows) -> np.int64:
    """Return the sum of the values of all hands, each only read: for the comparison with peers."""
    total = np.int64(0)
    for a in range(FULL_DECK):
        for b in range(a):
            for c in range(b):
                three = QUADS[a >> 2] + TRIPLES[b >> 2] + PAIRS[c >> 2]
                for d in range(c):
                    row = values[three + (d >> 2) + suited_part(a, b, c, d)]
                    for e in range(d):
                        total += row[e]
    return total
