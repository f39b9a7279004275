"""Draw and exchange with other stakes: rounds dealt agree, the tables say when to force, wrong stakes are refused.

Not found here: a wrong decision of the player, which the dealt rounds and the counts share.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from games.chapters.ch589_lunar_poker.play import GAME
from games.chapters.ch589_lunar_poker.second import TABLE
from games.maths.exchange import required, rules
from games.maths.exchange.game import instant_payout
from games.maths.exchange.payouts import AFTER_DRAW, Terms, all_ends, first_five_wager, odds_of
from games.maths.exchange.required import round_counts
from games.maths.exchange.rules import FirstFive, Stakes
from games.maths.exchange.strategy import forces
from games.rules.errors import ParameterError
from games.rules.model import Pay
from tests.games.lazy import lazy_chapter

pytestmark = pytest.mark.proof
CHAPTER = lazy_chapter("589")
EXAMPLE = {"instant_payout_paytable": "Paytable A"}
FREE = replace(GAME, stakes=Stakes(bet=2, draw_fee=3, force_fee=0))  # the dealer is forced for odds of 2 to 1
NEVER = replace(GAME, stakes=Stakes(bet=4, draw_fee=1, force_fee=None))
FREE_TABLE = replace(TABLE, draw_fee=3, force_fee=0)
NEVER_TABLE = replace(TABLE, bet=4, force_fee=None)


def ends_of(game):
    return all_ends(game.terms(CHAPTER), instant_payout(CHAPTER.tables_of("ante")[0]), game.sections)


def test_rounds_of_another_game_agree_with_its_counts():
    terms, ends, rounds = FREE.terms(CHAPTER), ends_of(FREE), 1_000_000
    totals = round_counts(terms)
    chances = [totals.chance(end.count) for end in ends]
    assert sum(chances) == 1
    dealt, *_ = FREE_TABLE.deal_rounds(CHAPTER, FREE.strategy(CHAPTER, {}), (9, 9, rounds))
    counts = [end.count(dealt) for end in ends]
    assert sum(counts) == rounds
    expected = np.array([float(chance) * rounds for chance in chances])
    assert (np.abs(counts - expected) <= 4.5 * np.sqrt(expected) + 1).all()


def test_ends_of_another_game_are_paid_by_its_stakes():
    nets = {end.outcome: (end.net, end.wagered) for end in ends_of(FREE)}
    assert nets["Folded after a draw"] == (-4, 4)
    assert nets["Dealer does not qualify, after a draw"] == (1 - 3, 1 + 2 + 3)
    assert nets["Dealer forced, wins 8 to 1, after a draw"] == (2 * 8 - 3, 1 + 2 + 3)
    assert nets["Dealer forced, tie"] == (0, 3)  # two pairs may force, and meet their like
    assert "Dealer forced, tie" not in {end.outcome for end in ends_of(GAME)}
    nets = {end.outcome: (end.net, end.wagered) for end in ends_of(NEVER)}
    assert nets["Wins 2 to 1"] == (4 * 2, 1 + 4)
    assert nets["Beaten by the dealer, after a draw"] == (-5 - 1, 1 + 4 + 1)


@pytest.mark.parametrize(("game", "table"), [(FREE, FREE_TABLE), (NEVER, NEVER_TABLE)])
def test_ends_of_another_game_are_paid_alike_by_both_sides(game, table):
    settled = table.deal(CHAPTER, EXAMPLE, game.strategy(CHAPTER, EXAMPLE), (0, 0, 0)).endings["ante"]
    amounts = {ending.outcome: (ending.won, ending.wagered) for ending in settled}
    assert len(amounts) == len(settled)
    assert {end.outcome: (end.net, end.wagered) for end in ends_of(game)}.items() <= amounts.items()
    assert any("forced" in outcome for outcome in amounts) == (game is FREE)


def test_strategy_that_exchanges_a_single_card_is_refused():
    with pytest.raises(ValueError, match="the strategy exchanges 2 cards; the least is 3"):
        replace(TABLE, least_exchanged=3).deal_rounds(CHAPTER, GAME.strategy(CHAPTER, {}), (1, 1, 1))


def test_dealer_who_cannot_be_forced_never_is():
    assert not any("forced" in end.outcome for end in ends_of(NEVER))
    dealt, *_ = NEVER_TABLE.deal_rounds(CHAPTER, NEVER.strategy(CHAPTER, {}), (1, 1, 200_000))
    assert dealt.sum() == 200_000
    assert not dealt[[way + after for way in rules.FORCED for after in (0, AFTER_DRAW)]].any()
    assert required.FORCE_CHOICE not in required.choice_sentences(NEVER.terms(CHAPTER))
    assert len(required.strategy_tables(NEVER.terms(CHAPTER))) == 3


@pytest.mark.parametrize("stakes", [GAME.stakes, FREE.stakes, Stakes(bet=3, draw_fee=1, force_fee=2)])
def test_table_of_forcing_is_the_decision(stakes):
    terms = Terms(GAME.terms(CHAPTER).odds, stakes)
    *_, table = required.strategy_tables(terms)
    for odds, of_42, of_37 in table.rows:
        for needed, unseen in ((of_42, 42), (of_37, 37)):
            first = next(wins for wins in range(99) if forces(int(odds.split()[0]), wins, 0, unseen, stakes.forcing))
            assert first == int(needed)
    least = stakes.least_forcing
    assert not forces(least - 1, rules.PAIRING, 0, rules.UNSEEN_AT_LEAST, stakes.forcing)
    assert forces(least, rules.PAIRING, 0, rules.UNSEEN_AT_LEAST, stakes.forcing)


def test_sentence_of_forcing_is_by_the_stakes():
    odds = GAME.terms(CHAPTER).odds
    assert GAME.stakes.forcing == (2, 1, 4)
    said = required.choice_sentences(Terms(odds, Stakes(bet=1, draw_fee=0, force_fee=0)))[required.FORCE_CHOICE]
    assert said == (
        "Odds of 4 to 1 or more in all: the odds for each unseen card with which the dealer would qualify and lose, "
        "less two for each with which the dealer would win, make at least the number of them all"
    )
    said = required.choice_sentences(Terms(odds, Stakes(bet=3, draw_fee=0, force_fee=2)))[required.FORCE_CHOICE]
    assert said == (
        "Odds of 4 to 1 or more in all: three times the odds for each unseen card with which the dealer would qualify "
        "and lose, less four for each with which the dealer would win, make at least three times the number of them all"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Stakes(bet=0, draw_fee=1, force_fee=1), "stakes.bet: is 0; a Bet Wager is of 1 to 8 Antes"),
        (lambda: Stakes(bet=9, draw_fee=1, force_fee=1), "stakes.bet: is 9"),
        (lambda: Stakes(bet=2, draw_fee=-1, force_fee=1), "stakes.draw_fee: is -1; a fee is of 0 to 8 Antes"),
        (lambda: Stakes(bet=2, draw_fee=1, force_fee=9), "stakes.force_fee: is 9"),
        (lambda: FirstFive(lost="", reading=""), "first_five.reading: is empty"),
        (lambda: replace(GAME.sections, dealt={}), "sections.dealt: is empty"),
        (lambda: replace(GAME.sections, ends={rules.TIED: ""}), r"sections.ends: has \[4\]"),
        (lambda: replace(GAME, first_five={"bet": FirstFive(lost="", reading="a")}), "first_five: has bet"),
    ],
)
def test_parameters_that_no_game_can_have_are_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_odds_that_leave_open_when_to_force_are_refused():
    (table,) = CHAPTER.tables_of("bet")
    odds = odds_of(table)
    with pytest.raises(ValueError, match="Straight pays 4 to 1; above three-of-a-kind it takes 7 to 1 or more"):
        Terms(odds, Stakes(bet=2, draw_fee=1, force_fee=3))
    with pytest.raises(ValueError, match="there is one for each of Nothing, Ace-king"):
        Terms(odds[1:], GAME.stakes)
    halves = tuple(replace(row, pays=(Pay(odds=Fraction(3, 2), per="to"),)) for row in table.rows)
    with pytest.raises(ValueError, match="pays 'Royal flush'; it pays whole odds on Ace-king"):
        odds_of(replace(table, rows=halves))


def test_paytable_of_other_hands_on_the_first_five_cards_is_refused():
    (table, *_) = CHAPTER.tables_of("super")
    with pytest.raises(ValueError, match="pays other hands than Four-of-a-kind, Same-colored straight"):
        first_five_wager(replace(table, rows=table.rows[1:]), GAME.first_five["super"])
