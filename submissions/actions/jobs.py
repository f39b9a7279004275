"""Work in the background: put down as a row, sent to a worker as a number, done under a lease.

The row is the truth. A message may be lost or come twice, a worker may die at any line: whoever takes the
lease raises the fence, and what an older fence wants to write is refused. Not here: what the work is
(`simulations`, `documents`), which work belongs to which kind (`submissions.tasks`), sending again what
was lost (`sweep`, called by the sweeper process).
"""

from __future__ import annotations

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

from submissions.errors import Refusal
from submissions.models import Job

log = logging.getLogger(__name__)

TASK = "submissions.run_job"
RESEND = timedelta(seconds=10)  # a number that was sent and not taken up since is sent again
LONGEST_PAUSE = timedelta(seconds=60)  # between two attempts
LONGEST_REST = timedelta(hours=7)  # of a webhook that nobody answers
WRONG_CLOCK = timedelta(minutes=5)  # a time that lies further ahead than this was written by a clock since set back
PATIENT = (Job.Kind.SIMULATE,)  # long, and many at a time: whatever else is due is taken up before them
FIRST, LAST = 0, 9  # as the broker counts
STOPPED = (Job.State.FAILED, Job.State.ERRORED)
ENDED = (Job.State.DONE, *STOPPED)


class LeaseLost(Exception):
    """Somebody else holds the job now: write nothing more."""


class TryLater(Exception):
    """What the work needs is away, and nothing is wrong with the work: this attempt does not count against it.

    `pause`: after which it is due again.
    """

    def __init__(self, message: str, pause: timedelta = LONGEST_PAUSE) -> None:
        super().__init__(message)
        self.pause = pause


@dataclass(slots=True)
class Lease:
    """The right to work on a job, as long as nobody took it over."""

    job: Job
    fence: int

    def beat(self, done: int, total: int, message: str = "") -> None:
        """Keep the lease and tell the progress; an attempt that gets on does not count against the job."""
        changes = {"done_units": done, "total_units": total, "message": message}
        if done > self.job.done_units:
            changes["attempts"] = self.job.attempts = 1
        self._keep(**changes)
        self.job.done_units = done

    @contextmanager
    def commit(self) -> Iterator[None]:
        """A transaction that is only ours: the job's row is held until it ends, or `LeaseLost` is raised."""
        with transaction.atomic():
            self._keep()
            yield

    def _keep(self, **changes: object) -> None:
        held = Job.objects.filter(pk=self.job.pk, fence=self.fence).update(
            state=Job.State.RUNNING, lease_until=timezone.now() + settings.JOB_LEASE, **changes
        )
        if not held:
            raise LeaseLost(f"job {self.job.pk}: fence {self.fence} is not the present one")

    def end(self, state: Job.State, message: str = "") -> None:
        """The last word on this attempt. The fence rises once more: a late heartbeat finds nothing."""
        now = timezone.now()
        changes: dict[str, object] = {"state": state, "message": message, "lease_until": None, "fence": F("fence") + 1}
        if state in ENDED:
            changes["finished_at"] = now
        else:
            changes["not_before"] = now + min(LONGEST_PAUSE, timedelta(seconds=2**self.job.attempts))
        Job.objects.filter(pk=self.job.pk, fence=self.fence).update(**changes)

    def put_off(self, message: str, pause: timedelta) -> None:
        """The attempt is taken back; the job is due again after the pause, however often this happens."""
        Job.objects.filter(pk=self.job.pk, fence=self.fence).update(
            state=Job.State.DUE,
            message=message,
            lease_until=None,
            fence=F("fence") + 1,
            attempts=F("attempts") - 1,
            not_before=timezone.now() + pause,
        )


Executor = Callable[[Lease], None]


def enqueue(kind: Job.Kind, subject: int) -> Job:
    """The job for this subject, made if it is not there; sent once the caller's transaction is committed."""
    job, _ = Job.objects.get_or_create(kind=kind, subject=subject, defaults={"not_before": timezone.now()})
    transaction.on_commit(partial(send, job.pk, job.kind))
    return job


