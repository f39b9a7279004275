"""Seven cards against a hidden seven: how often each decision ends how, over every pair of hands (6.1 · 10¹⁵).

The dealer's hand is worth at most v if each of the dealer's suits is: of k cards all choices of the ranks that are
left, of as many as the flush of v has only those that are not above it. Multiplying the four suits' generating
functions counts the dealer's hands below and up to one's own, and those that do not qualify. Only hands that differ
by a renaming of suits are counted together. Not here: what an end wins (`wagers`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths.enumerations import Arrays, cached_arrays
from games.maths.longest_flush.rules import (
    BESIDE,
    CARDS,
    ENDS,
    LEAST,
    LOSE,
    OF_SIZE,
    PLACES,
    RANKS,
    SIZES,
    SUIT,
    SUITS,
    TIE,
    UNQUALIFIED,
    WIN,
    Rules,
    beside,
    beside_number,
    by_suits,
)
from games.rules.errors import ParameterError

DEALERS = comb(45, 7)
CYCLE = comb(52, 7) * DEALERS
MIXED = -1  # the flush alone does not decide
VALUES = CARDS + 1 << RANKS
Qualifier = tuple[int, int, int]
"""Size and highest rank of the dealer's qualifying flush, and what the lowest of them is worth."""
_CHOOSE = np.array([[comb(n, k) for k in range(CARDS + 1)] for n in range(RANKS + 1)], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The best play, and pairs of hands by their ends under it.

    `by_value[value]`: Antes to raise, 0 = fold, or `MIXED`; those hands are three-card flushes, and `by_others[row of
    the flush, four cards beside it]` decides (`rows[place of the flush]`, −1 = not mixed). `ends[size of the flush, its
    highest rank, raised, end]` counts pairs of hands, `equal` the hands for which both ways are worth the same.
    """

    by_value: NDArray[np.int8]
    rows: Ints
    by_others: NDArray[np.int8]
    ends: Ints
    equal: Ints

    def of(self, seven: Sequence[int]) -> int:
        """Return the Antes to raise with these cards, 0 = fold."""
        own, first, second, third = by_suits(seven)
        raised = int(self.by_value[own])
        if raised != MIXED:
            return raised
        places = (int(PLACES[suit & SUIT]) for suit in (first, second, third))
        number = beside_number(first >> RANKS, second >> RANKS, *places)
        return int(self.by_others[self.rows[PLACES[own & SUIT]], number])


@cache
def best_play(rules: Rules) -> BestPlay:
    """Raise wherever that is worth at least as much as folding, by as much as is worth most.

    `ParameterError` where the four other cards decide, but beside a flush of another size than three cards.
    """
    raises, qualifier = "-".join(map(str, rules.raises)), rules.qualifier
    name = f"longest-flush-{raises}-{qualifier.size}{qualifier.high}"
    return BestPlay(**cached_arrays(name, lambda: _best_play(rules)))  # type: ignore[arg-type]


def _best_play(rules: Rules) -> Arrays:
    decisions = rules.amounts[-1] + 1
    taken, by_others = np.zeros((VALUES, decisions), np.int64), np.zeros((len(OF_SIZE[3]), BESIDE), np.int8)
    ends, equal = np.zeros((CARDS + 1, RANKS, decisions, len(ENDS)), np.int64), np.zeros(1, np.int64)
    small = np.flatnonzero(SIZES <= 3)
    for size in range(LEAST, CARDS + 1):
        other_suits, ways = beside(CARDS - size)
        _count(
            size,
            np.array(OF_SIZE[size]),
            small,
            other_suits,
            ways,
            (SIZES, _CHOOSE, np.array(rules.allowed)),
            (rules.qualifier.size, rules.qualifier.top, rules.qualifier.lowest),
            taken,
            by_others,
            ends,
            equal,
        )
    mixed = (taken > 0).sum(axis=1) > 1
    if mixed[: 3 << RANKS].any() or mixed[4 << RANKS :].any():
        raise ParameterError("raises", f"are {rules.raises}: other cards decide on more than three-card flushes")
    places = PLACES[np.flatnonzero(mixed) & SUIT]
    rows = np.full(len(OF_SIZE[3]), -1)
    rows[places] = np.arange(len(places))
    by_value = np.where(mixed, MIXED, taken.argmax(axis=1)).astype(np.int8)
    return {"by_value": by_value, "rows": rows, "by_others": by_others[places], "ends": ends, "equal": equal}


@kernel
def _count(
    size: int,
    flushes: Ints,
    small: Ints,
    other_suits: Ints,
    ways: Ints,
    tables: tuple[Ints, Ints, Ints],
    qualifier: Qualifier,
    taken: Ints,
    by_others: NDArray[np.int8],
    ends: Ints,
    equal: Ints,
) -> None:
    """Count every hand whose longest flush has this size."""
    sizes, choose, allowed = tables
    lower, results = np.zeros(SUIT + 1, np.int64), np.zeros(4, np.int64)
    suits, work = np.zeros((4, SUITS), np.int64), np.zeros((2, CARDS + 1), np.int64)
    for place in range(len(flushes)):
        own = int(flushes[place])
        value, top = size << RANKS | own, 0
        while own >> (top + 1):
            top += 1
        for ranks in small:
            lower[ranks] = _lower(own, ranks, size, sizes, choose)
        for number in range(len(other_suits)):
            alike = 1
            for ranks in other_suits[number]:
                alike += ranks == own
                if sizes[ranks] > size or (sizes[ranks] == size and ranks > own):
                    alike = 0
                    break
            if alike == 0:  # another suit's flush is higher
                continue
            _face(size, own, other_suits[number], lower, sizes, choose, qualifier, suits, work, results)
            ahead, behind = results[WIN] - results[LOSE], -DEALERS
            most = allowed[size] if ahead >= 0 else 1
            worth = results[UNQUALIFIED] + (1 + most) * ahead
            raised = most if worth >= behind else 0
            hands = ways[number] * SUITS // alike
            equal[0] += hands * (worth == behind or (ahead == 0 and allowed[size] > 1))
            taken[value, raised] += hands
            if size == 3:
                by_others[place, number] = raised
            for end in range(4):
                ends[size, top, raised, end] += hands * results[end]


@kernel
def _lower(own: int, ranks: int, size: int, sizes: Ints, choose: Ints) -> int:
    """Return the number of choices of `size` ranks that are not held and are lower than the flush `own`."""
    free, need, count = SUIT & ~ranks, size, 0
    for rank in range(RANKS - 1, -1, -1):
        if own >> rank & 1:
            count += choose[sizes[free & ((1 << rank) - 1)], need]
            if free >> rank & 1 == 0:
                break
            need -= 1
    return count


@kernel
def _face(
    size: int,
    own: int,
    other_suits: Ints,
    lower: Ints,
    sizes: Ints,
    choose: Ints,
    qualifier: Qualifier,
    suits: Ints,
    work: Ints,
    results: Ints,
) -> None:
    """Count the dealer's hands by their ends, against the flush `own` and the cards held in the other suits."""
    least, top, lowest = qualifier
    for suit in range(SUITS):
        ranks = own if suit == 3 else other_suits[suit]
        suits[0, suit] = RANKS - sizes[ranks]
        suits[1, suit] = _lower(own, own, size, sizes, choose) if suit == 3 else lower[ranks]
        suits[2, suit] = suits[1, suit] + (1 if ranks & own == 0 else 0)
        suits[3, suit] = choose[top - sizes[ranks & ((1 << top) - 1)], least]
    without = _ways(least, suits[0], suits[3], choose, work)
    not_above = _ways(size, suits[0], suits[2], choose, work)
    under = _ways(size, suits[0], suits[1], choose, work)
    results[UNQUALIFIED] = without
    if size << RANKS | own >= lowest:
        results[WIN], results[TIE], results[LOSE] = under - without, not_above - under, DEALERS - not_above
    else:  # a dealer who qualifies is higher
        results[WIN], results[TIE], results[LOSE] = 0, 0, DEALERS - without


@kernel
def _ways(size: int, left: Ints, longest: Ints, choose: Ints, work: Ints) -> int:
    """Return the ways to draw seven of `left` cards, at most `size` of a suit; `longest`: choices of `size` of it."""
    work[:] = 0
    work[0, 0] = 1
    for suit in range(SUITS):
        hand, more = work[suit % 2], work[(suit + 1) % 2]
        for cards in range(CARDS + 1):
            more[cards] = 0
            for taken in range(min(cards, size) + 1):
                more[cards] += hand[cards - taken] * (longest[suit] if taken == size else choose[left[suit], taken])
    return int(work[0, CARDS])  # an even number of suits: the last result lies there
