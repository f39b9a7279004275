"""The second side's combinations: counted over all hands of five cards, and of six beside the exact side's."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from games.chapters.ch589_lunar_poker.play import GAME
from games.compiled import kernel
from games.maths.exchange.payouts import appraise, first_five_counts, hand_tables, lowest_ace_king
from games.maths.exchange.strategy import first_decision, highest_card_table
from games.second.best_five import as_set, best_five
from games.second.exchange import CHOOSE, SUITS, combination, first_five_row, second_combination
from tests.games.lazy import lazy_chapter

pytestmark = pytest.mark.proof
LUNAR = lazy_chapter("589")


@kernel
def _count_fives(combinations, rows):
    for a in range(52):
        for b in range(a):
            for c in range(b):
                three = as_set(a) | as_set(b) | as_set(c)
                for d in range(c):
                    for e in range(d):
                        cards = three | as_set(d) | as_set(e)
                        value = best_five(cards)
                        combinations[combination(value)] += 1
                        rows[first_five_row(cards, value)] += 1


def test_combinations_and_rows_of_all_hands_of_five_cards_are_the_known_ones():
    combinations, rows = np.zeros(11, np.int64), np.zeros(9, np.int64)
    _count_fives(combinations, rows)
    known = [1_135_260, 167_280, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]
    assert combinations.tolist() == known
    assert rows.tolist() == list(first_five_counts())


@kernel
def _compare(seed_hands, size, lowest, ranking, met):
    """Count the hands that the two sides judge differently."""
    differing = 0
    for row in range(len(seed_hands)):
        joint = 0
        for place in range(size):
            joint |= as_set(seed_hands[row, place])
        value = best_five(joint)
        first, second = combination(value), second_combination(joint, size, value)
        _, exact, exact_second = appraise(seed_hands[row], size, lowest, ranking)
        differing += first != exact or second != exact_second
        met[first, second] += 1
    return differing


@pytest.mark.parametrize(("size", "pairs"), [(5, 15), (6, 32)])
def test_both_sides_find_the_same_two_combinations(size, pairs):
    """Every pair that there is occurs: straight flushes among cards of one suit, or nearly."""
    random = Random(size)
    suited, high_or_suited = range(1, 52, 4), [card for card in range(52) if card >= 40 or card % 4 == 1]
    packs = [range(52), suited, high_or_suited, [*suited[-5:], 0, 4, 8]]
    hands = np.array([random.sample(pack, size) for pack in packs for _ in range(60_000)])
    met = np.zeros((11, 11), np.int64)
    assert _compare(hands, size, lowest_ace_king(), hand_tables(), met) == 0
    assert np.count_nonzero(met) == pairs


def test_decisions_as_data_are_the_decisions():
    lines, first, *_ = GAME.strategy(LUNAR, {})
    random = Random(589)
    for _ in range(20_000):
        *own, up = random.sample(range(52), 6)
        own.sort()
        ranks = sum(int(CHOOSE[(card >> 2) + place, place + 1]) for place, card in enumerate(own))
        suits = SUITS[sum((card & 3) << 2 * place for place, card in enumerate(own))]
        decision = first_decision(np.array(own), up, highest_card_table())
        assert first[lines[ranks, suits], up >> 2] == decision, (own, up)
