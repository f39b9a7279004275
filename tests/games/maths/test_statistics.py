"""What is said of simulated counts, on wagers small enough to compute by hand."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

from games.maths.results import OutcomeRow, WagerAnalysis, counted, row
from games.maths.statistics import (
    LARGEST_Z,
    SMALLEST_P,
    add,
    chi_square_tail,
    compare_to_exact,
    convergence,
    hold_of,
    poisson_tail,
)

COIN = counted("coin", "", [row("heads", 1, 2, 1), row("tails", 1, 2, -1)], 2)
DICE = counted("dice", "", [row(str(face), 1, 6, face - 4) for face in range(1, 7)], 6)


@pytest.mark.parametrize(
    ("statistic", "degrees", "p_value"),
    [
        (3.841459, 1, 0.05),
        (5.991465, 2, 0.05),
        (7.814728, 3, 0.05),
        (14.067140, 7, 0.05),
        (18.307038, 10, 0.05),
        (10.827566, 1, 0.001),
        (29.588298, 10, 0.001),
        (0.0, 5, 1.0),
    ],
)
def test_chi_square_tail_gives_the_tables_values(statistic, degrees, p_value):
    assert chi_square_tail(statistic, degrees) == pytest.approx(p_value, rel=1e-5)


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


def test_fair_counts_pass_with_small_z_and_their_interval_holds_the_exact_figure():
    found = compare_to_exact(COIN, {"heads": 5_020, "tails": 4_980})
    assert found.z == pytest.approx(-0.4)
    assert found.chi_square == pytest.approx(0.16)
    assert found.degrees == 1
    assert found.passed
    assert found.low < found.exact_hold < found.high


def test_counts_far_from_the_exact_figure_do_not_pass():
    assert not compare_to_exact(COIN, {"heads": 5_300, "tails": 4_700}).passed


def test_counts_with_the_right_hold_and_wrong_outcomes_do_not_pass():
    counts = {"1": 3_000, "2": 0, "3": 0, "4": 0, "5": 0, "6": 3_000}
    found = compare_to_exact(DICE, counts)
    assert abs(found.z) < LARGEST_Z
    assert found.p_value < SMALLEST_P
    assert not found.passed


def test_rare_outcomes_are_pooled_until_five_are_expected():
    rare = counted("rare", "", [row("a", 1, 1000, 9), row("b", 2, 1000, 5), row("c", 997, 1000, -1)], 1000)
    found = compare_to_exact(rare, {"a": 1, "b": 1, "c": 998})
    assert found.chi_square is None  # three of a thousand expected: nothing left to compare
    more = compare_to_exact(rare, {"a": 3, "b": 7, "c": 2_990})
    assert more.degrees == 1
    assert more.chi_square == pytest.approx((10 - 9) ** 2 / 9 + (2_990 - 2_991) ** 2 / 2_991)


def test_an_outcome_that_the_analysis_does_not_know_is_refused():
    with pytest.raises(ValueError, match=r"edge.*not analyzed"):
        compare_to_exact(COIN, {"heads": 5, "tails": 4, "edge": 1})


def test_beside_an_estimate_z_counts_the_errors_of_both():
    estimate = WagerAnalysis(
        "coin",
        "",
        "estimate",
        (OutcomeRow("heads", None, Fraction(1)), OutcomeRow("tails", None, Fraction(-1))),
        Fraction(0),
        Fraction(1, 2),
        1.0,
        Fraction(1),
        standard_error=0.01,
    )
    found = compare_to_exact(estimate, {"heads": 5_200, "tails": 4_800})
    assert found.exact_hold is None
    assert found.p_value is None
    assert found.z == pytest.approx(-0.04 / (0.01**2 + found.standard_error**2) ** 0.5)


def test_convergence_has_at_most_twenty_growing_points_and_ends_with_all_rounds():
    blocks = [{"heads": 50 + block % 3, "tails": 50} for block in range(55)]
    points = convergence(COIN, blocks)
    assert len(points) == 20
    assert [rounds for rounds, _, _ in points] == sorted({rounds for rounds, _, _ in points})
    assert points[-1][0] == sum(sum(block.values()) for block in blocks)
    assert len(convergence(COIN, blocks[:3])) == 3


LOTTERY = counted("lottery", "", [row("wins", 1, 10**7, 10**6), row("loses", 10**7 - 1, 10**7, -1)], 10**7)
MIXED = counted(
    "mixed",
    "",
    [row("jackpot", 1, 10**7, 10**6), row("wins", 4_999_999, 10**7, 1), row("loses", 5 * 10**6, 10**7, -1)],
    10**7,
)


@pytest.mark.parametrize(("dealt", "agrees"), [(0, True), (1, True), (2, True), (3, True), (6, False)])
def test_rare_payout_is_compared_by_the_number_that_its_chance_allows(dealt, agrees):
    """Of 2 million rounds, 0.2 are expected to win: three do in 0.11 % of all runs, six in one of 14 million."""
    found = compare_to_exact(LOTTERY, {"wins": dealt, "loses": 2_000_000 - dealt})
    assert (abs(found.z) >= LARGEST_Z) == (dealt >= 3)
    assert found.passed == agrees


def test_common_outcomes_must_agree_without_the_rare_payout():
    fair = {"jackpot": 3, "wins": 1_000_000, "loses": 999_997}
    assert abs(compare_to_exact(MIXED, fair).z) >= LARGEST_Z
    assert compare_to_exact(MIXED, fair).passed
    shifted = {"jackpot": 3, "wins": 1_004_000, "loses": 995_997}
    assert not compare_to_exact(MIXED, shifted).passed


def test_poisson_tail_is_two_sided():
    """By hand: e⁻² = 0.1353; 1 − e⁻²·(1 + 2 + 2 + 4/3) = 0.1429."""
    assert poisson_tail(2, 0) == pytest.approx(2 * exp(-2))
    assert poisson_tail(2, 4) == pytest.approx(2 * (1 - exp(-2) * (1 + 2 + 2 + 4 / 3)))
    assert poisson_tail(2, 2) == 1
    assert (poisson_tail(0, 0), poisson_tail(0, 1)) == (1, 0)
