"""Rows of jobs for tests, at one moment that does not pass."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from submissions.jobs import leases
from submissions.models import Job

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
State = Job.State


def job(kind: str = "simulate", subject: int = 7, **given: Any) -> Job:
    return Job.objects.create(**{"kind": kind, "subject": subject, "not_before": NOW, **given})


def running(**given: Any) -> leases.Lease:
    """A job in its second attempt, and one beside it that nothing concerns."""
    job(subject=99, state=State.RUNNING, fence=5, attempts=2, lease_until=NOW)
    row = job(attempts=1, fence=4, **given)
    lease = leases.take_lease(row.pk)
    assert lease is not None
    return lease


def row(lease: leases.Lease) -> dict[str, Any]:
    return Job.objects.filter(pk=lease.job.pk).values().get()


def fields(values: dict[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(values[name] for name in names)
