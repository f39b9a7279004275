"""What two inspections found otherwise, in words."""

from __future__ import annotations

from submissions.layouts.drawing_diff import DrawingChange, changed_differences, changed_elements
from tests.submissions.layout_rows import element, report

CITATION = "§ 682a.2(b)(1)"


def at(left: float, top: float = 0.5, page: int = 1) -> dict[str, float]:
    return {"page": page, "left": left, "top": top, "width": 0.1, "height": 0.05}


def difference(message: str) -> dict[str, object]:
    return {"kind": "different", "message": message, "citation": CITATION, "wager": "all_six", "where": None}


def test_only_what_stands_otherwise_is_told() -> None:
    before = report(element("ante"), element("rack", "missing", times=0), element("raise", times=5, needed=6))
    after = report(element("ante"), element("rack"), element("raise", times=6, needed=6))
    assert changed_elements(before, after) == [
        DrawingChange(CITATION, "The rack", "Not found", "Found"),
        DrawingChange(CITATION, "The raise", "Found, 5 of 6", "Found, 6 of 6"),
    ]


def test_element_that_one_alone_calls_for_is_told() -> None:
    found = changed_elements(report(element("ante"), element("prime")), report(element("ante"), element("bonus")))
    assert found == [
        DrawingChange(CITATION, "The bonus", "Not required", "Found"),
        DrawingChange(CITATION, "The prime", "Found", "Not required"),
    ]


def test_element_that_was_moved_is_told() -> None:
    before = report(element("ante", where=[at(0.1), at(0.3)]), element("rack", where=[at(0.5)]), element("box"))
    after = report(element("ante", where=[at(0.3), at(0.2)]), element("rack", where=[at(0.52)]), element("box"))
    assert changed_elements(before, after) == [
        DrawingChange(CITATION, "The ante", "Found", "Found, elsewhere on the drawing")
    ]


def test_element_on_another_page_was_moved() -> None:
    found = changed_elements(report(element("ante", where=[at(0.1)])), report(element("ante", where=[at(0.1, page=2)])))
    assert [one.after for one in found] == ["Found, elsewhere on the drawing"]


def test_odds_that_one_alone_prints_otherwise_are_told() -> None:
    before = report(differences=[difference("Flush 7 to 1 printed, 6 to 1 chosen"), difference("Pair missing")])
    after = report(differences=[difference("Pair missing"), difference("Straight missing")])
    assert changed_differences(before, after) == [
        DrawingChange(CITATION, "Flush 7 to 1 printed, 6 to 1 chosen", "On the drawing", "No longer, or not yet"),
        DrawingChange(CITATION, "Straight missing", "No longer, or not yet", "On the drawing"),
    ]


def test_same_drawing_differs_in_nothing() -> None:
    same = report(element("ante", where=[at(0.1)]), differences=[difference("Pair missing")])
    assert (changed_elements(same, same), changed_differences(same, same)) == ([], [])
