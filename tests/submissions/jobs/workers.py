"""A worker of one queue, in this process: it takes the most urgent due job."""

from __future__ import annotations

from collections.abc import Mapping

from submissions import tasks
from submissions.jobs import leases, queues


def run_due(queue: str, works: Mapping[str, leases.Work]) -> bool:
    """Do one due job with the work that the test has for its kind; False if none is due."""
    job = queues.due_jobs(queue).first()
    return job is not None and leases.run_leased(job.pk, works[job.kind], shares=True)


def apply_message(kind: str, job_id: int) -> None:
    """Run the task of this kind as a worker does when the message arrives."""
    getattr(tasks, queues.PLACES.get(kind, queues.UNKNOWN).task).apply(args=[job_id], throw=True)
