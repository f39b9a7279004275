"""The second table of the street games: jackpots at the amounts answered, rows and raises that it does not have."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from games import registry
from games.runs.dealing import deal_block, settled_amounts
from games.runs.engine import analyze
from tests.games.lazy import lazy_chapter

MISSISSIPPI, CAJUN = lazy_chapter("655a"), lazy_chapter("683a")
RESETS = {"progressive_reset": 10_000, "progressive_reset_major": 1_000, "progressive_reset_minor": 250}


@pytest.mark.parametrize("paytable", ["Paytable A", "Paytable B", "Paytable C", "Paytable D"])
def test_jackpots_are_settled_at_the_amounts_answered(paytable):
    answers = {"progressive_payout_wager": True, "progressive_paytable": paytable, **RESETS}
    settled = settled_amounts(MISSISSIPPI, answers)["progressive"]
    exact = {row.outcome: (row.wagered, row.net) for row in analyze(MISSISSIPPI, answers).of("progressive").outcomes}
    assert settled == exact
    assert settled["Royal flush"] == (1, 9_999)
    assert settled["Straight flush"] == (1, 999)  # 10 % of 10,000, or the major jackpot


def test_a_raise_that_the_text_does_not_allow_is_refused():
    strategy = registry.play("683a").game.strategy(CAJUN, {"ante_paytable": "Paytable A"})
    with pytest.raises(ValueError, match="not one of"):
        registry.table("683a").deal(
            CAJUN, {"ante_paytable": "Paytable A"}, (np.full_like(strategy[0], 4), *strategy[1:]), (1, 0, 0)
        )


def test_rows_that_the_table_does_not_know_are_refused():
    table = CAJUN.paytable("ante", "Paytable A")
    renamed = replace(
        registry.chapter("683a"),
        paytables=(replace(table, rows=(replace(table.rows[0], outcome="Royal"), *table.rows[1:])),),
    )
    with pytest.raises(ValueError, match="does not print the rows"):
        settled_amounts(renamed, {"ante_paytable": "Paytable A"})


def test_a_raise_of_two_antes_is_settled_too():
    answers = {"ante_paytable": "Paytable A"}
    strategy = tuple(np.full_like(taken, 2) for taken in registry.play("683a").game.strategy(CAJUN, answers))
    dealt = registry.table("683a").deal(CAJUN, answers, strategy, (1, 0, 5_000)).endings["ante"]
    assert {ending.wagered for ending in dealt if ending.rounds} == {Fraction(7)}
    assert sum(ending.rounds for ending in dealt) == 5_000


def test_every_round_is_settled_once_on_each_wager():
    answers = {
        f"{wager}_{word}": answer
        for wager in ("pocket_bonus", "board_bonus", "lo_ball", "all_six")
        for word, answer in (("wager", True), ("paytable", "Paytable A"))
    }
    tally = deal_block(CAJUN, {"ante_paytable": "Paytable A", **answers}, 3, 0, 20_000)
    assert [sum(outcomes.values()) for outcomes in tally.values()] == [20_000] * 5
