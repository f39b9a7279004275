"""Chapter 591: the hold of its wagers, dealt rounds against the exact figures, the replay of a round."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.chapters.ch591_double_back_jack.play import GAME
from games.maths.wagers import analyze_wagers
from games.runs.engine import analyze as analyze_all
from games.runs.engine import replay_round, simulate
from tests.games.lazy import lazy_chapter

DOUBLE_BACK = lazy_chapter("591")
EIGHT_DECKS = {"number_of_decks": 8}


@pytest.fixture(scope="module")
def analysed():
    return {row.wager: row for row in analyze_wagers(GAME, DOUBLE_BACK, None)}


def test_required_wager_loses_less_than_nothing_as_the_text_reads(analysed):
    blackjack = analysed["blackjack"]
    assert float(100 * blackjack.required.loss_per_ante) == pytest.approx(-0.040543, abs=2e-6)
    assert float(blackjack.required.average_wagered) == pytest.approx(1.272591, abs=2e-6)
    assert any("edge" in note for note in blackjack.notes)
    assert {row.wager: row for row in analyze_wagers(GAME, DOUBLE_BACK, EIGHT_DECKS)}["blackjack"] == blackjack


def test_a_blackjack_is_paid_2_to_1_whatever_the_dealer_holds(analysed):
    """§ 591.7(f): nothing else wins two units for one that is wagered."""
    rows = {(row.net, row.wagered): row.probability for row in analysed["blackjack"].outcomes}
    assert float(rows[Fraction(2), Fraction(1)]) == pytest.approx(2 * 32 * 128 / (416 * 415), abs=1e-12)


def test_at_most_four_units_are_won_or_lost(analysed):
    """On two hands, each either doubled or with a second chance: no hand is doubled that could exceed 21."""
    assert min(row.net for row in analysed["blackjack"].outcomes) == -4
    assert analysed["blackjack"].largest_win == 4


def test_insurance_is_made_with_every_hand_but_a_blackjack(analysed):
    assert float(100 * analysed["insurance"].hold) == pytest.approx(7.456402, abs=5e-7)
    assert "§ 591.7(f)" in analysed["insurance"].notes[0]


def test_rounds_dealt_agree_with_the_exact_figures():
    result = simulate(DOUBLE_BACK, EIGHT_DECKS, 300_000, seed=591)
    assert [row.wager for row in result.wagers] == ["blackjack", "insurance"]
    assert all(row.passed for row in result.wagers)


def test_a_second_chance_is_told_where_it_is_taken():
    analysis = analyze_all(DOUBLE_BACK, EIGHT_DECKS)
    replays = [replay_round(DOUBLE_BACK, EIGHT_DECKS, analysis, seed=1, block=0, index=index) for index in range(60)]
    sections = {step.section for replayed in replays for step in replayed.steps}
    assert {"§ 591.7(l)", "§ 591.7(k)", "§ 591.7(f)"} <= sections <= DOUBLE_BACK.sections.keys()
    taken = next(replayed for replayed in replays if any(step.section == "§ 591.7(l)" for step in replayed.steps))
    blackjack = next(settled for settled in taken.settlements if settled.wager == "blackjack")
    assert blackjack.row.wagered >= 2


def test_every_subsection_that_settles_an_outcome_exists(analysed):
    cited = {row.section for wager in analysed.values() for row in wager.outcomes} - {""}
    assert cited <= DOUBLE_BACK.sections.keys()
