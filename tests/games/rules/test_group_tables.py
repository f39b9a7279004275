"""The tables that answers name, held against the tables that the answers are for."""

from __future__ import annotations

import pytest

from games.registry import chapter
from games.rules.evaluate import GroupTables, judge
from games.rules.lists import parse_tables
from games.rules.model import Answer, Finding
from tests.games.chapters.examples import example

# The example of 687a deals from the hand at 12 and 14-16, from the automated shoe at 21.
FROM_HAND = "“At which tables are cards dealt from the dealer's hand?”"


def blocking(named: str = "", elsewhere: str = "", **changes: Answer) -> tuple[Finding, ...]:
    tables = GroupTables(parse_tables(named), parse_tables(elsewhere))
    return judge(chapter("687a"), example("687a", **changes), tables=tables).blocking


def test_group_whose_answers_name_its_tables_is_sound() -> None:
    assert blocking("12, 14-16, 21") == ()
    assert blocking(elsewhere="30-35") == ()
    assert blocking() == ()


def test_group_of_other_tables_is_refused() -> None:
    hand, shoe, without = blocking("1-5")
    assert (hand.rule, hand.options, hand.citation) == (
        "687a.tables-outside-group", ("from_hand_tables",), "§ 687a.9(a)",
    )  # fmt: skip
    assert hand.message == f"{FROM_HAND} names tables 12, 14-16, but this group is for tables 1-5."
    assert hand.fix == "Name only tables that these answers are for, or change the tables of the group."
    assert shoe.message.endswith("names table 21, but this group is for tables 1-5.")
    assert (without.rule, without.options) == (
        "687a.tables-without-dealing-method", ("from_hand_tables", "automated_shoe_tables"),
    )  # fmt: skip


def test_table_of_the_group_without_a_dealing_method_is_refused() -> None:
    (finding,) = blocking("12, 14-16, 21-22, DJ-1")
    assert finding.message == "No answer says how cards are dealt at tables 22, DJ-1 of this group."
    assert finding.fix == "Add 22, DJ-1 to the tables of one way of dealing, or take it out of the group."
    assert finding.citation == "§ 687a.7(c)"


def test_lists_that_are_not_asked_apply_to_every_table() -> None:
    one_way = {"automated_shoe": False, "automated_shoe_tables": None, "from_hand_tables": None}
    assert blocking("1-5", **one_way) == ()


def test_list_still_open_says_nothing_of_dealing_methods() -> None:
    assert [finding.rule for finding in blocking("12, 14-16, 21-22", automated_shoe_tables=None)] == [
        "687a.not-answered"
    ]


@pytest.mark.parametrize(
    ("elsewhere", "says"),
    [
        ("15-16", f"{FROM_HAND} names tables 15-16, but other groups are for them."),
        ("16", f"{FROM_HAND} names table 16, but another group is for it."),
    ],
)
def test_table_of_another_group_is_refused(elsewhere: str, says: str) -> None:
    (finding,) = blocking(elsewhere=elsewhere)
    assert finding.message == says


def test_table_without_a_shuffling_device_is_shuffled_by_hand() -> None:
    tables = GroupTables(parse_tables("12, 14-16, 21-22"))
    assert judge(chapter("590"), example("590"), tables=tables).blocking == ()
