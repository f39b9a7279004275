"""A job is done once, by whoever holds its lease, whatever happens to messages, brokers and workers."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from celery import current_app
from django.conf import LazySettings
from django.db import connection, transaction
from django.utils import timezone

from submissions.core.errors import Refusal
from submissions.jobs import leases
from submissions.models import Job
from tests.portal.broker import real_broker, speaking_to, waiting

committing = pytest.mark.django_db(transaction=True)
pytestmark = pytest.mark.django_db
NOBODY = "redis://127.0.0.1:1"  # no broker listens there


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


@committing
def test_enqueue_reaches_the_broker_once_committed() -> None:
    with real_broker() as broker:
        with transaction.atomic():
            leases.enqueue(Job.Kind.DOCUMENT, 3)
            before = waiting(broker)
        assert (before, waiting(broker)) == (0, 1)


@committing
def test_batch_is_taken_up_before_the_simulations_that_were_sent_earlier() -> None:
    with real_broker():
        later = [leases.enqueue(Job.Kind.SIMULATE, subject).pk for subject in (1, 2, 3)]
        first = leases.enqueue(Job.Kind.BULK, 4).pk
        with current_app.connection() as connection:
            queue = connection.SimpleQueue("celery")
            taken = [queue.get(timeout=5).payload[0][0] for _ in range(4)]
            queue.close()
    assert taken == [first, *later]


@committing
def test_work_for_strangers_and_drafts_have_queues_of_their_own() -> None:
    """So neither simulations nor signing wait for them."""
    kinds = (Job.Kind.VERIFY, Job.Kind.REVERIFY, Job.Kind.DRAFT, Job.Kind.SIMULATE, Job.Kind.DOCUMENT)
    with real_broker():
        jobs = {leases.enqueue(kind, 7).pk: kind for kind in kinds}
        with current_app.connection() as connection:
            queues = {name: connection.SimpleQueue(name) for name in ("verification", "drafts", "celery")}
            sent = {
                name: [jobs[queue.get(timeout=5).payload[0][0]] for _ in range(count)]
                for (name, queue), count in zip(queues.items(), (2, 1, 2), strict=True)
            }
            for queue in queues.values():
                queue.close()
    assert sent["verification"] == [Job.Kind.VERIFY, Job.Kind.REVERIFY]
    assert sent["drafts"] == [Job.Kind.DRAFT]
    assert set(sent["celery"]) == {Job.Kind.SIMULATE, Job.Kind.DOCUMENT}


@committing
def test_enqueue_rolled_back_leaves_no_job_and_no_message() -> None:
    with real_broker() as broker:
        with transaction.atomic():
            leases.enqueue(Job.Kind.DOCUMENT, 3)
            transaction.set_rollback(True)
        assert (Job.objects.count(), waiting(broker)) == (0, 0)


@committing
def test_enqueue_with_a_dead_broker_succeeds_and_the_sweeper_sends_it() -> None:
    begun = time.monotonic()
    with speaking_to(NOBODY):
        leases.enqueue(Job.Kind.DOCUMENT, 3)
        assert leases.sweep_due_jobs() == 0
    assert time.monotonic() - begun < 3
    with real_broker() as broker:
        assert leases.sweep_due_jobs() == 1
        assert waiting(broker) == 1


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
    leases.run_leased(job.pk, {"simulate": lambda lease: lease.beat(2, 2, "all dealt")})
    assert ended(job)[0] == Job.State.DONE
    assert job.done_units == 2
    assert job.finished_at is not None


def test_run_of_an_ended_job_does_nothing(job: Job) -> None:
    called = []
    for _ in range(2):
        leases.run_leased(job.pk, {"simulate": lambda lease: called.append(lease.fence)})
    assert called == [1]


def test_run_ends_failed_where_the_work_says_no(job: Job) -> None:
    def refuse(lease: leases.Lease) -> None:
        raise Refusal("rules-changed", "The rules changed.")

    leases.run_leased(job.pk, {"simulate": refuse})
    assert ended(job) == (Job.State.FAILED, "The rules changed.")


def test_run_tries_again_later_after_an_error_and_gives_up_in_the_end(job: Job, settings: LazySettings) -> None:
    pauses = []
    for _ in range(settings.JOB_ATTEMPTS):
        assert ended(job)[0] == Job.State.DUE
        Job.objects.update(not_before=timezone.now())
        leases.run_leased(job.pk, {"simulate": lambda lease: 1 / 0})
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
def test_sweep_sends_what_waits_and_what_a_dead_worker_left_and_nothing_else(job: Job) -> None:
    now = timezone.now()
    for subject, state, lease_until, not_before in (
        (1, Job.State.RUNNING, now - timedelta(seconds=1), now),  # its worker died
        (2, Job.State.RUNNING, now + timedelta(seconds=9), now),  # is being done
        (3, Job.State.DUE, None, now + timedelta(seconds=9)),  # its time has not come
        (4, Job.State.DUE, now + timedelta(seconds=9), now),  # was just sent
        (5, Job.State.DONE, None, now),
    ):
        Job.objects.create(
            kind="document", subject=subject, state=state, lease_until=lease_until, not_before=not_before
        )
    with real_broker() as broker:
        assert (leases.sweep_due_jobs(), leases.sweep_due_jobs()) == (2, 0)
        assert waiting(broker) == 2
    assert leases.take_lease(Job.objects.get(kind="document", subject=1).pk) is not None


@committing
def test_several_sweepers_at_once_send_a_job_once(job: Job) -> None:
    sent, together = [], threading.Barrier(4)

    def sweeper() -> None:
        together.wait()
        sent.append(leases.sweep_due_jobs())
        connection.close()

    with real_broker() as broker:
        before = leases.current_app._get_current_object()

        def started() -> None:
            before.set_current()
            sweeper()

        threads = [threading.Thread(target=started) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert waiting(broker) == 1
    assert sorted(sent) == [0, 0, 0, 1]


@committing
def test_a_long_step_keeps_its_lease(job: Job, settings: LazySettings) -> None:
    settings.JOB_LEASE = timedelta(seconds=1)
    others: list[leases.Lease | None] = []

    def long_step(lease: leases.Lease) -> None:
        time.sleep(1.6)
        others.append(leases.take_lease(job.pk))

    leases.run_leased(job.pk, {"simulate": long_step})
    assert others == [None]
    assert ended(job)[0] == Job.State.DONE