def send(job_id: int, kind: str) -> bool:
    """Give the number to the broker. A dead broker is no error: the sweeper sends it when there is one again."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=job_id).exclude(state__in=ENDED)
    waiting.filter(state=Job.State.DUE).update(lease_until=now + RESEND)
    try:
        current_app.send_task(TASK, args=(job_id,), retry=False, priority=LAST if kind in PATIENT else FIRST)
    except Exception as error:  # whatever the broker's client raises; the request must not fail
        log.warning("job %s: not sent, the broker does not answer (%s)", job_id, error)
        waiting.filter(state=Job.State.DUE).update(lease_until=None)
        return False
    return True


def sweep() -> int:
    """Send what is due and was not taken up, and what a dead worker left; how many. Several may sweep at once."""
    now = timezone.now()
    lapsed = Q(lease_until__isnull=True) | _over("lease_until", now)
    overdue = Job.objects.filter(lapsed, _due(now), state__in=(Job.State.DUE, Job.State.RUNNING))
    sent = 0
    rows = overdue.order_by("pk").values_list("pk", "kind", "fence", "lease_until")
    for job_id, kind, fence, lease_until in rows:
        # Whoever changes the row first sends it; the others find it changed.
        mine = Job.objects.filter(pk=job_id, fence=fence, lease_until=lease_until, state__in=("due", "running"))
        if mine.update(state=Job.State.DUE, lease_until=now + RESEND):
            sent += send(job_id, kind)
    return sent


def run(job_id: int, executors: Mapping[str, Executor]) -> None:
    """Take the job if it is free, and carry it to an end; never raises for what the work did."""
    lease = take(job_id)
    if lease is None:
        return
    try:
        with _heart(lease):
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


def take(job_id: int) -> Lease | None:
    """The lease, if the job is due or its holder's time is over; one compare-and-swap on the fence."""
    now = timezone.now()
    job = Job.objects.filter(pk=job_id).first()
    if job is None or job.ended:
        return None
    free = Q(state=Job.State.DUE) & _due(now) | Q(state=Job.State.RUNNING) & _over("lease_until", now)
    row = Job.objects.filter(free, pk=job_id, fence=job.fence)
    if job.attempts >= settings.JOB_ATTEMPTS:
        row.update(state=Job.State.ERRORED, finished_at=now, fence=F("fence") + 1, message=_gave_up(job))
        return None
    taken = row.update(
        state=Job.State.RUNNING,
        fence=F("fence") + 1,
        attempts=F("attempts") + 1,
        lease_until=now + settings.JOB_LEASE,
        started_at=Coalesce(F("started_at"), now),
    )
    if not taken:
        return None
    fence, job.attempts = job.fence + 1, job.attempts + 1
    return Lease(job, fence)


def _over(column: str, now: datetime) -> Q:
    """The time in this column has come, or lies so far ahead that nobody can have meant it."""
    ahead = now + WRONG_CLOCK + settings.JOB_LEASE
    return Q(**{f"{column}__lte": now}) | Q(**{f"{column}__gt": ahead})


def _due(now: datetime) -> Q:
    """The time before which nobody starts it is over."""
    rests = Q(kind=Job.Kind.WEBHOOK, not_before__gt=now, not_before__lte=now + LONGEST_REST)
    return _over("not_before", now) & ~rests


def run_again(job_id: int, among: Sequence[Job.State] = STOPPED) -> bool:
    """Send a job that is in one of these states once more, with all its attempts; False if it is in another."""
    stopped = Job.objects.filter(pk=job_id, state__in=among)
    kind = stopped.values_list("kind", flat=True).first()
    changes = {"attempts": 0, "fence": F("fence") + 1, "not_before": timezone.now(), "lease_until": None}
    if kind is None or not stopped.update(state=Job.State.DUE, finished_at=None, **changes):
        return False
    transaction.on_commit(partial(send, job_id, kind))
    return True


def _gave_up(job: Job) -> str:
    return f"{job.attempts} attempts ended with the worker's death, without progress. Last: {job.message or 'nothing'}"


@contextmanager
def _heart(lease: Lease) -> Iterator[None]:
    """Keep the lease from a thread of its own while one long step is computed."""
    stop = Event()

    def beat() -> None:
        while not stop.wait(settings.JOB_LEASE.total_seconds() / 4):
            try:
                lease._keep()
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
