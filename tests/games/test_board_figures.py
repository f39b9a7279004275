"""Figures for a Board's mathematician: beside scipy's binomial, moments by hand, and meters that are played out."""

from __future__ import annotations

import random
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest
from scipy.stats import binom, norm

from games.runs.board_figures import (
    COCHRAN,
    HoldSpread,
    hold_spread,
    jackpots,
    meter_when_won,
    two_sided_p,
    unusual_sentences,
)

COLUMN = {  # a column of roulette with two zeros: 12 of 38 pay 2 to 1
    "hold_fraction": "1/19",
    "outcomes": [
        {"probability": "6/19", "net": "2", "wagered": "1", "pays": "2 to 1"},
        {"probability": "13/19", "net": "-1", "wagered": "1", "pays": ""},
    ],
}
RAISED = {  # half of the rounds fold for 1, half raise to 3 and win or lose it
    "hold_fraction": "1/8",
    "outcomes": [
        {"probability": "1/2", "net": "-1", "wagered": "1"},
        {"probability": "7/24", "net": "3", "wagered": "3"},
        {"probability": "5/24", "net": "-3", "wagered": "3"},
    ],
}


def spread_of(row: dict[str, Any]) -> HoldSpread:
    spread = hold_spread(row)
    assert spread is not None
    return spread


@pytest.mark.parametrize("rounds", [10_000, 1_000_000])
@pytest.mark.parametrize("confidence", [95, 99])
def test_interval_contains_so_many_of_a_binomials_results(rounds: int, confidence: int) -> None:
    low, high = spread_of(COLUMN).interval(rounds, confidence)
    # The actual hold is 1 − 3 × (columns won) ÷ rounds.
    fewest, most = ((1 - limit) * rounds / 3 for limit in (high, low))
    inside = binom.cdf(most, rounds, 6 / 19) - binom.cdf(fewest, rounds, 6 / 19)
    assert inside == pytest.approx(confidence / 100, abs=0.003)


def test_moments_are_those_computed_by_hand() -> None:
    chance = 6 / 19
    spread = spread_of(COLUMN)
    assert spread.average_wagered == 1
    assert spread.deviation == pytest.approx(3 * sqrt(chance * (1 - chance)))
    # The house's side: it loses with the chance of a win, so the binomial's skewness has the opposite sign.
    assert spread.skewness == pytest.approx(-(1 - 2 * chance) / sqrt(chance * (1 - chance)))
    assert spread.fewest_rounds == 16  # 25 × 0.6294
    assert COCHRAN == 25


def test_amounts_that_differ_spread_as_rounds_that_are_dealt() -> None:
    row = {**RAISED, "hold_fraction": None, "hold_pct": 100 * (0.5 - 3 * 2 / 24) / 2}  # lost ÷ wagered, by hand: 12.5 %
    spread = spread_of(row)
    assert (spread.hold, spread.average_wagered) == (Fraction(1, 8), 2)
    dealer, holds, rounds = random.Random(54), [], 400
    for _ in range(4_000):
        nets = dealer.choices([(-1, 1), (3, 3), (-3, 3)], [12, 7, 5], k=rounds)
        holds.append(-sum(net for net, _ in nets) / sum(wagered for _, wagered in nets))
    assert stdev(holds) == pytest.approx(spread.deviation / sqrt(rounds), rel=0.04)
    low, high = spread.interval(rounds, 95)
    assert sum(low <= hold <= high for hold in holds) / len(holds) == pytest.approx(0.95, abs=0.012)


def test_distance_and_p_are_those_of_a_binomial_test() -> None:
    rounds, won = 100_000, 31_100
    distance = spread_of(COLUMN).distance(rounds, 1 - Fraction(3 * won, rounds))
    mean, deviation = binom.mean(rounds, 6 / 19), binom.std(rounds, 6 / 19)
    assert distance == pytest.approx((mean - won) / deviation)
    assert two_sided_p(distance) == pytest.approx(2 * norm.sf(abs(distance)))


