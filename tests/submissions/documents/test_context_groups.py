"""What all tables have in common is said once; what differs stands side by side, in the form's order."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from submissions.documents.context import document_context
from submissions.documents.submission_document import render_document
from submissions.documents.weasyprint_pdf import RenderedPdf
from tests.submissions.documents import sample


def several(count: int = 2, configuration: Callable[..., dict[str, Any]] = sample.configuration) -> dict[str, Any]:
    """A record of all other tables and groups that do not differ."""
    names = [("All other tables", ""), *((f"Group {number}", str(number)) for number in range(1, count))]
    return copy.deepcopy(sample.record([configuration(*name) for name in names]))


def lines(record: dict[str, Any], place: int) -> list[dict[str, Any]]:
    return record["snapshot"]["configurations"][place]["lines"]


def test_one_configuration_is_common_as_a_whole() -> None:
    shown = document_context(sample.record())
    common, (configuration,) = shown["common"], shown["configurations"]
    assert [group["name"] for group in common["groups"]] == [group["name"] for group in configuration["groups"]]
    assert common["differ"] == []
    assert common["paytables"] == configuration["paytables"]
    assert not any(common["apart"].values())


def test_differing_answer_leaves_the_common_lines() -> None:
    record = several()
    lines(record, 1)[0]["answer"] = "No"
    common = document_context(record)["common"]
    (row,) = common["differ"]
    assert [(cell["of"]["heading"], cell["line"]["answer"]) for cell in row["cells"]] == [
        ("All other tables", "Yes"),
        ("Group 1: table 1", "No"),
    ]
    assert lines(record, 0)[0]["key"] not in [
        line["line"]["key"] for group in common["groups"] for line in group["rows"]
    ]


def test_line_that_one_group_is_not_asked_keeps_its_place() -> None:
    record = several(3)
    third = lines(record, 0).pop(2)
    del lines(record, 1)[5]
    rows = document_context(record)["common"]["differ"]
    assert [row["line"]["key"] for row in rows] == [third["key"], lines(record, 0)[4]["key"]]
    assert [bool(cell["line"]) for cell in rows[0]["cells"]] == [False, True, True]


def test_groups_that_have_the_same_stand_together() -> None:
    record = several(3)
    first = record["snapshot"]["configurations"][0]
    first["paytables"] = first["paytables"][1:]
    apart = document_context(record)["common"]["apart"]["tables_in_use"]
    assert [(found["heading"], len(found["items"])) for found in apart] == [("Group 1: table 1; Group 2: table 2", 1)]


def test_file_of_some_tables_says_of_which() -> None:
    record = several()
    (file,) = record["snapshot"]["attachments"]
    answer = {file["option"]: {"sha256": file["sha256"], "name": file["name"], "size": file["size"]}}
    record["snapshot"]["configurations"][1]["answers"] = answer
    assert document_context(record)["attachments"][0]["question"].endswith(" (Group 1)")
    record["snapshot"]["configurations"][0]["answers"] = answer
    assert "Group 1" not in document_context(record)["attachments"][0]["question"]


def test_filing_without_groups_of_before_has_its_own_evidence() -> None:
    (configuration,) = document_context(sample.record())["configurations"]
    assert configuration["evidence_as"] == ""
    assert configuration["evidence"]["rows"]


def test_evidence_of_equal_answers_is_that_of_the_first() -> None:
    record = several(3)
    for place, tested in enumerate((0, 1, 0)):
        record["snapshot"]["configurations"][place]["evidence_as"] = tested
    del record["simulations"][2]
    first, _, last = document_context(record)["configurations"]
    assert last["evidence"] == first["evidence"]
    assert (first["evidence_as"], last["evidence_as"], last["evidence_of"]) == ("", "c0", "all other tables")


def test_more_groups_than_columns_are_printed_below_each_other(short_pdf: RenderedPdf) -> None:
    record = several(9, sample.short_configuration)
    for place in range(1, 9):
        lines(record, place)[0]["answer"] = "No"
    for place in range(1, 9):
        record["snapshot"]["configurations"][place]["evidence_as"] = 0
    record["simulations"] = record["simulations"][:1]
    assert document_context(record)["common"]["stacked"]
    assert render_document(record).pages < short_pdf.pages + 4
