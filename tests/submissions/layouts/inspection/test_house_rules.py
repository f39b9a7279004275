"""House rules that a drawing prints agree with the chapter and the answers, contradict them, or are for a person.

Not found here: a section in `house_rules.toml` that exists but does not state the rule; a wrong entry for a rule that
no test prints.
"""

from __future__ import annotations

import pytest

from games.registry import chapter
from games.rules.sections import cite
from submissions.layouts.inspection.findings import DifferenceKind, Inspection
from submissions.layouts.inspection.inscriptions import _rules
from tests.submissions.layouts.inspection.test_inspection import inspected, lines, posted

CONTRADICTS, UNEXPLAINED = DifferenceKind.CONTRADICTS, DifferenceKind.UNEXPLAINED


def printed(number: str, text: str, **answers: object) -> Inspection:
    given = {key: answer for key, answer in (posted(number) | answers).items() if answer is not None}
    return inspected(number, [*lines(number), (1600, 3900, text)], given)


@pytest.mark.parametrize(
    ("number", "text", "answers", "kinds"),
    [
        ("590", "No mid-shoe entry", {"bars_midshoe_entry": True}, []),
        ("590", "No mid-shoe entry", {"bars_midshoe_entry": False}, [CONTRADICTS]),
        ("590", "No mid-shoe entry", {"bars_midshoe_entry": None}, [UNEXPLAINED]),
        ("635a", "Split up to five hands", {"additional_splits": 3}, []),
        ("635a", "Split up to 5 hands", {"additional_splits": 2}, [CONTRADICTS]),
        ("635a", "Split up to 5 hands", {"additional_splits": None}, [UNEXPLAINED]),
        ("591", "Split up to two hands", {}, []),
        ("591", "Split up to four hands", {}, [CONTRADICTS]),
        ("590", "Surrender not offered", {}, [CONTRADICTS]),
        ("590", "Surrender offered", {}, []),
        ("590", "Surrender not offered on Tuesdays", {}, [UNEXPLAINED]),
        ("590", "After doubling, no surrender", {}, [UNEXPLAINED]),
        ("581", "Split aces: no resplitting", {}, [UNEXPLAINED]),
        ("581", "No resplitting", {}, [CONTRADICTS]),
        ("688a", "No surrender", {}, [CONTRADICTS]),
        ("683a", "Surrender not offered", {}, [UNEXPLAINED]),
        ("687a", "Deuces and joker are wild", {}, []),
    ],
)
def test_house_rule_is_compared_with_the_answers(number: str, text: str, answers: dict[str, object], kinds) -> None:
    assert [difference.kind for difference in printed(number, text, **answers).differences] == kinds


@pytest.mark.parametrize(
    ("first", "second", "kinds"),
    [
        ("No surrender", "after a split", {UNEXPLAINED}),
        ("With a bonus wager,", "no surrender", {UNEXPLAINED}),
        ("No surrender.", "Double down on any two cards", {CONTRADICTS}),
    ],
)
def test_house_rule_that_goes_on_in_another_line_is_for_a_person(first: str, second: str, kinds) -> None:
    report = inspected("590", [*lines("590"), (1600, 3900, first), (1600, 3930, second)], posted("590"))
    assert {difference.kind for difference in report.differences} == kinds


def test_contradicted_house_rule_says_what_is_right_and_where_the_law_says_so() -> None:
    (difference,) = printed("635a", "Split up to nine hands").differences
    assert difference.message == "“Split up to nine hands” is printed; a player may split pairs to make up to 5 hands"
    assert difference.citation == "§ 635a.11(c)"
    assert difference.place is not None


def test_each_house_rule_has_a_section_and_an_option_of_its_chapter() -> None:
    for rule in _rules():
        for number, row in rule["in"].items():
            rules = chapter(number)
            assert cite(row["at"], number).split("(")[0] in rules.sections
            assert ("option" in row) != ("is" in row)
            assert "option" not in row or row["option"] in {option.key for option in rules.options}
