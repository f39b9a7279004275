"""A job in parts: the whole goes on once all parts are done, and stops with the first part that stops."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from submissions.core.errors import Refusal
from submissions.jobs import leases, queues, sweep
from submissions.models import Job
from tests.portal.broker import speaking_to
from tests.submissions.jobs.workers import run_due

pytestmark = [pytest.mark.django_db, pytest.mark.service("locks")]
NO_BROKER = "redis://127.0.0.1:1"
Works = dict[str, leases.Work]


def divide(lease: leases.Lease) -> None:
    """Into three parts; when they are done, the work is done."""
    if lease.job.done_units >= 3:
        return
    with transaction.atomic():
        leases.enqueue_parts(lease.job, Job.Kind.DEAL, [1, 2, 3])
    raise leases.Divided("Dealing")


def deal(lease: leases.Lease) -> None:
    lease.add_to_whole(1)


def refuse(lease: leases.Lease) -> None:
    raise Refusal("rules-changed", "The rules changed.")


DEALING: Works = {"simulate": divide, "deal": deal}
REFUSING: Works = {"simulate": divide, "deal": refuse}


@pytest.fixture
def whole() -> Job:
    job = Job.objects.create(kind=Job.Kind.SIMULATE, subject=7, not_before=timezone.now() - timedelta(hours=1))
    run_due(queues.LONG, DEALING)
    job.refresh_from_db()
    return job


def state_of(job: Job) -> str:
    job.refresh_from_db()
    return job.state


def test_divided_job_is_not_due_while_a_part_is_open(whole: Job) -> None:
    assert (whole.state, whole.message) == (Job.State.DIVIDED, "Dealing")
    for _ in range(2):
        run_due(queues.LONG, DEALING)
        assert state_of(whole) == Job.State.DIVIDED


def test_last_part_makes_the_whole_due_and_it_ends(whole: Job) -> None:
    for _ in range(3):
        run_due(queues.LONG, DEALING)
    assert (state_of(whole), whole.done_units) == (Job.State.DUE, 3)
    Job.objects.create(kind=Job.Kind.SIMULATE, subject=8, not_before=timezone.now() - timedelta(minutes=1))
    assert queues.due_jobs(queues.LONG).first() == whole  # its age is that of its first start


def test_part_that_stops_stops_the_whole_with_its_message(whole: Job) -> None:
    run_due(queues.LONG, REFUSING)
    assert (state_of(whole), whole.message) == (Job.State.FAILED, "The rules changed.")
    assert whole.finished_at is not None


def test_stopped_whole_is_run_again_with_the_parts_that_stopped(whole: Job) -> None:
    run_due(queues.LONG, REFUSING)
    assert leases.run_again(whole.pk)
    while run_due(queues.LONG, DEALING):
        pass
    assert state_of(whole) == Job.State.DONE
    assert set(Job.objects.values_list("state", flat=True)) == {Job.State.DONE}


def test_part_that_is_run_again_by_itself_continues_the_whole(whole: Job) -> None:
    run_due(queues.LONG, REFUSING)
    assert leases.run_again(Job.objects.get(state=Job.State.FAILED, kind=Job.Kind.DEAL).pk)
    while run_due(queues.LONG, DEALING):
        pass
    assert state_of(whole) == Job.State.DONE


@pytest.mark.parametrize(
    ("state", "then"), [(Job.State.DONE, Job.State.DUE), (Job.State.ERRORED, Job.State.ERRORED)], ids=["done", "killed"]
)
def test_end_of_the_parts_that_was_missed_is_made_up_by_the_sweeper(whole: Job, state: str, then: str) -> None:
    """A worker was killed between the end of its part and the next line, or was killed by the part once too often."""
    Job.objects.filter(parent=whole).update(state=state)
    with speaking_to(NO_BROKER):
        sweep.sweep_due_jobs()
    assert state_of(whole) == then


def test_parts_that_end_before_the_whole_is_divided_make_it_due() -> None:
    """While it still computes the exact figures, others deal all its parts."""
    whole = Job.objects.create(kind=Job.Kind.SIMULATE, subject=7, not_before=timezone.now())

    def slow_divide(lease: leases.Lease) -> None:
        try:
            divide(lease)
        finally:
            while run_due(queues.LONG, DEALING):
                pass

    run_due(queues.LONG, {"simulate": slow_divide})
    assert (state_of(whole), whole.done_units) == (Job.State.DUE, 3)
