"""Chapter 635a: the hold of its wagers, dealt rounds against the exact figures, the replay of a round."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.chapters.ch635a_spanish_21.play import GAME
from games.runs.engine import analyze as analyze_all
from games.runs.engine import replay_round, simulate
from tests.games.lazy import lazy_chapter

SPANISH = lazy_chapter("635a")
SIX_DECKS = {"number_of_decks": "6", "match_the_dealer_wager": True, "match_the_dealer_paytable": "Six decks"}
EIGHT_DECKS = {"number_of_decks": "8", "match_the_dealer_wager": True, "match_the_dealer_paytable": "Eight decks"}


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in GAME.analyze(SPANISH, None)}


def test_required_wager_is_that_of_six_decks_and_five_hands_where_no_answer_says_more(analysed):
    spanish = analysed["spanish_21", "Payout odds"]
    assert float(100 * spanish.required.loss_per_ante) == pytest.approx(0.591361, abs=2e-6)
    assert float(spanish.required.average_wagered) == pytest.approx(1.138308, abs=2e-6)
    given = {**SIX_DECKS, "additional_splits": 3}
    assert {row.wager: row for row in GAME.analyze(SPANISH, given)}["spanish_21"] == spanish


def test_the_figures_that_the_board_printed_are_shares_of_the_drop(analysed):
    assert not any(figure.reproduced for figure in analysed["spanish_21", "Payout odds"].published)
    assert len(analysed["spanish_21", "Payout odds"].published) == 4


@pytest.mark.parametrize(("paytable", "hold"), [("Six decks", 3.055481), ("Eight decks", 2.985523)])
def test_match_the_dealer_holds_by_the_decks_that_its_paytable_is_for(analysed, paytable, hold):
    assert float(100 * analysed["match_the_dealer", paytable].hold) == pytest.approx(hold, abs=5e-7)


def test_decks_are_those_answered_else_those_of_the_paytable_else_six():
    assert GAME.shoe({**EIGHT_DECKS, "number_of_decks": "6"}).decks == 6
    assert GAME.shoe({"match_the_dealer_paytable": "Eight decks"}).decks == 8
    assert GAME.shoe(None).decks == GAME.shoe({}).decks == 6
    assert GAME.shoe(None).cards == 288


def test_additional_splits_are_honoured_up_to_where_the_strategy_leaves_off():
    hands = [GAME.table({"additional_splits": more}).hands for more in (0, 1, 3, 6, 94)]
    assert hands == [2, 3, 5, 8, 8]
    assert GAME.table({}).hands == 5


@pytest.mark.parametrize("answers", [SIX_DECKS, {**EIGHT_DECKS, "additional_splits": 0}], ids=["six", "eight"])
def test_rounds_dealt_agree_with_the_exact_figures(answers):
    result = simulate(SPANISH, answers, 300_000, seed=635)
    assert [row.wager for row in result.wagers] == ["spanish_21", "insurance", "match_the_dealer"]
    assert all(row.passed for row in result.wagers)


def test_a_rescue_and_a_split_are_told(analysed):
    analysis = analyze_all(SPANISH, SIX_DECKS)
    replays = [replay_round(SPANISH, SIX_DECKS, analysis, seed=1, block=1, index=index) for index in range(150)]
    sections = {step.section for replayed in replays for step in replayed.steps}
    assert {"§ 635a.10(a)", "§ 635a.10(d)", "§ 635a.11(b)"} <= sections <= SPANISH.sections.keys()
    tens = [card for replayed in replays for step in replayed.steps for card in step.cards if card // 4 == 8]
    assert not tens


def test_a_player_with_blackjack_never_loses_it(analysed):
    """§ 635a.7(n)(3): 3 to 2 against a dealer's Blackjack too; other wins of 3/2 come from § 635a.12(b)."""
    rows = {(row.net, row.wagered): row.probability for row in analysed["spanish_21", "Payout odds"].outcomes}
    assert float(rows[Fraction(3, 2), Fraction(1)]) > 2 * 24 * 72 / (288 * 287)


def test_every_subsection_that_settles_an_outcome_exists(analysed):
    cited = {row.section for wager in analysed.values() for row in wager.outcomes} - {""}
    assert cited <= SPANISH.sections.keys()
