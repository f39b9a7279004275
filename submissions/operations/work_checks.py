"""Whether the work goes on: jobs that stopped or wait, sweeper and workers, the checkpoint, the certificates.

Sweepers and workers report every few seconds that they work, by the clock of their machine, so that others can see when
one no longer does. A job that stopped is run again by an operator, which the history records. Not here: what a process
needs to serve (`checks`), alerts (`alerts`), the processes themselves (`portal.processes`).
"""

import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from asn1crypto import x509
from django.conf import settings
from django.db import transaction
from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, Max, Model, QuerySet, Subquery

from submissions.audit.chain import CHECKPOINT_MADE
from submissions.audit.record import lock_history, record_event
from submissions.core.errors import Conflict
from submissions.documents.seal_certificate import certificates, fingerprint, subject_text
from submissions.documents.seal_conditions import newest_seal
from submissions.jobs import leases
from submissions.jobs.queues import QUEUES
from submissions.models import (
    Checkpoint,
    Event,
    Job,
    LayoutDrawing,
    LayoutFiling,
    Person,
    ProcessReport,
    Revision,
    Simulation,
)
from submissions.operations import checks
from submissions.operations.checks import Check
from submissions.permissions import layouts_visible_to, require, visible_to

PERIOD = timedelta(hours=1)  # over which durations are measured


def job_counts() -> dict[tuple[str, str], int]:
    """Return the number of jobs of each kind and state; pairs without any are left out."""
    rows = Job.objects.order_by().values_list("kind", "state").annotate(count=Count("pk"))
    return {(kind, state): count for kind, state, count in rows}


def oldest_due(now: datetime) -> list[tuple[Job, timedelta]]:
    """Return for each queue the job that has been due for the longest time, and for how long."""
    due = Job.objects.filter(state=Job.State.DUE, not_before__lte=now)
    queues = (due.filter(queue=queue).order_by("not_before", "pk") for queue in QUEUES)
    first: list[Any] = [Subquery(of_queue.values("pk")[:1]) for of_queue in queues]
    return [(job, now - job.not_before) for job in due.filter(pk__in=first).order_by("queue")]


def durations(now: datetime) -> list[Any]:
    """Return kind, count, mean and longest duration, from the first start on, of the jobs done in the last hour."""
    seconds = ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField())
    done = Job.objects.filter(finished_at__gte=now - PERIOD, state=Job.State.DONE, started_at__isnull=False)
    rows = done.order_by().values("kind").annotate(count=Count("pk"), mean=Avg(seconds), longest=Max(seconds))
    return list(rows.order_by("kind"))


def given_up_jobs() -> QuerySet[Job]:
    """Jobs that stopped by an error after all their attempts; the oldest first."""
    return Job.objects.filter(state=Job.State.ERRORED).order_by("pk")


def stopped_jobs() -> QuerySet[Job]:
    """Return the jobs that stopped or whose work was refused: all that can be run again; the newest first."""
    return Job.objects.filter(state__in=leases.STOPPED).order_by("-finished_at", "-pk")


RUN_AGAIN = "job-run-again"  # verb of the event


def run_job_again(person: Person, job: Job) -> None:
    """Send the job again, from where it stopped, with all its attempts; `Conflict` if it has not stopped."""
    with transaction.atomic():
        require(person, "operate")
        lock_history()
        present = Job.objects.select_for_update().get(pk=job.pk)
        if not leases.run_again(present.pk):
            raise Conflict("job-not-stopped", number=present.pk, state=present.get_state_display().lower())
        before = {"state": present.state, "message": present.message}
        after = {"job": present.pk, "kind": present.kind, "subject": present.subject}
        record_event(person, None, RUN_AGAIN, before=before, after=after)


SUBJECTS: dict[str, tuple[str, type[Model], str]] = {  # kind → page, table, and the lookup from there to what it shows
    Job.Kind.SIMULATE: ("submission", Simulation, "revision__submission"),
    Job.Kind.DOCUMENT: ("submission", Revision, "submission"),
    Job.Kind.PAPERS: ("layout", LayoutFiling, ""),
    Job.Kind.INSPECT: ("layout", LayoutDrawing, "filing"),
}


