"""The days that the database computes, against plain Python on random filings of a year; median and percentile."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime, timedelta
from random import Random

import pytest
from django.utils import timezone

from submissions.models import Decision, Person, Revision, Status
from submissions.public.workload import LAYOUT, RULES, board_days, decided_filings, turnaround
from tests.submissions.filing_rows import filing

pytestmark = [pytest.mark.django_db, pytest.mark.service("time", "queries")]

YEAR = (date(2026, 1, 1), date(2026, 12, 31))
CLOCK_CHANGES = (datetime(2026, 3, 8), datetime(2026, 11, 1))  # on which a day has 23 and 25 hours
DAY = timedelta(days=1)
MILLISECOND = 1 / (24 * 60 * 60 * 1000)  # of a day: the database rounds to it
ENDS = (Decision.Kind.RETURN, Decision.Kind.APPROVE, Decision.Kind.REJECT)


def between_filing_and_decision(random: Random, start: datetime) -> tuple[datetime, datetime]:
    """Two moments up to nine days apart, some with a change of the clocks between them."""
    filed = start + timedelta(seconds=random.randrange(5 * 86_400), microseconds=random.randrange(1_000_000))
    return filed, filed + timedelta(seconds=random.randrange(1, 9 * 86_400), microseconds=random.randrange(1_000_000))


def random_filing(random: Random, manager: Person, director: Person) -> None:
    """A filing with one to three revisions, the last of which is approved or rejected; some returns come too late."""
    start = random.choice((*CLOCK_CHANGES, datetime(2026, 6, 15))) - timedelta(days=4)
    count, revision = random.randint(1, 3), None
    for number in range(1, count + 1):
        filed, ended = between_filing_and_decision(random, start)
        submission = revision.submission if revision else None
        chapter = random.choice(("687a", "682a"))
        revision = filing(manager, chapter, at=filed.isoformat(), submission=submission, status=Status.APPROVED)
        kind = random.choice(ENDS[1:]) if number == count else ENDS[0]
        decide(revision, kind, director, ended)
        decide(revision, Decision.Kind.RECOMMEND, director, filed + (ended - filed) / 2)
        if number == count and random.random() < 0.3:
            decide(revision, Decision.Kind.RETURN, director, ended + timedelta(hours=random.randint(1, 40)))
        start = ended + timedelta(days=random.randint(0, 5))


def decide(revision: Revision, kind: str, by: Person, at: datetime) -> None:
    Decision.objects.create(revision=revision, kind=kind, by=by, at=timezone.make_aware(at))


def expected_days() -> dict[str, float]:
    """Submission → the sum over its revisions, each from its filing to the first decision that ends its review."""
    days: dict[str, float] = defaultdict(float)
    for revision in Revision.objects.select_related("submission"):
        ends = [decision.at for decision in revision.decisions.all() if decision.kind in ENDS]
        days[revision.submission.number] += (min(ends) - revision.filed_at) / DAY
    return days


def test_days_are_those_of_a_plain_computation(
    manager: Person, stranger: Person, analyst: Person, director: Person
) -> None:
    random = Random(601)
    for _ in range(25):
        random_filing(random, random.choice((manager, stranger)), director)
    rows, expected = decided_filings(analyst, *YEAR), expected_days()
    assert {row.number: row.days for row in rows} == pytest.approx(expected, abs=4 * MILLISECOND)
    assert [row.decided_at for row in rows] == sorted((row.decided_at for row in rows), reverse=True)
    compared = board_days(analyst, RULES, *YEAR)
    assert sorted(compared) == sorted((row.chapter, row.licensee, row.days) for row in rows)
    assert board_days(analyst, LAYOUT, *YEAR) == []


def test_days_of_a_clock_change_have_24_hours(manager: Person, analyst: Person, director: Person) -> None:
    for change in CLOCK_CHANGES:
        revision = filing(manager, at=change.isoformat(), status=Status.APPROVED)
        decide(revision, Decision.Kind.APPROVE, director, change + DAY)
    found = [row.days for row in decided_filings(analyst, *YEAR)]
    assert found == pytest.approx([25 / 24, 23 / 24])


def test_board_days_of_another_licensee_are_not_read(manager: Person, stranger: Person, director: Person) -> None:
    revision = filing(manager, at="2026-03-03T12:00", status=Status.APPROVED)
    decide(revision, Decision.Kind.APPROVE, director, datetime(2026, 3, 5, 12))
    assert [row.days for row in decided_filings(manager, *YEAR)] == [2.0]
    assert decided_filings(stranger, *YEAR) == board_days(stranger, RULES, *YEAR) == []


@pytest.mark.parametrize(
    ("days", "middle", "ninetieth"),
    [
        ([3.0], 3.0, 3.0),
        ([1.0, 4.0], 2.5, 4.0),
        (list(map(float, range(1, 11))), 5.5, 9.0),
        ([5.0] * 9 + [70.0], 5.0, 5.0),
    ],
)
def test_median_and_ninetieth_percentile_by_nearest_rank(days: list[float], middle: float, ninetieth: float) -> None:
    found = turnaround(reversed(days))
    assert (found.count, found.median, found.ninetieth) == (len(days), middle, ninetieth)
