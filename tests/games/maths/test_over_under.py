"""Chapter 686a: the figures that the Board printed, and rounds dealt against the exact counts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.chapters.ch686a_over_under.play import GAME
from games.maths.cards import card
from games.runs.engine import analyze, replay_round, simulate
from tests.games.lazy import lazy_chapter

OVER_UNDER = lazy_chapter("686a")


def points(dealt: int) -> int:
    return GAME.rules.points[dealt // 4]


def test_required_wagers_return_the_published_98_95_percent_of_all_that_is_wagered():
    ante = analyze(OVER_UNDER).of("ante")
    assert float(1 - ante.hold) == pytest.approx(0.98950157, abs=5e-9)
    assert float(1 - ante.required.loss_per_ante) == pytest.approx(0.97900314, abs=5e-9)
    assert ante.required.average_wagered == 2
    assert [figure.reproduced for figure in ante.published] == [True]
    assert ante.cycle == 312 * 311 * 310 // 2


def test_best_play_goes_under_up_to_five_and_never_surrenders():
    strategy = {choice.decision: choice for choice in analyze(OVER_UNDER).of("ante").strategy}
    assert strategy["Under 18"].when == "First card counts 2, 3, 4, 5"
    assert strategy["Over 23"].when == "First card counts 6, 7, 8, 9, 10, 11"
    assert strategy["Surrender"].frequency == 0
    assert sum(choice.frequency for choice in strategy.values()) == 1


def test_bonus_wager_pays_every_total_of_its_table_and_holds_5_605228_percent():
    bonus = analyze(OVER_UNDER).of("bonus", "Paytable")
    assert float(100 * bonus.hold) == pytest.approx(5.605228, abs=5e-7)
    counts = {row.outcome: row.count for row in bonus.outcomes}
    assert sum(counts.values()) == 312 * 311 * 310 // 6
    assert counts["6 or 33"] == 2 * 24 * 23 * 22 // 6  # three of the 24 deuces, or of the 24 aces
    assert bonus.largest_win == 50


def test_bonus_figure_of_the_board_comes_from_chances_rounded_to_six_decimals():
    bonus = analyze(OVER_UNDER).of("bonus", "Paytable")
    rounded = sum(round(row.probability, 6) * row.net for row in bonus.outcomes)
    assert 1 + rounded == Fraction("0.943925")
    assert not bonus.published[0].reproduced  # exact: 94.394772; printed: 94.393


def test_points_of_the_cards():
    assert [points(card(name)) for name in ("2c", "9d", "Th", "Ks", "As")] == [2, 9, 10, 10, 11]


def test_rounds_dealt_agree_with_the_exact_counts():
    result = simulate(OVER_UNDER, {"bonus_wager": True}, 20_000_000, seed=686)
    assert result.passed
    assert {row.wager: row.rounds for row in result.wagers} == {"ante": 20_000_000, "bonus": 20_000_000}


def test_only_offered_wagers_are_analysed_and_dealt():
    assert [row.wager for row in analyze(OVER_UNDER, {"bonus_wager": False}).wagers] == ["ante"]
    assert [row.wager for row in simulate(OVER_UNDER, {}, 1_000, seed=1).wagers] == ["ante"]


def test_plain_players_lose_more_than_the_strategy():
    ante = analyze(OVER_UNDER).of("ante")
    assert [plain.name for plain in ante.simplified_plays] == ["Always Over 23", "Always Under 18"]
    assert all(plain.required.loss_per_total_wagered > 2 * ante.hold for plain in ante.simplified_plays)


def test_table_of_the_strategy_names_the_decision_with_the_largest_figure():
    (table,) = analyze(OVER_UNDER).of("ante").strategy_tables
    for first, *worth, best in table.rows:
        assert int(first) in range(2, 12)
        assert table.header[1:4][worth.index(max(worth, key=float))] == best


def test_story_is_the_round_that_the_tally_settles():
    answers = {"bonus_wager": True}
    analysis = analyze(OVER_UNDER, answers)
    for index in range(5):
        replayed = replay_round(OVER_UNDER, answers, analysis, seed=3, block=1, index=index)
        total = sum(points(one) for step in replayed.steps for one in step.cards)
        ante, bonus = replayed.settlements
        assert (ante.row.net > 0) == (total >= 24 if "Over" in ante.row.outcome else total <= 17)
        assert ante.section == ("§ 686a.7(i)[2]" if ante.row.net > 0 else "§ 686a.7(j)")
        assert (str(total) in bonus.row.outcome) or (bonus.row.net == -1 and 13 <= total <= 26)


def test_story_of_a_round_that_the_block_has_not_is_refused():
    with pytest.raises(IndexError, match="rounds 0 to 4,999,999"):
        replay_round(OVER_UNDER, {}, analyze(OVER_UNDER, {}), seed=3, block=0, index=5_000_000)
