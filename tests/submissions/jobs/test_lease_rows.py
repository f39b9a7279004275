"""The row that each end of an attempt leaves."""

from __future__ import annotations

import time
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.db import connection
from pytest_django import DjangoCaptureOnCommitCallbacks

from submissions.core.errors import Refusal
from submissions.core.log_context import job_id, request_id
from submissions.jobs import leases, queues
from submissions.models import Job
from tests.submissions.jobs.job_rows import MINUTE, NOW, SECOND, State, fields, job, row, running

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def test_lease_of_a_due_job() -> None:
    lease = running()
    assert (lease.fence, lease.shares, lease.job.attempts) == (5, False, 2)
    assert fields(row(lease), "state", "fence", "attempts", "lease_until", "started_at", "finished_at") == (
        State.RUNNING, 5, 2, NOW + 20 * SECOND, NOW, None,
    )  # fmt: skip
    with time_machine.travel(NOW + 20 * SECOND, tick=False):
        again = leases.take_lease(lease.job.pk)
    assert again is not None
    assert fields(row(again), "fence", "attempts", "started_at") == (6, 3, NOW)
    assert leases.take_lease(lease.job.pk) is None
    assert Job.objects.get(subject=99).fence == 5


ENDS = {
    "done": (lambda lease: lease.end(State.DONE), (State.DONE, "", 2, NOW, NOW)),
    "failed": (lambda lease: lease.end(State.FAILED, "Why."), (State.FAILED, "Why.", 2, NOW, NOW)),
    "due": (lambda lease: lease.end(State.DUE, "Again."), (State.DUE, "Again.", 2, NOW + 4 * SECOND, None)),
    "put off": (lambda lease: lease.put_off("Later.", MINUTE), (State.DUE, "Later.", 1, NOW + MINUTE, None)),
    "divided": (lambda lease: lease.divide("In parts."), (State.DUE, "In parts.", 0, NOW, None)),
}


@pytest.mark.parametrize("end", ENDS)
def test_row_after_the_end_of_an_attempt(end: str) -> None:
    lease, (ends, expected) = running(), ENDS[end]
    ends(lease)
    assert fields(row(lease), "state", "message", "attempts", "not_before", "finished_at") == expected
    assert fields(row(lease), "fence", "lease_until") == (6, None)
    other = Job.objects.get(subject=99)
    assert (other.state, other.fence, other.message) == (State.RUNNING, 5, "")


def test_pause_between_attempts_is_a_minute_at_most() -> None:
    lease = running()
    lease.job.attempts = 7
    lease.end(State.DUE)
    assert row(lease)["not_before"] == NOW + MINUTE


@pytest.mark.parametrize("behind", [False, True])
def test_job_that_is_put_back_keeps_its_age_or_not(sent: list[Any], behind: bool) -> None:
    lease = running(queue="short")
    Job.objects.filter(pk=lease.job.pk).update(not_before=NOW - MINUTE)
    lease.put_back(behind=behind)
    place = NOW if behind else NOW - MINUTE
    assert fields(row(lease), "state", "message", "attempts", "not_before") == (State.DUE, "", 1, place)
    assert sent == [("submissions.tasks.simulate_filing", lease.job.pk, "short", True)]


def test_beat_stores_the_progress() -> None:
    lease = running()
    with time_machine.travel(NOW + SECOND, tick=False):
        lease.beat(0, 5, "Begins")
    names = ("done_units", "total_units", "message", "attempts", "lease_until", "state")
    assert fields(row(lease), *names) == (0, 5, "Begins", 2, NOW + 21 * SECOND, State.RUNNING)
    lease.beat(2, 5, "Goes on")
    assert fields(row(lease), *names) == (2, 5, "Goes on", 1, NOW + 20 * SECOND, State.RUNNING)
    assert (lease.job.attempts, lease.job.done_units) == (1, 2)
    lease.job.attempts = 3
    lease.beat(2, 5)
    assert (lease.job.attempts, row(lease)["message"]) == (3, "")
    assert Job.objects.get(subject=99).done_units == 0
    Job.objects.filter(pk=lease.job.pk).update(fence=9)
    with pytest.raises(leases.LeaseLost, match=f"job {lease.job.pk}: fence 5 is not the present one"):
        lease.extend()


