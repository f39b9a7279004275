"""The second table of the street games: jackpots at the amounts answered, rows and raises that it does not have."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from games import registry
from games.maths.staged_raises.streets.wagers import FORM
from games.maths.staged_raises.turns.best_play import all_hands
from games.runs.dealing import deal_block, settled_amounts
from games.runs.engine import analyze
from games.second import hands
from games.second.card_sums import by_suit, class_of_flush, mark
from games.second.streets import SIX_ROYAL, SIX_ROYAL_DIAMONDS, with_six_card_royals
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


def test_exact_side_has_the_known_numbers_of_all_five_cards_too():
    """A straight from an ace to a 5 is so rarely played that no number of rounds would miss it."""
    of_one_rank = 84_480  # pairs
    lost, higher = 1_302_540 + 4 * of_one_rank, [54_912, 10_200, 5_108, 3_744, 624, 36, 4]
    assert all_hands(FORM).tolist() == [lost, 5 * of_one_rank, 4 * of_one_rank, 123_552, *higher]


@pytest.mark.parametrize("suit", range(4))
def test_six_cards_of_one_suit_from_nine_to_ace_are_a_six_card_royal_flush(suit):
    """One of 5 million deals: rounds have it too rarely for a test, so the class is asked for."""
    nine, royal = 4 * 7 + suit, [4 * rank + suit for rank in range(8, 13)]

    def kind_of(sixth):
        cards = [*royal, sixth]
        marks, suits = sum(map(mark, cards)), sum(map(by_suit, cards))
        assert class_of_flush(marks) == hands.ROYAL_FLUSH
        return with_six_card_royals(hands.ROYAL_FLUSH, min(cards), suits)

    assert kind_of(nine) == (SIX_ROYAL_DIAMONDS if suit == 1 else SIX_ROYAL)
    assert {kind_of(sixth) for sixth in range(52) if sixth not in (nine, *royal)} == {hands.ROYAL_FLUSH}
    assert with_six_card_royals(hands.STRAIGHT_FLUSH, nine, 6 * by_suit(nine)) == hands.STRAIGHT_FLUSH
