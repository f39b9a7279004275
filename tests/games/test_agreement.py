"""Simulated counts compared with exact figures, on wagers small enough to compute by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, exp, factorial

import numpy as np
import pytest

from games import registry
from games.maths.results import OutcomeRow, WagerAnalysis, counted, row
from games.runs import engine
from games.runs.agreement import REJECTION, SUSPICION, PValue, adjust, binomial_test, compare_to_exact
from games.runs.dealing import deal_block, settled_amounts
from games.runs.engine import analyze, computed_wagers, simulate
from games.second.table import Dealt, Ending
from tests.games.compared import compared
from tests.games.lazy import lazy_chapter

COIN = counted("coin", "", [row("heads", 1, 2, 1), row("tails", 1, 2, -1)], 2)
DICE = counted("dice", "", [row(str(face), 1, 6, face - 4) for face in range(1, 7)], 6)
EVEN = {"heads": (Fraction(1), Fraction(1)), "tails": (Fraction(1), Fraction(-1))}


def test_fair_counts_pass_with_small_z_and_their_interval_holds_the_exact_figure():
    found = compared(COIN, {"heads": 5_020, "tails": 4_980})
    assert found.z == pytest.approx(-0.4)
    assert found.chi_square == pytest.approx(0.16)
    assert (found.degrees, found.p_value) == (1, pytest.approx(0.6892, abs=0.0001))
    assert found.passed
    assert found.low < found.exact_hold < found.high


def test_counts_far_from_the_exact_figure_do_not_pass():
    found = compared(COIN, {"heads": 5_300, "tails": 4_700})
    assert not found.passed
    assert found.disagrees == ("won", "heads", "tails")


def test_counts_with_the_right_hold_and_wrong_outcomes_do_not_pass():
    found = compared(DICE, {"1": 3_000, "2": 0, "3": 0, "4": 0, "5": 0, "6": 3_000})
    assert abs(found.z) < 3
    assert set(found.disagrees) >= set("123456")


@pytest.mark.parametrize("rounds", [10, 37])
@pytest.mark.parametrize("chance", [0.05, 0.5, 0.8])
def test_binomial_test_doubles_the_smaller_tail(rounds, chance):
    weights = [comb(rounds, seen) * chance**seen * (1 - chance) ** (rounds - seen) for seen in range(rounds + 1)]
    for seen in range(rounds + 1):
        expected = min(1, 2 * min(sum(weights[: seen + 1]), sum(weights[seen:])))
        assert binomial_test(seen, rounds, chance) == pytest.approx(expected, rel=1e-9)


def test_binomial_test_of_a_rare_outcome_is_that_of_its_number():
    """Of 2 million rounds 0.2 are expected to win: a Poisson distribution, whose tail is summed by hand."""
    assert binomial_test(6, 2_000_000, 1e-7) == pytest.approx(
        2 * (1 - exp(-0.2) * sum(0.2**seen / factorial(seen) for seen in range(6))), rel=1e-3
    )
    assert binomial_test(0, 2_000_000, 1e-7) == 1
    assert (binomial_test(0, 10, 0.0), binomial_test(1, 10, 0.0), binomial_test(10, 10, 1.0)) == (1, 0, 1)


@pytest.mark.parametrize("seen", [-100, -2, -1, 11, 12, 1_000])
def test_more_rounds_than_there_are_or_fewer_than_none_never_agree(seen):
    """Of a tail that is not defined the library returns no number, which was taken for agreement."""
    assert binomial_test(seen, 10, 0.5) == 0


def test_holm_multiplies_the_smallest_by_all_weights_and_never_falls():
    """By hand, with equal weights: 0.01 · 4; 0.02 · 3; 0.03 · 2; then 0.04 · 1, which is less than the one before."""
    tests = [PValue("w", name, p_value, 0.25) for name, p_value in (("a", 0.04), ("b", 0.01), ("c", 0.03), ("d", 0.02))]
    assert adjust(tests) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    heavy = [PValue("w", "a", 0.01, 9.0), PValue("w", "b", 0.01, 1.0)]
    assert adjust(heavy) == pytest.approx([0.01 * 10 / 9, 0.01 * 10 / 9])


def test_an_outcome_that_only_the_rounds_have_does_not_agree():
    found = compared(COIN, {"heads": 5, "tails": 4, "edge": 1})
    assert (found.passed, found.pays_differ) == (False, ("edge",))


@pytest.mark.parametrize(
    "amounts",
    [
        {**EVEN, "heads": (Fraction(1), Fraction(2))},
        {**EVEN, "tails": (Fraction(1), Fraction(0))},
        {**EVEN, "heads": (Fraction(2), Fraction(1))},
        {"heads": EVEN["heads"]},
    ],
)
def test_amounts_that_the_sides_settle_differently_do_not_agree_however_few_rounds(amounts):
    assert compared(COIN, {"heads": 1, "tails": 1}, EVEN).passed
    found = compared(COIN, {"heads": 1, "tails": 1}, amounts)
    assert (found.passed, len(found.pays_differ)) == (False, 1)


def test_hold_of_the_rounds_is_by_the_amounts_of_the_second_side():
    found = compared(COIN, {"heads": 50, "tails": 50}, {**EVEN, "heads": (Fraction(1), Fraction(2))})
    assert found.hold == pytest.approx(-0.5)


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
    found = compared(estimate, {"heads": 5_200, "tails": 4_800})
    assert found.exact_hold is None
    assert found.p_value is None
    assert found.z == pytest.approx(-0.04 / (0.01**2 + found.standard_error**2) ** 0.5)
    assert not compared(replace(estimate, standard_error=0.0001), {"heads": 5_200, "tails": 4_800}).passed


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
    found = compared(LOTTERY, {"wins": dealt, "loses": 2_000_000 - dealt})
    assert (abs(found.z) >= 5) == (dealt >= 3)
    assert found.passed == agrees


def test_common_outcomes_must_agree_without_the_rare_payout():
    fair = {"jackpot": 3, "wins": 1_000_000, "loses": 999_997}
    assert abs(compared(MIXED, fair).z) >= 5
    assert compared(MIXED, fair).passed
    assert compared(MIXED, {"jackpot": 3, "wins": 1_004_000, "loses": 995_997}).disagrees == ("won", "wins", "loses")


def test_the_error_that_is_found_is_found_in_nine_of_ten_runs():
    """A coin that falls on heads less often, so that its hold is wrong by exactly that error."""
    rounds, dice = 100_000, np.random.default_rng(38)
    error = compared(COIN, {"heads": rounds // 2, "tails": rounds // 2}, limit=SUSPICION).finds
    heads = dice.binomial(rounds, (1 - error) / 2, 4_000)
    found = sum(
        "won" in compared(COIN, {"heads": seen, "tails": rounds - seen}, limit=SUSPICION).disagrees
        for seen in map(int, heads)
    )
    assert 0.88 < found / 4_000 < 0.92


def test_rounds_for_a_hundredth_of_the_hold_find_that_error():
    wheel = counted("wheel", "", [row("red", 18, 38, 1), row("other", 20, 38, -1)], 38)
    found = compared(wheel, {"red": 18_000, "other": 20_000})
    more = round(found.rounds_for_a_hundredth)
    again = compared(wheel, {"red": round(more * 18 / 38), "other": more - round(more * 18 / 38)})
    assert again.finds == pytest.approx(float(wheel.hold) / 100, rel=1e-6)


def test_a_correct_run_is_suspected_as_often_as_the_limit_allows():
    """Four wagers of six outcomes, 2,000 runs; the limit is a bound: the tests of a wager are not independent."""
    dice, chances = np.random.default_rng(39), [1 / 6] * 6
    rows = [replace(DICE, wager=f"dice {place}") for place in range(4)]
    suspected = 0
    for _ in range(2_000):
        tallies = {
            one.key: dict(zip("123456", map(int, dice.multinomial(10_000, chances)), strict=True)) for one in rows
        }
        suspected += not all(one.passed for one in compare_to_exact(rows, tallies, {}, SUSPICION))
    assert 0.5 * SUSPICION < suspected / 2_000 < 1.3 * SUSPICION


MANY = counted(
    "many",
    "",
    [row(f"rare {place}", 20, 10**6, 5) for place in range(100)]
    + [row("heads", 499_000, 10**6, 1), row("tails", 499_000, 10**6, -1)],
    10**6,
)


def test_many_rare_outcomes_that_all_come_too_often_do_not_agree():
    """Each of 100 comes 30 times instead of 20; together 3,000 instead of 2,000, and the hold is half too large."""
    often = {f"rare {place}": 30 for place in range(100)}
    found = compared(MANY, {**often, "heads": 498_500, "tails": 498_500}, limit=SUSPICION)
    assert found.hold == pytest.approx(1.5 * found.exact_hold)
    assert found.p_value < 1e-50
    assert "rare outcomes together" in found.disagrees


OVER_UNDER = lazy_chapter("686a")
BONUS = {"bonus_wager": True}


def test_a_correct_run_is_dealt_once():
    result = simulate(OVER_UNDER, BONUS, 200_000, seed=1)
    assert (result.passed, result.first, result.seed, result.rounds) == (True, None, 1, 200_000)
    assert all(wager.settled for wager in result.wagers)


def test_a_suspected_run_is_dealt_again_from_a_new_seed_and_judged_by_that(monkeypatch):
    monkeypatch.setattr(engine, "SUSPICION", 1.1)
    first = engine.summarize.__defaults__
    monkeypatch.setattr(engine.summarize, "__defaults__", (1.1,))  # every stage is suspected
    result = simulate(OVER_UNDER, BONUS, 200_000, seed=1)
    assert first == (SUSPICION,)
    assert (result.first.seed, result.first.rounds) == (1, 200_000)
    assert (result.seed, result.rounds, result.passed) == (1 + 2**62, 2_000_000, True)
    assert "ante: won" in result.first.suspected


def test_every_payout_cell_of_the_exact_side_that_is_wrong_is_found_without_a_single_rare_round():
    """Each outcome's net as the exact side has it is raised by one unit; 1,000 rounds have few of the rare ones."""
    analysis = analyze(OVER_UNDER, BONUS)
    tally = engine.add([tally for _, tally in engine.deal_blocks(OVER_UNDER, BONUS, 1_000, 5)])
    amounts = settled_amounts(OVER_UNDER, BONUS)
    assert all(found.passed for found in compare_to_exact(analysis.wagers, tally, amounts, REJECTION))
    for place, wager in enumerate(analysis.wagers):
        for at, outcome in enumerate(wager.outcomes):
            wrong = (*wager.outcomes[:at], replace(outcome, net=outcome.net + 1), *wager.outcomes[at + 1 :])
            rows = [*analysis.wagers]
            rows[place] = replace(wager, outcomes=wrong)
            found = compare_to_exact(rows, tally, amounts, REJECTION)
            assert found[place].pays_differ == (outcome.outcome,)


