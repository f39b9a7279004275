"""The best five of up to seven cards: every hand of five cards counted, and seven beside a slow evaluator."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import numpy as np
import pytest

from games.compiled import kernel
from games.maths import hands
from games.second.best_five import as_set, best_five, class_of_strength
from tests.games.maths.slow_hands import PACK, number, worth

pytestmark = pytest.mark.proof


@kernel
def _count_fives(counts):
    for a in range(52):
        for b in range(a):
            for c in range(b):
                three = as_set(a) | as_set(b) | as_set(c)
                for d in range(c):
                    for e in range(d):
                        value = best_five(three | as_set(d) | as_set(e))
                        counts[class_of_strength(value)] += 1


def test_classes_of_all_hands_of_five_cards_are_the_known_ones():
    counts = np.zeros(10, np.int64)
    _count_fives(counts)
    assert counts.tolist() == [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]


def slow(cards):
    return max(worth(list(five), hands.STANDARD) for five in combinations(cards, 5))


def joined(cards):
    joint = 0
    for card in cards:
        joint |= as_set(number(card))
    return joint


@pytest.mark.parametrize("size", [5, 6, 7])
def test_hands_compare_as_those_of_a_slow_evaluator(size):
    """Cards of few ranks or of one suit, too: they make the classes that are rare among all."""
    random = Random(size)
    few, suited = [card for card in PACK if card[0] in "A2345K"], [card for card in PACK if card[1] == "s"]
    packs = [PACK, few, suited, [card for card in PACK if card[1] == "s" or card[0] in "23"], suited[-7:]]
    dealt = [random.sample(pack, size) for pack in packs for _ in range(1_000)]
    by_strength = {}
    for cards in dealt:
        by_strength.setdefault(best_five(joined(cards)), set()).add(repr(slow(cards)))
        assert class_of_strength(best_five(joined(cards))) == slow(cards)[0]
    assert all(len(alike) == 1 for alike in by_strength.values())
    one_each = {best_five(joined(cards)): slow(cards) for cards in dealt}
    ordered = [one_each[value] for value in sorted(one_each)]
    assert all(lower < higher for lower, higher in pairwise(ordered))
    assert {value[0] for value in ordered} == set(range(10))
