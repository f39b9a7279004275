"""What a Celery worker is sent: the number of a job. Everything else is in the job's row (`actions.jobs`)."""

from __future__ import annotations

from celery import shared_task

from submissions.actions import jobs, simulations
from submissions.models import Job


def _document(lease: jobs.Lease) -> None:
    from submissions.documents.produce import produce  # loads the PDF engine, only where a document is made

    produce(lease)


EXECUTORS: dict[str, jobs.Executor] = {Job.Kind.SIMULATE: simulations.run, Job.Kind.DOCUMENT: _document}


@shared_task(name=jobs.TASK)
def run_job(job_id: int) -> None:
    jobs.run(job_id, EXECUTORS)