def test_progress_of_a_part_is_added_to_the_whole() -> None:
    whole = job(subject=1, state=State.DIVIDED, done_units=10)
    lease = running(parent=whole)
    lease.add_to_whole(3)
    lease.add_to_whole(2)
    assert Job.objects.get(pk=whole.pk).done_units == 15
    alone = leases.Lease(job(subject=3), 0)
    alone.add_to_whole(3)
    assert Job.objects.get(subject=3).done_units == 0


def way(lease: leases.Lease, share_after: float | None = None) -> tuple[str, bool] | None:
    try:
        lease.give_way(share_after)
    except leases.GiveWay as given:
        return str(given), given.behind
    return None


def test_job_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    lease = leases.Lease(job(urgency=2, state=State.RUNNING), 1, shares=True, begun=time.monotonic())
    due = "others of the queue are due"
    assert (way(lease), way(lease, 0.0)) == (None, None)
    job(subject=8, urgency=2)
    assert (way(lease), way(lease, 60)) == (None, None)
    lease.begun -= 61
    assert (way(lease), way(lease, 60)) == (None, (due, True))
    job(subject=9, urgency=0, queue="short")
    assert way(lease) is None
    job(subject=10, urgency=1)
    assert (way(lease), way(lease, 60), way(lease, 9999)) == ((due, False), (due, True), None)
    flag = bytearray(1)
    monkeypatch.setattr(leases, "_stop_flag", flag)
    assert not leases.stop_requested()
    leases.request_stop()
    assert leases.stop_requested()
    assert way(lease, 9999) == ("the worker stops", False)
    lease.shares = False
    assert way(lease) is None
    assert (leases.GiveWay("x").behind, str(leases.GiveWay("x"))) == (False, "x")


