"""The bounds of a payout limit: what the covered wagers could win at their minimums, added up."""

import dataclasses
import re
from decimal import Decimal
from fractions import Fraction

import pytest

from games.registry import chapter
from games.rules.checks import CHECKS, Win, largest_wins, net_win, total
from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter, Finding, Option, Pay, Requirement
from tests.games.chapters.examples import example

COVERS = ("ante", "blind", "raise", "trips", "bad_beat")


def limited(check: str = "payout_limit_floor", **fields: tuple[str, ...]) -> Chapter:
    """Chapter 687a (whose text has no payout limit) with a limit over all but the progressive."""
    one = chapter("687a")
    limit = Requirement(
        "687a.limit",
        "§ 687a.12",
        "{limit} against {bound}: {because}.",
        "Make it {bound}.",
        ("payout_limit", "minimum_wager"),
        check=check,
        **{"covers": COVERS, **fields},
    )
    lines = [Option(key, "§ 687a.12", f"{key}?", "money", "Limit", "explicit") for key in limit.options]
    lines.append(dataclasses.replace(lines[1], key="trips_minimum", required=False))
    wagers = [dataclasses.replace(w, minimum="trips_minimum") if w.key == "trips" else w for w in one.wagers]
    return dataclasses.replace(
        one, options=(*one.options, *lines), wagers=tuple(wagers), requirements=(*one.requirements, limit)
    )


def answers(limit: str, minimum: str = "5", **changes: object) -> Answers:
    given = {"payout_limit": limit, "minimum_wager": minimum, "trips_minimum": "1", "trips_paytable": "DJWT-05"}
    return example("687a", **given | {"bad_beat_paytable": "DJWBB-03"} | changes)


def found(one: Chapter, given: Answers) -> list[Finding]:
    return [finding for finding in judge(one, given).findings if finding.rule == "687a.limit"]


@pytest.mark.parametrize(
    ("pay", "expected"),
    [
        (Pay(odds=Fraction(3, 2), per="to"), 15),
        (Pay(odds=Fraction(25), per="for"), 240),  # the stake is among the 250
        (Pay(amount=Decimal(5000), meter=Fraction(1)), 5000),
        (Pay(push=True), 0),
        (Pay(na=True), 0),
    ],
)
def test_win_is_what_comes_besides_the_stake(pay: Pay, expected: int) -> None:
    assert net_win(pay, Fraction(10)) == expected


def test_covered_wins_are_added_up_at_their_minimums() -> None:
    one = limited()
    wins = largest_wins(one, one.requirements[-1], answers("50000"))
    assert wins is not None
    largest = {win.wager: (win.stake, win.pay.odds) for win in wins}
    assert largest["Ante Wager"] == largest["Raise Wager"] == (Decimal(5), Fraction(1))
    assert largest["Blind Wager"] == (Decimal(5), Fraction(1000))
    assert largest["Trips Bonus Wager"][0] == Decimal(1)
    assert total(wins) == sum(win.amount for win in wins)


@pytest.mark.parametrize(("stakes", "expected"), [(["2.50"], "3.00"), (["2.51"], "3.02"), (["2.51", "2.51"], "6.03")])
def test_sum_of_wins_is_rounded_up_to_a_cent(stakes: list[str], expected: str) -> None:
    """Never below what can be won: $2.51 at 6 to 5 wins $3.012."""
    odds = Pay(odds=Fraction(6, 5), per="to")
    assert total(Win("Ante Wager", "ante", Decimal(stake), odds) for stake in stakes) == Decimal(expected)


def test_wager_named_thrice_is_won_thrice() -> None:
    one = limited(covers=("ante", "raise", "raise", "raise"))
    wins = largest_wins(one, one.requirements[-1], answers("50000", minimum="2.50"))
    assert wins is not None
    assert total(wins) == Decimal("10.00")


def test_part_without_a_paytable_is_paid_by_that_of_its_whole() -> None:
    one = limited(covers=("raise", "raise"))
    wagers = tuple(dataclasses.replace(w, part_of="blind") if w.key == "raise" else w for w in one.wagers)
    wins = largest_wins(dataclasses.replace(one, wagers=wagers), one.requirements[-1], answers("50000"))
    assert wins is not None
    assert total(wins) == 10_000


def test_wager_not_offered_is_not_counted() -> None:
    one = limited()
    wins = largest_wins(one, one.requirements[-1], answers("50000", trips_bonus_wager=False))
    assert wins is not None
    assert "Trips Bonus Wager" not in [win.wager for win in wins]