def test_odds_to_one_read_as_for_one_are_found():
    """§ 686a.8(b) pays 6 or 33 at 50 to 1; the exact side is given a chapter that says 50 for 1."""
    chapter = registry.chapter("686a")
    (table,) = chapter.tables_of("bonus")
    pay = table.rows[0].pays[0]
    misread = replace(table, rows=(replace(table.rows[0], pays=(replace(pay, per="for"),)), *table.rows[1:]))
    wrong = replace(chapter, paytables=(misread,))
    rows = computed_wagers(wrong, BONUS)
    tally = engine.add([tally for _, tally in engine.deal_blocks(chapter, BONUS, 1_000, 5)])
    found = {one.wager: one for one in compare_to_exact(rows, tally, settled_amounts(chapter, BONUS), REJECTION)}
    assert (found["ante"].passed, found["bonus"].pays_differ) == (True, ("6 or 33",))


@dataclass(frozen=True)
class TwiceSettled:
    """A table that pays a win wrongly, and states the right amounts beside, for rounds that it never has."""

    def deal(self, chapter, answers, strategy, stream) -> Dealt:
        wrong = Ending("Over 23 wins", Fraction(2), Fraction(3), stream[2])
        return Dealt({"ante": [wrong, replace(wrong, won=Fraction(2), rounds=0)]}, ())