def test_enqueued_job(sent: list[Any], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    token = request_id.set("r-1")
    with django_capture_on_commit_callbacks(execute=True):
        row = leases.enqueue(Job.Kind.DOCUMENT, 3)
        assert leases.enqueue(Job.Kind.DOCUMENT, 3) == row
    request_id.reset(token)
    assert (row.kind, row.subject, row.queue, row.urgency, row.request_id, row.not_before, row.state) == (
        "document", 3, "short", 1, "r-1", NOW, State.DUE,
    )  # fmt: skip
    assert sent == [("submissions.tasks.sign_document", row.pk, "short", True)]


def test_job_that_is_run_again(
    sent: list[Any], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    whole = job(subject=1, state=State.ERRORED, finished_at=NOW)
    other = job(subject=2, state=State.FAILED)
    done = job(subject=3, state=State.DONE)
    row = job(
        state=State.FAILED, attempts=8, fence=4, finished_at=NOW, parent=whole, lease_until=NOW, queue="short",
        not_before=NOW - MINUTE,
    )  # fmt: skip
    with django_capture_on_commit_callbacks(execute=True):
        assert leases.run_again(row.pk)
        assert not leases.run_again(row.pk)
        assert not leases.run_again(done.pk)
        assert not leases.run_again(404)
    row.refresh_from_db()
    assert (row.state, row.attempts, row.fence, row.not_before, row.finished_at, row.lease_until) == (
        State.DUE, 0, 5, NOW, None, None,
    )  # fmt: skip
    whole.refresh_from_db()
    assert (whole.state, whole.finished_at) == (State.DIVIDED, None)
    assert Job.objects.get(pk=other.pk).state == State.FAILED
    assert sent == [("submissions.tasks.simulate_filing", row.pk, "short", True)]
    assert leases.run_again(job(state=State.FAILED, subject=4, parent=done).pk)
    assert Job.objects.get(pk=done.pk).state == State.DONE
    assert leases.run_again(done.pk, among=(State.DONE,))


RAISED = {
    "refusal": (Refusal("not-allowed", "No."), (State.FAILED, "No.", 2, NOW)),
    "later": (leases.TryLater("No mail server."), (State.DUE, "No mail server.", 1, NOW + MINUTE)),
    "later, soon": (leases.TryLater("Wait.", SECOND), (State.DUE, "Wait.", 1, NOW + SECOND)),
    "way": (leases.GiveWay("Others.", behind=True), (State.DUE, "", 1, NOW)),
    "parts": (leases.Divided("In parts."), (State.DUE, "In parts.", 0, NOW)),
    "error": (ZeroDivisionError("by zero"), (State.DUE, "ZeroDivisionError: by zero", 2, NOW + 4 * SECOND)),
    "lost": (leases.LeaseLost("gone"), (State.RUNNING, "", 2, NOW)),
    "disk": (
        OSError(28, "No space left on device"),
        (State.DUE, "Waits until there is room: the disk is full.", 1, NOW + MINUTE),
    ),
}


def raising(error: Exception | None = None) -> leases.Work:
    def work(lease: leases.Lease) -> None:
        if error:
            raise error

    return work


def test_job_that_ended_is_not_taken_again() -> None:
    row = job(state=State.DONE, lease_until=NOW - MINUTE)
    assert leases.take_lease(row.pk) is None


def test_work_is_logged_with_its_job_and_its_request() -> None:
    row, seen = job(request_id="r-9"), []
    leases.run_leased(row.pk, lambda lease: seen.append((job_id.get(), request_id.get())))
    assert seen == [(row.pk, "r-9")]


def test_work_that_is_to_be_tried_later_says_why_and_when() -> None:
    later = leases.TryLater("Wait.", SECOND)
    assert (str(later), later.pause) == ("Wait.", SECOND)


@pytest.mark.parametrize("case", RAISED)
def test_row_after_the_work_raised(case: str) -> None:
    error, expected = RAISED[case]
    row = job(attempts=1, fence=4)
    leases.run_leased(row.pk, raising(error))
    row.refresh_from_db()
    assert (row.state, row.message, row.attempts, row.not_before) == expected


def test_last_attempt_ends_the_job(settings: LazySettings) -> None:
    settings.JOB_ATTEMPTS = 3
    row = job(attempts=2)
    leases.run_leased(row.pk, raising(ZeroDivisionError("by zero")))
    row.refresh_from_db()
    assert (row.state, row.message, row.finished_at) == (State.ERRORED, "ZeroDivisionError: by zero", NOW)
    for message, last in (("", "nothing"), ("dealing", "dealing")):
        other = job(subject=40 + len(message), attempts=3, fence=7, message=message)
        assert leases.take_lease(other.pk) is None
        other.refresh_from_db()
        assert (other.state, other.fence, other.finished_at) == (State.ERRORED, 8, NOW)
        assert other.message == f"3 attempts ended with the worker's death, without progress. Last: {last}"


def test_job_that_another_process_takes_in_the_same_moment_is_not_taken() -> None:
    row, first = job(fence=4), [True]

    def take_it_first(execute: Any, query: str, *arguments: Any) -> Any:
        if query.startswith("UPDATE") and first:
            first.clear()
            Job.objects.filter(pk=row.pk).update(state=State.RUNNING, fence=5, attempts=1)
        return execute(query, *arguments)

    with connection.execute_wrapper(take_it_first):
        assert leases.take_lease(row.pk) is None
    row.refresh_from_db()
    assert (row.fence, row.attempts) == (5, 1)


def test_next_job_is_the_named_one_unless_another_is_more_urgent_or_it_is_not_due() -> None:
    assert queues.next_job(404) is None
    row, older, urgent = job(), job(subject=8, not_before=NOW - SECOND), job(subject=9, urgency=1)
    elsewhere = job(subject=10, urgency=0, queue="short")
    assert queues.next_job(row.pk) == urgent
    Job.objects.filter(pk=urgent.pk).update(not_before=NOW + SECOND)
    assert [queues.next_job(named.pk) for named in (row, older, urgent)] == [row, older, older]
    Job.objects.filter(pk=row.pk).update(state=State.RUNNING)
    assert queues.next_job(row.pk) == older
    Job.objects.filter(pk=older.pk).update(state=State.DONE)
    assert (queues.next_job(row.pk), queues.next_job(elsewhere.pk)) == (None, elsewhere)
