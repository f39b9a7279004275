"""What a Celery worker is sent: the number of a job. Everything else is in the job's row (`actions.jobs`)."""

from __future__ import annotations

from celery import shared_task

from submissions.actions import delivering, jobs, layout_inspections, mails, simulations
from submissions.actions.bulk import running
from submissions.models import Job


def document(lease: jobs.Lease) -> None:
    """Lay out, sign and verify. Its libraries take two seconds to load: the first document waits, not the worker."""
    from submissions.documents.produce import produce

    produce(lease)


def papers(lease: jobs.Lease) -> None:
    """The same for a layout, its sign and its guide."""
    from submissions.documents.papers import produce

    produce(lease)


EXECUTORS: dict[str, jobs.Executor] = {
    Job.Kind.SIMULATE: simulations.run,
    Job.Kind.DOCUMENT: document,
    Job.Kind.MAIL: mails.send,
    Job.Kind.INSPECT: layout_inspections.run,
    Job.Kind.PAPERS: papers,
    Job.Kind.WEBHOOK: delivering.run,
    **running.EXECUTORS,
}


@shared_task(name=jobs.TASK)
def run_job(job_id: int) -> None:
    jobs.run(job_id, EXECUTORS)
