"""Counts of a shoe's first cards against dealing every hand of a small shoe."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from games.maths.first_cards.game import after_first, best_decisions, ways_to_total

SMALL = {2: 3, 5: 4, 10: 5, 11: 2}
CARDS = [points for points, count in SMALL.items() for _ in range(count)]


def test_ways_to_total_are_those_of_dealing_every_set():
    assert ways_to_total(SMALL, 3) == Counter(sum(hand) for hand in combinations(CARDS, 3))


def test_after_first_is_that_of_dealing_every_first_card_and_set_of_two():
    dealt: dict[int, Counter[int]] = {}
    for place, first in enumerate(CARDS):
        rest = CARDS[:place] + CARDS[place + 1 :]
        dealt.setdefault(first, Counter()).update(first + sum(two) for two in combinations(rest, 2))
    assert after_first(SMALL) == dealt


def test_best_decision_of_equals_is_the_one_named_first():
    deals = {2: Counter({20: 1})}
    assert best_decisions(deals, ("large", "small"), lambda decision, total: -2) == {2: "large"}
    assert best_decisions(deals, ("large", "small"), lambda decision, total: -(decision == "large")) == {2: "small"}
