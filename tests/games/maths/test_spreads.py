"""What is frozen of many rounds: by the chances, or by the frequencies where there are none."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from games.maths.results import OutcomeRow, WagerAnalysis
from games.maths.statistics import spreads

WON, LOST = OutcomeRow("Won", Fraction(1, 4), Fraction(2)), OutcomeRow("Lost", Fraction(3, 4), Fraction(-1))
WAGER = WagerAnalysis(
    "wager", "", "exact", (WON, LOST), Fraction(1, 4), Fraction(1, 4), 1.299, Fraction(2)
)  # fmt: skip


def unknown(wager: WagerAnalysis) -> WagerAnalysis:
    rows = tuple(replace(row, probability=None) for row in wager.outcomes)
    return replace(wager, method="estimate", outcomes=rows)


def test_spreads_follow_from_the_binomial() -> None:
    """A thousand rounds: ahead with 334 wins or more."""
    after, _ = spreads(WAGER, {})["after"]
    ahead = sum(comb(1000, wins) * Fraction(3) ** (1000 - wins) for wins in range(334, 1001)) / Fraction(4) ** 1000
    assert after["ahead"] == pytest.approx(float(ahead), rel=1e-5)
    assert (after["rounds"], after["mean"]) == (1000, -250)
    assert sum(after["chances"]) == pytest.approx(1, abs=0.01)


def test_wager_without_chances_goes_by_its_rounds() -> None:
    by_rounds = spreads(unknown(WAGER), {"Won": 250, "Lost": 750})
    assert by_rounds["by"] == "frequencies"
    assert by_rounds["after"] == spreads(WAGER, {})["after"]


def test_wager_that_never_wins_or_loses_has_no_spread() -> None:
    still = replace(WAGER, outcomes=(OutcomeRow("Push", Fraction(1), Fraction(0)),))
    assert spreads(still, {}) == {"by": "chances", "after": []}


def test_figures_have_six_digits_that_count() -> None:
    for after in spreads(WAGER, {})["after"]:
        assert all(value == float(f"{value:.6g}") for value in after["chances"])
