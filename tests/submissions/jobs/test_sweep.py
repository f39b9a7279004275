"""Wake-ups and sweeps: the broker has as many messages as jobs are due, even when some are lost, late or sent twice."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from celery import current_app
from django.db import connection, transaction
from django.utils import timezone

from submissions.jobs import leases, queues, sweep
from submissions.models import Job
from tests.portal.broker import real_broker, speaking_to, waiting
from tests.submissions.jobs.workers import apply_message

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.service("locks", "broker")]
NO_BROKER = "redis://127.0.0.1:1"  # nothing listens there


def job(subject: int, **fields: object) -> Job:
    given = {"kind": Job.Kind.SIMULATE, "queue": queues.LONG, "urgency": 2, "not_before": timezone.now()}
    return Job.objects.create(**given | {"subject": subject} | fields)


def test_enqueue_wakes_a_worker_once_committed() -> None:
    with real_broker() as broker:
        with transaction.atomic():
            leases.enqueue(Job.Kind.DOCUMENT, 3)
            before = waiting(broker)
        assert (before, waiting(broker)) == (0, 1)


def test_enqueue_of_a_job_that_is_there_wakes_no_other_worker() -> None:
    with real_broker() as broker:
        for _ in range(2):
            leases.enqueue(Job.Kind.DOCUMENT, 3)
        assert waiting(broker) == 1


def test_enqueue_rolled_back_leaves_no_job_and_no_message() -> None:
    with real_broker() as broker:
        with transaction.atomic():
            leases.enqueue(Job.Kind.DOCUMENT, 3)
            transaction.set_rollback(True)
        assert (Job.objects.count(), waiting(broker)) == (0, 0)


def test_each_kind_wakes_the_workers_of_its_queue() -> None:
    with real_broker():
        for kind in (
            Job.Kind.VERIFY,
            Job.Kind.DRAFT,
            Job.Kind.SIMULATE,
            Job.Kind.MAIL,
            Job.Kind.PAPERS,
            Job.Kind.DOCUMENT,
        ):
            leases.enqueue(kind, 7)
        lengths = {name: queues.waiting_wake_ups(name) for name in queues.QUEUES}
        with current_app.connection() as broker, broker.SimpleQueue("short") as short:
            messages = [
                (message.headers["task"], *message.payload[0]) for message in (short.get(timeout=5), short.get())
            ]
    assert lengths == {"short": 2, "long": 1, "outbound": 1, "verification": 1, "drafts": 1}
    numbers = dict(Job.objects.values_list("kind", "pk"))
    assert messages == [
        ("submissions.tasks.sign_papers", numbers["papers"]), ("submissions.tasks.sign_document", numbers["document"])
    ]  # fmt: skip


def test_enqueue_with_a_dead_broker_succeeds_and_the_sweeper_wakes_a_worker() -> None:
    begun = time.monotonic()
    with speaking_to(NO_BROKER):
        leases.enqueue(Job.Kind.DOCUMENT, 3)
        assert sweep.sweep_due_jobs() == 0
    assert time.monotonic() - begun < 3
    with real_broker() as broker:
        assert sweep.sweep_due_jobs() == 1
        assert waiting(broker) == 1


def test_sweep_wakes_for_what_is_due_and_what_a_dead_worker_left_and_nothing_else() -> None:
    now = timezone.now()
    second = timedelta(seconds=1)
    job(1)  # is due
    left = job(2, state=Job.State.RUNNING, lease_until=now - second)  # its worker died
    job(3, state=Job.State.RUNNING, lease_until=now + 9 * second)  # is being done
    job(4, not_before=now + 9 * second)  # its time has not come
    job(5, state=Job.State.DONE)
    with real_broker() as broker:
        assert (sweep.sweep_due_jobs(), sweep.sweep_due_jobs()) == (2, 0)
        assert waiting(broker) == 2
    left.refresh_from_db()
    assert left.state == Job.State.DUE


def test_thousand_due_jobs_without_a_worker_are_thousand_messages_at_most() -> None:
    """And a broker that lost all of them has them again after one sweep."""
    Job.objects.bulk_create(
        Job(kind=Job.Kind.MAIL, subject=subject, queue=queues.OUTBOUND, urgency=0, not_before=timezone.now())
        for subject in range(1_000)
    )
    with real_broker() as broker:
        leases.enqueue(Job.Kind.SIMULATE, 1)
        sent = [sweep.sweep_due_jobs() for _ in range(5)]
        assert sent == [1_000, 0, 0, 0, 0]
        assert waiting(broker) == 1_001
        broker.flushall()
        assert sweep.sweep_due_jobs() == 1_001


def test_of_several_sweepers_at_once_one_sweeps() -> None:
    job(1)
    sent, together = [], threading.Barrier(4)
    with real_broker() as broker:
        app = current_app._get_current_object()

        def sweeper() -> None:
            app.set_current()
            together.wait()
            sent.append(sweep.sweep_due_jobs() if sweep.take_turn() else 0)
            connection.close()

        threads = [threading.Thread(target=sweeper) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert waiting(broker) == 1
    assert sorted(sent) == [0, 0, 0, 1]


def test_turn_comes_again_after_the_interval() -> None:
    assert (sweep.take_turn(), sweep.take_turn()) == (True, False)
    sweep.SweepTurn.objects.update(at=timezone.now() - timedelta(seconds=2))
    assert sweep.take_turn()


def test_jobs_of_an_earlier_version_get_their_place_at_the_first_sweep() -> None:
    old = job(1, kind=Job.Kind.MAIL)  # its columns have the defaults that the migration gave them
    with real_broker():
        sweep.sweep_due_jobs()
        assert {name: queues.waiting_wake_ups(name) for name in queues.QUEUES}["outbound"] == 1
    old.refresh_from_db()
    assert (old.queue, old.urgency) == queues.PLACES[Job.Kind.MAIL][:2]


def test_job_whose_lease_ran_out_stays_with_its_worker_if_no_other_one_took_it() -> None:
    lease = leases.take_lease(job(1).pk)
    assert lease is not None
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    with speaking_to(NO_BROKER):
        sweep.sweep_due_jobs()
    lease.beat(1, 2)
    assert queues.due_jobs(queues.LONG).first() is None


def test_stale_wake_up_is_no_error() -> None:
    done = job(1, state=Job.State.DONE)
    apply_message(Job.Kind.SIMULATE, done.pk)
    apply_message(Job.Kind.SIMULATE, 404)
    assert Job.objects.get().fence == 0