def test_an_outcome_that_a_table_settles_twice_is_refused(monkeypatch):
    """By its name the latter would hide what the former pays, though all rounds are of the former."""
    monkeypatch.setattr(registry, "table", lambda number: TwiceSettled())
    with pytest.raises(ValueError, match="ante: the table settles 'Over 23 wins' twice"):
        settled_amounts(OVER_UNDER, {})
    with pytest.raises(ValueError, match="twice"):
        deal_block(OVER_UNDER, {}, 1, 0, 1_000)


def test_a_wager_that_only_the_blocks_have_is_refused():
    """The exact side leaves out the bonus: nothing would be compared with its rounds."""
    blocks = [tally for _, tally in engine.deal_blocks(OVER_UNDER, BONUS, 1_000, 5)]
    analysis = analyze(OVER_UNDER, BONUS)
    fewer = replace(analysis, wagers=analysis.wagers[:1])
    with pytest.raises(ValueError, match="the blocks hold bonus, which the analysis lacks"):
        engine.summarize(OVER_UNDER, BONUS, fewer, blocks, 5, 1_000)


def test_a_run_without_a_single_round_of_an_optional_wager_has_a_result():
    """The wager that doubles is not placed in most rounds of Six-Card Fortune Pai Gow Poker, so in no round of few."""
    doubled = counted("double", "", [row("wins", 1, 4, 1), row("not placed", 3, 4, 0, 0)], 4)
    assert compared(doubled, {"not placed": 2}).passed
