"""Chapter 655a: what follows from the tables that are known, what its readings leave open, rounds dealt."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.chapters.ch655a_mississippi_stud import play
from games.chapters.ch683a_cajun_stud import play as cajun
from games.maths.cards import cards
from games.maths.results import Step
from games.maths.staged_raises.paid_hands import pays_of
from games.maths.wagers import analyze_wagers
from games.registry import chapter
from games.runs.dealing import deal_block
from games.runs.engine import analyze, replay_round, simulate
from tests.games.lazy import lazy_chapter

MISSISSIPPI = lazy_chapter("655a")
EVERYTHING = {
    "three_card_wager": True,
    "progressive_payout_wager": True,
    "progressive_paytable": "Paytable C",
    "progressive_rate": "28",
    "progressive_reset": "10000.00",
    "progressive_reset_major": "1000.00",
    "progressive_reset_minor": "250.00",
}
FIVES = 2_598_960


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(play.GAME, MISSISSIPPI, None)}


def of_progressive(paytable, **answers):
    given = EVERYTHING | {"progressive_paytable": paytable} | answers
    return next(row for row in analyze_wagers(play.GAME, MISSISSIPPI, given) if row.wager == "progressive")


def test_required_wagers_lose_4_914858_percent_per_ante_and_not_the_printed_figure(analysed):
    ante = analysed["ante", "Paytable"]
    assert round(float(100 * ante.required.loss_per_ante), 6) == 4.914858
    assert round(float(100 * ante.hold), 3) == 1.369
    assert [figure.reproduced for figure in ante.published] == [False, False, False]
    assert ante.published[0].figure == "1.58% hold"


def test_one_table_with_cajun_stud_is_one_game(analysed):
    of_cajun = analyze_wagers(cajun.GAME, chapter("683a"), {"ante_paytable": "Paytable A"})[0]
    assert analysed["ante", "Paytable"].hold == of_cajun.hold
    assert pays_of(MISSISSIPPI.tables_of("ante")[0]) == pays_of(chapter("683a").paytable("ante", "Paytable A"))


def test_three_card_bonus_in_general_use_holds_7_095023_percent(analysed):
    assert round(float(100 * analysed["three_card", "Not in the source text: general use"].hold), 6) == 7.095023


def test_progressive_of_one_meter_depends_on_it():
    """Counts of five cards in known numbers: royal 4, straight flush 36, and so on."""
    found = of_progressive("Paytable A").progressive
    fixed = Fraction(624 * 300 + 3_744 * 50 + 5_108 * 40 + 10_200 * 30 + 54_912 * 9, FIVES)
    assert found.fixed_return == fixed
    assert found.meter_coefficient == (4 + Fraction(36, 10)) / FIVES
    assert found.return_at_reset == fixed + 10_000 * found.meter_coefficient
    assert found.long_run_return == fixed + Fraction(28, 100) + 10_000 * Fraction(4, FIVES)


@pytest.mark.parametrize(
    ("paytable", "of_a_kind", "three"), [("Paytable B", 300, 10), ("Paytable C", 250, 10), ("Paytable D", 250, 9)]
)
def test_other_jackpots_count_as_their_reset_amounts(paytable, of_a_kind, three):
    found = of_progressive(paytable)
    fixed = 36 * 1_000 + 624 * of_a_kind + 3_744 * 50 + 5_108 * 40 + 10_200 * 30 + 54_912 * three
    assert found.progressive.fixed_return == Fraction(fixed, FIVES)
    assert found.progressive.meter_coefficient == Fraction(4, FIVES)
    assert found.hold == 1 - found.progressive.return_at_reset
    assert found.envy_per_other_player is None
    assert any("mega jackpot" in note for note in found.notes)


def test_progressive_without_reset_amounts_says_that_its_meters_are_empty(analysed):
    found = analysed["progressive", "Paytable D"]
    assert found.progressive.return_at_reset == found.progressive.fixed_return
    assert found.progressive.long_run_return is None
    assert any("counts as empty" in note for note in found.notes)
    assert not any("counts as empty" in note for note in of_progressive("Paytable D").notes)
    assert any("counts as empty" in note for note in of_progressive("Paytable D", progressive_reset_minor=None).notes)


@pytest.mark.parametrize("paytable", ["Paytable A", "Paytable B", "Paytable C", "Paytable D"])
def test_rounds_dealt_agree(paytable):
    result = simulate(MISSISSIPPI, EVERYTHING | {"progressive_paytable": paytable}, 300_000, seed=655)
    assert [row.wager for row in result.wagers] == ["ante", "three_card", "progressive"]
    assert [row.wager for row in result.wagers if not row.passed] == []


def test_a_round_that_is_folded_still_settles_the_optional_wagers():
    """Reading `optional-wagers-after-a-fold`."""
    analysis, folds = analyze(MISSISSIPPI, EVERYTHING), 0
    for index in range(40):
        replayed = replay_round(MISSISSIPPI, EVERYTHING, analysis, seed=4, block=0, index=index)
        if any(step.what == "folds" for step in replayed.steps):
            folds += 1
            assert sum(len(step.cards) for step in replayed.steps) == 5
            assert {one.wager for one in replayed.settlements} == {"ante", "three_card", "progressive"}
        assert all(step.section in MISSISSIPPI.sections for step in replayed.steps)
    assert folds > 5


def test_largest_round_is_ten_antes_on_a_royal_flush():
    """Reading `ceiling-covers`: 10 × 500 times the minimum."""
    largest = play.GAME.largest_round(MISSISSIPPI, EVERYTHING, {"ante": Fraction(5)}, ())
    assert largest.amount == 5 * 5_000
    assert [card for step in largest.deal for card in step.cards] == list(cards("As Ks Qs Js Ts"))
    assert Step("Player", "makes a 3rd Street Wager of three times the Ante", "§ 655a.1") in largest.deal


def test_no_round_dealt_wins_more_than_the_largest(analysed):
    largest = play.GAME.largest_round(MISSISSIPPI, EVERYTHING, {"ante": Fraction(1)}, ())
    tally = deal_block(MISSISSIPPI, EVERYTHING, 6, 0, 2_000_000)["ante"]
    rows = {row.outcome: row for row in analysed["ante", "Paytable"].outcomes}
    assert max(rows[outcome].net for outcome in tally) <= largest.amount
    assert any(outcome.startswith("Royal flush") for outcome in tally)
