"""A worker whose clock is wrong neither takes a job over nor leaves one to others: the database's clock counts."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.utils import timezone

from submissions.jobs import clock, leases, sweep
from submissions.models import Job
from tests.portal.broker import speaking_to

pytestmark = [pytest.mark.django_db, pytest.mark.service("time")]
HOUR = timedelta(hours=1)
NO_BROKER = "redis://127.0.0.1:1"
WRONG = pytest.mark.parametrize("wrong_by", [HOUR, -HOUR], ids=["ahead", "behind"])


@pytest.fixture(autouse=True)
def _server_with_a_clock() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite is a file of this machine, whose clock is the process's")


@WRONG
def test_worker_with_a_wrong_clock_has_a_lease_of_the_right_length(wrong_by: timedelta) -> None:
    with time_machine.travel(timezone.now() + wrong_by):
        assert leases.take_lease(leases.enqueue(Job.Kind.SIMULATE, 7).pk) is not None
    job = Job.objects.get()
    left = job.lease_until - timezone.now()
    assert timedelta(0) < left <= settings.JOB_LEASE
    assert abs(job.not_before - timezone.now()) < timedelta(minutes=1)


@WRONG
def test_sweeper_and_worker_with_wrong_clocks_respect_a_lease(wrong_by: timedelta) -> None:
    lease = leases.take_lease(leases.enqueue(Job.Kind.SIMULATE, 7).pk)
    assert lease is not None
    with time_machine.travel(timezone.now() + wrong_by), speaking_to(NO_BROKER):
        sweep.sweep_due_jobs()
        assert leases.take_lease(lease.job.pk) is None
        assert Job.objects.get().state == Job.State.RUNNING
        lease.beat(1, 2)
    assert timedelta(0) < Job.objects.get().lease_until - timezone.now() <= settings.JOB_LEASE


@WRONG
def test_difference_from_the_database_is_measured_to_the_second(wrong_by: timedelta) -> None:
    assert abs(clock.difference()) < timedelta(seconds=1)
    with time_machine.travel(timezone.now() + wrong_by):
        assert abs(clock.difference() - wrong_by) < timedelta(seconds=1)


def test_clock_of_the_process_counts_where_a_setting_says_so(jobs_travel: None) -> None:
    with time_machine.travel(timezone.now() + HOUR, tick=False):
        assert clock.now(HOUR) == timezone.now() + HOUR
