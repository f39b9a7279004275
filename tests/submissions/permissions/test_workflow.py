"""Steps change the status once: by version and status, with a reason where one is needed, or name who was faster."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from submissions.core.errors import Conflict, Refusal
from submissions.models import Event, LayoutFiling, LayoutStatus, Person, Status, Submission
from submissions.permissions import workflow
from tests.submissions import filing_rows, layout_rows

NOW = datetime(2026, 3, 4, 10, 14, tzinfo=ZoneInfo("America/New_York"))
FIX = "Read it and its history again before you continue. It is at version {} now."


@pytest.fixture(autouse=True)
def _clock() -> Any:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def submission(manager: Person) -> Submission:
    return Submission.objects.get(pk=filing_rows.filing(manager).submission_id)


@pytest.fixture
def layout(submission: Submission) -> LayoutFiling:
    return layout_rows.layout_row(submission.revisions.get(), parts=("sign",))


def event(submission: Submission, verb: str, by: Person | None, at: datetime = NOW, **after: str) -> None:
    sequence = Event.objects.count() + 1
    Event.objects.create(
        sequence=sequence, at=at, actor=by, submission=submission, verb=verb, after=after, digest=str(sequence)
    )


def conflict(filing: Submission | LayoutFiling, version: int, verb: str = "") -> tuple[str, str, Any]:
    with pytest.raises(Conflict) as refused:
        workflow.check_version(filing, version, verb)
    return refused.value.message, refused.value.fix, refused.value.theirs


def test_step_moves_the_status_once(submission: Submission) -> None:
    before, late = submission.changed_at, Submission.objects.get(pk=submission.pk)
    with time_machine.travel(NOW + timedelta(hours=1), tick=False):
        workflow.apply_transition(submission, "recommend", version=1)
    assert (submission.status, submission.version) == (Status.RECOMMENDED, 2)
    assert submission.changed_at == before + timedelta(hours=1)
    with pytest.raises(Conflict) as refused:
        workflow.apply_transition(late, "recommend", version=1)
    assert refused.value.message == (
        f"The status of {late.number} is now “Recommended for approval”: another user changed it."
    )
    with pytest.raises(Conflict):
        workflow.apply_transition(late, "recommend", version=2)  # not from this status
    with pytest.raises(Conflict):
        workflow.apply_transition(late, "approve", version=1)  # not at this version
    workflow.apply_transition(late, "approve", version=2)
    assert Submission.objects.get(pk=submission.pk).status == Status.APPROVED


@pytest.mark.parametrize(
    ("verb", "version"),
    [
        ("file", 1),
        ("file", 3),  # which there has not been yet
        ("approve", 2),
    ],
)
def test_step_at_another_version_or_from_another_status_is_refused(manager: Person, verb: str, version: int) -> None:
    submission = filing_rows.draft(manager)
    Submission.objects.filter(pk=submission.pk).update(version=2)
    submission.refresh_from_db()
    with pytest.raises(Conflict):
        workflow.check_version(submission, version, verb)
    with pytest.raises(Conflict):
        workflow.apply_transition(submission, verb, version=version)
    submission.refresh_from_db()
    assert (submission.status, submission.version) == (Status.DRAFT, 2)


def test_step_moves_one_filing_only(submission: Submission, manager: Person, layout: LayoutFiling) -> None:
    other = filing_rows.filing(manager).submission
    workflow.apply_transition(submission, "return", version=1)
    workflow.apply_transition(layout, "notify", version=1)
    assert Submission.objects.get(pk=other.pk).status == Status.FILED
    assert LayoutFiling.objects.get().status == LayoutStatus.DEFICIENT


@pytest.mark.parametrize(("reason", "given"), [("", False), ("  \n", False), ("Because.", True)])
def test_step_needs_its_reason(submission: Submission, reason: str, given: bool) -> None:
    if given:
        workflow.apply_transition(submission, "withdraw", version=1, reason=reason)
        assert submission.status == Status.WITHDRAWN
        return
    with pytest.raises(Refusal) as refused:
        workflow.apply_transition(submission, "withdraw", version=1, reason=reason)
    assert (refused.value.code, refused.value.message) == ("reason-missing", "A reason is required for: Withdraw.")
    assert Submission.objects.get().status == Status.FILED
    assert workflow.missing_reason(workflow.TRANSITIONS["return"], "") is None


def test_reason_that_was_not_given_is_missing(submission: Submission) -> None:
    with pytest.raises(Refusal):
        workflow.apply_transition(submission, "withdraw", version=1)


def test_version_that_is_the_present_one(submission: Submission, layout: LayoutFiling) -> None:
    workflow.check_version(submission, 1)
    workflow.check_version(submission, 1, "return")
    workflow.check_version(layout, 1, "notify")
    assert conflict(submission, 1, "approve")[0].startswith(f"{submission.number} is at version 1")


def test_version_that_never_was(submission: Submission) -> None:
    message = f"{submission.number} is at version 1, and its status is “Filed”. Version 7 was sent."
    assert conflict(submission, 7) == (message, "Read it again, and send the version that it has.", Status.FILED)
    assert conflict(submission, 0)[0].endswith("Version 0 was sent.")


@pytest.mark.parametrize(
    ("verb", "at", "faster"),
    [
        ("returned", NOW, "Director One returned it at 10:14 a.m."),
        ("approved", NOW - timedelta(days=2, minutes=14), "Director One approved it on Mar 2, 2026 at 10:00 a.m."),
        ("layout-found-deficient", NOW, ""),
        ("saved", NOW, ""),
    ],
)
def test_who_was_faster(
    submission: Submission, director: Person, analyst: Person, verb: str, at: datetime, faster: str
) -> None:
    if faster:
        event(submission, "recommended", analyst, at)
    event(submission, verb, director, at)
    event(submission, "saved", analyst)
    event(filing_rows.filing(submission.created_by).submission, "rejected", analyst)
    message, fix, theirs = conflict(submission, 4)
    if faster:
        expected = f"The status of {submission.number} is now “Filed”: {faster}"
        assert (message, fix, theirs) == (expected, FIX.format(1), Status.FILED)
    else:
        assert message.endswith("Version 4 was sent.")


def test_who_was_faster_with_a_layout(submission: Submission, layout: LayoutFiling, director: Person) -> None:
    event(submission, "layout-found-deficient", director, filing=layout.number)
    event(submission, "layout-rejected", director, filing="another one")
    event(submission, "approved", director, filing=layout.number)
    assert conflict(layout, 3)[0] == (
        f"The status of {layout.number} is now “Filed”: Director One found it deficient at 10:14 a.m."
    )


def test_portal_itself_is_nobody(submission: Submission, director: Person) -> None:
    event(submission, "returned", director)
    event(submission, "withdrew", None)
    assert conflict(submission, 3)[0].endswith("Version 3 was sent.")


def test_actor_is_read_with_the_event(submission: Submission, director: Person) -> None:
    event(submission, "returned", director)
    with CaptureQueriesContext(connection) as queries:
        conflict(submission, 3)
    assert len(queries) == 1


def test_locked_row_is_read_again(submission: Submission) -> None:
    Submission.objects.update(version=5)
    with transaction.atomic():
        assert workflow.lock_row(submission).version == 5
