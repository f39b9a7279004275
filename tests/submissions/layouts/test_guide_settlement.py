"""Guides and signs beside the settlement that the figures are computed by.

Every row of every paytable: what a guide says wins is what the exact outcomes pay, what it says is returned is what
they return. The outcomes are read from the figures that are shipped, which `tests.games.test_shipped_figures` holds to
be those of the present rules and program. Hands of the blackjack games that a guide decides in words are settled by the
referee of `tests.games.maths.test_blackjack_rounds`, which is itself held against every round that is dealt.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from games.maths.blackjack.hands import DOUBLE, SURRENDER
from games.maths.cards import cards
from games.maths.results import OutcomeRow, WagerAnalysis
from games.registry import chapter
from games.rules.model import Paytable
from games.rules.phrases import lowest_paid, returned_rows, with_article
from games.runs.engine import analyze
from tests.games.maths.test_blackjack_rounds import Hand, settle
from tests.submissions.layouts.guide_words import step, steps

pytestmark = pytest.mark.slow

BY_PAYTABLE = ("583", "587", "588", "589", "592", "678a", "682a", "683a", "687a", "688a")
NOT_BY_RANK = {("588", "insurance"), ("683a", "lo_ball"), ("682a", "prime"), ("688a", "ace_high"), ("589", "ante")}
OR_LESS = " or less"  # reading `djwbb-04-or-less`: less than three-of-a-kind loses


@pytest.mark.parametrize("number", BY_PAYTABLE)
def test_paytable_words_are_what_the_outcomes_pay_and_return(number: str) -> None:
    checked = 0
    for analysis, table in _single_wagers(number):
        rows = {row.outcome: row for row in analysis.outcomes}
        paid = [row.outcome for row in table.rows if any(each.net > 0 for each in _of(rows, row.outcome))]
        back = [row.outcome for row in table.rows if any(each.net == 0 for each in _of(rows, row.outcome))]
        lost = [row for row in analysis.outcomes if row.net < 0]
        assert lost, (analysis.key, "nothing loses")
        assert not [row for row in lost if row.outcome in paid + back]
        if (number, analysis.wager) not in NOT_BY_RANK and not paid[-1].endswith(OR_LESS):
            assert lowest_paid(table).startswith(with_article(paid[-1])), (analysis.key, paid)
        if back:
            assert returned_rows(table) == ", or ".join(map(with_article, back))
        checked += 1
    assert checked


@pytest.mark.parametrize("number", ["587", "588", "678a"])
def test_for_one_includes_the_wager(number: str) -> None:
    """Every such cell of the exact outcomes wins one unit less than it prints."""
    seen = 0
    for analysis, table in _single_wagers(number):
        cells = {row.outcome: row.pays[0] for row in table.rows if row.pays[0].per == "for"}
        for row in analysis.outcomes:
            if row.outcome in cells:
                assert row.net == (cells[row.outcome].odds or 0) - 1
                seen += 1
    assert seen


def test_ante_and_raise_wagers_of_cajun_stud_are_settled_as_the_guide_says() -> None:
    outcomes = [row for analysis in analyze(chapter("683a")).wagers if analysis.wager == "ante"
                for row in analysis.outcomes]  # fmt: skip
    assert {row.net > 0 for row in outcomes if row.outcome.startswith("Pair of jacks or better")} == {True}
    assert {row.net for row in outcomes if row.outcome.startswith("Pair of 6s to 10s")} == {0}
    less = [row for row in outcomes if row.net < 0 and not row.outcome.startswith("Folded")]
    assert less
    assert all(row.net == -row.wagered for row in less)


def test_blind_wager_of_dj_wild_is_returned_with_three_of_a_kind_or_less() -> None:
    ante = next(row for row in analyze(chapter("687a")).wagers if row.wager == "ante")
    rows = {row.outcome: row for row in ante.outcomes}
    assert rows["Wins with Three-of-a-Kind or less"].net == 3  # Ante 1, Raise 2, Blind nothing
    assert rows["Wins with Straight"].net == 4
    assert rows["Tie"].net == 0
    assert rows["Beaten by the dealer"].net == -4
    assert rows["Folded"].net == -2


def test_copies_of_pai_gow_poker_are_settled_as_the_guide_says() -> None:
    """One higher and the other identical: returned. Neither higher: lost."""
    (rows,) = [row.outcomes for row in analyze(chapter("588")).wagers if row.wager == "pai_gow"]
    assert {row.outcome: row.net for row in rows} == {
        "Both hands win": 1,
        "High hand wins, low hand does not": 0,
        "Low hand wins, high hand does not": 0,
        "Both hands lower": -1,
        "High hand lower, low hand identical": -1,
        "High hand identical, low hand lower": -1,
        "Both hands identical": -1,
    }
    said = step("588", "If both of your hands are higher")
    assert "If one is higher and the other lower or identical, your wager is returned. If neither is higher" in said


# ---- hands of the blackjack games: the player's cards, the dealer's, what the hand wins of one unit, the sentence

Round = tuple[str, str, str, Fraction, str]
OVER = "If your hand goes over 21, it loses, no matter what the dealer draws."
HALF = Fraction(1, 2)
ROUNDS: list[Round] = [
    ("581", "Ks Qh 5d", "6s Jh 9d", Fraction(-1), OVER),  # both over 21
    ("590", "Ks Qh 5d", "6s Jh 9d", Fraction(-1), OVER),
    ("635a", "Ks Qh 5d", "6s Jh 9d", Fraction(-1), OVER),
    ("591", "Ks Qh 5d", "6s Jh 9d", Fraction(-1), "Without it, the hand loses, no matter what the dealer draws."),
    ("590", "Ks Qh 5d", "6s Jh 6d", Fraction(-1), OVER),  # a dealer's 22 does not save it
    ("591", "Ks Qh 5d", "6s Jh 6d", Fraction(-1), "Without it, the hand loses, no matter what the dealer draws."),
    ("590", "Ks Qh", "6s Jh 6d", Fraction(0), "With exactly 22, all that you have placed on a hand still in play is"),
    ("591", "Ks Qh", "6s Jh 6d", Fraction(0), "With exactly 22, all that you have on a hand still in play is returned"),
    ("590", "Ks Qh", "6s Jh 9d", Fraction(1), "it wins when the dealer has more than 22"),
    ("591", "Ks Qh", "6s Jh 9d", Fraction(1), "wins when the dealer has more than 22"),
    ("581", "Ks Qh", "6s Jh 6d", Fraction(1), "it wins when the dealer goes over 21"),
    ("635a", "Ks Qh", "6s Jh 6d", Fraction(1), "it wins when the dealer goes over 21"),
    ("581", "Ks Qh", "Qs Jh", Fraction(0), "On the same points, or if both of you have a Blackjack, your wager is ret"),
    ("590", "Ks Qh", "Ts Jh", Fraction(0), "On the same points your wager is returned"),
    ("591", "Ks Qh", "Ts Jh", Fraction(0), "It ties on the same points and loses with fewer."),
    ("635a", "Ks Qh", "Js Jh", Fraction(0), "On all other equal points your wager is returned."),
    ("635a", "Ks 6h 5d", "9s 5h 7d", Fraction(1), "If both of you have 21 in three or more cards, you win."),
    (
        "591",
        "Ks 6h 5d",
        "9s 5h 7d",
        Fraction(1),
        "a hand of 21 is paid before the dealer's hole card is turned over",
    ),
    ("581", "Ks 6h 5d", "9s 5h 7d", Fraction(0), "On the same points"),
    ("581", "Ks 9h", "Qs Jh", Fraction(-1), "It loses when your points are lower."),
    ("590", "Ks 9h", "Ts Jh", Fraction(-1), "With fewer points it loses."),
    ("635a", "Ks 9h", "Qs Jh", Fraction(-1), "With fewer points it loses."),
]


@pytest.mark.parametrize(("number", "own", "dealer", "wins", "said"), ROUNDS)
def test_hand_is_settled_as_the_guide_says(number: str, own: str, dealer: str, wins: Fraction, said: str) -> None:
    hand = Hand(list(cards(own)), Fraction(1))
    assert settle(number, hand, list(cards(dealer)), Fraction(1)) == wins
    assert any(said in words for words in steps(number))


@pytest.mark.parametrize("own", ["As Ks", "7s 7h 7d", "6s 7s 8s"])
def test_split_or_doubled_hand_of_spanish_21_is_paid_one_to_one(own: str) -> None:
    """Whatever its cards: an ace with a 10-value card, three 7s, a 6, 7 and 8 of one suit."""
    for hand in (
        Hand(list(cards(own)), Fraction(1), split=True),
        Hand(list(cards(own)), Fraction(1), doubled=True, decided=DOUBLE),
    ):
        assert settle("635a", hand, list(cards("Js Qh")), Fraction(1)) == 1
    assert "A hand that was doubled down or split is paid 1 to 1, no matter which cards it has." in steps("635a")


def test_lammers_of_a_winning_hand_are_paid_and_of_a_tie_are_not() -> None:
    hand = Hand(list(cards("6s 5h Kd")), Fraction(1), lammers=1, doubled=True)
    assert settle("590", hand, list(cards("Ts 9h")), Fraction(1)) == 2
    assert settle("590", hand, list(cards("9s 5h 7d")), Fraction(1)) == 0
    assert any("Each Free Bet lammer of a winning hand is paid as a wager." in words for words in steps("590"))


def test_surrender_of_double_attack_returns_half_of_what_was_added_too() -> None:
    hand = Hand(list(cards("9s 5h 2d")), Fraction(2), doubled=True, decided=SURRENDER)
    assert settle("581", hand, list(cards("Ks 9h")), Fraction(1)) == -2 * HALF
    assert any("also half of what you added by doubling down" in words for words in steps("581"))


def _single_wagers(number: str) -> Iterator[tuple[WagerAnalysis, Paytable]]:
    """The analyses whose outcomes are the rows of their paytable."""
    for analysis in analyze(chapter(number)).wagers:
        tables = [table for table in chapter(number).tables_of(analysis.wager) if table.name == analysis.paytable]
        rows = {row.outcome: row for row in analysis.outcomes}
        if tables and all(_of(rows, row.outcome) for row in tables[0].rows[-1:]):
            yield analysis, tables[0]


def _of(rows: dict[str, OutcomeRow], outcome: str) -> list[OutcomeRow]:
    """The outcomes of one row of a paytable: in several columns, “Straight, natural” and “Straight, with wild”."""
    return [row for name, row in rows.items() if name == outcome or name.startswith(f"{outcome}, ")]
