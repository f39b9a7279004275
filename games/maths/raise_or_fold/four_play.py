"""Fold, or raise one to three Antes, on the best four of five cards: the best decision for every hand, what follows.

A chapter sorts values into `groups` that are paid alike, and says what each decision, result and group wins. Not
here: how often the results come (`four_hidden`), the decisions in words (`four_strategy`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.raise_or_fold.four_cards import best_four, card_bit
from games.maths.raise_or_fold.four_hidden import OWN, SHORT, Against
from games.maths.raise_or_fold.orbits import orbit_of
from games.maths.results import OutcomeRow
from games.maths.wagers import row

DECISIONS = 4  # 0 = fold, else the raise in Antes
RESULTS = SHORT + 1
OTHER_CARDS = -1  # in a table by value: the other cards decide too
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which the required wagers end, all in Antes."""

    outcome: str
    net: Fraction
    wagered: Fraction
    pays: str
    section: str


Endings = Callable[[int, int, int], Ending]
"""(decision, result, group) → how it ends."""


@dataclass(frozen=True, eq=False)
class Strategy:
    """A decision for every hand of one's own: `decisions[orbit]`; `equal_hands` had another one worth as much."""

    against: Against
    groups: Ints
    decisions: NDArray[np.int8]
    equal_hands: int = 0

    @cached_property
    def pair_counts(self) -> Ints:
        """Every pair of hands: `counts[decision, result, group]`."""
        against, counts = self.against, np.zeros((DECISIONS, RESULTS, self.groups.max() + 1), np.int64)
        _meet(against.values, against.results, against.hands.sizes, self.groups, self.decisions, counts)
        return counts

    @cached_property
    def table(self) -> tuple[NDArray[np.int8], Ints, NDArray[np.int8]]:
        """The decision by value; where it is `OTHER_CARDS`, by the name of the hand's orbit: names, decisions."""
        values = self.against.values
        by_value = np.zeros(len(best_four(OWN).strengths), np.int8)
        by_value[values] = self.decisions
        by_value[values[self.decisions != by_value[values]]] = OTHER_CARDS
        mixed = by_value[values] == OTHER_CARDS
        return by_value, self.against.hands.names[mixed], self.decisions[mixed]

    def of(self, cards: Sequence[int]) -> int:
        """The decision with these five cards."""
        name = orbit_of(sum(1 << card_bit(card) for card in cards))
        return int(self.decisions[np.searchsorted(self.against.hands.names, name)])


def best_decisions(against: Against, groups: Ints, endings: Endings, most: Ints) -> tuple[NDArray[np.int8], int]:
    """What is worth most for every hand, of equal decisions the larger wager; and for how many hands two are equal.

    `most[value]`: the largest raise.
    """
    nets = [
        [[endings(decision, result, group).net for group in range(groups.max() + 1)] for result in range(RESULTS)]
        for decision in range(DECISIONS)
    ]
    whole = lcm(*(net.denominator for by_result in nets for by_group in by_result for net in by_group))
    scaled = np.array(
        [[[int(net * whole) for net in by_group] for by_group in by_result] for by_result in nets], np.int64
    )
    decisions = np.zeros(len(against.values), np.int8)
    alike = _choose(against.values, against.results, against.hands.sizes, groups, scaled, most, decisions)
    return decisions, alike


def outcome_counts(met: Ints, endings: Endings) -> dict[str, int]:
    """Outcome → count, for those that occur."""
    counts: dict[str, int] = {}
    for decision, result, group in zip(*np.nonzero(met), strict=True):
        outcome = endings(int(decision), int(result), int(group)).outcome
        counts[outcome] = counts.get(outcome, 0) + int(met[decision, result, group])
    return counts


def outcome_rows(met: Ints, endings: Endings, cycle: int) -> list[OutcomeRow]:
    """A row per outcome, of the largest wagers first, the best net first."""
    by_outcome = {
        ending.outcome: ending
        for decision, result, group in zip(*np.nonzero(met), strict=True)
        if (ending := endings(int(decision), int(result), int(group)))
    }
    counts = outcome_counts(met, endings)
    return [
        row(end.outcome, counts[end.outcome], cycle, end.net, end.wagered, end.pays, end.section)
        for end in sorted(by_outcome.values(), key=lambda end: (-end.wagered, -end.net))
    ]


@kernel
def _choose(
    values: Ints, results: Ints, sizes: Ints, groups: Ints, nets: Ints, most: Ints, decisions: NDArray[np.int8]
) -> int:
    """Fill `decisions`; the number of hands for which two of them are worth the same."""
    alike = 0
    for hand in range(len(values)):
        group, best, equals = groups[values[hand]], 0, 0
        for decision in range(most[values[hand]] + 1):
            worth = 0
            for result in range(RESULTS):
                worth += results[hand, result] * nets[decision, result, group]
            if decision == 0 or worth > best:
                best, equals = worth, 0
                decisions[hand] = decision
            elif worth == best:
                equals = 1
                decisions[hand] = decision
        alike += equals * sizes[hand]
    return alike


@kernel
def _meet(values: Ints, results: Ints, sizes: Ints, groups: Ints, decisions: NDArray[np.int8], met: Ints) -> None:
    for hand in range(len(values)):
        for result in range(RESULTS):
            met[decisions[hand], result, groups[values[hand]]] += sizes[hand] * results[hand, result]
