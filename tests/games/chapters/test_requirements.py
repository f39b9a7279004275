"""What judging says of answers that are wrong, in the words that people read."""

import pytest

from games.registry import chapter
from games.rules.evaluate import judge
from tests.games.chapters.examples import example


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
    assert finding.message == "Paytable 4 is for a $5 bet, but the required bet is $1."
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
