"""What a Celery worker is sent: that a job of a queue is due. Everything else is in the job's row (`jobs.leases`)."""

import logging

from celery import shared_task
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


def document(lease: leases.Lease) -> None:
    """Lay out, sign and verify."""
    from submissions.documents.submission_document import produce_document  # Start-up cost: 2 s for the first one

    produce_document(lease)


def papers(lease: leases.Lease) -> None:
    """The same for a layout, its sign and its guide."""
    from submissions.layouts.paper_jobs import produce_papers  # Start-up cost: the same libraries

    produce_papers(lease)


def inspection(lease: leases.Lease) -> None:
    """Inspect a drawing."""
    from submissions.layouts.uploaded_drawings import run_inspection  # Start-up cost: 0.2 s for the first drawing only

    run_inspection(lease)


def verification(lease: leases.Lease) -> None:
    """Verify a file that the portal does not know."""
    from submissions.documents.verification import run_verification  # Start-up cost: 1 s, of its worker only

    run_verification(lease)


def reverification(lease: leases.Lease) -> None:
    """Verify a signed document again."""
    from submissions.documents.verification import run_reverification  # Start-up cost: the same libraries

    run_reverification(lease)


def draft(lease: leases.Lease) -> None:
    """Make a draft as PDF."""
    from submissions.layouts.paper_jobs import run_draft  # Start-up cost: 2 s for the first draft only

    run_draft(lease)


def trial_paper(lease: leases.Lease) -> None:
    """Make the result of a trial as PDF."""
    from submissions.rulemakings.trial_pdf import run_trial_pdf  # Start-up cost: 2 s for the first one only

    run_trial_pdf(lease)


EXPORT_MAKERS: dict[str, export_files.ExportMaker] = {
    exports.KIND: exports.write_table_part,
    lists.KIND: lists.write_log_part,
}


def export(lease: leases.Lease) -> None:
    """Write a table that is too long for a page."""
    export_files.run_export(lease, EXPORT_MAKERS)


EXECUTORS: dict[str, leases.Executor] = {
    Job.Kind.SIMULATE: simulations.run_simulation,
    Job.Kind.DEAL: simulations.run_part,
    Job.Kind.DOCUMENT: document,
    Job.Kind.MAIL: email.send_mail_job,
    Job.Kind.INSPECT: inspection,
    Job.Kind.PAPERS: papers,
    Job.Kind.WEBHOOK: webhooks.deliver,
    Job.Kind.ANALYZE: computations.run_analysis,
    Job.Kind.REPLAY: simulations.run_replay,
    Job.Kind.VERIFY: verification,
    Job.Kind.REVERIFY: reverification,
    Job.Kind.DRAFT: draft,
    Job.Kind.ERRATA_HOLDS: computations.run_errata_holds,
    Job.Kind.TRIAL: trials.run_trial_job,
    Job.Kind.TRIAL_PDF: trial_paper,
    Job.Kind.RULE_EFFECTS: refiling.run_rule_effects,
    Job.Kind.EXPORT: export,
    **batch_worker.EXECUTORS,
}


@shared_task(name=queues.TASK)
def run_job(queue: str, job_id: int | None = None) -> None:
    """Run whichever job of the queue is most urgent; `job_id` is the one whose enqueuing woke us.

    While the database stores nothing, no job is taken. If the end of one cannot be noted, its lease ends, and it is due
    again.
    """
    try:
        leases.run_due(queue, EXECUTORS)
    except DatabaseError as error:
        log.warning("queue %s: jobs wait, %s", queue, fault_words(error), extra=SELDOM)
