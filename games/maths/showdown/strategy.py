"""Fold or raise, for every hand: the best decision where what each ends in is known, and what follows from it.

Not here: how often the results come (`five_counts`, `four_cards`), what they win (`parts`), the decisions in words
(`required`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths.showdown.deck import RESULTS, Against, Groups, Hand, orbit_of
from games.maths.showdown.four_cards import card_bit
from games.maths.showdown.parts import Endings

OTHER_CARDS = -1  # in a table by value: the other cards decide too
Small = NDArray[np.int16]
Decisions = NDArray[np.int8]
DecisionTable = tuple[Decisions, Ints, Decisions]
"""The decision by value; where it is `OTHER_CARDS`, by the name of the hand's orbit: names, decisions."""


@dataclass(frozen=True, eq=False)
class Strategy:
    """A decision for every hand: `decisions[orbit]`, 0 = fold, else a raise; `equal_hands` had another as good."""

    against: Against
    decisions: Decisions
    equal_hands: int = 0

    def pair_counts(self, groups: Groups) -> Ints:
        """Return every pair of hands: `counts[decision, result, group]`."""
        against = self.against
        counts = np.zeros((self.decisions.max() + 1, RESULTS, len(groups.strengths)), np.int64)
        _meet(against.values, against.results, against.hands.sizes, groups.numbers, self.decisions, counts)
        return counts

    @cached_property
    def value_counts(self) -> Ints:
        """Hands of each value for which a decision is taken: `counts[decision, value]`."""
        against = self.against
        counts = np.zeros((self.decisions.max() + 1, against.order.size), np.int64)
        np.add.at(counts, (self.decisions, against.values), against.hands.sizes)
        return counts

    @cached_property
    def table(self) -> DecisionTable:
        """Table that a kernel reads."""
        values = self.against.values
        by_value = np.zeros(self.against.order.size, np.int8)
        by_value[values] = self.decisions
        by_value[values[self.decisions != by_value[values]]] = OTHER_CARDS
        mixed = by_value[values] == OTHER_CARDS
        return by_value, self.against.hands.names[mixed], self.decisions[mixed]

    @cached_property
    def by_hand(self) -> dict[Hand, int]:
        """The table's decisions by the hand in words."""
        order, by_value = self.against.order, self.table[0].tolist()
        return {
            order.hand(order.strengths[value]): by_value[value] for value in np.unique(self.against.values).tolist()
        }

    def of(self, cards: Sequence[int]) -> int:
        """Return the decision with these five cards, without those that are wild."""
        name = orbit_of(sum(1 << card_bit(card) for card in cards))
        return int(self.decisions[np.searchsorted(self.against.hands.names, name)])


def best_decisions(against: Against, groups: Groups, endings: Endings, most: Ints) -> tuple[Decisions, int]:
    """Return the best decision for every hand, of equal ones the larger wager, and the number of hands with equal ones.

    `most[value]`: the largest raise that is allowed.
    """
    nets = [[[ending.net for ending in by_group] for by_group in by_result] for by_result in endings]
    whole = lcm(*(net.denominator for by_result in nets for by_group in by_result for net in by_group))
    scaled = np.array(
        [[[int(net * whole) for net in by_group] for by_group in by_result] for by_result in nets], np.int64
    )
    decisions = np.zeros(len(against.values), np.int8)
    alike = _choose(against.values, against.results, against.hands.sizes, groups.numbers, scaled, most, decisions)
    return decisions, alike


@kernel
def _choose(
    values: Ints, results: Ints, sizes: Ints, groups: Small, nets: Ints, most: Ints, decisions: Decisions
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
def _meet(values: Ints, results: Ints, sizes: Ints, groups: Small, decisions: Decisions, met: Ints) -> None:
    for hand in range(len(values)):
        for result in range(RESULTS):
            met[decisions[hand], result, groups[values[hand]]] += sizes[hand] * results[hand, result]