def subjects_of(person: Person, jobs: Iterable[Job]) -> dict[int, tuple[str, str]]:
    """Return page and number of what these jobs are about, by the job's primary key; some kinds have no page."""
    rows = list(jobs)
    subjects: dict[int, tuple[str, str]] = {}
    for kind, (page, model, path) in SUBJECTS.items():
        of_kind = {job.pk: job.subject for job in rows if job.kind == kind}
        if not of_kind:
            continue
        visible = visible_to(person) if page == "submission" else layouts_visible_to(person)
        named = model._default_manager.filter(pk__in=of_kind.values(), **{f"{path or 'pk'}__in": visible})
        numbers = dict(named.values_list("pk", f"{path}__number" if path else "number"))
        subjects |= {pk: (page, numbers[key]) for pk, key in of_kind.items() if key in numbers}
    return subjects


SWEEPER = "sweeper"
FORGOTTEN = timedelta(days=1)  # after which a process that was not stopped is no longer expected


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """A kind of process on all machines: the newest report, and on how many machines one reported in time."""

    process: str
    newest: ProcessReport
    running: int
    age: timedelta


def host_name() -> str:
    """Return the name of this machine, as far as a report holds it."""
    return socket.gethostname()[:120]


def report_process(process: str, now: datetime, *, stopped: bool = False) -> None:
    """Note that the process on this machine works, or ended as it was asked to."""
    ProcessReport.objects.update_or_create(process=process, host=host_name(), defaults={"at": now, "stopped": stopped})


def process_statuses(now: datetime) -> list[ProcessStatus]:
    """Each kind of process that reported in the last day, in the order of the names."""
    rows: dict[str, list[ProcessReport]] = {}
    for row in ProcessReport.objects.filter(at__gt=now - FORGOTTEN).order_by("process", "-at"):
        rows.setdefault(row.process, []).append(row)
    statuses = []
    for process, reports in rows.items():
        running = sum(not row.stopped and now - row.at <= settings.PROCESS_LATE for row in reports)
        statuses.append(ProcessStatus(process, reports[0], running, max(now - reports[0].at, timedelta())))
    return statuses


def last_sweep() -> ProcessReport | None:
    """Return the newest report of any sweeper."""
    return ProcessReport.objects.filter(process=SWEEPER).order_by("-at").first()


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
    """Rows that several checks and the operators' page share, read once."""

    oldest_due: Sequence[tuple[Job, timedelta]]
    processes: Sequence[ProcessStatus]
    certificates: Sequence[CertificateStatus]


def work_figures(now: datetime) -> WorkFigures:
    return WorkFigures(oldest_due(now), process_statuses(now), needed_certificates())


def all_checks(now: datetime, figures: WorkFigures | None = None) -> list[Check]:
    """Return the checks of `manage.py status` and the operators' page; without a database or tables, only the rest."""
    of_database = [checks.check_database()]
    if of_database[0].is_good:
        of_database += [checks.check_migrations(), checks.check_database_disk(), checks.check_clock()]
    here = [checks.check_broker(), checks.check_keys(), checks.check_disk()]
    can_read_rows = all(check.is_good for check in of_database[:2]) and len(of_database) > 1
    if not can_read_rows:
        return [*of_database, *here]
    figures = figures or work_figures(now)
    return [
        *of_database,
        *here,
        check_given_up(),
        *check_oldest_due(now, figures.oldest_due),
        *check_processes(now, figures.processes),
        check_checkpoint(now),
        *check_certificates(now, figures.certificates),
    ]


def check_given_up() -> Check:
    count = given_up_jobs().count()
    fix = "Read why on the page Operations or with manage.py run_again, remove the cause, and run them again."
    return Check("jobs stopped by an error", count == 0, str(count), "0", fix)


