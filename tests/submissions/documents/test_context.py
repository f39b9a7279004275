"""The words of the paper."""

from __future__ import annotations

from typing import Any

import pytest
from django.template.loader import render_to_string

from games.registry import chapter
from games.rules.evaluate import judge
from submissions.documents.context import PORTAL, SEPARATE, document_context, in_pairs, moment
from submissions.documents.context_evidence import percent
from submissions.filings.snapshot import snapshot_lines
from tests.games.chapters.examples import example
from tests.submissions.documents import sample


@pytest.mark.parametrize(
    ("iso", "words"),
    [
        ("2026-11-20T09:14:00-05:00", "November 20, 2026, 9:14 a.m. EST"),
        ("2026-07-01T14:00:00-04:00", "July 1, 2026, 2:00 p.m. EDT"),
        ("2026-07-01T00:30:00+00:00", "July 1, 2026, 12:30 a.m. UTC+0000"),
    ],
)
def test_moment_is_said_in_the_zone_that_was_frozen(iso: str, words: str) -> None:
    assert moment(iso) == words


def test_narrow_paytables_stand_in_pairs_and_wide_ones_alone() -> None:
    tables = [{"wide": False}, {"wide": False}, {"wide": True}, {"wide": False}]
    assert [len(row) for row in in_pairs(tables)] == [2, 1, 1]


def test_percent_has_a_true_minus_and_four_digits() -> None:
    assert (percent(0.0102389), percent(-0.01)) == ("1.0239", "−1.0000")


def test_every_line_with_its_section_and_answer_is_presented() -> None:
    (configuration,) = document_context(sample.record())["configurations"]
    lines = [(line["section"], line["answer"]) for group in configuration["groups"] for line in group["lines"]]
    assert lines == [(citation.removeprefix("§ 687a"), answer) for _, citation, _, _, answer in sample.LINES]


def test_line_without_an_answer_says_so() -> None:
    record = sample.record()
    record["snapshot"]["configurations"][0]["lines"][0]["answer"] = ""
    (configuration,) = document_context(record)["configurations"]
    assert configuration["groups"][0]["lines"][0]["answer"] == "Not answered"


def test_evidence_puts_exact_and_simulated_in_pairs() -> None:
    evidence = document_context(sample.record())["configurations"][0]["evidence"]
    trips = evidence["rows"][1]
    assert (trips["name"], trips["exact"], trips["hold"], trips["z"], trips["p"]) == (
        "Trips Bonus Wager",
        "6.1570",
        "6.1669",
        "+0.10",
        "0.4130",
    )
    assert evidence["required"] == [
        {
            "name": "Ante, Blind and Raise",
            "per_ante": "3.4674",
            "per_initial": "–",
            "per_total": "1.0240",
            "average": "3.3860",
        }
    ]


def test_dealers_steps_are_left_to_the_house_way() -> None:
    record = sample.record()
    record["simulations"][0]["analysis"]["wagers"][0]["strategy"].append(
        {"decision": "Dealer: split", "when": "two pair", "frequency_pct": 1.0}
    )
    record["snapshot"]["configurations"][0]["house_way"] = {"name": "Traditional", "rules": [["two pair", "split"]]}
    group, *_ = document_context(record)["configurations"][0]["evidence"]["wagers"]
    assert [step["decision"] for step in group["parts"][0]["steps"]] == ["Raise (2 × Ante)", "Fold"]


def lines_of(number: str, **changes: object) -> dict[str, dict[str, object]]:
    """Key → line as it is printed, of the chapter's example filed as a snapshot freezes it."""
    return {
        line["key"]: line
        for group in printed(number, **changes)["configurations"][0]["groups"]
        for line in group["lines"]
    }


def printed(number: str, **changes: object) -> dict[str, Any]:
    record, one, answers = sample.record(), chapter(number), example(number, **changes)
    snapshot = record["snapshot"]
    snapshot["chapter"]["number"] = number
    (row,) = snapshot["configurations"]
    row["lines"] = snapshot_lines(one, answers, judge(one, answers))
    return document_context(record)


