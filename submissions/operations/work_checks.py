"""Whether the work goes on: jobs that stopped or wait, sweeper and workers, the checkpoint, the certificates.

Not here: what a process needs to serve (`checks`), alerts (`alerts`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from asn1crypto import x509
from django.conf import settings

from submissions.audit.chain import CHECKPOINT_MADE
from submissions.documents.seal_certificate import certificates, fingerprint, subject_text
from submissions.documents.seal_register import newest_seal
from submissions.models import Checkpoint, Event
from submissions.operations import checks, job_figures
from submissions.operations.checks import Check
from submissions.operations.process_reports import SWEEPER, ProcessStatus, process_statuses


@dataclass(frozen=True, slots=True)
class CertificateStatus:
    """A certificate that the portal needs, and its last moment."""

    name: str
    sha256: str
    subject: str
    ends: datetime

    def days_left(self, now: datetime) -> int:
        """Whole days; negative once it has ended."""
        return (self.ends - now).days


@dataclass(frozen=True, slots=True)
class WorkFigures:
    """What several checks and the operators' page are made of, read once."""

    oldest_due: Sequence[job_figures.OldestDue]
    processes: Sequence[ProcessStatus]
    certificates: Sequence[CertificateStatus]


def work_figures(now: datetime) -> WorkFigures:
    """As the database has it now."""
    return WorkFigures(job_figures.oldest_due(now), process_statuses(now), needed_certificates())


def all_checks(now: datetime, figures: WorkFigures | None = None) -> list[Check]:
    """All that `manage.py status` and the operators' page show; without a database or its tables, only the rest.

    `figures`: if they are read already.
    """
    of_database = [checks.check_database()]
    if of_database[0].is_good:
        of_database += [checks.check_migrations(), checks.check_database_disk(), checks.check_clock()]
    here = [checks.check_broker(), checks.check_keys(), checks.check_disk()]
    can_read_rows = all(check.is_good for check in of_database[:2]) and len(of_database) > 1
    return [*of_database, *here, *(_work_checks(now, figures or work_figures(now)) if can_read_rows else [])]


def _work_checks(now: datetime, figures: WorkFigures) -> list[Check]:
    """The checks of the rows in the database."""
    return [
        check_given_up(),
        *check_oldest_due(now, figures.oldest_due),
        *check_processes(now, figures.processes),
        check_checkpoint(now),
        *check_certificates(now, figures.certificates),
    ]


def check_given_up() -> Check:
    count = job_figures.given_up_jobs().count()
    fix = "Read why on the page Operations or with manage.py run_again, remove the cause, and run them again."
    return Check("jobs stopped by an error", count == 0, str(count), "0", fix)


def check_oldest_due(now: datetime, known: Iterable[job_figures.OldestDue] | None = None) -> list[Check]:
    """One check for each queue in which a job is due; `known`: if they are read already."""
    limit = settings.JOB_LATE
    fix = "Start workers of this queue, or more of them (PORTAL_WORKERS)."
    return [
        Check(
            f"oldest due job, queue {oldest.queue}",
            oldest.age <= limit,
            f"{duration_words(oldest.age)} (job {oldest.job.pk}, {oldest.job.get_kind_display()})",
            f"{duration_words(limit)} or less",
            fix,
        )
        for oldest in (job_figures.oldest_due(now) if known is None else known)
    ]


def check_processes(now: datetime, known: Sequence[ProcessStatus] | None = None) -> list[Check]:
    """One check for each kind of process; there must be a sweeper and at least one worker. `known` as above."""
    statuses = process_statuses(now) if known is None else known
    reported = [_check_process(status) for status in statuses]
    names = {status.process for status in statuses}
    missing = [*([] if SWEEPER in names else [SWEEPER]), *([] if names - {SWEEPER} else ["worker"])]
    limit = f"{duration_words(settings.PROCESS_LATE)} or less"
    never = [Check(f"last report, {name}", False, "none in the last day", limit, _start(name)) for name in missing]
    return [*reported, *never]


def _check_process(status: ProcessStatus) -> Check:
    if status.newest.stopped and status.is_late:
        value = f"stopped {duration_words(status.age)} ago on {status.newest.host}"
    else:
        value = f"{duration_words(status.age)} ago on {status.newest.host}; {status.running} running"
    limit = f"{duration_words(settings.PROCESS_LATE)} or less"
    return Check(f"last report, {status.process}", not status.is_late, value, limit, _start(status.process))


def _start(process: str) -> str:
    command = "manage.py sweep" if process == SWEEPER else "the worker"
    return f"Start {command} on a machine (manage.py serve does), and read its log."


def check_checkpoint(now: datetime) -> Check:
    """Check that the changes of the last hour are in a checkpoint by the time at which they must be."""
    last = _last_checkpoint()
    value = f"at event {last:,}" if last else "none yet"
    limit = f"at most {duration_words(settings.CHECKPOINT_EVERY + settings.CHECKPOINT_LATE)} after a change"
    fix = "Read the sweeper's log: it says what of the history or the keys prevents the checkpoint."
    return Check("last checkpoint", _late_event(now, last) is None, value, limit, fix)


def late_checkpoint_event(now: datetime) -> Event | None:
    """The first event that should be in a checkpoint by now and is not; None if there is none."""
    return _late_event(now, _last_checkpoint())


def _last_checkpoint() -> int:
    """The number of its event; 0 before the first."""
    return Checkpoint.objects.order_by("-sequence").values_list("sequence", flat=True).first() or 0


def _late_event(now: datetime, last: int) -> Event | None:
    first = Event.objects.filter(sequence__gt=last).exclude(verb=CHECKPOINT_MADE).order_by("sequence").first()
    return first if first and now - first.at > settings.CHECKPOINT_EVERY + settings.CHECKPOINT_LATE else None


def check_certificates(now: datetime, known: Iterable[CertificateStatus] | None = None) -> list[Check]:
    """One check for each certificate; `known` as above."""
    limit = settings.CERTIFICATE_DAYS
    fix = "Get its successor, and follow “Signing keys” in docs/operations.md."
    return [
        Check(
            certificate.name,
            certificate.days_left(now) >= limit,
            f"{certificate.days_left(now):,} days left ({certificate.subject})",
            f"{limit} days or more",
            fix,
        )
        for certificate in (needed_certificates() if known is None else known)
    ]


def needed_certificates() -> list[CertificateStatus]:
    """The seal's certificate that was introduced last, and the root certificates that the settings name."""
    seal = newest_seal()
    of_seal = [CertificateStatus("seal certificate", seal.sha256, seal.subject, seal.valid_until)] if seal else []
    return [*of_seal, *(_root_status(root) for root in _roots())]


def _roots() -> tuple[x509.Certificate, ...]:
    try:
        return certificates(Path(settings.SIGNING_ROOT)) if settings.SIGNING_ROOT else ()
    except (OSError, ValueError):  # an unreadable file is a finding of `check_keys`
        return ()


def _root_status(root: x509.Certificate) -> CertificateStatus:
    return CertificateStatus("root certificate", fingerprint(root), subject_text(root), root.not_valid_after)


def duration_words(duration: timedelta) -> str:
    """The duration in its largest whole unit, such as “45 s”, “12 min”, “3 h”, “2 days”."""
    seconds = int(duration.total_seconds())
    for size, unit in ((2 * 86400, "days"), (2 * 3600, "h"), (2 * 60, "min")):
        if seconds >= size:
            return f"{seconds // (size // 2)} {unit}"
    return f"{seconds} s"
