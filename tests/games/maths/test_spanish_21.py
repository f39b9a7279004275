"""Chapter 635a: the hold of its wagers, dealt rounds against the exact figures, the replay of a round."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from games.chapters.ch635a_spanish_21.play import GAME
from games.maths.blackjack.rules import MOST_HANDS
from games.maths.wagers import analyze_wagers
from games.runs.engine import analyze as analyze_all
from games.runs.engine import replay_round, simulate
from tests.games.lazy import lazy_chapter
from tests.games.maths import slow_blackjack as slow
from tests.games.maths.blackjack_games import decide_against, strategy_of

SPANISH = lazy_chapter("635a")
SIX_DECKS = {"number_of_decks": "6", "match_the_dealer_wager": True, "match_the_dealer_paytable": "Six decks"}
EIGHT_DECKS = {"number_of_decks": "8", "match_the_dealer_wager": True, "match_the_dealer_paytable": "Eight decks"}


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(GAME, SPANISH, None)}


def test_required_wager_is_that_of_six_decks_and_five_hands_where_no_answer_says_more(analysed):
    spanish = analysed["spanish_21", "Payout odds"]
    assert float(100 * spanish.required.loss_per_ante) == pytest.approx(0.591361, abs=2e-6)
    assert float(spanish.required.average_wagered) == pytest.approx(1.138308, abs=2e-6)
    given = {**SIX_DECKS, "additional_splits": 3}
    assert {row.wager: row for row in analyze_wagers(GAME, SPANISH, given)}["spanish_21"] == spanish


def test_additional_payouts_are_worth_what_their_cards_and_amounts_say(analysed):
    """§ 635a.12(c): four 7s, those of the player of one suit, of 288 cards; $1,000 from $5, $5,000 from $25."""
    note = next(note for note in analysed["spanish_21", "Payout odds"].notes if "§ 635a.12(c)" in note)
    of_a_suit = Fraction(3 * 6 * 5 * 4 + 5 * 4 * 3, 23 * 22 * 21)
    once = Fraction(24 * 23 * 22 * 21, 288 * 287 * 286 * 285) * of_a_suit
    worth = [(100 * once * paid / wager, wager) for paid, wager in ((1000, 5), (1000, 10), (5000, 25), (5000, 100))]
    assert all(f"{float(percent):.4f} at ${wager}" in note for percent, wager in worth)
    assert f"once in {round(1 / once):,} rounds" in note


def test_drawing_for_the_additional_payouts_costs_what_the_slow_program_finds(analysed):
    """Two 7s against a 7, drawn to instead of split."""
    note = next(note for note in analysed["spanish_21", "Payout odds"].notes if "§ 635a.12(c)" in note)
    base = np.array([24] * 9 + [72])
    base[slow.SEVEN] -= 1
    table, sevens = slow.Table(slow.TEXTS["635a"], 6, 5), slow.with_one(slow.NO_CARDS, slow.SEVEN, 2)
    decide = decide_against(strategy_of("635a"), slow.SEVEN)

    def draws_to_sevens(kind: str, stage: str, counts: slow.Counts) -> str:
        return "hit" if (kind, counts) == ("first", sevens) else decide(kind, stage, counts)

    split = table.split(slow.SEVEN, base, slow.SEVEN, decide)[0]
    drawn = table.hand("first", slow.SEVEN, base, {sevens: 1.0}, draws_to_sevens)[0, 0]
    chance = 24 / 288 * 23 / 287 * 22 / 286
    assert note.endswith(f"to draw so costs {100 * chance * (split - drawn):.4f} elsewhere.")


@pytest.mark.parametrize(("more", "expected"), [(3, False), (6, True), (94, True)])
def test_more_than_six_additional_splits_are_said_to_be_six(more, expected):
    spanish = next(row for row in analyze_wagers(GAME, SPANISH, {**SIX_DECKS, "additional_splits": more}))
    notes = " ".join(spanish.notes)
    assert (f"{MOST_HANDS - 2} additional splits are computed as {MOST_HANDS - 2}" in notes) is expected
    assert ("the largest win stated is that of so many hands and no bound" in notes) is expected


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
