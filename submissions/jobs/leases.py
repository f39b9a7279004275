"""Jobs: stored as a row, sent to a worker as a number, run under a lease.

The row is authoritative. A message may be lost or arrive twice, a worker may die at any line: each lease raises the
fence, and a write with an older fence is refused. Not here: the work itself (`evidence`, `documents`, …), the executor
of each kind (`submissions.tasks`). The sweeper process calls `sweep_due_jobs` to send lost messages again.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from threading import Event, Thread

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from submissions.core.errors import Refusal
from submissions.models import Job
from submissions.rules.effective_rules import published_changes_read_once

log = logging.getLogger(__name__)

TASK = "submissions.run_job"
RESEND = timedelta(seconds=10)  # a message that no worker took is sent again
LONGEST_PAUSE = timedelta(seconds=60)  # between two attempts
LONGEST_REST = timedelta(hours=7)  # of a webhook without an answer
WRONG_CLOCK = timedelta(minutes=5)  # a time further ahead was written by a wrong clock
LOW_PRIORITY = (Job.Kind.SIMULATE, Job.Kind.REVERIFY)  # long, and many at a time: all other jobs come first
VERIFICATION, DRAFTS = "verification", "drafts"
# With workers of their own: neither simulations nor signing wait for strangers; all other kinds share one.
QUEUE_OF: Mapping[str, str] = {
    Job.Kind.VERIFY: VERIFICATION,
    Job.Kind.REVERIFY: VERIFICATION,
    Job.Kind.DRAFT: DRAFTS,
    Job.Kind.TRIAL_PDF: DRAFTS,
}
FIRST, LAST = 0, 9  # priorities of the broker
STOPPED = (Job.State.FAILED, Job.State.ERRORED)
ENDED = (Job.State.DONE, *STOPPED)


class LeaseLost(Exception):
    """Another worker has the job: write nothing more."""


class TryLater(Exception):
    """Something that the work needs is missing. The attempt does not count; the job is due again after `pause`."""

    def __init__(self, message: str, pause: timedelta = LONGEST_PAUSE) -> None:
        super().__init__(message)
        self.pause = pause


@dataclass(slots=True)
class Lease:
    """The right to work on a job, until another worker takes it over."""

    job: Job
    fence: int

    def beat(self, done: int, total: int, message: str = "") -> None:
        """Extend the lease and store the progress; with progress, earlier attempts no longer count."""
        changes = {"done_units": done, "total_units": total, "message": message}
        if done > self.job.done_units:
            changes["attempts"] = self.job.attempts = 1
        self.extend(**changes)
        self.job.done_units = done

    @contextmanager
    def commit(self) -> Iterator[None]:
        """A transaction that locks the job's row; raises `LeaseLost` if another worker has the job."""
        with transaction.atomic():
            self.extend()
            yield

    def extend(self, **changes: object) -> None:
        extended = Job.objects.filter(pk=self.job.pk, fence=self.fence).update(
            state=Job.State.RUNNING, lease_until=timezone.now() + settings.JOB_LEASE, **changes
        )
        if not extended:
            raise LeaseLost(f"job {self.job.pk}: fence {self.fence} is not the present one")

    def end(self, state: Job.State, message: str = "") -> None:
        """End this attempt."""
        if state in ENDED:
            self._release(state, message, finished_at=timezone.now())
        else:
            pause = min(LONGEST_PAUSE, timedelta(seconds=2**self.job.attempts))
            self._release(state, message, not_before=timezone.now() + pause)

    def put_off(self, message: str, pause: timedelta) -> None:
        """The attempt is taken back; the job is due again after the pause, however often this happens."""
        self._release(Job.State.DUE, message, attempts=F("attempts") - 1, not_before=timezone.now() + pause)

    def _release(self, state: Job.State, message: str, **changes: object) -> None:
        """The fence rises again, so that a late heartbeat has no effect."""
        changes |= {"state": state, "message": message, "lease_until": None, "fence": F("fence") + 1}
        Job.objects.filter(pk=self.job.pk, fence=self.fence).update(**changes)


Executor = Callable[[Lease], None]


def enqueue(kind: Job.Kind, subject: int) -> Job:
    """The job for this subject, created if necessary; sent after the caller's transaction."""
    job, _ = Job.objects.get_or_create(kind=kind, subject=subject, defaults={"not_before": timezone.now()})
    transaction.on_commit(partial(send_job, job.pk, job.kind))
    return job


def send_job(job_id: int, kind: str) -> bool:
    """Send the job's number to the broker. Without a broker, the sweeper sends it later."""
    now = timezone.now()
    pending_jobs = Job.objects.filter(pk=job_id).exclude(state__in=ENDED)
    pending_jobs.filter(state=Job.State.DUE).update(lease_until=now + RESEND)
    try:
        priority, queue = LAST if kind in LOW_PRIORITY else FIRST, QUEUE_OF.get(kind)
        current_app.send_task(TASK, args=(job_id,), retry=False, priority=priority, queue=queue)
    except Exception as error:  # of the broker's client: the request must not fail
        log.warning("job %s: not sent, the broker does not answer (%s)", job_id, error)
        pending_jobs.filter(state=Job.State.DUE).update(lease_until=None)
        return False
    return True


