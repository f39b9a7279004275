"""Chapter 581: the hold of its wagers, dealt rounds against the exact figures, the replay of a round."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.chapters.ch581_double_attack_blackjack import play
from games.chapters.ch581_double_attack_blackjack.play import GAME
from games.maths.wagers import analyze_wagers
from games.runs.dealing import deal_block
from games.runs.engine import analyze as analyze_all
from games.runs.engine import replay_round, simulate
from tests.games.lazy import lazy_chapter

DOUBLE_ATTACK = lazy_chapter("581")
EVERYTHING = {"bust_it_wager": True}


@pytest.fixture(scope="module")
def analysed():
    return {row.wager: row for row in analyze_wagers(GAME, DOUBLE_ATTACK, None)}


def test_required_wager_is_reported_by_what_is_put_up_in_all(analysed):
    bet = analysed["bet"]
    assert bet.rounded
    assert float(100 * bet.required.loss_per_ante) == pytest.approx(0.480464, abs=2e-6)
    assert float(100 * bet.hold) == pytest.approx(0.259777, abs=2e-6)
    assert float(bet.required.average_wagered) == pytest.approx(1.849524, abs=2e-6)
    assert sum(row.probability for row in bet.outcomes) == 1
    assert bet.largest_win == 16  # four hands, attacked and doubled


def test_wagers_besides_hold_what_the_shoe_says(analysed):
    assert f"{float(100 * analysed['insurance'].hold):.2f}" == "12.27"
    assert float(100 * analysed["bust_it"].hold) == pytest.approx(8.006393, abs=5e-7)
    assert {row.section for row in analysed["bust_it"].outcomes} == {"", "§ 581.7(m)"}


def test_bust_it_is_left_out_where_it_is_not_offered():
    assert [row.wager for row in analyze_wagers(GAME, DOUBLE_ATTACK, {"bust_it_wager": False})] == ["bet", "insurance"]
    assert deal_block(DOUBLE_ATTACK, {"bust_it_wager": False}, 1, 0, 100).keys() == {"bet", "insurance"}


def test_rounds_dealt_agree_with_the_exact_figures():
    result = simulate(DOUBLE_ATTACK, EVERYTHING, 300_000, seed=581)
    assert [row.wager for row in result.wagers] == ["bet", "insurance", "bust_it"]
    assert all(row.passed for row in result.wagers)


def test_a_run_is_the_same_for_any_number_of_workers(monkeypatch):
    monkeypatch.setattr(play, "PLAY", replace(play.PLAY, block_rounds=50_000))
    alone, together = (simulate(DOUBLE_ATTACK, EVERYTHING, 180_000, seed=2, workers=workers) for workers in (1, 2))
    assert alone == together


def test_a_round_is_told_with_the_dealers_first_card_first():
    replayed = replay_round(
        DOUBLE_ATTACK, EVERYTHING, analyze_all(DOUBLE_ATTACK, EVERYTHING), seed=3, block=0, index=40
    )
    assert (replayed.steps[0].who, replayed.steps[0].section) == ("Dealer", "§ 581.7(e)")
    assert {step.section for step in replayed.steps} <= DOUBLE_ATTACK.sections.keys()
    assert {settled.section for settled in replayed.settlements} <= DOUBLE_ATTACK.sections.keys()
    assert [settled.wager for settled in replayed.settlements] == ["bet", "insurance", "bust_it"]


def test_every_subsection_that_settles_an_outcome_exists(analysed):
    cited = {row.section for wager in analysed.values() for row in wager.outcomes} - {""}
    assert cited <= DOUBLE_ATTACK.sections.keys()
