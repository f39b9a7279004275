"""A job is done once, by whoever holds its lease, whatever happens to messages, brokers and workers."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
from celery import current_app
from django.conf import LazySettings
from django.db import transaction
from django.utils import timezone

from submissions.core.errors import Refusal
from submissions.jobs import leases, queues
from submissions.models import Job
from submissions.tasks import run_task
from tests.submissions.jobs.workers import apply_message, run_due

Counting = Callable[[int], AbstractContextManager[object]]
committing = pytest.mark.django_db(transaction=True)
pytestmark = [pytest.mark.django_db, pytest.mark.service("locks", "time")]


@pytest.fixture
def job(db: None) -> Job:
    return Job.objects.create(kind=Job.Kind.SIMULATE, subject=7, not_before=timezone.now())


def lapse(job: Job) -> None:
    """Time goes by, and whoever held the job is not heard of."""
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def ended(job: Job) -> tuple[str, str]:
    job.refresh_from_db()
    return job.state, job.message


def test_enqueue_twice_makes_one_job() -> None:
    with transaction.atomic():
        first, second = leases.enqueue(Job.Kind.DOCUMENT, 3), leases.enqueue(Job.Kind.DOCUMENT, 3)
    assert first == second


def test_take_gives_the_lease_to_one(job: Job) -> None:
    lease = leases.take_lease(job.pk)
    assert lease is not None
    assert lease.fence == 1
    assert leases.take_lease(job.pk) is None


def test_take_waits_for_the_time_that_was_set(job: Job) -> None:
    Job.objects.update(not_before=timezone.now() + timedelta(seconds=30))
    assert leases.take_lease(job.pk) is None


def test_take_of_an_unknown_job_is_nothing(db: None) -> None:
    assert leases.take_lease(404) is None


def test_a_lapsed_lease_is_taken_over_and_the_old_holder_is_refused(job: Job) -> None:
    old = leases.take_lease(job.pk)
    lapse(job)
    new = leases.take_lease(job.pk)
    assert old is not None
    assert new is not None
    with pytest.raises(leases.LeaseLost):
        old.beat(1, 2)
    with pytest.raises(leases.LeaseLost), old.commit():
        Job.objects.create(kind=Job.Kind.SIMULATE, subject=8, not_before=timezone.now())
    old.end(Job.State.DONE)
    new.beat(1, 2, "going on")
    assert ended(job) == (Job.State.RUNNING, "going on")
    assert Job.objects.count() == 1


def test_a_late_holder_keeps_the_lease_if_nobody_took_it(job: Job) -> None:
    lease = leases.take_lease(job.pk)
    lapse(job)
    assert lease is not None
    lease.beat(1, 2)
    assert leases.take_lease(job.pk) is None


ENDINGS: dict[str, Callable[[leases.Lease], None]] = {
    "done": lambda lease: lease.end(Job.State.DONE),
    "failed": lambda lease: lease.end(Job.State.FAILED, "The rules changed."),
    "due again": lambda lease: lease.end(Job.State.DUE, "One of several attempts."),
    "put off": lambda lease: lease.put_off("No mail server.", timedelta(minutes=1)),
    "put back": lambda lease: lease.put_back(behind=False),
    "divided": lambda lease: lease.divide("in parts"),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_heartbeat_after_the_end_changes_nothing(job: Job, ending: str) -> None:
    """It comes from a thread of its own; without the higher fence it would make the job run again, for no one."""
    lease = leases.take_lease(job.pk)
    assert lease is not None
    ENDINGS[ending](lease)
    before = Job.objects.filter(pk=job.pk).values().get()
    for late in (lease.extend, lambda: lease.beat(1, 2, "late")):
        with pytest.raises(leases.LeaseLost):
            late()
    lease.end(Job.State.ERRORED, "late")
    assert Job.objects.filter(pk=job.pk).values().get() == before


@committing
def test_what_is_written_under_a_lost_lease_is_rolled_back(job: Job) -> None:
    lease = leases.take_lease(job.pk)
    assert lease is not None

    def write() -> None:
        with lease.commit():
            Job.objects.create(kind=Job.Kind.SIMULATE, subject=8, not_before=timezone.now())
            Job.objects.filter(pk=job.pk).update(fence=99)
            lease.beat(1, 1)

    with pytest.raises(leases.LeaseLost):
        write()
    assert Job.objects.count() == 1


def test_run_ends_done(job: Job) -> None:
    leases.run_leased(job.pk, lambda lease: lease.beat(2, 2, "all dealt"))
    assert ended(job)[0] == Job.State.DONE
    assert job.done_units == 2
    assert job.finished_at is not None


def test_run_of_an_ended_job_does_nothing(job: Job) -> None:
    called = []
    for _ in range(2):
        leases.run_leased(job.pk, lambda lease: called.append(lease.fence))
    assert called == [1]


def test_run_ends_failed_where_the_work_says_no(job: Job) -> None:
    def refuse(lease: leases.Lease) -> None:
        raise Refusal("rules-changed", "The rules changed.")

    leases.run_leased(job.pk, refuse)
    assert ended(job) == (Job.State.FAILED, "The rules changed.")


def test_run_tries_again_later_after_an_error_and_gives_up_in_the_end(job: Job, settings: LazySettings) -> None:
    pauses = []
    for _ in range(settings.JOB_ATTEMPTS):
        assert ended(job)[0] == Job.State.DUE
        Job.objects.update(not_before=timezone.now())
        leases.run_leased(job.pk, lambda lease: 1 / 0)
        job.refresh_from_db()
        pauses.append((job.not_before - timezone.now()).total_seconds())
    assert ended(job) == (Job.State.ERRORED, "ZeroDivisionError: division by zero")
    assert pauses[0] < pauses[1] < pauses[2]
    assert max(pauses) <= 60


def test_a_job_that_kills_its_workers_is_given_up(job: Job, settings: LazySettings) -> None:
    for _ in range(settings.JOB_ATTEMPTS):
        assert leases.take_lease(job.pk) is not None
        lapse(job)
    assert leases.take_lease(job.pk) is None
    assert ended(job) == (
        Job.State.ERRORED,
        "8 attempts ended with the worker's death, without progress. Last: nothing",
    )


def test_attempts_that_make_progress_do_not_count(job: Job, settings: LazySettings) -> None:
    for step in range(1, 3 * settings.JOB_ATTEMPTS):
        lease = leases.take_lease(job.pk)
        assert lease is not None
        lease.beat(step, 100)
        lapse(job)


@committing
def test_a_long_step_keeps_its_lease(job: Job, settings: LazySettings) -> None:
    settings.JOB_LEASE = timedelta(seconds=1)
    others: list[leases.Lease | None] = []

    def long_step(lease: leases.Lease) -> None:
        time.sleep(1.6)
        others.append(leases.take_lease(job.pk))

    leases.run_leased(job.pk, long_step)
    assert others == [None]
    assert ended(job)[0] == Job.State.DONE


@pytest.mark.parametrize("kind", Job.Kind)
def test_every_kind_has_a_place_in_a_queue_and_a_task_of_its_own(kind: Job.Kind) -> None:
    place = queues.PLACES[kind]
    assert place.queue in queues.QUEUES
    assert [other.task for other in queues.PLACES.values()].count(place.task) == 1
    assert queues.task_name(kind) in current_app.tasks


def claimed(queue: str) -> list[int]:
    """The subjects of all jobs that can be claimed now, in the order of the claims."""
    subjects = []
    while job := queues.due_jobs(queue).first():
        if leases.take_lease(job.pk):
            subjects.append(job.subject)
    return subjects


def test_claims_take_the_most_urgent_first_and_then_the_oldest(db: None) -> None:
    now = timezone.now()
    for subject, kind, seconds in (
        (1, Job.Kind.SIMULATE, -30),
        (2, Job.Kind.ANALYZE, -10),
        (3, Job.Kind.ANALYZE, -20),
        (4, Job.Kind.ANALYZE, 60),  # its time has not come
        (5, Job.Kind.MAIL, -40),  # of another queue
        (6, Job.Kind.DEAL, -40),
    ):
        place = queues.PLACES[kind]
        Job.objects.create(
            kind=kind,
            subject=subject,
            queue=place.queue,
            urgency=place.urgency,
            not_before=now + timedelta(seconds=seconds),
        )
    assert claimed(queues.LONG) == [3, 2, 6, 1]
    assert claimed(queues.OUTBOUND) == [5]


def test_claim_gives_up_a_job_that_kills_its_workers_and_takes_the_next(job: Job, settings: LazySettings) -> None:
    Job.objects.update(attempts=settings.JOB_ATTEMPTS)
    Job.objects.create(kind=Job.Kind.SIMULATE, subject=8, not_before=timezone.now())
    assert claimed(queues.LONG) == [8]
    assert ended(job)[0] == Job.State.ERRORED


def test_late_message_costs_one_query(job: Job, django_assert_num_queries: Counting) -> None:
    Job.objects.update(state=Job.State.DONE)
    with django_assert_num_queries(1):
        assert queues.next_job(job.pk) is None


def test_message_whose_job_is_taken_runs_the_most_urgent_by_the_task_of_its_kind(job: Job) -> None:
    """Jobs of nothing: each ends at once, with the error of its own work."""
    Job.objects.create(kind=Job.Kind.SIMULATE, subject=8, not_before=timezone.now())
    urgent = Job.objects.create(kind=Job.Kind.REPLAY, subject=9, urgency=0, not_before=timezone.now())
    order = []
    for _ in range(4):
        apply_message(Job.Kind.SIMULATE, job.pk)
        order.append(list(Job.objects.filter(attempts=1).order_by("pk").values_list("subject", flat=True)))
    assert order == [[9], [7, 9], [7, 8, 9], [7, 8, 9]]
    assert ended(urgent) == (Job.State.DUE, "DoesNotExist: Computation matching query does not exist.")
    assert ended(job) == (Job.State.DUE, "DoesNotExist: Simulation matching query does not exist.")


def test_task_that_is_called_runs_its_own_job_only(job: Job) -> None:
    urgent = Job.objects.create(kind=Job.Kind.REPLAY, subject=9, urgency=0, not_before=timezone.now())
    for _ in range(2):
        run_task(job)
    assert [Job.objects.get(pk=row.pk).attempts for row in (job, urgent)] == [1, 0]


def test_job_of_a_kind_of_another_version_is_stopped(job: Job, settings: LazySettings) -> None:
    settings.JOB_ATTEMPTS = 1
    Job.objects.update(kind="of tomorrow")
    apply_message("of tomorrow", job.pk)
    assert ended(job) == (Job.State.ERRORED, "KeyError: 'of tomorrow'")


def test_job_gives_way_to_a_more_urgent_one_and_its_attempt_does_not_count(job: Job) -> None:
    steps: list[str] = []

    def simulate(lease: leases.Lease) -> None:
        lease.beat(1, 3)
        lease.give_way()  # no other is due
        steps.append("first")
        if steps.count("first") == 1:
            Job.objects.create(kind="analyze", subject=1, urgency=0, not_before=timezone.now())
        lease.give_way()
        steps.append("second")

    executors = {"simulate": simulate, "analyze": lambda lease: steps.append("more urgent")}
    while run_due(queues.LONG, executors):
        pass
    assert steps == ["first", "more urgent", "first", "second"]
    job.refresh_from_db()
    assert (job.state, job.done_units, job.attempts) == (Job.State.DONE, 1, 1)


def test_job_gives_way_to_an_equally_urgent_one_only_after_its_share(job: Job) -> None:
    turns: list[int] = []

    def work(lease: leases.Lease) -> None:
        turns.append(lease.job.subject)
        if lease.job.subject == 7 and turns.count(7) == 1:
            Job.objects.create(kind=Job.Kind.SIMULATE, subject=8, not_before=timezone.now())
            lease.give_way(share_after=60)
            lease.give_way(share_after=0)
            raise AssertionError

    while run_due(queues.LONG, {"simulate": work}):
        pass
    assert turns == [7, 8, 7]


def test_job_that_is_run_by_its_number_gives_way_to_none(job: Job) -> None:
    Job.objects.create(kind="analyze", subject=1, urgency=0, not_before=timezone.now())
    leases.run_leased(job.pk, lambda lease: lease.give_way(share_after=0))
    assert ended(job)[0] == Job.State.DONE