def sweep_due_jobs() -> int:
    """Send due jobs that no worker took or that a dead worker left; returns how many. Several may sweep at once."""
    now = timezone.now()
    expired = Q(lease_until__isnull=True) | _is_past("lease_until", now)
    overdue = Job.objects.filter(expired, _due(now), state__in=(Job.State.DUE, Job.State.RUNNING))
    sent = 0
    rows = overdue.order_by("pk").values_list("pk", "kind", "fence", "lease_until")
    for job_id, kind, fence, lease_until in rows:
        # The process that changes the row first sends it.
        mine = Job.objects.filter(pk=job_id, fence=fence, lease_until=lease_until, state__in=("due", "running"))
        if mine.update(state=Job.State.DUE, lease_until=now + RESEND):
            sent += send_job(job_id, kind)
    return sent


def run_leased(job_id: int, executors: Mapping[str, Executor]) -> None:
    """Run the job if its lease is free; never raises an exception of the work."""
    lease = take_lease(job_id)
    if lease is None:
        return
    try:
        with _heartbeat(lease), published_changes_read_once():
            executors[lease.job.kind](lease)
    except LeaseLost as lost:
        log.warning("%s; left to its holder", lost)
    except TryLater as later:
        log.warning("job %s (%s %s) put off: %s", job_id, lease.job.kind, lease.job.subject, later)
        lease.put_off(str(later), later.pause)
    except Refusal as refusal:
        lease.end(Job.State.FAILED, refusal.message)
    except Exception as error:
        log.exception("job %s (%s %s), attempt %s", job_id, lease.job.kind, lease.job.subject, lease.job.attempts)
        last = lease.job.attempts >= settings.JOB_ATTEMPTS
        lease.end(Job.State.ERRORED if last else Job.State.DUE, f"{type(error).__name__}: {error}")
    else:
        lease.end(Job.State.DONE)


def take_lease(job_id: int) -> Lease | None:
    """The lease, if the job is due or its last lease has expired; one compare-and-swap on the fence."""
    now = timezone.now()
    job = Job.objects.filter(pk=job_id).first()
    if job is None or job.ended:
        return None
    free = Q(state=Job.State.DUE) & _due(now) | Q(state=Job.State.RUNNING) & _is_past("lease_until", now)
    row = Job.objects.filter(free, pk=job_id, fence=job.fence)
    if job.attempts >= settings.JOB_ATTEMPTS:
        last = job.message or "nothing"
        message = f"{job.attempts} attempts ended with the worker's death, without progress. Last: {last}"
        row.update(state=Job.State.ERRORED, finished_at=now, fence=F("fence") + 1, message=message)
        return None
    is_ours = row.update(
        state=Job.State.RUNNING,
        fence=F("fence") + 1,
        attempts=F("attempts") + 1,
        lease_until=now + settings.JOB_LEASE,
        started_at=Coalesce(F("started_at"), now),
    )
    if not is_ours:
        return None
    fence, job.attempts = job.fence + 1, job.attempts + 1
    return Lease(job, fence)


def _is_past(column: str, now: datetime) -> Q:
    """The time in this column is past, or so far ahead that a wrong clock wrote it."""
    ahead = now + WRONG_CLOCK + settings.JOB_LEASE
    return Q(**{f"{column}__lte": now}) | Q(**{f"{column}__gt": ahead})


def _due(now: datetime) -> Q:
    """The job may start: the time before which it must not is past."""
    rests = Q(kind=Job.Kind.WEBHOOK, not_before__gt=now, not_before__lte=now + LONGEST_REST)
    return _is_past("not_before", now) & ~rests


def run_again(job_id: int, among: Sequence[Job.State] = STOPPED) -> bool:
    """Send a job in one of these states again, with all attempts; False if it is in another state."""
    stopped = Job.objects.filter(pk=job_id, state__in=among)
    kind = stopped.values_list("kind", flat=True).first()
    changes = {"attempts": 0, "fence": F("fence") + 1, "not_before": timezone.now(), "lease_until": None}
    if kind is None or not stopped.update(state=Job.State.DUE, finished_at=None, **changes):
        return False
    transaction.on_commit(partial(send_job, job_id, kind))
    return True


@contextmanager
def _heartbeat(lease: Lease) -> Iterator[None]:
    """Extend the lease from a thread of the worker during a long step."""
    stop = Event()

    def beat() -> None:
        while not stop.wait(settings.JOB_LEASE.total_seconds() / 4):
            try:
                lease.extend()
            except LeaseLost:
                return
            except DatabaseError as error:
                log.warning("job %s: heartbeat missed (%s)", lease.job.pk, error)
        connection.close()

    Thread(target=beat, name=f"heart-of-job-{lease.job.pk}", daemon=True).start()
    try:
        yield
    finally:
        stop.set()
