"""What two inspections found otherwise, in words."""

from __future__ import annotations

from submissions.layouts.inspection.findings import DrawingChange, changed_differences, changed_elements, changed_words
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
        DrawingChange(
            CITATION, "The ante", "Found", "Found, elsewhere on the drawing", (at(0.1), at(0.3)), (at(0.3), at(0.2))
        )
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


def words(*lines: tuple[str, float, float]) -> dict[str, object]:
    """A report with these lines of text: (text, left, top)."""
    rows = [
        {"text": word, "page": 1, "line": line, "left": left + 0.05 * place, "top": top, "width": 0.045, "height": 0.03,
         "read": "text", "confidence": 1.0}
        for line, (text, left, top) in enumerate(lines)
        for place, word in enumerate(text.split())
    ]  # fmt: skip
    return report() | {"words": rows}


def test_words_that_were_added_removed_moved_and_changed_are_told() -> None:
    before = words(("Ante", 0.1, 0.1), ("Blackjack pays 3 to 2", 0.3, 0.3), ("Raise", 0.5, 0.6), ("Bonus", 0.1, 0.9))
    after = words(
        ("Raise", 0.7, 0.6), ("Blackjack pays 6 to 5", 0.32, 0.31), ("ANTE", 0.11, 0.1), ("Push 22", 0.8, 0.1)
    )
    changes = changed_words(before, after)
    assert [(each.what, each.before, each.after) for each in changes] == [
        ("Added", "", "Push 22"), ("Changed", "Blackjack pays 3 to 2", "Blackjack pays 6 to 5"),
        ("Moved", "Raise", "Raise"), ("Removed", "Bonus", ""),
    ]  # fmt: skip
    added, changed, moved, removed = changes
    assert (added.was, removed.now) == ((), ())
    assert ([place["left"] for place in (*moved.was, *moved.now)]) == [0.5, 0.7]
    assert changed.now[0]["width"] > 0.2


def test_columns_of_one_line_are_separate_texts() -> None:
    row = words(("Flush 6", 0.1, 0.5))["words"]
    apart = [{**word, "left": left} for word, left in zip(row, (0.1, 0.6), strict=True)]
    other = [{**word, "text": text} for word, text in zip(apart, ("Flush", "7"), strict=True)]
    changes = changed_words(report() | {"words": apart}, report() | {"words": other})
    assert [(each.what, each.before, each.after) for each in changes] == [("Changed", "6", "7")]


def test_same_drawing_differs_in_nothing() -> None:
    same = report(element("ante", where=[at(0.1)]), differences=[difference("Pair missing")])
    assert (changed_elements(same, same), changed_differences(same, same)) == ([], [])
    text = words(("Ante", 0.1, 0.1), ("Ante", 0.4, 0.1), ("Ante", 0.7, 0.1))
    assert changed_words(text, text) == []