def test_official_lines_are_in_the_words_of_the_form_with_the_correction_beside_them() -> None:
    line = lines_of("687a")["trips_paytable"]
    assert line["description"] == "If yes, Which payable do you use to pay a winning Trips Bonus Wager"
    assert "paytable" in str(line["read_as"])
    boxes = lines_of("687a")["adjacent_boxes"]
    assert (boxes["section"], boxes["read_section"], boxes["read_as"]) == (".7(d)(2)", ".7(e)", "")


def test_lines_of_the_form_of_its_separate_document_and_of_the_portal_are_told_apart() -> None:
    marks = {key: line["mark"] for key, line in lines_of("687a").items()}
    assert {key for key, mark in marks.items() if mark == PORTAL} == {
        "two_decks", "inserts_into_shoe", "reshuffling_device", "progressive_paytable", "odds_posted",
    }  # fmt: skip
    assert {key for key, mark in marks.items() if mark == SEPARATE} == {"from_hand_tables", "automated_shoe_tables"}


def test_chapter_without_a_form_marks_no_line() -> None:
    assert not any(line["mark"] for line in lines_of("683a").values())


def test_filing_of_before_the_forms_words_were_frozen_prints_its_questions() -> None:
    record = sample.record()
    (configuration,) = document_context(record)["configurations"]
    lines = [line for group in configuration["groups"] for line in group["lines"]]
    assert [(line["description"], line["read_as"], line["read_section"]) for line in lines] == [
        (question, "", "") for _, _, _, question, _ in sample.LINES
    ]


ALL_TABLES = "Each option selected below applies to all tables."
NAMED_TABLES = "If a line names tables, its option applies to those tables only."


def front(document: dict[str, Any]) -> str:
    return " ".join(render_to_string("documents/header.html", {"document": document}).split())


def test_paper_says_that_all_applies_to_all_tables_only_where_no_line_names_tables() -> None:
    named = front(printed("687a"))
    assert NAMED_TABLES in named
    assert ALL_TABLES not in named
    one_way = {"automated_shoe": False, "automated_shoe_tables": None, "from_hand_tables": None}
    alike = front(printed("687a", **one_way))
    assert ALL_TABLES in alike
    assert NAMED_TABLES not in alike


def test_legend_says_whose_the_lines_are() -> None:
    assert "‡ marks a line that this portal added" in front(printed("687a"))
    assert "This chapter has no official form in the portal." in front(printed("683a"))


def test_confirmation_of_an_approval_is_printed_with_name_and_date() -> None:
    record = sample.record()
    record["decisions"][-1]["confirmed"] = ["Chapter 687a is available as a proposed rulemaking only."]
    printed_steps = " ".join(
        render_to_string("documents/signatures.html", {"document": document_context(record)}).split()
    )
    row = printed_steps.split("Confirmed by the Board")[1].split("</tr>")[0]
    assert "Director One, Director, for the Board, confirmed approval despite these findings" in row
    assert "Chapter 687a is available as a proposed rulemaking only." in row
    assert "November 20, 2026, 9:14 a.m. EST" in row
    before = render_to_string("documents/signatures.html", {"document": document_context(sample.record())})
    assert "Confirmed by the Board" not in before


def test_day_of_the_rules_is_printed_in_words_where_it_is_another_than_that_of_the_filing() -> None:
    """In the table of digests always, on the first page only for a filing ahead."""
    words = "Judged by the rules in effect on"
    for rules_on, day, ahead in (("2027-01-05", "January 5, 2027", 1), ("2026-11-20", "November 20, 2026", 0)):
        record = sample.record()
        record["snapshot"]["rules_on"] = rules_on
        record["snapshot"]["filed"]["at"] = "2026-11-20T09:14:00-05:00"
        context = {"document": document_context(record), "draft": False}
        first, last = (render_to_string(f"documents/{name}.html", context) for name in ("header", "signatures"))
        assert (first.count(f"{words} {day}"), last.count(f"{words} {day}")) == (ahead, 1)


def test_filing_that_names_no_day_was_judged_by_the_rules_of_the_day_of_the_filing() -> None:
    record = sample.record()
    record["snapshot"].pop("rules_on", None)
    record["snapshot"]["filed"]["at"] = "2026-11-20T23:59:00-05:00"
    context = document_context(record)
    assert (context["rules_on"], context["judged_ahead"]) == ("November 20, 2026", False)
