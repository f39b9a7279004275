"""Sums, hold and convergence of simulated counts, on wagers small enough to compute by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.maths.results import OutcomeRow, counted, row
from games.maths.statistics import add, convergence, hold_of

COIN = counted("coin", "", [row("heads", 1, 2, 1), row("tails", 1, 2, -1)], 2)


def test_tallies_add_up_in_any_order():
    one, two = {"coin": {"heads": 3, "tails": 1}}, {"coin": {"heads": 2}, "dice": {"6": 1}}
    assert add([one, two]) == add([two, one]) == {"coin": {"heads": 5, "tails": 1}, "dice": {"6": 1}}


def test_hold_is_per_total_wagered_with_the_error_of_a_ratio():
    rows = (
        OutcomeRow("wins", None, Fraction(2), Fraction(2)),
        OutcomeRow("loses", None, Fraction(-2), Fraction(2)),
        OutcomeRow("folds", None, Fraction(-1), Fraction(1)),
    )
    found = hold_of(rows, {"wins": 40, "loses": 40, "folds": 20}, 100)
    assert found.hold == pytest.approx(20 / 180)
    # residuals 2 + h·2, −2 + h·2, −1 + h: their mean square ÷ 100, by the mean wagered 1.8
    hold = 20 / 180
    square = 0.4 * (2 + 2 * hold) ** 2 + 0.4 * (-2 + 2 * hold) ** 2 + 0.2 * (-1 + hold) ** 2
    assert found.error == pytest.approx((square / 100) ** 0.5 / 1.8)


def test_convergence_has_at_most_twenty_growing_points_and_ends_with_all_rounds():
    blocks = [{"heads": 50 + block % 3, "tails": 50} for block in range(55)]
    points = convergence(COIN, blocks)
    assert len(points) == 20
    assert [rounds for rounds, _, _ in points] == sorted({rounds for rounds, _, _ in points})
    assert points[-1][0] == sum(sum(block.values()) for block in blocks)
    assert len(convergence(COIN, blocks[:3])) == 3
