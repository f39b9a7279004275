"""The rows of a job in parts, and of a restored database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from submissions.jobs import clock, leases, sweep
from submissions.models import Job
from tests.submissions.jobs.job_rows import MINUTE, NOW, State, job, row, running

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def test_parts_of_a_job(sent: list[Any], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    whole, other = job(state=State.RUNNING, request_id="r-1"), job(subject=8, state=State.RUNNING)
    ended = {1: State.DONE, 2: State.FAILED, 3: State.ERRORED, 4: State.RUNNING}
    for subject, state in ended.items():
        job("deal", subject, parent=whole, state=state, attempts=4, fence=2, finished_at=NOW, not_before=NOW - MINUTE)
    job("deal", 6, parent=whole, state=State.DONE)
    job("deal", 7, parent=other, state=State.DONE)
    with django_capture_on_commit_callbacks(execute=True):
        leases.enqueue_parts(whole, Job.Kind.DEAL, [1, 2, 3, 4, 5, 7])
    rows = {row.subject: row for row in Job.objects.filter(kind="deal")}
    for subject in (1, 2, 3):
        again = rows[subject]
        assert (again.state, again.attempts, again.fence, again.not_before) == (State.DUE, 0, 3, NOW)
        assert again.finished_at is None
    assert (rows[4].state, rows[4].fence, rows[6].state, rows[7].state) == (State.RUNNING, 2, State.DONE, State.DONE)
    new = rows[5]
    assert (new.parent, new.queue, new.urgency, new.request_id, new.not_before, new.state) == (
        whole, "long", 2, "r-1", NOW, State.DUE,
    )  # fmt: skip
    assert sent == [("submissions.tasks.deal_part", rows[n].pk, "long", True) for n in (1, 2, 3, 5)]


def test_parts_have_the_place_of_their_kind_and_others_of_the_whole_stay_as_they_are() -> None:
    whole = job(state=State.RUNNING)
    dealt = job("deal", 1, parent=whole, state=State.DONE)
    leases.enqueue_parts(whole, Job.Kind.MAIL, [1])
    part = Job.objects.get(kind="mail")
    assert (part.queue, part.urgency, part.state) == ("outbound", 0, State.DUE)
    assert Job.objects.get(pk=dealt.pk).state == State.DONE


def test_whole_is_settled(sent: list[Any], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    wholes = [job(subject=n, state=State.DIVIDED, queue="short", not_before=NOW - MINUTE) for n in range(4)]
    states = ((State.DONE, State.DONE), (State.DONE, State.DUE), (State.FAILED, State.ERRORED), (State.RUNNING,))
    for whole, parts in zip(wholes, states, strict=True):
        for n, state in enumerate(parts):
            job("deal", 10 * whole.subject + n, parent=whole, state=state, message=f"{state} {n}")
    running = job(subject=50, state=State.RUNNING)
    with django_capture_on_commit_callbacks(execute=True):
        for whole in (*wholes, running):
            leases.settle(whole.pk)
    found = {row.subject: row for row in Job.objects.filter(kind="simulate")}
    assert [found[n].state for n in (0, 1, 2, 3, 50)] == [
        State.DUE, State.DIVIDED, State.FAILED, State.DIVIDED, State.RUNNING,
    ]  # fmt: skip
    assert (found[2].message, found[2].finished_at, found[0].not_before) == ("failed 0", NOW, NOW - MINUTE)
    assert sent == [("submissions.tasks.simulate_filing", wholes[0].pk, "short", True)]
    Job.objects.filter(kind="simulate", subject__in=(0, 2)).update(state=State.DIVIDED)
    leases.settle_all()
    assert [row.state for row in Job.objects.filter(kind="simulate").order_by("subject")] == [
        State.DUE, State.DIVIDED, State.FAILED, State.DIVIDED, State.RUNNING,
    ]  # fmt: skip


def test_part_that_ends_settles_its_whole() -> None:
    whole = job(subject=1, state=State.DIVIDED)
    lease = running(parent=whole)
    lease.end(State.DUE)
    assert Job.objects.get(pk=whole.pk).state == State.DIVIDED
    leases.Lease(lease.job, row(lease)["fence"]).end(State.DONE)
    assert Job.objects.get(pk=whole.pk).state == State.DUE


def test_restored_jobs_are_due() -> None:
    row = job(state=State.RUNNING, fence=3, lease_until=NOW + MINUTE, not_before=NOW - MINUTE)
    done = job(subject=8, state=State.DONE, fence=3)
    assert sweep.release_leases() == 1
    row.refresh_from_db()
    assert (row.state, row.fence, row.lease_until, row.not_before) == (State.DUE, 4, None, NOW)
    done.refresh_from_db()
    assert (done.state, done.fence) == (State.DONE, 3)


def test_clock_of_the_process() -> None:
    assert (clock.now(), clock.now(MINUTE), clock.difference()) == (NOW, NOW + MINUTE, timedelta(0))