def test_outcome_left_out_is_not_counted() -> None:
    one = limited(covers=("blind",), leaves_out=("Five Wilds",))
    wins = largest_wins(one, one.requirements[-1], answers("50000"))
    assert wins is not None
    assert total(wins) == 250  # the royal flush, 50 to 1 on $5


@pytest.mark.parametrize(("limit", "refused"), [("49999.99", True), ("50000", False), ("50000.00", False)])
def test_floor_is_fifty_thousand_dollars_where_less_can_be_won(limit: str, refused: bool) -> None:
    assert bool(found(limited(), answers(limit))) is refused


def cajun(limit: str, minimum: str) -> list[Finding]:
    given = example("683a", payout_limit_established=True, payout_limit=limit, minimum_wager=minimum)
    return [one for one in judge(chapter("683a"), given).findings if one.rule.endswith("payout-limit-floor")]


def test_floor_is_the_most_that_can_be_won_where_that_is_more_and_names_the_deal() -> None:
    (finding,) = cajun("60000", minimum="100")
    assert "may not be less than $200,000.00: the most that one patron can win per round" in finding.message
    assert "(Player A♠ K♠; Community cards Q♠ J♠ 10♠: $200,000.00 by Royal flush: 500 to 1" in finding.message
    assert cajun("200000", minimum="100") == []
    assert len(cajun("199999.99", minimum="100")) == 1


def test_part_with_a_minimum_of_its_own_fails_closed() -> None:
    one = chapter("683a")
    wagers = tuple(dataclasses.replace(w, minimum="payout_limit") if w.key == "raise" else w for w in one.wagers)
    given = example("683a", payout_limit_established=True, payout_limit="60000", minimum_wager="100")
    judged = judge(dataclasses.replace(one, wagers=wagers), given)
    assert [found.rule for found in judged.of("payout_limit")] == ["683a.check-failed"]


def test_ceiling_refuses_what_is_above() -> None:
    one = limited("payout_limit_ceiling")
    (finding,) = found(one, answers("50000.01"))
    assert finding.message.startswith(
        "$50,000.01 against $50,000.00: the amount in the regulation, as one patron cannot win more"
    )
    assert found(one, answers("50000")) == []


@pytest.mark.parametrize("unanswered", ["payout_limit", "minimum_wager", "trips_minimum", "trips_paytable"])
def test_limit_is_not_judged_before_what_it_hangs_on_is_answered(unanswered: str) -> None:
    one = limited()
    assert CHECKS["payout_limit_floor"](one, one.requirements[-1], {**answers("50000"), unanswered: None}) is None


def test_fifty_thousand_dollars_bind_before_the_rest_is_answered() -> None:
    answers = {"payout_limit_established": True, "payout_limit": "49999"}
    found = [one for one in judge(chapter("683a"), answers).findings if one.rule.endswith("payout-limit-floor")]
    assert [one.severity for one in found] == ["blocking"]
    assert "$49,999.00" in found[0].message
    assert judge(chapter("683a"), answers | {"payout_limit": "50000"}).of("payout_limit") == ()


def test_limit_is_judged_while_the_paytable_of_another_wager_is_still_open() -> None:
    answers_so_far = example("683a", minimum_wager="30.00", lo_ball_paytable=None)
    rules = [finding.rule for finding in judge(chapter("683a"), answers_so_far).blocking]
    assert rules == ["683a.not-answered", "683a.payout-limit-floor"]


@pytest.mark.parametrize(
    ("number", "minimums", "hands"),
    [
        ("677a", {"minimum_wager": "500.00"}, {"Player": 2, "Dealer": 2, "Community cards": 5}),
        ("678a", {"straight_flush_bonus_minimum": "100.00"}, {"Player": 7, "Dealer": 7}),
    ],
)
def test_deal_of_a_floor_names_each_card_once_and_whose_it_is(
    number: str, minimums: dict[str, str], hands: dict[str, int]
) -> None:
    given = example(number, payout_limit_established=True, payout_limit="50000.00", **minimums)
    (finding,) = (one for one in judge(chapter(number), given).findings if one.rule.endswith("payout-limit-floor"))
    deal = finding.message.partition("at the minimum wagers (")[2].partition(":")[0]
    groups = {name: cards.split() for name, cards in re.findall(r"([A-Z][a-z ]+?) ((?:[\dJQKA]+[♠♥♦♣] ?)+)", deal)}
    assert {name: len(cards) for name, cards in groups.items()} == hands
    dealt = [card for cards in groups.values() for card in cards]
    assert len(dealt) == len(set(dealt))
