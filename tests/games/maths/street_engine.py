"""The best play of a street game by a second engine, with loops over cards where `turns.best_play` sums over sets.

It shares with that engine the ranking of hands and the numbering of sets. What is best depends on which cards are seen,
not on their order, and on how much is wagered. So every set of four, three and two cards is decided in that order; then
the deals are counted forward through the decisions. Where decisions are equal the larger wager is taken.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.maths.cards import FULL_DECK
from games.maths.ranking import HIGH, LOW, flush_part, high_part, low_part, standard
from games.maths.staged_raises.paid_hands import LADDER, RESULTS

PAIRS, TRIPLES, QUADRUPLES = (comb(FULL_DECK, size) for size in (2, 3, 4))
FOLD, ONCE, THRICE = 0, 1, 3
EQUAL = 4  # added to a decision that is as good as another
STAGES = 3
AFTER_SECOND, AFTER_THIRD, AFTER_FOURTH = 48, 49 * 48, 50 * 49 * 48  # ways to deal on, from four, three and two cards
DEALS = PAIRS * AFTER_FOURTH

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Strategy:
    """The decisions with two, three and four cards: `first[set]`, `second[set, thrice]`, `third[set, thrice]`.

    `thrice` of the raises made so far were of three Antes, the others of one.
    """

    first: Bytes
    second: Bytes
    third: Bytes


@dataclass(frozen=True, slots=True)
class Played:
    """Numbers of deals, of `DEALS`.

    `ended[thrice, result]`, `folded[stage, thrice]`, `chosen[stage, decision]` (decision 0, 1, 3) and `equal[stage]`,
    where another decision was as good.
    """

    ended: Ints
    folded: Ints
    chosen: Ints
    equal: Ints


@helper
def place_2(a: int, b: int) -> int:
    """Return the place of two cards, a above b."""
    return a * (a - 1) // 2 + b


@helper
def place_3(a: int, b: int, c: int) -> int:
    """Return the place of three cards, from the highest down."""
    return a * (a - 1) * (a - 2) // 6 + b * (b - 1) // 2 + c


@helper
def place_4(a: int, b: int, c: int, d: int) -> int:
    """Return the place of four cards, from the highest down."""
    return a * (a - 1) * (a - 2) * (a - 3) // 24 + b * (b - 1) * (b - 2) // 6 + c * (c - 1) // 2 + d


@helper
def with_third(a: int, b: int, new: int) -> int:
    """Return the place of two cards, a above b, and a new one."""
    if new > a:
        return place_3(new, a, b)
    return place_3(a, new, b) if new > b else place_3(a, b, new)


@helper
def with_fourth(a: int, b: int, c: int, new: int) -> int:
    """Return the place of three cards, from the highest down, and a new one."""
    if new > b:
        return place_4(new, a, b, c) if new > a else place_4(a, new, b, c)
    return place_4(a, b, new, c) if new > c else place_4(a, b, c, new)


@cache
def endings() -> Bytes:
    """Return for every four cards the number of the 48 last cards that lead to each result."""
    counts = np.zeros((QUADRUPLES, len(RESULTS)), np.uint8)
    _count_endings(standard().keys, LADDER.results(), LOW, HIGH, counts)
    return counts


def in_whole_numbers(pays: tuple[Fraction, ...]) -> tuple[Ints, int]:
    """Return the pays times their common denominator, and that denominator."""
    unit = lcm(*(pay.denominator for pay in pays))
    return np.array([int(pay * unit) for pay in pays], dtype=np.int64), unit


def best_strategy(pays: Ints) -> Strategy:
    """Return the best decisions for what one Ante wins by result, in whole numbers."""
    strategy = Strategy(
        np.zeros(PAIRS, np.uint8), np.zeros((TRIPLES, 2), np.uint8), np.zeros((QUADRUPLES, 3), np.uint8)
    )
    worth_4, worth_3 = np.zeros((QUADRUPLES, 3), np.int64), np.zeros((TRIPLES, 2), np.int64)
    lost = -int(pays[0])  # one Ante
    _decide_third(endings() @ pays, lost, worth_4, strategy.third)
    _decide_second(worth_4, lost, worth_3, strategy.second)
    _decide_first(worth_3, lost, strategy.first)
    return strategy


def play(strategy: Strategy) -> Played:
    """Return every deal under the strategy."""
    played = Played(*(np.zeros(shape, np.int64) for shape in ((4, len(RESULTS)), (STAGES, 3), (STAGES, 4), STAGES)))
    reached_3, reached_4 = np.zeros((TRIPLES, 2), np.int64), np.zeros((QUADRUPLES, 3), np.int64)
    tallies = (played.folded, played.chosen, played.equal)
    _first_raises(strategy.first, reached_3, tallies)
    _second_raises(strategy.second, reached_3, reached_4, tallies)
    _third_raises(strategy.third, endings(), reached_4, played.ended, tallies)
    return played


@kernel
def _count_endings(
    keys: Ints, table: NDArray[np.int8], low: NDArray[np.int16], high: NDArray[np.int16], counts: Bytes
) -> None:
    for a in range(FULL_DECK):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    four, place = keys[a] + keys[b] + keys[c] + keys[d], place_4(a, b, c, d)
                    for last in range(FULL_DECK):
                        if last != a and last != b and last != c and last != d:
                            key = four + keys[last]
                            counts[place, table[low[low_part(key)] + high[high_part(key)] + flush_part(key)]] += 1


@helper
def best_of(fold: int, once: int, thrice: int) -> int:
    """Return the decision by what each is worth."""
    if thrice >= once and thrice >= fold:
        return THRICE + EQUAL if thrice in (once, fold) else THRICE
    if once >= fold:
        return ONCE + EQUAL if once == fold else ONCE
    return FOLD


@kernel
def _decide_third(means: Ints, lost: int, worth: Ints, decisions: Bytes) -> None:
    for place in range(QUADRUPLES):
        for thrice in range(3):
            wagered = 3 + 2 * thrice
            fold = -lost * wagered * AFTER_SECOND
            once, more = (wagered + 1) * means[place], (wagered + 3) * means[place]
            decisions[place, thrice] = best_of(fold, once, more)
            worth[place, thrice] = max(fold, once, more)


@kernel
def _decide_second(worth_4: Ints, lost: int, worth: Ints, decisions: Bytes) -> None:
    for a in range(FULL_DECK):
        for b in range(a):
            for c in range(b):
                place = place_3(a, b, c)
                sums_0, sums_1, sums_2 = 0, 0, 0
                for new in range(FULL_DECK):
                    if new != a and new != b and new != c:
                        after = with_fourth(a, b, c, new)
                        sums_0 += worth_4[after, 0]
                        sums_1 += worth_4[after, 1]
                        sums_2 += worth_4[after, 2]
                fold = -2 * lost * AFTER_THIRD
                decisions[place, 0], worth[place, 0] = best_of(fold, sums_0, sums_1), max(fold, sums_0, sums_1)
                fold = -4 * lost * AFTER_THIRD
                decisions[place, 1], worth[place, 1] = best_of(fold, sums_1, sums_2), max(fold, sums_1, sums_2)


@kernel
def _decide_first(worth_3: Ints, lost: int, decisions: Bytes) -> None:
    for a in range(FULL_DECK):
        for b in range(a):
            once, thrice = 0, 0
            for new in range(FULL_DECK):
                if new != a and new != b:
                    after = with_third(a, b, new)
                    once += worth_3[after, 0]
                    thrice += worth_3[after, 1]
            decisions[place_2(a, b)] = best_of(-lost * AFTER_FOURTH, once, thrice)


@kernel
def _first_raises(decisions: Bytes, reached_3: Ints, tallies: tuple[Ints, Ints, Ints]) -> None:
    folded, chosen, equal = tallies
    for a in range(FULL_DECK):
        for b in range(a):
            decision = decisions[place_2(a, b)]
            equal[0] += AFTER_FOURTH * (decision // EQUAL)
            decision %= EQUAL
            chosen[0, decision] += AFTER_FOURTH
            if decision == FOLD:
                folded[0, 0] += AFTER_FOURTH
                continue
            for new in range(FULL_DECK):
                if new != a and new != b:
                    reached_3[with_third(a, b, new), decision // 2] += 1


@kernel
def _second_raises(decisions: Bytes, reached_3: Ints, reached_4: Ints, tallies: tuple[Ints, Ints, Ints]) -> None:
    folded, chosen, equal = tallies
    for a in range(FULL_DECK):
        for b in range(a):
            for c in range(b):
                place = place_3(a, b, c)
                for thrice in range(2):
                    deals = reached_3[place, thrice]
                    decision = decisions[place, thrice]
                    equal[1] += deals * AFTER_THIRD * (decision // EQUAL)
                    decision %= EQUAL
                    chosen[1, decision] += deals * AFTER_THIRD
                    if decision == FOLD:
                        folded[1, thrice] += deals * AFTER_THIRD
                        continue
                    for new in range(FULL_DECK):
                        if deals and new != a and new != b and new != c:
                            reached_4[with_fourth(a, b, c, new), thrice + decision // 2] += deals


@kernel
def _third_raises(
    decisions: Bytes, endings: Bytes, reached_4: Ints, ended: Ints, tallies: tuple[Ints, Ints, Ints]
) -> None:
    folded, chosen, equal = tallies
    for place in range(QUADRUPLES):
        for thrice in range(3):
            deals = reached_4[place, thrice]
            decision = decisions[place, thrice]
            equal[2] += deals * AFTER_SECOND * (decision // EQUAL)
            decision %= EQUAL
            chosen[2, decision] += deals * AFTER_SECOND
            if decision == FOLD:
                folded[2, thrice] += deals * AFTER_SECOND
                continue
            for result in range(endings.shape[1]):
                ended[thrice + decision // 2, result] += deals * endings[place, result]
