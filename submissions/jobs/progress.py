"""The progress of jobs as text: of simulations, documents, any work in the background.

Not here: how jobs are run (`jobs.leases`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Self

from django.utils import timezone

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
    """The time left at the rate so far; "" while it is not known."""
    if not (job.started_at and job.done_units and job.total_units):
        return ""
    passed = (timezone.now() - job.started_at).total_seconds()
    seconds = passed / job.done_units * (job.total_units - job.done_units)
    if seconds < 5:
        return "a few seconds left"
    return f"about {timedelta(seconds=round(seconds))} left" if seconds >= 60 else f"about {round(seconds)} s left"
