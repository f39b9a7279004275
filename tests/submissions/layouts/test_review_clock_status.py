"""The 15 days of a layout filing, read from its rows: over turns of clock and year, stopped, ended, and in words."""

from __future__ import annotations

import pytest

from submissions.layouts.review_clock import ClockReading, review_clock
from submissions.models import LayoutDecision, LayoutFiling, LayoutRevision, LayoutStatus, Part, Person, Revision
from tests.submissions.filing_rows import filing
from tests.submissions.layout_rows import decided, filed_again, layout_row, on

Kind = LayoutDecision.Kind


@pytest.fixture
def rules(manager: Person) -> Revision:
    return filing(manager, "682a")


def row(rules: Revision, at: str, status: LayoutStatus = LayoutStatus.FILED) -> LayoutFiling:
    return layout_row(rules, at=at, status=status, parts=(Part.SIGN,))


def words(layout: LayoutFiling, at: str) -> str:
    found = review_clock(layout, on(at))
    return found.words if found else ""


def test_draft_has_no_clock(rules: Revision) -> None:
    layout = LayoutFiling.objects.create(
        number="LF-2026-00001", submission=rules.submission, parts=["sign"], created_by=rules.filed_by
    )
    assert review_clock(layout, on("2026-11-02T12:00")) is None


@pytest.mark.parametrize(
    ("filed", "at", "told"),
    [
        ("2026-11-15T09:00", "2026-11-15T23:59:59", "Day 1 of 15 begins tomorrow · due November 30, 2026"),
        ("2026-11-15T09:00:05", "2026-11-15T09:00", "Day 1 of 15 begins tomorrow · due November 30, 2026"),  # ahead
        ("2026-11-15T23:59:59", "2026-11-16T00:00", "Day 1 of 15 · due November 30, 2026"),
        ("2026-11-15T09:00", "2026-11-27T12:00", "Day 12 of 15 · due November 30, 2026"),
        ("2026-11-15T09:00", "2026-11-30T23:59:59", "Day 15 of 15 · due today, November 30, 2026"),
        ("2026-11-15T09:00", "2026-12-01T00:00", "1 day overdue · was due November 30, 2026"),
        ("2026-11-15T09:00", "2026-12-03T00:00", "3 days overdue · was due November 30, 2026"),
        ("2026-02-28T23:30", "2026-03-15T23:59:59", "Day 15 of 15 · due today, March 15, 2026"),  # a day of 23 hours
        ("2026-02-28T23:30", "2026-03-16T00:00", "1 day overdue · was due March 15, 2026"),
        ("2026-10-24T00:30", "2026-11-08T23:59:59", "Day 15 of 15 · due today, November 8, 2026"),  # one of 25
        ("2026-10-24T00:30", "2026-11-09T00:00", "1 day overdue · was due November 8, 2026"),
        ("2026-12-25T12:00", "2027-01-09T12:00", "Day 15 of 15 · due today, January 9, 2027"),
        ("2028-02-20T12:00", "2028-03-05T12:00", "Day 14 of 15 · due March 6, 2028"),  # over a leap day
    ],
)
def test_clock_runs_in_calendar_days_of_pennsylvania(rules: Revision, filed: str, at: str, told: str) -> None:
    assert words(row(rules, filed), at) == told


def test_notice_stops_it_and_the_correction_lets_it_go_on(rules: Revision, analyst: Person) -> None:
    layout = row(rules, "2026-12-20T12:00")
    decided(layout, Kind.NOTICE, analyst, at="2026-12-30T12:00")  # nine days are used: the 21st to the 29th
    told = [words(layout, "2026-12-30T13:00"), words(layout, "2027-02-01T12:00")]
    filed_again(layout, rules, at="2027-02-02T12:00")
    told += [words(layout, at) for at in ("2027-02-02T13:00", "2027-02-07T12:00", "2027-02-08T12:00")]
    assert told == [
        "Stopped by the notice of December 30, 2026: 6 days left",
        "Stopped by the notice of December 30, 2026: 6 days left",
        "Day 9 of 15 · due February 8, 2027",
        "Day 14 of 15 · due February 8, 2027",
        "Day 15 of 15 · due today, February 8, 2027",
    ]


