"""Workload by person and turnaround over a period, against days that are counted by hand here."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone

from submissions.filings.evidence.charts import turnaround_svg
from submissions.filings.review.assignments import assign_work
from submissions.models import Decision, LayoutDecision, LayoutStatus, Part, Person, Revision, Status
from submissions.public.workload import decided_filings
from tests.submissions.filing_rows import filing
from tests.submissions.layout_rows import decided as layout_decided
from tests.submissions.layout_rows import filed_again, layout_row
from tests.submissions.web.clients import browser

YEAR = {"first": "2026-01-01", "last": "2026-12-31"}


def moment(text: str) -> datetime:
    return timezone.make_aware(datetime.fromisoformat(text))


def decided(revision: Revision, kind: str, by: Person, at: str) -> None:
    Decision.objects.create(revision=revision, kind=kind, by=by, at=moment(at))


def shown(person: Person, **asked: str) -> Any:
    return browser(person).get(reverse("workload"), asked or YEAR).context


def test_time_with_the_licensee_is_not_counted(manager: Person, analyst: Person, director: Person) -> None:
    first = filing(manager, "687a", at="2026-03-01T12:00")
    decided(first, "return", analyst, "2026-03-05T12:00")  # four days
    again = filing(manager, "687a", at="2026-04-10T12:00", submission=first.submission, status=Status.APPROVED)
    decided(again, "recommend", analyst, "2026-04-12T12:00")
    decided(again, "approve", director, "2026-04-13T00:00")  # two and a half
    (row,) = decided_filings(analyst, *(moment(f"{day}T00:00").date() for day in YEAR.values()))
    assert (row.number, row.licensee, row.outcome, row.days) == (
        first.submission.number,
        "Casino East",
        "Approved",
        6.5,
    )


def test_layouts_count_apart_and_without_days_of_a_notice(manager: Person, analyst: Person, director: Person) -> None:
    rules = filing(manager, "682a", at="2026-03-01T12:00")
    layout = layout_row(rules, at="2026-03-02T12:00", status=LayoutStatus.APPROVED, parts=(Part.SIGN,))
    layout_decided(layout, LayoutDecision.Kind.NOTICE, analyst, at="2026-03-03T12:00")  # one day
    filed_again(layout, rules, at="2026-03-20T12:00")
    layout_decided(layout, LayoutDecision.Kind.APPROVE, director, at="2026-03-22T12:00")  # two
    totals = {part.kind: part.total for part in shown(analyst)["parts"]}
    assert totals["Rules Submission"] is None
    assert (totals["Layout filing"].count, totals["Layout filing"].median) == (1, 3.0)


def test_turnaround_by_game_and_licensee_in_the_period_only(
    manager: Person, stranger: Person, director: Person, analyst: Person
) -> None:
    for by, chapter, filed_at, ends in (
        (manager, "687a", "2026-02-01T12:00", "2026-02-03T12:00"),
        (stranger, "687a", "2026-02-01T12:00", "2026-02-07T12:00"),
        (stranger, "682a", "2025-12-20T12:00", "2025-12-31T23:59"),  # before the period
        (manager, "682a", "2025-12-31T00:30", "2026-01-01T00:30"),
    ):
        decided(filing(by, chapter, at=filed_at, status=Status.REJECTED), "reject", director, ends)
    (rules, _) = shown(analyst)["parts"]
    (_, games, _), (_, licensees, _) = rules.tables
    assert [(row.label[:4], row.count, row.median, row.ninetieth) for row in games] == [
        ("682a", 1, 1.0, 1.0),
        ("687a", 2, 4.0, 6.0),
    ]
    assert [(row.label, row.count) for row in licensees] == [("Casino East", 2), ("Casino West", 1)]


def test_workload_names_people_and_what_nobody_has(
    manager: Person, stranger: Person, analyst: Person, director: Person
) -> None:
    for by, chapter in ((manager, "687a"), (manager, "682a"), (stranger, "687a")):
        row = filing(by, chapter, at="2026-03-01T12:00")
        if chapter == "687a":
            assign_work(director, row.submission, analyst)
    rows = [(row.name, row.submissions, row.overdue, row.layouts) for row in shown(director)["workloads"]]
    assert rows == [("Analyst One", 2, 2, 0), ("Unassigned", 1, 1, 0)]


def test_workload_csv_has_each_filing(manager: Person, director: Person) -> None:
    revision = filing(manager, "687a", at="2026-02-01T12:00", status=Status.APPROVED)
    decided(revision, "approve", director, "2026-02-03T18:00")
    answer = browser(director).get(reverse("workload-csv"), YEAR)
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    heading, row = csv.reader(io.StringIO(text))
    assert dict(zip(heading, row, strict=True)) == {
        "kind": "Rules Submission",
        "number": revision.submission.number,
        "chapter": "687a",
        "licensee": "Casino East",
        "outcome": "Approved",
        "decided": "2026-02-03",
        "days": "2.25",
    }


def test_workload_refuses_days_that_are_none(analyst: Person) -> None:
    for asked in ({"first": "soon"}, {"first": "2026-03-02", "last": "2026-03-01"}):
        assert browser(analyst).get(reverse("workload"), asked).status_code == 400
        assert browser(analyst).get(reverse("workload-csv"), asked).status_code == 400


def test_chart_has_a_bar_for_each_row_and_no_style() -> None:
    svg = turnaround_svg([("687a", 4.0, 6.0), ("682a", 1.0, 12.0)], name="By game", key="games")
    assert svg.count("<rect") == 2
    assert "style" not in svg
    assert "the longest is 12.0 days" in svg
    assert turnaround_svg([("687a", 4.0, 6.0)], name="By game", key="games") == ""
