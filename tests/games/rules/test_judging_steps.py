"""Conditions, asked lines, requirements, wagers and what implements a sentence, each in a chapter of its own."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from games.rules import checks
from games.rules.conditions import holds, passes, way_dealt, within
from games.rules.evaluate import asked_lines, effective, judge, on_requirements, sound_answers, unused
from games.rules.implementations import implementations
from games.rules.lists import parse_amounts, parse_steps
from games.rules.model import Chapter, Choice, Condition, LayoutElement, Pay, Reading, Requirement, Test
from games.rules.words import GuideText
from tests.games.rules.small_chapter import between, chapter, line, paytable, wager, where


@pytest.mark.parametrize(
    ("answer", "test", "expected"),
    [
        (None, Test(values=(True,)), False), (True, Test(values=(True,)), True), (1, Test(values=(True,)), False),
        (False, Test(values=(0,)), False), ("a", Test(values=("b", "a")), True), ("a", Test(values=("b",)), False),
        (1, Test(at_least=Decimal(1)), True), ("0.99", Test(at_least=Decimal(1)), False),
        (5, Test(at_most=Decimal(5)), True), ("5.01", Test(at_most=Decimal(5)), False), (7, Test(), True),
        (True, Test(at_most=Decimal(5)), False), ({"size": 1}, Test(at_most=Decimal(5)), False),
        ("no number", Test(at_most=Decimal(5)), False), ("NaN", Test(), False), ("-Infinity", Test(), False),
    ],
)  # fmt: skip
def test_answer_passes_a_test(answer: Any, test: Test, expected: bool) -> None:
    assert passes(test, answer) is expected


def test_condition_of_alternatives() -> None:
    yes, many = Test(values=(True,)), Test(at_least=Decimal(2))
    condition = Condition(((("a", yes), ("n", many)), (("b", yes),)))
    assert holds(Condition(), {})
    assert [holds(condition, answers) for answers in ({"a": True, "n": 2}, {"a": True, "n": 1}, {"b": True}, {})] == [
        True, False, True, False,
    ]  # fmt: skip
    assert within("3", None, None)
    assert [within(number, Decimal(2), Decimal(3)) for number in ("1.99", 2, 3, "3.01")] == [False, True, True, False]


CHAIN = chapter(
    options=(
        line("first"),
        line("second", asked_if=where("first", True)),
        line("third", asked_if=where("second", True)),
        line("many", "count", required=False),
        line("extra", "count", asked_if=between("many", "2", "3")),
    )
)


def test_lines_that_are_asked_and_their_answers_that_count() -> None:
    answers = {"first": True, "second": "yes", "third": True, "many": 2, "extra": 0, "other": 1}
    assert sound_answers(CHAIN, answers) == {"first": True, "third": True, "many": 2, "extra": 0}
    assert asked_lines(CHAIN, {"first": True, "many": 2}) == ("first", "second", "many", "extra")
    assert asked_lines(CHAIN, {"second": True, "third": True}) == ("first", "many")
    assert effective(CHAIN, {**answers, "many": 5}) == {"first": True, "second": "yes", "many": 5}
    assert effective(CHAIN, {"first": "", "many": None, "second": True}) == {}
    assert unused(CHAIN, {**answers, "many": 5}) == ("third", "extra")
    assert unused(CHAIN, {"first": False, "second": True, "third": None, "extra": "  "}) == ("second",)
    assert unused(CHAIN, {"first": True}) == ()


def test_way_of_dealing() -> None:
    ways = {"shoe": 1, "hand": 2, "automated": 3}
    answers: tuple[dict[str, Any], ...] = ({}, {"hand": True, "automated": True}, {"shoe": False, "automated": True})
    assert [way_dealt(ways, given) for given in answers] == [1, 2, 3]


def requirement(check: str = "", *options: str, **fields: Any) -> Requirement:
    return Requirement("1.it", "§ 1.2", "{a} is wrong.", "Change {a}.", options or ("a",), check=check, **fields)


def found(one: Chapter, answers: dict[str, Any], asked: tuple[str, ...] = ("a", "b")) -> list[Any]:
    return list(on_requirements(one, answers, asked))


def test_requirement_as_data() -> None:
    rule = requirement(when=where("b", True), must=where("a", False), severity="warning")
    one = chapter(options=(line("a"), line("b"), line("c", required=False)), requirements=(rule,))
    (finding,) = found(one, {"a": True, "b": True})
    assert (finding.rule, finding.severity, finding.options, finding.citation) == ("1.it", "warning", ("a",), "§ 1.2")
    assert (finding.message, finding.fix) == ("Yes is wrong.", "Change Yes.")
    assert found(one, {"a": True, "b": False}) == found(one, {"a": False, "b": True}) == []
    assert found(one, {"b": True}) == []  # not ripe: asked, required and open
    assert [each.message for each in found(one, {"b": True}, ("b",))] == ["not answered is wrong."]  # not asked
    other = chapter(options=one.options, requirements=(requirement(must=where("c", True)),))
    assert len(found(other, {}, ("a", "b", "c"))) == 1  # need not be answered
    both = Condition((*where("a", True).alternatives, *where("b", True).alternatives))
    assert found(chapter(options=one.options, requirements=(requirement(must=both),)), {"a": False}) == []


def test_words_of_a_check_name_the_answers_too() -> None:
    rule = replace(requirement("one_amount_each", "a", "b"), message="{a} of {count}: {problem}.")
    one = chapter(options=(line("a", "integer"), line("b", "text")), requirements=(rule,))
    (finding,) = found(one, {"a": 3, "b": "1, 2"})
    assert finding.message == "3 of 3: the amounts listed are 2."


def test_requirement_that_crashes_does_not_stop_the_next_one() -> None:
    rules = (requirement("no_such_check"), requirement(must=where("a", False)))
    crashed, next_one = found(chapter(options=(line("a"),), requirements=rules), {"a": True})
    assert (crashed.rule, crashed.severity, crashed.options, crashed.citation) == (
        "1.check-failed", "blocking", ("a",), "§ 1.2",
    )  # fmt: skip
    assert crashed.message == "The requirement 1.it could not be judged (KeyError)."
    assert crashed.fix == (
        "Look at the answers that it concerns; if they are right, report this message to the portal's operator."
    )
    assert next_one.rule == "1.it"


def test_wagers_paytables_layout_and_readings_of_a_judgment() -> None:
    one = chapter(
        options=(line("side"), line("bonus"), line("table", "paytable", wager="bonus", asked_if=where("bonus", True))),
        wagers=(
            wager("side", offered_by="side"), wager("ante"), wager("raise", part_of="ante"),
            wager("tip", part_of="side"), wager("bonus", offered_by="bonus", paytable_option="table"), wager("blind"),
        ),
        paytables=(
            paytable("ante", "A", 1), paytable("raise", "R", 1), paytable("tip", "T", 1), paytable("blind", "B1", 1),
            paytable("blind", "B2", 1), paytable("bonus", "P1", 1), paytable("bonus", "P2", 1),
        ),
        layout=(
            LayoutElement("box", "§ 1", "A box", "box"),
            LayoutElement("bonus", "§ 1", "B", "box", where("bonus", True)),
        ),
        readings=tuple(
            Reading(f"1.{key}", "§ 1", "", "", "", (key,))
            for key in ("side", "ante", "raise", "ante/A", "bonus/P2", "box", "tip", "table")
        ),
    )  # fmt: skip
    judgment = judge(one, {"side": False, "bonus": True, "table": "P2"})
    assert judgment.offered == ("ante", "blind", "bonus")
    assert judgment.paytables == {"ante": "A", "raise": "R", "bonus": "P2"}
    assert [element.key for element in judgment.layout] == ["box", "bonus"]
    assert {reading.id for reading in judgment.readings} == {
        "1.side", "1.ante", "1.raise", "1.ante/A", "1.bonus/P2", "1.box", "1.table",
    }  # fmt: skip
    bare = judge(one, {"side": True, "table": "P2"})
    assert (bare.offered, bare.paytables) == (("ante", "blind", "side"), {"ante": "A", "raise": "R", "tip": "T"})
    assert [element.key for element in bare.layout] == ["box"]


TABLES = requirement("tables_differ", "a", "b", "c")


def test_tables_under_two_options() -> None:
    answers = {"a": "1-3", "b": "7", "c": "3, 2, 9"}
    assert checks.tables_differ(chapter(), TABLES, answers) == {"tables": "2-3", "one": "1-3", "other": "3, 2, 9"}
    assert checks.tables_differ(chapter(), TABLES, {"a": "1-3", "b": None, "c": "4"}) is None


def test_paytable_of_the_bet() -> None:
    tables = tuple(paytable("bonus", f"P{n}", 1, wager_amount=Decimal(bet)) for n, bet in enumerate((1, 5, 5), 1))
    options = (line("bet", "choice"), line("table", "paytable", wager="bonus"))
    one, rule = chapter(options=options, paytables=tables), requirement("bet_fits_paytable", "bet", "table")
    assert checks.bet_fits_paytable(one, rule, {"bet": "1", "table": "P1"}) is None
    assert checks.bet_fits_paytable(one, rule, {"bet": "5", "table": "P1"}) == {
        "table": "P1", "printed": "$1", "bet": "$5", "fitting": "P2, P3",
    }  # fmt: skip
    for answers in ({"bet": "5"}, {"table": "P1"}):
        assert checks.bet_fits_paytable(one, rule, answers) is None


def test_amounts_that_are_counted() -> None:
    rule = requirement("one_amount_each", "n", "list")
    cases: dict[str, Any] = {
        "1, 2": None, "1": {"count": "2", "problem": "the amounts listed are 1"},
        "1, x": {"count": "2", "problem": "“x” is not an amount in dollars"},
    }  # fmt: skip
    for text, expected in cases.items():
        assert checks.one_amount_each(chapter(), rule, {"n": 2, "list": text}) == expected
    for answers in ({"n": 2}, {"list": "1"}):
        assert checks.one_amount_each(chapter(), rule, answers) is None


def test_steps_of_a_rake() -> None:
    rule = requirement("rake_steps_rise", "list")
    assert checks.rake_steps_rise(chapter(), rule, {}) is None
    assert checks.rake_steps_rise(chapter(), rule, {"list": "10: 1"}) is None
    problems = {
        " 10 ": "“10” has no colon between pot and rake",
        "10: 1, 10: 2": "$2 at $10 follows $1 at $10, but both must rise",
        "10: 2, 20: 2": "$2 at $20 follows $2 at $10, but both must rise",
        "5: 4, 6: 7": "a rake of $7 is more than the pot of $6",
        "1:2:3": "“2:3” is not an amount in dollars",
        "10: 0": "“0” is not an amount in dollars",
    }
    for text, problem in problems.items():
        assert checks.rake_steps_rise(chapter(), rule, {"list": text}) == {"problem": problem}
    assert parse_steps("5: 5, $6 : 5.50") == ((Decimal(5), Decimal(5)), (Decimal(6), Decimal("5.50")))
    assert parse_amounts(" $1 ,2.50") == (Decimal(1), Decimal("2.50"))


# A payout limit over the Ante with its Raise, and over a side wager with a minimum of its own.
LIMIT = requirement("payout_limit_floor", "limit", "minimum", covers=("ante", "raise", "side"), leaves_out=("900",))
COVERED = chapter(
    options=(
        line("limit", "money"), line("minimum", "money"), line("least", "money"), line("side"),
        line("table", "choice", choices=(Choice("P1", "P1"),)),
    ),
    wagers=(
        wager("ante"), wager("raise", part_of="ante"),
        wager("side", offered_by="side", paytable_option="table", minimum="least"),
    ),
    paytables=(paytable("ante", "A", 2, 7, 900), paytable("side", "P1", 30), paytable("side", "P2", 40)),
)  # fmt: skip
ASKED = {"minimum": "5", "least": "2", "side": True, "table": "P2", "limit": "50000"}


def test_largest_wins_of_covered_wagers() -> None:
    wins = checks.largest_wins(COVERED, LIMIT, ASKED)
    assert wins is not None
    assert [(win.wager, win.whole, win.stake, win.amount) for win in wins] == [
        ("Ante Wager", "ante", Decimal(5), 35), ("Raise Wager", "ante", Decimal(5), 35),
        ("Side Wager", "side", Decimal(2), 80),
    ]  # fmt: skip
    assert str(wins[0]) == "Ante Wager of $5 at 7 to 1"
    assert checks.total(wins) == Decimal("150.00")
    without = checks.largest_wins(COVERED, LIMIT, {**ASKED, "side": False})
    assert without is not None
    assert len(without) == 2
    for key in ("minimum", "least", "table"):
        assert checks.largest_wins(COVERED, LIMIT, {**ASKED, key: None}) is None
    assert checks.largest_wins(COVERED, LIMIT, {**ASKED, "table": "P9"}) is None
    side_first = requirement("", "limit", "minimum", covers=("side", "ante"), leaves_out=("900",))
    assert checks.largest_wins(COVERED, side_first, {**ASKED, "side": False}) == wins[:1]


def test_part_of_a_wager_that_is_not_offered_wins_nothing() -> None:
    one = chapter(options=(line("side"),), wagers=(wager("side", offered_by="side"), wager("part", part_of="side")))
    covered = requirement("", "limit", "minimum", covers=("part",))
    wins = [checks.largest_wins(one, covered, {"minimum": "5", "side": offered}) for offered in (True, False)]
    assert [len(each or ()) for each in wins] == [1, 0]


def test_bet_of_a_paytable_is_the_stake() -> None:
    one = chapter(wagers=(wager("ante"),), paytables=(paytable("ante", "A", 7, wager_amount=Decimal(3)),))
    for answers in ({}, {"minimum": "5"}):
        wins = checks.largest_wins(one, requirement("", "limit", "minimum", covers=("ante",)), answers)
        assert wins is not None
        assert wins[0].stake == 3
    bare = chapter(wagers=(wager("ante"),))
    wins = checks.largest_wins(bare, requirement("", "limit", "minimum", covers=("ante",)), {"minimum": "5"})
    assert wins is not None
    assert (wins[0].pay.printed, wins[0].amount) == ("1 to 1", 5)


def test_amounts_won_are_rounded_up_to_a_cent() -> None:
    third = checks.Win("A", "a", Decimal(1), Pay(odds=Fraction(1, 3), per="to"))
    assert checks.total([third]) == Decimal("0.34")
    assert checks.total([]) == 0
    pays = (Pay(odds=Fraction(3), per="for"), Pay(odds=Fraction(3), per="to"), Pay(amount=Decimal(9)), Pay(push=True))
    assert [checks.net_win(pay, Fraction(2)) for pay in pays] == [4, 6, 9, 0]


class Most:
    amount = Fraction(400_001, 3)

    def __str__(self) -> str:
        return "the royal deal"


def with_deal(seen: list[Any]) -> Chapter:
    def largest(*given: Any) -> Most:
        seen.append(given[1:])
        return Most()

    return Chapter(**{name: getattr(COVERED, name) for name in COVERED.__slots__} | {"largest_round": largest})


def test_largest_round_of_the_covered_wagers() -> None:
    seen: list[Any] = []
    one, wins = with_deal(seen), checks.largest_wins(COVERED, LIMIT, ASKED)
    assert wins is not None
    assert checks.largest_round(one, LIMIT, ASKED, wins) == (Decimal("133333.67"), "the royal deal")
    assert seen == [(ASKED, {"ante": 5, "side": 2}, ("900",))]
    with pytest.raises(ValueError, match=r"^the play of chapter 1 has no `largest_round`$"):
        checks.largest_round(COVERED, LIMIT, ASKED, wins)
    other = (*wins[:1], checks.Win("Raise Wager", "ante", Decimal(6), wins[1].pay))
    with pytest.raises(ValueError, match=r"^Raise Wager has another minimum than the wager that it is a part of$"):
        checks.largest_round(one, LIMIT, ASKED, other)


NAMED = "the amount in the regulation, as one patron cannot win more than that per round at the minimum wager"
MOST = "the most that one patron can win per round at the minimum wagers (the royal deal)"


@pytest.mark.parametrize(
    ("check", "changes", "expected"),
    [
        ("floor", {"limit": "49999.99"}, ("$49,999.99", "$50,000.00", NAMED)),
        ("floor", {"limit": "50000"}, None), ("floor", {"limit": None}, None),
        ("floor", {"limit": "49999", "minimum": None}, ("$49,999.00", "$50,000.00", "the amount in the regulation")),
        ("floor", {"limit": "50000", "minimum": None}, None),
        ("floor", {"limit": "133333.66", "minimum": "5000"}, ("$133,333.66", "$133,333.67", MOST)),
        ("floor", {"limit": "133333.67", "minimum": "5000"}, None),
        ("ceiling", {"limit": "50000.01"}, ("$50,000.01", "$50,000.00", NAMED)),
        ("ceiling", {"limit": "50000"}, None), ("ceiling", {"limit": None}, None),
        ("ceiling", {"limit": "60000", "minimum": None}, None),
        ("ceiling", {"limit": "133333.67", "minimum": "5000"}, None),
        ("ceiling", {"limit": "133333.68", "minimum": "5000"}, ("$133,333.68", "$133,333.67", MOST)),
    ],
)  # fmt: skip
def test_bounds_of_a_payout_limit(check: str, changes: dict[str, Any], expected: tuple[str, str, str] | None) -> None:
    words = checks.CHECKS[f"payout_limit_{check}"](with_deal([]), LIMIT, {**ASKED, **changes})
    assert words == (expected and dict(zip(("limit", "bound", "because"), expected, strict=True)))


def test_amount_in_the_regulation_is_named_where_the_most_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Most, "amount", Fraction(50_000))
    answers = {**ASKED, "limit": "49999", "minimum": "5000"}
    assert checks.CHECKS["payout_limit_floor"](with_deal([]), LIMIT, answers)["because"] == NAMED


def guide(**cited: str) -> Any:
    sentences = {name: SimpleNamespace(at=(place,)) for name, place in cited.items()}
    return SimpleNamespace(
        object=sentences["object"], steps=[sentences["step"]], notices=[("", sentences["notice"])],
        beneath=[("", sentences["beneath"])], sizes=[("", sentences["size"])], fixed=[sentences["fixed"], None],
    )  # fmt: skip


def test_implementations_of_a_chapter() -> None:
    one = chapter(
        options=(line("a"),),
        requirements=(requirement(), requirement()),
        wagers=(wager("ante", settled="§ 1.9(b)"), wager("tip")),
        paytables=(paytable("ante", "A", 1),),
        layout=(LayoutElement("box", "§ 1.3", "A box", "box"),),
        readings=(Reading("1.note", "§ 1.4(a)", "", "", ""),),
    )
    text: GuideText = guide(
        object="§ 1.1", step="§ 1.7(a)(2)", notice="§ 1.8", beneath="§ 1.8(b)", size="§ 1.1", fixed="§ 1.2"
    )
    found = implementations(one, text, ["§ 1.7(a)(2)(i)", "§ 2.7", "§ 1.7(a)(2)(i)"])
    assert found.number == "1"
    assert list(found.citations.items()) == [
        ("option:a", ("§ 1.a",)), ("requirement:it", ("§ 1.2",)), ("wager:ante", ("§ 1.ante", "§ 1.9(b)")),
        ("wager:tip", ("§ 1.tip",)), ("paytable:ante/A", ("§ 1.A",)), ("replay:.7(a)(2)(i)", ("§ 1.7(a)(2)(i)",)),
        ("replay:.9(b)", ("§ 1.9(b)",)), ("replay:.A", ("§ 1.A",)), ("element:box", ("§ 1.3",)), ("play", ()),
        ("reading:note", ("§ 1.4(a)",)), ("guide:.1", ("§ 1.1",)), ("guide:.7(a)(2)", ("§ 1.7(a)(2)",)),
        ("guide:.8", ("§ 1.8",)), ("guide:.8(b)", ("§ 1.8(b)",)), ("guide:.2", ("§ 1.2",)),
    ]  # fmt: skip
    assert found.citing("§ 1.2") == ("requirement:it", "guide:.2")
    assert found.citing("§ 1") == ()
    nearest = {
        "§ 1.7(a)(2)": "guide:.7(a)(2)", "§ 1.7(a)(2)(ii)[3]": "guide:.7(a)(2)", "§ 1.7(a)": "guide:.7(a)(2)",
        "§ 1.8(b)(1)": "guide:.8(b)", "§ 1.8(c)": None, "§ 1.7(b)": None, "§ 1.8": "guide:.8",
        "§ 1.7": "guide:.7(a)(2)", "§ 1.7(a)(2)(ii)(A)": "guide:.7(a)(2)",
    }  # fmt: skip
    assert {place: found.nearest("guide", place) for place in nearest} == nearest
    assert found.nearest("replay", "§ 1.7(a)") == "replay:.7(a)(2)(i)"
    assert "guide:.1" not in implementations(one, None, []).citations
