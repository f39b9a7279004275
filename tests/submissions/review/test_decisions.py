"""Decisions of the Board: who is second is told by whom and when; a rejection has reasons and is the end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.filings import filing
from submissions.filings.review import decisions
from submissions.models import Decision, Person, Simulation, Status, Submission, Version
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.service("locks")


@pytest.fixture
def filed(preparer: Person, manager: Person) -> Submission:
    submission = ready_to_file(preparer, "687a")
    filing.file_submission(manager, submission, version=1, attested=True)
    Simulation.objects.update(passed=True)
    submission.refresh_from_db()
    return submission


def test_second_return_is_told_by_whom_and_when(filed: Submission, analyst: Person, director: Person) -> None:
    decisions.return_to_licensee(analyst, filed, version=2, reason="Which shuffler?")
    for seen in (2, 3):  # with a page from before, and with one of now
        with pytest.raises(Conflict) as second:
            decisions.return_to_licensee(director, filed, version=seen, reason="Which drawing?")
        assert "Analyst One returned it at " in second.value.message
    assert Decision.objects.count() == 1


def test_event_of_an_earlier_day_is_told_with_its_day(filed: Submission, analyst: Person, director: Person) -> None:
    decisions.return_to_licensee(analyst, filed, version=2, reason="Which shuffler?")
    later = timezone.now() + timedelta(days=2)
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr(timezone, "localdate", lambda *_: later.date())
        with pytest.raises(Conflict) as second:
            decisions.return_to_licensee(director, filed, version=2, reason="Which drawing?")
    assert f"returned it on {timezone.localtime():%b %-d, %Y} at " in second.value.message


def test_rejection_needs_reasons_and_is_the_end(filed: Submission, analyst: Person, director: Person) -> None:
    with pytest.raises(Refusal) as unreasoned:
        decisions.reject_submission(director, filed, version=2, reason=" ")
    with pytest.raises(Forbidden):
        decisions.reject_submission(analyst, filed, version=2, reason="No.")
    decisions.reject_submission(director, filed, version=2, reason="The wager is not authorized.")
    filed.refresh_from_db()
    with pytest.raises(Conflict):
        decisions.return_to_licensee(analyst, filed, version=filed.version, reason="Which wager?")
    assert (unreasoned.value.code, filed.status) == ("reason-missing", Status.REJECTED)
    assert not Version.objects.exists()


def test_effective_day_in_the_past_is_refused_and_nothing_is_approved(
    filed: Submission, analyst: Person, director: Person
) -> None:
    decisions.recommend_approval(analyst, filed, version=2)
    with pytest.raises(Refusal) as refused:
        decisions.approve_submission(
            director, filed, version=3, from_day=timezone.localdate() - timedelta(days=1), confirmed=True
        )
    filed.refresh_from_db()
    assert refused.value.code == "effective-date-past"
    assert (filed.status, Version.objects.exists()) == (Status.RECOMMENDED, False)
