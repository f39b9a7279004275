"""The Board's desk of the portal in full use: who works on what, and which filings are equal."""

from __future__ import annotations

from django.utils import timezone

from submissions.filings.answer_values import store_answers_digest
from submissions.models import Assignment, Status, Submission
from tests.submissions.full_portal import People


def build(people: People) -> None:
    """Every other submission that is under way is assigned; the latest filing of each has its digest."""
    under_way = Submission.objects.exclude(status=Status.APPROVED).order_by("pk")
    now = timezone.now()
    Assignment.objects.bulk_create(
        Assignment(submission=row, person=people.analyst, by=people.director, at=now) for row in under_way[::2]
    )
    for row in under_way:
        store_answers_digest(row.revisions.latest("number"))
