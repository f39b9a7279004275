"""What a Celery worker is sent: the number of a job. Everything else is in the job's row (`jobs.leases`)."""

from celery import shared_task

from submissions.bulk import batch_worker
from submissions.evidence import analysis_cache, errata_reports, replayed_rounds, simulations
from submissions.jobs import leases
from submissions.layouts import inspection_job
from submissions.models import Job
from submissions.notifications import email, webhook_delivery
from submissions.rulemakings import approved_versions, trial_job


def document(lease: leases.Lease) -> None:
    """Lay out, sign and verify."""
    from submissions.documents.signing_job import produce_document  # Start-up cost: 2 s for the first document only

    produce_document(lease)


def papers(lease: leases.Lease) -> None:
    """The same for a layout, its sign and its guide."""
    from submissions.layouts.paper_signing_job import produce_papers  # Start-up cost: the same libraries

    produce_papers(lease)


def verification(lease: leases.Lease) -> None:
    """Verify a file that the portal does not know."""
    from submissions.verification.verification_queue import run_verification  # Start-up cost: 1 s, of its worker only

    run_verification(lease)


def reverification(lease: leases.Lease) -> None:
    """Verify a signed document again."""
    from submissions.verification.reverification import run_reverification  # Start-up cost: the same libraries

    run_reverification(lease)


def draft(lease: leases.Lease) -> None:
    """Make a draft as PDF."""
    from submissions.layouts.draft_job import run_draft  # Start-up cost: 2 s for the first draft only

    run_draft(lease)


def errata(lease: leases.Lease) -> None:
    """Make a signed errata report."""
    from submissions.documents.errata_signing_job import produce_errata  # Start-up cost: 2 s for the first one only

    produce_errata(lease)


def trial_paper(lease: leases.Lease) -> None:
    """Make the result of a trial as PDF."""
    from submissions.rulemakings.trial_pdf import run_trial_pdf  # Start-up cost: 2 s for the first one only

    run_trial_pdf(lease)


EXECUTORS: dict[str, leases.Executor] = {
    Job.Kind.SIMULATE: simulations.run_simulation,
    Job.Kind.DOCUMENT: document,
    Job.Kind.MAIL: email.send_mail_job,
    Job.Kind.INSPECT: inspection_job.run_inspection,
    Job.Kind.PAPERS: papers,
    Job.Kind.WEBHOOK: webhook_delivery.deliver,
    Job.Kind.ANALYZE: analysis_cache.run_analysis,
    Job.Kind.REPLAY: replayed_rounds.run_replay,
    Job.Kind.VERIFY: verification,
    Job.Kind.REVERIFY: reverification,
    Job.Kind.DRAFT: draft,
    Job.Kind.ERRATA_HOLDS: errata_reports.run_holds,
    Job.Kind.ERRATA: errata,
    Job.Kind.TRIAL: trial_job.run_trial_job,
    Job.Kind.TRIAL_PDF: trial_paper,
    Job.Kind.RULE_EFFECTS: approved_versions.run_rule_effects,
    **batch_worker.EXECUTORS,
}


@shared_task(name=leases.TASK)
def run_job(job_id: int) -> None:
    leases.run_leased(job_id, EXECUTORS)
