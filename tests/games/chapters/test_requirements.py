"""Every requirement of every chapter, met and broken."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from games.registry import chapter, folders
from games.rules.evaluate import effective, judge
from tests.games.chapters.examples import example

NUMBERS = list(folders())
HERE = Path(__file__).parent


def cases(number: str) -> dict[str, Any]:
    """Each requirement's name → the answers that break it and those that meet it."""
    path = HERE / "cases" / f"{number}.toml"
    assert path.exists(), f"add {path.relative_to(HERE.parents[2])}: a case that fails and one that passes of each rule"
    return tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", NUMBERS)
def test_example_has_no_findings(number: str) -> None:
    assert judge(chapter(number), example(number)).findings == ()


@pytest.mark.parametrize("number", NUMBERS)
def test_example_answers_only_what_is_asked(number: str) -> None:
    assert effective(chapter(number), example(number)) == example(number)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_requirement_has_a_passing_and_a_failing_case(number: str) -> None:
    requirements = [requirement.id for requirement in chapter(number).requirements]
    assert [f"{number}.{name}" for name in cases(number)] == requirements
    assert all(set(case) == {"fails", "passes"} for case in cases(number).values())


@pytest.mark.parametrize("number", NUMBERS)
def test_requirement_broken_is_found_with_its_section_and_remedy(number: str, subtests: pytest.Subtests) -> None:
    for name, case in cases(number).items():
        with subtests.test(name):
            judgment = judge(chapter(number), example(number, **case["fails"]))
            found = [finding for finding in judgment.findings if finding.rule == f"{number}.{name}"]
            requirement = next(one for one in chapter(number).requirements if one.id == f"{number}.{name}")
            assert [finding.severity for finding in found] == [requirement.severity]
            assert found[0].citation in chapter(number).sections
            assert "{" not in found[0].message + found[0].fix


@pytest.mark.parametrize("number", NUMBERS)
def test_requirement_met_is_not_found(number: str, subtests: pytest.Subtests) -> None:
    for name, case in cases(number).items():
        with subtests.test(name):
            judgment = judge(chapter(number), example(number, **case["passes"]))
            assert f"{number}.{name}" not in [finding.rule for finding in judgment.findings]
            assert judgment.blocking == ()


def test_attempts_are_refused_in_words(subtests: pytest.Subtests) -> None:
    attempts = tomllib.loads((HERE / "attempts.toml").read_text(encoding="utf-8"))["attempt"]
    assert attempts
    for attempt in attempts:
        number = attempt["chapter"]
        with subtests.test(f"{number}-{min(attempt['answers'])}"):
            (finding,) = judge(chapter(number), example(number, **attempt["answers"])).blocking
            found = {"message": finding.message, "fix": finding.fix, "citation": finding.citation}
            assert found == {key: attempt[key] for key in found}


def test_two_dealing_methods_for_the_same_tables_are_named() -> None:
    answers = example("687a", from_hand_tables="12, 14-16", automated_shoe_tables="15-21")
    (finding,) = judge(chapter("687a"), answers).blocking
    assert "two dealing methods for the same tables: 15-16" in finding.message


def test_two_dealing_methods_without_tables_are_refused() -> None:
    answers = example("687a", from_hand_tables=None, automated_shoe_tables=None)
    rules = [(finding.rule, finding.options) for finding in judge(chapter("687a"), answers).blocking]
    assert rules == [("687a.not-answered", ("from_hand_tables",)), ("687a.not-answered", ("automated_shoe_tables",))]


def test_seven_boxes_are_too_many_for_the_table() -> None:
    (finding,) = judge(chapter("686a"), example("686a", adjacent_boxes=7)).blocking
    assert finding.message == "Number of adjacent boxes is 7; the table has six betting positions (§ 686a.2(a))."
    assert (finding.rule, finding.citation) == ("686a.outside-limits", "§ 686a.2(a)")


@pytest.mark.parametrize("number", ["686a", "687a"])
def test_boxes_are_bounded_by_the_tables_positions(number: str) -> None:
    assert chapter(number).option("adjacent_boxes").limits.at_most == chapter(number).max_positions == 6


def test_paytable_four_with_a_one_dollar_bet_says_both_ways_out() -> None:
    (finding,) = judge(chapter("688a"), example("688a", progressive_bet="1")).blocking
    assert finding.message == "Paytable 4 is for a $5 bet, but the bet asked of the player is $1."
    assert "Paytable 1, Paytable 2, Paytable 3, Paytable 5" in finding.fix
    assert finding.citation == "§ 688a.12(d)"


def test_house_rules_must_be_attached() -> None:
    (finding,) = judge(chapter("688a"), example("688a", house_rules=None)).blocking
    assert finding.options == ("house_rules",)


def test_house_way_choices_are_the_house_ways_written_out() -> None:
    found = chapter("688a")
    written = [(way.key, way.name) for way in found.house_ways]
    assert [(choice.value, choice.label) for choice in found.option("house_way").choices] == written
    assert len(written) >= 2