def check_oldest_due(now: datetime, known: Iterable[tuple[Job, timedelta]] | None = None) -> list[Check]:
    """Return one check for each queue in which a job is due; `known`: if they are read already."""
    checks, limit = [], f"{duration_words(settings.JOB_LATE)} or less"
    fix = "Start workers of this queue, or more of them (PORTAL_WORKERS)."
    for job, age in oldest_due(now) if known is None else known:
        value = f"{duration_words(age)} (job {job.pk}, {job.get_kind_display()})"
        checks.append(Check(f"oldest due job, queue {job.queue}", age <= settings.JOB_LATE, value, limit, fix))
    return checks


def check_processes(now: datetime, known: Sequence[ProcessStatus] | None = None) -> list[Check]:
    """Return one check for each kind of process; there must be a sweeper and at least one worker."""
    statuses = process_statuses(now) if known is None else known
    reported = [_check_process(status) for status in statuses]
    names = {status.process for status in statuses}
    missing = [*([] if SWEEPER in names else [SWEEPER]), *([] if names - {SWEEPER} else ["worker"])]
    limit = f"{duration_words(settings.PROCESS_LATE)} or less"
    never = [Check(f"last report, {name}", False, "none in the last day", limit, _start(name)) for name in missing]
    return [*reported, *never]


def _check_process(status: ProcessStatus) -> Check:
    if status.newest.stopped and not status.running:
        value = f"stopped {duration_words(status.age)} ago on {status.newest.host}"
    else:
        value = f"{duration_words(status.age)} ago on {status.newest.host}; {status.running} running"
    limit = f"{duration_words(settings.PROCESS_LATE)} or less"
    return Check(f"last report, {status.process}", status.running > 0, value, limit, _start(status.process))


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
    """Return the first event that should be in a checkpoint by now and is not; None if there is none."""
    return _late_event(now, _last_checkpoint())


def _last_checkpoint() -> int:
    """Return the number of the last checkpoint's event; 0 before the first."""
    return Checkpoint.objects.order_by("-sequence").values_list("sequence", flat=True).first() or 0


def _late_event(now: datetime, last: int) -> Event | None:
    first = Event.objects.filter(sequence__gt=last).exclude(verb=CHECKPOINT_MADE).order_by("sequence").first()
    return first if first and now - first.at > settings.CHECKPOINT_EVERY + settings.CHECKPOINT_LATE else None


def check_certificates(now: datetime, known: Iterable[CertificateStatus] | None = None) -> list[Check]:
    """Return one check for each certificate."""
    checks, limit = [], f"{settings.CERTIFICATE_DAYS} days or more"
    fix = "Get its successor, and follow “Signing keys” in docs/operations.md."
    for certificate in needed_certificates() if known is None else known:
        days = certificate.days_left(now)
        value = f"{days:,} days left ({certificate.subject})"
        checks.append(Check(certificate.name, days >= settings.CERTIFICATE_DAYS, value, limit, fix))
    return checks


def needed_certificates() -> list[CertificateStatus]:
    """Return the seal's certificate that was introduced last, and the root certificates that the settings name."""
    seal = newest_seal()
    of_seal = [CertificateStatus("seal certificate", seal.sha256, seal.subject, seal.valid_until)] if seal else []
    of_roots = [
        CertificateStatus("root certificate", fingerprint(root), subject_text(root), root.not_valid_after)
        for root in _roots()
    ]
    return of_seal + of_roots


def _roots() -> tuple[x509.Certificate, ...]:
    try:
        return certificates(Path(settings.SIGNING_ROOT)) if settings.SIGNING_ROOT else ()
    except (OSError, ValueError):  # an unreadable file is a finding of `check_keys`
        return ()


def duration_words(duration: timedelta) -> str:
    """Return the duration in its largest whole unit, such as “45 s”, “12 min”, “3 h”, “2 days”."""
    seconds = int(duration.total_seconds())
    for size, unit in ((2 * 86400, "days"), (2 * 3600, "h"), (2 * 60, "min")):
        if seconds >= size:
            return f"{seconds // (size // 2)} {unit}"
    return f"{seconds} s"
