"""One portal for all tests of this package: it takes long to start, and starts again what they kill."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from submissions.models import Job, ProcessReport
from tests.portal.broker import speaking_to
from tests.portal.running import Running, alive, running, until

ROUNDS = 20_000
SETTINGS = {
    "PORTAL_JOB_LEASE_SECONDS": "4",  # what was killed is taken again soon
    "PORTAL_SIMULATION_ROUNDS": str(ROUNDS),
    "PORTAL_WEBHOOK_PRIVATE": "1",
}
LONGEST = 240  # seconds in which the jobs of a test end


@pytest.fixture(scope="package")
def served(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Running]:
    """In the end the supervisor is killed, too: nothing outlives it, the embedded broker included."""
    with running(**SETTINGS) as portal, speaking_to(portal.broker):
        yield portal
        family = portal.processes()
        assert portal.named("broker")
        portal.stop(signal.SIGKILL)
        until(lambda: not any(alive(process.pid) for process in family), 10)
    with django_db_blocker.unblock():
        ProcessReport.objects.all().delete()  # written after the last test's rows were deleted


@pytest.fixture
def portal(served: Running, transactional_db: None) -> Iterator[Running]:
    """The portal, which has no job left when the rows of a test are deleted."""
    yield served
    until(lambda: not _has_jobs(), LONGEST, served.log.read_text)


def _has_jobs() -> bool:
    due = Job.objects.filter(state=Job.State.DUE, not_before__lte=timezone.now())
    return due.exists() or Job.objects.filter(state=Job.State.RUNNING).exists()
