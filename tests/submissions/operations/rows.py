"""Jobs in each state, and the queries of a check, for tests of what the operators see."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from submissions.jobs.queues import PLACES
from submissions.models import Job

WHY = "ConnectionError: the timestamp authority did not answer"
CLOCK_QUERIES = 1 if connection.vendor == "postgresql" else 0  # of `check_clock`
DISK_QUERIES = 5 if connection.vendor == "postgresql" else 0  # of `check_database_disk`: a transaction of its own


def job(kind: Job.Kind, subject: int = 1, *, state: Job.State = Job.State.DUE, **columns: object) -> Job:
    place = PLACES[kind]
    columns = {"not_before": timezone.now(), "queue": place.queue, "urgency": place.urgency, **columns}
    return Job.objects.create(kind=kind, subject=subject, state=state, **columns)


def stopped_job(subject: int = 1, kind: Job.Kind = Job.Kind.DOCUMENT, **columns: object) -> Job:
    """A job that was given up."""
    ended = {"attempts": 8, "fence": 9, "message": WHY, "finished_at": timezone.now()}
    return job(kind, subject, state=Job.State.ERRORED, **(ended | columns))


def done_job(kind: Job.Kind, subject: int, seconds: float, ended: datetime) -> Job:
    started = ended - timedelta(seconds=seconds)
    return job(kind, subject, state=Job.State.DONE, started_at=started, finished_at=ended)
