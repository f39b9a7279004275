"""Rows of fifth cards: the classes of all hands, and random hands beside the ranking by keys."""

from __future__ import annotations

import random

from games.maths.fifth_card import NO_ROW, PAIRS, QUADS, TRIPLES, class_counts, rows, suited_part
from games.maths.ranking import standard


def row_of(four):
    a, b, c, d = sorted(four, reverse=True)
    return QUADS[a >> 2] + TRIPLES[b >> 2] + PAIRS[c >> 2] + (d >> 2) + suited_part(a, b, c, d)


def test_class_counts_are_the_known_ones():
    assert class_counts().tolist() == [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]


def test_random_hands_have_the_value_of_the_ranking():
    draw = random.Random(5)
    for _ in range(2_000):
        suited = [4 * rank + draw.randrange(4) * draw.randint(0, 1) for rank in draw.sample(range(13), 5)]
        for hand in (draw.sample(range(52), 5), suited):
            assert rows()[row_of(hand[:4]), hand[4]] == standard().value(hand)


def test_a_fifth_of_one_rank_has_no_value():
    assert (rows()[row_of([48, 49, 50, 51]), 48:] == NO_ROW).all()


def test_rows_stay_under_a_megabyte():
    assert rows().nbytes < 1_000_000
