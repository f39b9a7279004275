"""How long a job will wait in its queue, by the measured times of the latest jobs of its kind.

Not here: limits of a queue, which its callers set.
"""

import math
from dataclasses import dataclass
from datetime import timedelta
from statistics import median

from django.db.models import QuerySet

from submissions.jobs.leases import ENDED
from submissions.models import Job

MEASURED = 20  # of the latest jobs that are done
USUAL_SECONDS = 10.0  # for one job, as long as none was measured


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """`ahead`: jobs that are done first; `left` until it is done, None while no times are known."""

    ahead: int
    left: timedelta | None


def queue_place(kind: Job.Kind, subject: int, workers: int) -> QueuePlace:
    """The place of the job about this subject; `workers` do one job each at the same time."""
    job = Job.objects.filter(kind=kind, subject=subject).first()
    ahead = pending_jobs(kind).filter(pk__lt=job.pk).count() if job else 0
    seconds = measured_seconds(kind)
    batches = math.ceil((ahead + 1) / workers)
    return QueuePlace(ahead, None if seconds is None else timedelta(seconds=seconds * batches))


def pending_jobs(kind: Job.Kind) -> QuerySet[Job]:
    """Those that wait or run."""
    return Job.objects.filter(kind=kind).exclude(state__in=ENDED)


def retry_after(kind: Job.Kind) -> int:
    """Seconds after which a place in a full queue is probably free."""
    return max(1, math.ceil(measured_seconds(kind) or USUAL_SECONDS))


def measured_seconds(kind: Job.Kind) -> float | None:
    """The median of the latest jobs; None if there are none."""
    done = Job.objects.filter(kind=kind, state=Job.State.DONE).order_by("-finished_at")
    times = done.values_list("started_at", "finished_at")[:MEASURED]
    seconds = [(finished - started).total_seconds() for started, finished in times if started and finished]
    return median(seconds) if seconds else None
