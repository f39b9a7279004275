"""What the job table says about the work: how much of each kind and state, what waits longest, what was given up.

The only module here that reads jobs and their queues. It changes nothing; running a job again is `job_actions`.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, Max, QuerySet, Subquery

from submissions.jobs.leases import STOPPED
from submissions.jobs.queues import QUEUES
from submissions.models import Job

PERIOD = timedelta(hours=1)  # over which durations are measured


@dataclass(frozen=True, slots=True)
class OldestDue:
    """The job of a queue that has been due for the longest time."""

    queue: str
    job: Job
    age: timedelta


@dataclass(frozen=True, slots=True)
class KindDuration:
    """Jobs of a kind that ended in the last hour: how many, and how long they took from their first start."""

    kind: str
    count: int
    mean: timedelta
    longest: timedelta


def job_counts() -> dict[tuple[str, str], int]:
    """How many jobs there are of each kind and state; pairs without any are left out."""
    rows = Job.objects.order_by().values_list("kind", "state").annotate(count=Count("pk"))
    return {(kind, state): count for kind, state, count in rows}


def oldest_due(now: datetime) -> list[OldestDue]:
    """For each queue that has due jobs, the one that waits longest. A job that rests until a later time is not due."""
    due = Job.objects.filter(state=Job.State.DUE, not_before__lte=now)
    queues = (due.filter(queue=queue).order_by("not_before", "pk") for queue in QUEUES)
    first: list[Any] = [Subquery(of_queue.values("pk")[:1]) for of_queue in queues]
    return [OldestDue(job.queue, job, now - job.not_before) for job in due.filter(pk__in=first).order_by("queue")]


def durations(now: datetime) -> list[KindDuration]:
    """Of the jobs that were done in the last hour, by kind."""
    seconds = ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField())
    done = Job.objects.filter(finished_at__gte=now - PERIOD, state=Job.State.DONE, started_at__isnull=False)
    rows = done.order_by().values("kind").annotate(count=Count("pk"), mean=Avg(seconds), longest=Max(seconds))
    return [KindDuration(row["kind"], row["count"], row["mean"], row["longest"]) for row in rows.order_by("kind")]


def given_up_jobs() -> QuerySet[Job]:
    """Jobs that stopped by an error after all their attempts; the oldest first."""
    return Job.objects.filter(state=Job.State.ERRORED).order_by("pk")


def stopped_jobs() -> QuerySet[Job]:
    """Those, and jobs whose work was refused: all that can be run again; the newest first."""
    return Job.objects.filter(state__in=STOPPED).order_by("-finished_at", "-pk")


def counts_by_kind(counts: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    """The same counts as one row for each kind."""
    table: dict[str, dict[str, int]] = defaultdict(dict)
    for (kind, state), count in counts.items():
        table[kind][state] = count
    return dict(sorted(table.items()))
