"""The progress of jobs: as text, and how long one will wait in its queue, by the times of the latest of its kind."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import Self

from django.db.models import QuerySet
from django.utils import timezone

from submissions.jobs.leases import ENDED
from submissions.models import Job


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of one job, or of several with one purpose; `left` is the estimated time as text."""

    words: str
    done: int = 0
    total: int = 0
    left: str = ""
    stopped: bool = False

    @classmethod
    def of(cls, jobs: Iterable[Job]) -> Self:
        rows = list(jobs)
        bad = next((row for row in rows if row.state in (Job.State.FAILED, Job.State.ERRORED)), None)
        if bad and bad.state == Job.State.ERRORED:  # the reason is in the operator's log
            return cls("Stopped by an error. Nothing is lost. The portal's operator can run it again.", stopped=True)
        if bad:
            return cls(f"{bad.get_state_display()}: {bad.message or 'no reason was given.'}", stopped=True)
        done, total = sum(row.done_units for row in rows), sum(row.total_units for row in rows)
        running = next((row for row in rows if row.state in (Job.State.RUNNING, Job.State.DIVIDED)), None)
        if running is None:
            return cls("Waiting for a worker.", done, total)
        return cls(running.message or "Started", done, total, _left(running))


def _left(job: Job) -> str:
    """Return the time left at the rate so far; "" while it is not known."""
    if not (job.started_at and job.done_units and job.total_units):
        return ""
    passed = (timezone.now() - job.started_at).total_seconds()
    seconds = passed / job.done_units * (job.total_units - job.done_units)
    if seconds < 5:
        return "a few seconds left"
    return f"about {timedelta(seconds=round(seconds))} left" if seconds >= 60 else f"about {round(seconds)} s left"


MEASURED = 20  # of the latest jobs that are done
USUAL_SECONDS = 10.0  # for one job, as long as none was measured


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """`ahead`: jobs that are done first; `left` until it is done, None while no times are known."""

    ahead: int
    left: timedelta | None


def queue_place(kind: Job.Kind, subject: int, workers: int) -> QueuePlace:
    """Return the place of the job about this subject; `workers` do one job each at the same time."""
    job = Job.objects.filter(kind=kind, subject=subject).first()
    ahead = pending_jobs(kind).filter(pk__lt=job.pk).count() if job else 0
    seconds = measured_seconds(kind)
    batches = math.ceil((ahead + 1) / workers)
    return QueuePlace(ahead, None if seconds is None else timedelta(seconds=seconds * batches))


def pending_jobs(kind: Job.Kind) -> QuerySet[Job]:
    """Return the jobs that wait or run."""
    return Job.objects.filter(kind=kind).exclude(state__in=ENDED)


def retry_after(kind: Job.Kind) -> int:
    """Return the seconds after which a place in a full queue is probably free."""
    return max(1, math.ceil(measured_seconds(kind) or USUAL_SECONDS))


def measured_seconds(kind: Job.Kind) -> float | None:
    """Return the median of the latest jobs; None if there are none."""
    done = Job.objects.filter(kind=kind, state=Job.State.DONE).order_by("-finished_at")
    times = done.values_list("started_at", "finished_at")[:MEASURED]
    seconds = [(finished - started).total_seconds() for started, finished in times if started and finished]
    return median(seconds) if seconds else None
