"""Chapter 590: the hold of its wagers, dealt rounds against the exact figures, the replay of a round."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.chapters.ch590_free_bet_blackjack.play import GAME
from games.maths.blackjack.side_wagers import analyze_insurance
from games.maths.wagers import analyze_wagers
from games.runs.engine import analyze as analyze_all
from games.runs.engine import replay_round, simulate
from tests.games.lazy import lazy_chapter

FREE_BET = lazy_chapter("590")
SIX_DECKS = {"number_of_decks": 6, "push_22_wager": True, "push_22_paytable": "Paytable A"}


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(GAME, FREE_BET, None)}


def test_required_wager_is_that_of_six_decks_where_no_answer_says_how_many(analysed):
    blackjack = analysed["blackjack", "Payout odds"]
    assert float(100 * blackjack.required.loss_per_ante) == pytest.approx(0.397497, abs=2e-6)
    assert float(blackjack.required.average_wagered) == pytest.approx(1.004604, abs=2e-6)
    assert sum(row.probability for row in blackjack.outcomes) == 1
    assert {row.wager: row for row in analyze_wagers(GAME, FREE_BET, SIX_DECKS)}["blackjack"] == blackjack


def test_a_lammer_wins_a_unit_and_loses_nothing(analysed):
    """Four hands of lammers, each doubled with another: seven units for one's own."""
    rows = {(row.net, row.wagered): row.probability for row in analysed["blackjack", "Payout odds"].outcomes}
    assert rows[Fraction(2), Fraction(1)] > 0.05
    assert rows[Fraction(8), Fraction(1)] > 0
    assert min(net for net, wagered in rows if wagered == 1) == -1


@pytest.mark.parametrize(("paytable", "hold"), [("Paytable A", 6.842860), ("Paytable B", 12.612438)])
def test_push_22_holds(analysed, paytable, hold):
    assert float(100 * analysed["push_22", paytable].hold) == pytest.approx(hold, abs=5e-7)


@pytest.mark.parametrize("decks", [1, 6])
def test_insurance_follows_the_number_of_decks(decks):
    found = analyze_insurance(FREE_BET, GAME.shoe({"number_of_decks": decks}), GAME.sections)
    assert found.hold == 1 - 3 * Fraction(16 * decks, 52 * decks - 1)


@pytest.mark.parametrize("paytable", ["Paytable A", "Paytable B"])
def test_rounds_dealt_agree_with_the_exact_figures(paytable):
    result = simulate(FREE_BET, {**SIX_DECKS, "push_22_paytable": paytable}, 300_000, seed=590)
    assert [row.wager for row in result.wagers] == ["blackjack", "insurance", "push_22"]
    assert all(row.passed for row in result.wagers)


def test_a_round_is_told_up_to_its_settlement():
    analysis = analyze_all(FREE_BET, SIX_DECKS)
    replays = [replay_round(FREE_BET, SIX_DECKS, analysis, seed=1, block=2, index=index) for index in range(60)]
    sections = {step.section for replayed in replays for step in replayed.steps}
    assert {"§ 590.10(a)(1)", "§ 590.7(j)", "§ 590.7(l)", "§ 590.9(a)"} <= sections <= FREE_BET.sections.keys()
    for replayed in replays:
        assert [step.who for step in replayed.steps[:4]] == ["Player", "Dealer", "Player", "Dealer"]
        dealt = [card for step in replayed.steps for card in step.cards]
        assert all(0 <= card < 52 for card in dealt)


def test_every_subsection_that_settles_an_outcome_exists(analysed):
    cited = {row.section for wager in analysed.values() for row in wager.outcomes} - {""}
    assert cited <= FREE_BET.sections.keys()
