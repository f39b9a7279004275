"""The rows that a sweep changes, and the wake-ups that follow."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings

from submissions.jobs import queues, sweep
from submissions.models import Job, SweepTurn
from tests.portal.broker import real_broker
from tests.submissions.jobs.job_rows import NOW, SECOND, State, job

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


class TestSweep:
    """What the sweeper corrects."""

    def test_turn(self, settings: LazySettings) -> None:
        settings.SWEEP_EVERY = 2 * SECOND
        SweepTurn.objects.all().delete()
        assert (sweep.take_turn(), sweep.take_turn()) == (True, False)
        assert SweepTurn.objects.get().at == NOW
        for seconds, expected in ((0.9, False), (1, True), (1.5, False)):
            with time_machine.travel(NOW + seconds * SECOND, tick=False):
                assert sweep.take_turn() is expected
        assert SweepTurn.objects.get().at == NOW + SECOND

    def test_leases_that_ended(self) -> None:
        for subject, until in ((1, None), (2, NOW), (3, NOW + SECOND), (4, NOW + timedelta(minutes=5, seconds=20)),
                               (5, NOW + timedelta(minutes=5, seconds=21))):  # fmt: skip
            job(subject=subject, state=State.RUNNING, lease_until=until, fence=3)
        job(subject=6, state=State.DONE, lease_until=NOW)
        sweep.sweep_due_jobs()
        assert list(Job.objects.order_by("subject").values_list("state", "fence")) == [
            (State.DUE, 3), (State.DUE, 3), (State.RUNNING, 3), (State.RUNNING, 3), (State.DUE, 3), (State.DONE, 0),
        ]  # fmt: skip

    def test_times_that_were_never_set(self) -> None:
        pause, rest = NOW + timedelta(minutes=6), NOW + timedelta(hours=7, minutes=5)
        cases = (
            ("simulate", pause, pause), ("simulate", pause + SECOND, NOW), ("webhook", pause + SECOND, pause + SECOND),
            ("webhook", rest, rest), ("webhook", rest + SECOND, NOW),
        )  # fmt: skip
        for subject, (kind, not_before, _) in enumerate(cases):
            job(kind, subject, not_before=not_before)
        done = job(subject=9, state=State.DONE, not_before=rest + SECOND)
        sweep.sweep_due_jobs()
        found = Job.objects.exclude(pk=done.pk).order_by("subject")
        assert list(found.values_list("not_before", flat=True)) == [expected for *_, expected in cases]
        done.refresh_from_db()
        assert done.not_before == rest + SECOND

    def test_wake_ups_for_what_is_due(self) -> None:
        for subject in (1, 2):
            job("document", subject, queue="long", urgency=2)  # of an earlier version
        job("document", 3, queue="long", urgency=2, state=State.RUNNING, lease_until=NOW + SECOND)
        ended = [job("document", 4 + n, queue="x", state=state) for n, state in enumerate((State.DONE, State.FAILED))]
        job("simulate", 1)
        job("simulate", 2, not_before=NOW + SECOND)
        job("of tomorrow", 1, queue="new", urgency=0)
        job("mail", 1, queue="outbound", urgency=7)
        with real_broker() as client:
            assert sweep.sweep_due_jobs() == 5
            assert {queue: client.llen(queue) for queue in queues.QUEUES if client.llen(queue)} == {
                "short": 2, "long": 2, "outbound": 1,
            }  # fmt: skip
        open_jobs = Job.objects.exclude(pk__in=[row.pk for row in ended])
        assert set(open_jobs.values_list("kind", "queue", "urgency")) == {
            ("document", "short", 1), ("simulate", "long", 2), ("of tomorrow", "long", 2), ("mail", "outbound", 0),
        }  # fmt: skip
        assert {row.queue for row in Job.objects.filter(pk__in=[row.pk for row in ended])} == {"x"}


def test_wake_ups(sent: list[Any]) -> None:
    rows = [job(), job("of tomorrow", 8)]
    assert (queues.send_wake_ups(rows), queues.send_wake_ups([])) == (2, 0)
    assert sent == [
        ("submissions.tasks.simulate_filing", rows[0].pk, "long", True),
        ("submissions.tasks.stop_unknown_job", rows[1].pk, "long", True),
    ]


def test_wake_ups_in_the_broker() -> None:
    for subject in range(3):
        job(subject=subject)
    job("document", queue="short")
    job("draft", queue="drafts")
    with real_broker() as client:
        assert (queues.waiting_wake_ups("long"), queues.waiting_wake_ups("short")) == (0, 0)
        client.rpush("long", "x")
        client.rpush("drafts", "x", "y")
        assert queues.waiting_wake_ups("long") == 1
        assert queues.send_missing_wake_ups({"long": 3, "short": 1, "drafts": 1}) == 3
        assert [client.llen(queue) for queue in ("long", "short", "drafts")] == [3, 1, 2]


def test_wake_ups_without_a_broker() -> None:
    assert (queues.send_wake_ups([job()]), queues.send_missing_wake_ups({"long": 3})) == (0, 0)