def test_notice_on_the_last_day_leaves_one(rules: Revision, analyst: Person) -> None:
    layout = row(rules, "2026-11-02T12:00")
    decided(layout, Kind.NOTICE, analyst, at="2026-11-17T23:59")
    assert words(layout, "2026-11-20T12:00") == "Stopped by the notice of November 17, 2026: 1 day left"


def test_notice_after_the_last_day_stops_nothing(rules: Revision, analyst: Person) -> None:
    layout = row(rules, "2026-11-02T12:00", LayoutStatus.DEFICIENT)
    decided(layout, Kind.NOTICE, analyst, at="2026-11-18T00:00")
    clock = review_clock(layout, on("2026-11-20T12:00"))
    assert clock is not None
    assert clock.reading == ClockReading(15, on("2026-11-17T12:00").date(), late=3)
    late = "3 days overdue · was due November 17, 2026; the notice came too late to stop it"
    assert words(layout, "2026-11-20T12:00") == late


def test_second_notice_is_the_one_that_is_told(rules: Revision, analyst: Person) -> None:
    layout = row(rules, "2026-11-02T12:00")
    decided(layout, Kind.NOTICE, analyst, at="2026-11-05T12:00")
    filed_again(layout, rules, at="2026-11-10T12:00")
    decided(layout, Kind.NOTICE, analyst, at="2026-11-12T12:00")
    assert words(layout, "2026-11-20T12:00") == "Stopped by the notice of November 12, 2026: 12 days left"


@pytest.mark.parametrize(
    ("kind", "at", "told"),
    [
        (Kind.APPROVE, "2026-11-17T23:59", "Approved on November 17, 2026, on day 15 of 15"),
        (Kind.APPROVE, "2026-11-18T00:00", "Approved on November 18, 2026, 1 day late"),
        (Kind.REJECT, "2026-11-02T13:00", "Rejected on November 2, 2026, on the day of filing"),
    ],
)
def test_decision_ends_it(rules: Revision, director: Person, kind: Kind, at: str, told: str) -> None:
    layout = row(rules, "2026-11-02T12:00")
    decided(layout, kind, director, at=at)
    found = review_clock(layout, on("2027-05-01T12:00"))
    assert found
    assert (found.words, found.overdue) == (told, False)


def test_report_to_the_executive_director_does_not_end_it(rules: Revision, analyst: Person) -> None:
    layout = row(rules, "2026-11-02T12:00", LayoutStatus.RECOMMENDED)
    decided(layout, Kind.RECOMMEND, analyst, at="2026-11-05T12:00")
    assert words(layout, "2026-11-19T12:00") == "2 days overdue · was due November 17, 2026"


def test_withdrawal_ends_it_where_it_stood(rules: Revision, analyst: Person) -> None:
    layout = row(rules, "2026-11-02T12:00")
    decided(layout, Kind.NOTICE, analyst, at="2026-11-05T12:00")
    layout.status, layout.changed_at = LayoutStatus.WITHDRAWN, on("2026-11-09T12:00")
    told = "Withdrawn on November 9, 2026, while the clock stood with 13 days left"
    assert words(layout, "2027-01-01T12:00") == told


def test_bar_has_a_mark_for_each_day_and_no_more_than_fit(rules: Revision) -> None:
    layout = row(rules, "2026-11-02T12:00")
    running, late = review_clock(layout, on("2026-11-14T12:00")), review_clock(layout, on("2027-11-14T12:00"))
    assert running
    assert late
    assert running.days == ["used"] * 12 + ["left"] * 3
    assert late.days == ["used"] * 15 + ["late"] * 15


def test_clock_of_prefetched_rows_asks_nothing_more(rules: Revision, django_assert_num_queries: object) -> None:
    row(rules, "2026-11-02T12:00")
    layout = LayoutFiling.objects.prefetch_related("revisions__decisions").get()
    with django_assert_num_queries(0):
        assert review_clock(layout, on("2026-11-03T12:00"))
    assert LayoutRevision.objects.count() == 1
