"""Which remarks reopen lines of a returned filing."""

from __future__ import annotations

import pytest
from django.utils import timezone

from submissions.filings.questions import is_fully_editable, open_questions
from submissions.models import Decision, Person, Remark, Status, Submission
from tests.submissions.filing_rows import filing

pytestmark = pytest.mark.django_db


def test_remark_shown_with_another_decision_than_the_return_reopens_nothing(manager: Person, analyst: Person) -> None:
    """Such a remark, about the whole filing, would reopen every line."""
    revision = filing(manager, status=Status.RETURNED)
    remarks = [
        Remark.objects.create(
            revision=revision, option=option, audience=Remark.Audience.LICENSEE, text="Why?", by=analyst,
            at=timezone.now(),
            shown_with=Decision.objects.create(revision=revision, kind=kind, by=analyst, at=timezone.now()),
        )
        for kind, option in ((Decision.Kind.RETURN, "adjacent_boxes"), (Decision.Kind.RECOMMEND, ""))
    ]  # fmt: skip
    returned = Submission.objects.get(pk=revision.submission_id)
    assert list(open_questions(returned)) == remarks[:1]
    assert not is_fully_editable(returned)