def test_unusual_hold_is_said_with_its_unit_and_denominator() -> None:
    words = unusual_sentences(spread_of(COLUMN), 10_000, Fraction(8, 100))
    assert words == (
        "After 10,000 rounds, an actual hold of 8.0000 % of all money wagered is 1.96 standard errors above the "
        "theoretical hold of 5.2632 %. By chance alone, the actual hold is this far or farther from it in 5 of 100 "
        "such periods. In 95 of 100, it is from 2.5300 % to 7.9963 %."
    )
    few = unusual_sentences(spread_of(COLUMN), 10, Fraction(-2))
    assert "below the theoretical hold" in few
    assert "in fewer than 1 of 10,000 such periods" in unusual_sentences(spread_of(COLUMN), 10**6, Fraction(0))
    assert few.endswith("not reliable: for this wager, the normal distribution needs 16 rounds or more.")


def test_loss_per_hour_counts_all_that_is_wagered() -> None:
    assert spread_of(RAISED).loss_per_hour(Fraction(10), Fraction(60)) == 10 * 60 * 2 * Fraction(1, 8)


def test_wager_without_known_chances_has_no_spread() -> None:
    unknown = [{**outcome, "probability": None} for outcome in COLUMN["outcomes"]]
    assert hold_spread({**COLUMN, "outcomes": unknown}) is None
    assert hold_spread({**COLUMN, "outcomes": []}) is None
    certain = {"hold_fraction": "1", "outcomes": [{"probability": "1", "net": "-1", "wagered": "1"}]}
    assert hold_spread(certain) is None


PARTS = [(Fraction(1, 20), Fraction(1, 10)), (Fraction(1, 100), Fraction(1, 2))]


@pytest.mark.parametrize("parts", [[], PARTS])
def test_meter_when_won_is_that_of_meters_played_out(parts: list[tuple[Fraction, Fraction]]) -> None:
    average, deviation = meter_when_won(Fraction(1000), Fraction(2), Fraction(1, 50), parts)
    dealer, meters = random.Random(54), []
    for _ in range(40_000):
        meter = 1000.0
        while True:
            meter += 2
            drawn = dealer.random()
            if drawn < 0.02:
                break
            if parts and drawn < 0.07:
                meter *= 0.9
            elif parts and drawn < 0.08:
                meter *= 0.5
        meters.append(meter)
    assert float(average) == pytest.approx(fmean(meters), rel=0.01)
    assert deviation == pytest.approx(stdev(meters), rel=0.015)


def test_meter_without_parts_is_that_of_a_geometric_number_of_rounds() -> None:
    average, deviation = meter_when_won(Fraction(5000), Fraction(1), Fraction(1, 22100))
    assert average == 5000 + 22100
    assert deviation == pytest.approx(sqrt(1 - 1 / 22100) * 22100)


def progressive(**terms: Any) -> dict[str, Any]:
    """A $5 wager: all of the meter in 1 of 22,100 rounds, 10 % of it in 1 of 1,000."""
    coefficient = (Fraction(1, 22100) + Fraction(1, 10_000)) / 5
    return {
        "outcomes": [
            {"outcome": "Ace, king and queen", "probability": "1/22100", "net": "999", "pays": "100% of meter"},
            {"outcome": "straight flush", "probability": "1/1000", "net": "99", "pays": "$50/10% of meter"},
            {"outcome": "straight", "probability": "1/100", "net": "5", "pays": "6 for 1"},
        ],
        "progressive": {"meter_coefficient": str(coefficient), "reset": "5000", "rate": "1/5", **terms},
    }


def test_jackpot_has_its_wager_and_its_meter() -> None:
    (jackpot,) = jackpots(progressive())
    average, deviation = meter_when_won(
        Fraction(5000), Fraction(1), Fraction(1, 22100), [(Fraction(1, 1000), Fraction(1, 10))]
    )
    assert (jackpot.outcome, jackpot.rounds_between, jackpot.wager) == ("Ace, king and queen", 22100, 5)
    assert (jackpot.average_meter, jackpot.meter_deviation) == (average, deviation)


def test_meter_is_not_known_without_its_rate_or_with_several_meters() -> None:
    (jackpot,) = jackpots(progressive(rate=None))
    assert (jackpot.rounds_between, jackpot.average_meter) == (22100, None)
    row = progressive()
    row["outcomes"][1]["pays"] = "100% major jackpot"
    assert [(each.rounds_between, each.average_meter) for each in jackpots(row)] == [(22100, None), (1000, None)]
    assert jackpots(COLUMN) == []
