"""What a Celery worker is sent: the number of a job. Everything else is in the job's row (`actions.jobs`)."""

from __future__ import annotations

from celery import shared_task

from submissions.actions import jobs, simulations
from submissions.documents.produce import produce
from submissions.models import Job

EXECUTORS: dict[str, jobs.Executor] = {Job.Kind.SIMULATE: simulations.run, Job.Kind.DOCUMENT: produce}


@shared_task(name=jobs.TASK)
def run_job(job_id: int) -> None:
    jobs.run(job_id, EXECUTORS)
