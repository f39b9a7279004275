"""Sets of known cards: what the last card makes of each, and sums from sets to smaller and larger ones.

A set of cards a < b < c … has the place C(a, 1) + C(b, 2) + C(c, 3) + …: all sets of one size in one sequence.
Not here: what the hands pay and which decision is best (`best_play`).
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER_DECK
from games.maths.compiled import kernel
from games.maths.ranking import HIGH, LOW, flush_part, high_part, low_part
from games.maths.staged_raises.turns.form import PaidHands, ResultTable

LARGEST = 6  # cards
CHOOSE = np.array([[comb(n, k) for k in range(LARGEST + 1)] for n in range(JOKER_DECK + 1)], dtype=np.int64)
Ints = NDArray[np.int64]
SetSums = NDArray[np.int64]
"""`[place of the set]`"""
LastCards = NDArray[np.uint8]
"""`[result, place of the set of all cards but the last]`: how many of the cards left give each result."""


@cache
def last_cards(paid: PaidHands, size: int) -> LastCards:
    """What the best five of `size` cards (five or six) are paid as, by the last card."""
    results = paid.results()
    counts = np.zeros((int(results.max()) + 1, comb(paid.deck, size - 1)), np.uint8)
    _count_last(paid.ranking().keys, results, LOW, HIGH, size, paid.deck, CHOOSE, counts)
    return counts


def best_result(paid: PaidHands, cards: Sequence[int]) -> int:
    """What the best five of the cards are paid as; for single hands."""
    ranking, results = paid.ranking(), paid.results()
    best = max(combinations(cards, 5), key=ranking.value)
    key = int(sum(int(ranking.keys[card]) for card in best))
    return int(results[LOW[low_part(key)] + HIGH[high_part(key)] + flush_part(key)])


@kernel
def _count_last(
    keys: Ints,
    results: ResultTable,
    low: NDArray[np.int16],
    high: NDArray[np.int16],
    size: int,
    deck: int,
    choose: Ints,
    counts: LastCards,
) -> None:
    """Every set of `size` cards once; each of its cards may have come last."""
    card = np.arange(size)  # rising; the loop over the lowest is the inner one
    without = np.zeros(size, np.int64)  # the key of the upper cards less the one at this place
    place = np.zeros(size, np.int64)  # of the set without the card here, but for what the lowest adds
    while card[size - 1] < deck:
        upper, without_lowest = 0, 0
        for i in range(1, size):
            upper += keys[card[i]]
            without_lowest += choose[card[i], i]
        for removed in range(1, size):
            without[removed] = upper - keys[card[removed]]
            place[removed] = 0
            for i in range(1, size):
                if i != removed:
                    place[removed] += choose[card[i], i + 1 if i < removed else i]
        upper_result = np.int64(0)
        if size > 5:
            upper_result = results[low[low_part(upper)] + high[high_part(upper)] + flush_part(upper)]
        for lowest in range(card[1]):
            best = upper_result
            if size > 5:
                for removed in range(1, size):
                    key = without[removed] + keys[lowest]
                    best = max(best, results[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
            else:
                key = upper + keys[lowest]
                best = max(best, results[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
            counts[best, without_lowest] += 1
            for removed in range(1, size):
                counts[best, place[removed] + lowest] += 1
        i = 1
        while i + 1 < size and card[i] + 1 == card[i + 1]:
            card[i] = i
            i += 1
        card[i] += 1


def over_one_more(values: SetSums, size: int, deck: int) -> SetSums:
    """From sets of `size` cards, two at least, to those of one card less: `sum[T]` over every set that is T and one
    more."""
    smaller = np.zeros(comb(deck, size - 1), np.int64)
    _sum(np.ascontiguousarray(values), smaller, size, CHOOSE, True)
    return smaller


def over_one_less(values: SetSums, size: int, deck: int) -> SetSums:
    """To sets of `size` cards, two at least, from those of one card less: `sum[S]` over every set that is S without
    one."""
    larger = np.zeros(comb(deck, size), np.int64)
    _sum(larger, np.ascontiguousarray(values), size, CHOOSE, False)
    return larger


@kernel
def _sum(larger: SetSums, smaller: SetSums, size: int, choose: Ints, down: bool) -> None:
    """Sets that differ in their lowest card alone lie side by side: `number` of them, without one of the upper cards
    from `rest` on."""
    card, place = np.arange(size), 0
    while place < len(larger):
        number, rest = card[1], 0
        for i in range(1, size):
            rest += choose[card[i], i]
        if down:
            total = 0
            for at in range(place, place + number):
                total += larger[at]
            smaller[rest] += total
        else:
            for at in range(place, place + number):
                larger[at] = smaller[rest]
        for removed in range(1, size):
            rest -= choose[card[removed], removed]
            if removed > 1:
                rest += choose[card[removed - 1], removed]
            for at in range(place, place + number):
                if down:
                    smaller[np.uint64(at + rest - place)] += larger[at]
                else:
                    larger[at] += smaller[np.uint64(at + rest - place)]
        place += number
        i = 1
        while i + 1 < size and card[i] + 1 == card[i + 1]:
            card[i] = i
            i += 1
        card[i] += 1


def with_last(counts: LastCards, nets: Ints) -> SetSums:
    """The sum of the nets, by result, over the last cards."""
    sums = np.zeros(counts.shape[1], np.int64)
    _add_up(counts, nets, sums)
    return sums


@kernel
def _add_up(counts: LastCards, nets: Ints, sums: SetSums) -> None:
    for result in range(len(counts)):
        for place in range(len(sums)):
            sums[place] += counts[result, place] * nets[result]


def met_with_last(orders: SetSums, counts: LastCards) -> SetSums:
    """`[result]`: orders of all cards, for the orders in which the sets without the last are met."""
    results = np.zeros(len(counts), np.int64)
    _multiply(np.ascontiguousarray(orders), counts, results)
    return results


@kernel
def _multiply(orders: SetSums, counts: LastCards, results: SetSums) -> None:
    for result in range(len(counts)):
        total = 0
        for place in range(len(orders)):
            total += orders[place] * counts[result, place]
        results[result] = total
