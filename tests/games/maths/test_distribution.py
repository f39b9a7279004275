"""The result of many rounds: counted naively for a few rounds, by mean and deviation for many, and dealt.

Not found here: an error that only the chances of a real game show. All chances here are made up.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod, sqrt

import pytest

from games.maths.statistics import QUANTILES, spread

ONE = {Fraction(-1): 0.55, Fraction(1): 0.4, Fraction(3, 2): 0.05}


def naive(chances, rounds):
    totals = Counter()
    for nets in product(chances, repeat=rounds):
        totals[sum(nets)] += prod(chances[net] for net in nets)
    return totals


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_few_rounds_are_as_counted_one_by_one(rounds):
    totals, found = naive(ONE, rounds), spread(ONE, rounds)
    assert found.ahead == pytest.approx(sum(chance for total, chance in totals.items() if total > 0))
    for share, quantile in zip(QUANTILES, found.quantiles, strict=True):
        assert sum(chance for total, chance in totals.items() if total <= quantile) >= share / 100 - 1e-9
        assert sum(chance for total, chance in totals.items() if total < quantile) <= share / 100 + 1e-9


def test_many_rounds_are_normal_where_prizes_are_small():
    found = spread(ONE, 100_000)
    assert found.mean == pytest.approx(-7_500)
    for share, z in zip(QUANTILES, (-1.6449, -0.6745, 0, 0.6745, 1.6449), strict=True):
        assert found.quantiles[QUANTILES.index(share)] == pytest.approx(found.mean + z * found.deviation, abs=3)
    assert sum(chance for _, _, chance in found.bars) == pytest.approx(1, abs=0.01)


def test_rare_prize_lifts_whoever_meets_it_and_nobody_else():
    chances = {Fraction(-1): 0.5, Fraction(1): 0.5 - 1e-7, Fraction(1_000_000): 1e-7}
    found = spread(chances, 1_000)
    assert found.quantiles[-1] == pytest.approx(1.6449 * sqrt(1_000), abs=2)
    assert found.ahead == pytest.approx(spread({Fraction(-1): 0.5, Fraction(1): 0.5}, 1_000).ahead, abs=2e-4)


def test_prize_that_is_met_now_and_then_is_counted():
    chances = {Fraction(-1): 1 - 1e-4, Fraction(5_000): 1e-4}
    found = spread(chances, 100_000)
    assert found.quantiles[2] == -100_000 + 10 * 5_001
    twenty_or_more = 1 - sum(comb(100_000, hits) * 1e-4**hits * (1 - 1e-4) ** (100_000 - hits) for hits in range(20))
    assert found.ahead == pytest.approx(twenty_or_more, rel=1e-6)


def test_fine_lattice_is_coarsened_without_moving_the_mean():
    chances = {Fraction(-1): 0.9, Fraction(19, 20): 0.0999, Fraction(9_999, 997): 1e-4}
    found = spread(chances, 100_000)
    middle = sum((low + high) / 2 * chance for low, high, chance in found.bars)
    assert middle == pytest.approx(found.mean, rel=0.01)


def test_dealt_totals_lie_where_they_should():
    draw, found = random.Random(8), spread(ONE, 200)
    totals = [sum(draw.choices(list(ONE), list(ONE.values()), k=200)) for _ in range(2_000)]
    within = sum(found.quantiles[0] <= total <= found.quantiles[-1] for total in totals) / len(totals)
    assert within == pytest.approx(0.9, abs=0.03)


def test_chances_that_do_not_add_up_are_refused():
    with pytest.raises(ValueError, match=r"add up to 0\.9"):
        spread({Fraction(-1): 0.9}, 10)
