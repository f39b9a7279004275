"""Sets of three, four and five known cards: what a sixth makes of five, and sums from sets to smaller and larger ones.

A set of cards a < b < c … has the place C(a, 1) + C(b, 2) + C(c, 3) + …: all sets of one size in one sequence.
Not here: what the hands pay and which decision is best (`raise_it_up`).
"""

from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import kernel
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard

OWN = 3  # cards of the player; one community card more makes four, two make five
CARDS_KNOWN = 5  # before the last card
CARDS_LEFT = FULL_DECK - CARDS_KNOWN  # cards that the last one may be
CHOOSE = np.array([[comb(n, k) for k in range(CARDS_KNOWN + 2)] for n in range(FULL_DECK + 1)], dtype=np.int64)
Ints = NDArray[np.int64]
Counts = NDArray[np.uint8]


@cache
def sixth_cards(least: int) -> Counts:
    """`counts[class, five]`: how many of the 47 last cards make the best five of all six a hand of this class.

    Hands of a value below `least` count as the lowest class, for any class of their own.
    """
    ranking = standard()
    counts = np.zeros((len(ranking.classes), comb(FULL_DECK, CARDS_KNOWN)), np.uint8)
    _count_sixth(ranking.keys, ranking.values, LOW, HIGH, least, CHOOSE, counts)
    return counts


@kernel
def _count_sixth(
    keys: Ints,
    values: NDArray[np.int32],
    low: NDArray[np.int16],
    high: NDArray[np.int16],
    least: int,
    choose: Ints,
    counts: Counts,
) -> None:
    """Every six cards once; each of the six may have come last."""
    card = np.zeros(6, np.int64)
    four = np.zeros(6, np.int64)  # the key of the upper five cards less the one at this place
    place = np.zeros(6, np.int64)  # of the five that stay without the card here, as far as the lowest does not matter
    for f in range(5, FULL_DECK):
        for e in range(4, f):
            for d in range(3, e):
                for c in range(2, d):
                    for b in range(1, c):
                        card[1], card[2], card[3], card[4], card[5] = b, c, d, e, f
                        five, without_lowest = 0, 0
                        for i in range(1, 6):
                            five += keys[card[i]]
                            without_lowest += choose[card[i], i]
                        for removed in range(1, 6):
                            four[removed] = five - keys[card[removed]]
                            place[removed] = 0
                            for i in range(1, 6):
                                if i != removed:
                                    place[removed] += choose[card[i], i + 1 if i < removed else i]
                        upper = values[low[low_part(five)] + high[high_part(five)] + flush_part(five)]
                        for a in range(b):
                            best = upper
                            for removed in range(1, 6):
                                key = four[removed] + keys[a]
                                best = max(best, values[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
                            made = class_of(best) if best >= least else 0
                            counts[made, without_lowest] += 1
                            for removed in range(1, 6):
                                counts[made, place[removed] + a] += 1


def over_one_more(values: Ints, size: int) -> Ints:
    """From sets of `size` cards to those of one card less: `sum[T, column]` over every set that is T and one more."""
    smaller = np.zeros((comb(FULL_DECK, size - 1), values.shape[1]), np.int64)
    _sum(values, smaller, size, CHOOSE, True)
    return smaller


def over_one_less(values: Ints, size: int) -> Ints:
    """To sets of `size` cards from those of one card less: `sum[S, column]` over every set that is S without one."""
    larger = np.zeros((comb(FULL_DECK, size), values.shape[1]), np.int64)
    _sum(larger, values, size, CHOOSE, False)
    return larger


@kernel
def _sum(larger: Ints, smaller: Ints, size: int, choose: Ints, down: bool) -> None:
    card = np.arange(size)
    for place in range(len(larger)):
        for removed in range(size):
            rest = 0
            for i in range(size):
                if i != removed:
                    rest += choose[card[i], i + 1 if i < removed else i]
            for column in range(larger.shape[1]):
                if down:
                    smaller[rest, column] += larger[place, column]
                else:
                    larger[place, column] += smaller[rest, column]
        i = 0
        while i + 1 < size and card[i] + 1 == card[i + 1]:
            card[i] = i
            i += 1
        card[i] += 1
