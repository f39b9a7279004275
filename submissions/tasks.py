"""The Celery tasks: one for each kind of job, with the number of the job's row (`models.Job`) as its argument.

A message only wakes a worker: the row is authoritative (`jobs.leases`), so a message that is lost, late or sent twice
does no harm.
"""

import logging

from celery import current_app, shared_task
from django.db import DatabaseError

from submissions.bulk import batch_worker
from submissions.core.database_faults import fault_words
from submissions.core.log_context import SELDOM
from submissions.filings.evidence import computations, simulations
from submissions.jobs import export_files, leases, queues
from submissions.models import Job
from submissions.notifications import email, webhooks
from submissions.public import exports
from submissions.rulemakings import refiling, trials
from submissions.security_log import lists

log = logging.getLogger(__name__)


def run_task(job: Job) -> None:
    """Call the task of this job in this process."""
    current_app.tasks[queues.task_name(job.kind)](job.pk)


def run_job(job_id: int, work: leases.Work) -> None:
    """Run this job; in a worker the most urgent due job of its queue, if that is more urgent or this one is not free.

    While the database stores nothing, no job is taken. If the end of one cannot be noted, its lease ends, and it is due
    again.
    """
    if current_app.current_worker_task is None:  # called directly: this job and no other, to its end
        leases.run_leased(job_id, work)
        return
    try:
        while not leases.stop_requested() and (job := queues.next_job(job_id)):
            if job.pk != job_id:
                run_task(job)
                break
            if leases.run_leased(job_id, work, shares=True):
                break
    except DatabaseError as error:
        log.warning("job %s: jobs wait, %s", job_id, fault_words(error), extra=SELDOM)


@shared_task
def simulate_filing(job_id: int) -> None:
    """Simulate a filed configuration, or divide a long simulation into parts."""
    run_job(job_id, simulations.run_simulation)


@shared_task
def deal_part(job_id: int) -> None:
    """Deal the blocks of one part of a simulation."""
    run_job(job_id, simulations.run_part)


@shared_task
def analyze_chapter(job_id: int) -> None:
    """Compute the exact figures of a chapter."""
    run_job(job_id, computations.run_analysis)


@shared_task
def compute_errata_holds(job_id: int) -> None:
    """Compute the holds that interpretation notes change."""
    run_job(job_id, computations.run_errata_holds)


@shared_task
def replay_round(job_id: int) -> None:
    """Replay one round of a simulation."""
    run_job(job_id, simulations.run_replay)


@shared_task
def inspect_drawing(job_id: int) -> None:
    """Inspect an uploaded drawing."""

    def work(lease: leases.Lease) -> None:
        from submissions.layouts.uploaded_drawings import run_inspection  # Start-up cost: 0.2 s for the first drawing

        run_inspection(lease)

    run_job(job_id, work)


@shared_task
def check_batch(job_id: int) -> None:
    """Check the items of a batch."""
    run_job(job_id, batch_worker.check_batch)


@shared_task
def apply_batch(job_id: int) -> None:
    """Apply the items of a batch."""
    run_job(job_id, batch_worker.apply_batch)


@shared_task
def sign_document(job_id: int) -> None:
    """Lay out, sign and verify the document of an approved submission."""

    def work(lease: leases.Lease) -> None:
        from submissions.documents.submission_document import produce_document  # Start-up cost: 2 s for the first one

        produce_document(lease)

    run_job(job_id, work)


@shared_task
def sign_papers(job_id: int) -> None:
    """Lay out, sign and verify a layout, its sign and its guide."""

    def work(lease: leases.Lease) -> None:
        from submissions.layouts.paper_jobs import produce_papers  # Start-up cost: the same libraries

        produce_papers(lease)

    run_job(job_id, work)


@shared_task
def print_draft(job_id: int) -> None:
    """Make a draft as PDF."""

    def work(lease: leases.Lease) -> None:
        from submissions.layouts.paper_jobs import run_draft  # Start-up cost: 2 s for the first draft only

        run_draft(lease)

    run_job(job_id, work)


@shared_task
def run_trial(job_id: int) -> None:
    """Try a rulemaking on the versions in effect."""
    run_job(job_id, trials.run_trial_job)


@shared_task
def print_trial(job_id: int) -> None:
    """Make the result of a trial as PDF."""

    def work(lease: leases.Lease) -> None:
        from submissions.rulemakings.trial_pdf import run_trial_pdf  # Start-up cost: 2 s for the first one only

        run_trial_pdf(lease)

    run_job(job_id, work)


@shared_task
def find_rule_effects(job_id: int) -> None:
    """Find what the published rule changes mean for a version that was approved."""
    run_job(job_id, refiling.run_rule_effects)


@shared_task
def verify_file(job_id: int) -> None:
    """Verify a file from the public verification page."""

    def work(lease: leases.Lease) -> None:
        from submissions.documents.verification import run_verification  # Start-up cost: 1 s, of its worker only

        run_verification(lease)

    run_job(job_id, work)


@shared_task
def verify_document_again(job_id: int) -> None:
    """Verify a signed document again."""

    def work(lease: leases.Lease) -> None:
        from submissions.documents.verification import run_reverification  # Start-up cost: the same libraries

        run_reverification(lease)

    run_job(job_id, work)


@shared_task
def send_mail(job_id: int) -> None:
    """Send a mail."""
    run_job(job_id, email.send_mail_job)


@shared_task
def deliver_webhook(job_id: int) -> None:
    """Send a delivery to its webhook."""
    run_job(job_id, webhooks.deliver)


EXPORT_MAKERS: dict[str, export_files.ExportMaker] = {
    exports.KIND: exports.write_table_part,
    lists.KIND: lists.write_log_part,
}


@shared_task
def export_table(job_id: int) -> None:
    """Write a table that is too long for a page."""
    run_job(job_id, lambda lease: export_files.run_export(lease, EXPORT_MAKERS))


@shared_task
def stop_unknown_job(job_id: int) -> None:
    """Stop a job of a kind that only another version of the portal has."""

    def work(lease: leases.Lease) -> None:
        raise KeyError(lease.job.kind)

    run_job(job_id, work)
