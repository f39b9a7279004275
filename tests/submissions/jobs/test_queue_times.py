"""How long a job waits in which queue, and how long it still takes."""

from __future__ import annotations

import pytest
from django.db.models import F

from submissions.jobs import progress, queues
from submissions.models import Job
from tests.submissions.jobs.job_rows import MINUTE, NOW, SECOND, State, job

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def shown(*rows: Job) -> tuple[str, int, int, str, bool]:
    found = progress.Progress.of(rows)
    return found.words, found.done, found.total, found.left, found.stopped


def test_progress_of_jobs() -> None:
    started = NOW - 100 * SECOND
    due = Job(state=State.DUE, done_units=1, total_units=4)
    work = Job(state=State.RUNNING, done_units=50, total_units=80, started_at=started, message="Dealing")
    divided = Job(state=State.DIVIDED)
    error = "Stopped by an error. Nothing is lost. The portal's operator can run it again."
    assert shown() == ("Waiting for a worker.", 0, 0, "", False)
    assert shown(due) == ("Waiting for a worker.", 1, 4, "", False)
    assert shown(due, work) == ("Dealing", 51, 84, "about 0:01:00 left", False)
    assert shown(divided) == ("Started", 0, 0, "", False)
    assert shown(due, Job(state=State.ERRORED, message="KeyError")) == (error, 0, 0, "", True)
    failed = Job(state=State.FAILED, message="The rules changed.")
    assert shown(work, failed, Job(state=State.ERRORED)) == ("Failed: The rules changed.", 0, 0, "", True)
    assert shown(Job(state=State.FAILED))[0] == "Failed: no reason was given."


@pytest.mark.parametrize(
    ("done", "total", "left"),
    [
        (50, 79, "about 58 s left"), (50, 80, "about 0:01:00 left"), (80, 84, "about 5 s left"),
        (100, 104, "a few seconds left"), (1, 100, "about 2:45:00 left"), (0, 5, ""), (5, 0, ""),
    ],
)  # fmt: skip
def test_time_left(done: int, total: int, left: str) -> None:
    work = Job(state=State.RUNNING, done_units=done, total_units=total, started_at=NOW - 100 * SECOND)
    assert shown(work)[3] == left
    work.started_at = None
    assert shown(work)[3] == ""


def test_job_that_was_never_started_is_not_measured() -> None:
    job("verify", 1, state=State.DONE, finished_at=NOW)
    assert progress.measured_seconds(Job.Kind.VERIFY) is None


def test_place_in_a_queue() -> None:
    place = progress.QueuePlace
    assert progress.queue_place(Job.Kind.VERIFY, 7, 2) == place(0, None)
    assert (progress.measured_seconds(Job.Kind.VERIFY), progress.retry_after(Job.Kind.VERIFY)) == (None, 10)
    for subject, state in enumerate((State.DUE, State.RUNNING, State.DONE, State.FAILED, State.DUE)):
        job("verify", subject, state=state)
    job("simulate", 4)
    rows = Job.objects.filter(kind="verify", subject__in=(0, 1, 4))
    assert list(progress.pending_jobs(Job.Kind.VERIFY).order_by("pk")) == list(rows.order_by("pk"))
    for n, seconds in enumerate((900, *range(1, 21))):  # the oldest of 21 is not measured
        job("verify", 100 + n, state=State.DONE, started_at=NOW, finished_at=NOW + seconds * SECOND)
    Job.objects.filter(subject=100).update(started_at=NOW - 999 * SECOND, finished_at=NOW - SECOND)
    job("verify", 200, state=State.DONE, finished_at=NOW - MINUTE)  # was never started
    job("verify", 201, state=State.FAILED, started_at=NOW - 999 * MINUTE, finished_at=NOW + MINUTE)
    job("simulate", 202, state=State.DONE, started_at=NOW - 999 * MINUTE, finished_at=NOW + MINUTE)
    job("simulate", 404)
    assert progress.measured_seconds(Job.Kind.VERIFY) == 10.5
    assert progress.retry_after(Job.Kind.VERIFY) == 11
    assert progress.queue_place(Job.Kind.VERIFY, 4, 2) == place(2, 21 * SECOND)
    assert progress.queue_place(Job.Kind.VERIFY, 4, 1) == place(2, 31.5 * SECOND)
    assert progress.queue_place(Job.Kind.VERIFY, 404, 2) == place(0, 10.5 * SECOND)
    Job.objects.filter(state=State.DONE).update(started_at=F("finished_at") - SECOND / 2)
    assert progress.retry_after(Job.Kind.VERIFY) == 1


def test_place_of_each_queue() -> None:
    early = job(subject=1, urgency=1, not_before=NOW - MINUTE)
    first, second = job(subject=2, urgency=0), job(subject=3, urgency=1)
    twin = job(subject=4, urgency=1, not_before=NOW - MINUTE)
    job(subject=5, not_before=NOW + SECOND)
    job(subject=6, state=State.RUNNING)
    job(subject=7, queue="short")
    assert list(queues.due_jobs("long")) == [first, early, twin, second]
