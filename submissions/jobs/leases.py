"""Jobs: stored as a row, announced to the workers by a wake-up, run under a lease.

The row is authoritative. A wake-up may be lost or come twice, a worker may die at any line: each lease raises the
fence, and a write with an older fence is refused.

A job can be divided into parts: jobs of their own, which all workers share, and whose rows name it as their `parent`.
While they are open, its state is `divided`; the last one to end makes it due again, to put the results together. If a
part stops, so does the whole.

Not here: the work itself (`evidence`, `documents`, …), the Celery task of each kind (`submissions.tasks`), what is due
of a dead worker (`sweep`).
"""

import logging
import mmap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from threading import Event, Thread

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce

from submissions.core.database_faults import disk_fault, fault_words
from submissions.core.errors import Refusal
from submissions.core.log_context import SELDOM, job_context, request_id
from submissions.jobs import clock, queues
from submissions.jobs.queues import PLACES, due_jobs
from submissions.models import Job
from submissions.rules import published_changes_read_once

log = logging.getLogger(__name__)
_stop_flag = mmap.mmap(-1, 1)  # anonymous: the processes that a worker forks share it


def request_stop(**_: object) -> None:
    """Let this worker's processes give back their jobs after the present step; a receiver in its main process only."""
    _stop_flag[0] = 1


def stop_requested() -> bool:
    """Return True if this worker was asked to stop."""
    return _stop_flag[0] == 1


LONGEST_PAUSE = timedelta(seconds=60)  # between two attempts
LONGEST_REST = timedelta(hours=7)  # of a webhook without an answer
STOPPED = (Job.State.FAILED, Job.State.ERRORED)
ENDED = (Job.State.DONE, *STOPPED)


class LeaseLost(Exception):
    """Another worker has the job: write nothing more."""


class TryLater(Exception):
    """Something that the work needs is missing. The attempt does not count; the job is due again after `pause`."""

    def __init__(self, message: str, pause: timedelta = LONGEST_PAUSE) -> None:
        super().__init__(message)
        self.pause = pause


class Divided(Exception):
    """The work goes on in parts, which are jobs of their own. The text is shown as what is being done."""


class GiveWay(Exception):
    """The job is due again at once; `behind`: after those that are as urgent. The attempt does not count."""

    def __init__(self, message: str, *, behind: bool = False) -> None:
        super().__init__(message)
        self.behind = behind


@dataclass(slots=True)
class Lease:
    """The right to work on a job, until another worker takes it over. `shares`: the worker serves a queue."""

    job: Job
    fence: int
    shares: bool = False
    begun: float = field(default_factory=time.monotonic)

    def beat(self, done: int, total: int, message: str = "") -> None:
        """Extend the lease and store the progress; with progress, earlier attempts no longer count."""
        changes = {"done_units": done, "total_units": total, "message": message}
        if done > self.job.done_units:
            changes["attempts"] = self.job.attempts = 1
        self.extend(**changes)
        self.job.done_units = done

    @contextmanager
    def heartbeat(self) -> Iterator[None]:
        """Extend the lease every quarter of its time, in a thread, until the block ends or another worker has it."""
        stop = Event()

        def beat() -> None:
            while not stop.wait(settings.JOB_LEASE.total_seconds() / 4):
                try:
                    self.extend()
                except LeaseLost:
                    break
                except DatabaseError as error:
                    log.warning("job %s: heartbeat missed, %s", self.job.pk, fault_words(error), extra=SELDOM)
            connection.close()

        Thread(target=beat, name=f"heart-of-job-{self.job.pk}", daemon=True).start()
        try:
            yield
        finally:
            stop.set()

    def add_to_whole(self, units: int) -> None:
        """Add the progress of a part to the job that it is a part of."""
        if self.job.parent_id:
            Job.objects.filter(pk=self.job.parent_id).update(done_units=F("done_units") + units)

    @contextmanager
    def commit(self) -> Iterator[None]:
        """Open a transaction that locks the job's row; raise `LeaseLost` if another worker has the job."""
        with transaction.atomic():
            self.extend()
            yield

    def extend(self, **changes: object) -> None:
        changes |= {"state": Job.State.RUNNING, "lease_until": clock.now(settings.JOB_LEASE)}
        if not Job.objects.filter(pk=self.job.pk, fence=self.fence).update(**changes):
            raise LeaseLost(f"job {self.job.pk}: fence {self.fence} is not the present one")

    def give_way(self, share_after: float | None = None) -> None:
        """Between two steps: raises `GiveWay` if the worker stops or a more urgent job of the queue is due.

        After `share_after` seconds also if another one, equally urgent, is due.
        """
        if not self.shares:
            return
        if stop_requested():
            raise GiveWay("the worker stops")
        is_long = share_after is not None and time.monotonic() - self.begun > share_after
        if share_after is not None and not is_long:
            return
        if due_jobs(self.job.queue).filter(urgency__lt=self.job.urgency + is_long).exists():
            raise GiveWay("others of the queue are due", behind=is_long)

    def end(self, state: Job.State, message: str = "") -> None:
        """End this attempt."""
        if state in ENDED:
            self._release(state, message, finished_at=clock.now())
        else:
            pause = min(LONGEST_PAUSE, timedelta(seconds=2**self.job.attempts))
            self._release(state, message, not_before=clock.now(pause))
        if self.job.parent_id and state in ENDED:
            settle(self.job.parent_id)

    def put_off(self, message: str, pause: timedelta) -> None:
        """Take the attempt back, and make the job due after the pause, however often this happens."""
        self._release(Job.State.DUE, message, attempts=F("attempts") - 1, not_before=clock.now(pause))

    def put_back(self, *, behind: bool) -> None:
        """Take the attempt back without a pause; the next free worker of the queue continues."""
        age = {"not_before": clock.now()} if behind else {}
        self._release(Job.State.DUE, "", attempts=F("attempts") - 1, **age)
        queues.send_wake_ups([self.job])

    def divide(self, message: str) -> None:
        """Let the job wait for its parts; if they have all ended already, it is due."""
        self._release(Job.State.DIVIDED, message, attempts=0)
        settle(self.job.pk)

    def _release(self, state: Job.State, message: str, **changes: object) -> None:
        """Release the lease; the fence rises again, so that a late heartbeat has no effect."""
        changes |= {"state": state, "message": message, "lease_until": None, "fence": F("fence") + 1}
        Job.objects.filter(pk=self.job.pk, fence=self.fence).update(**changes)


Work = Callable[[Lease], None]


def enqueue(kind: Job.Kind, subject: int) -> Job:
    """Return the job for this subject, created if necessary; a worker is woken after the caller's transaction."""
    place = PLACES[kind]
    given = {"queue": place.queue, "urgency": place.urgency, "request_id": request_id.get()}
    job, is_new = Job.objects.get_or_create(kind=kind, subject=subject, defaults=given | {"not_before": clock.now()})
    if is_new:
        transaction.on_commit(partial(queues.send_wake_ups, [job]))
    return job


def run_again(job_id: int, among: Sequence[Job.State] = STOPPED) -> bool:
    """Make a job in one of these states due, with all attempts; False if it is in another state."""
    stopped = Job.objects.filter(pk=job_id, state__in=among)
    job = stopped.first()
    changes = {"attempts": 0, "fence": F("fence") + 1, "not_before": clock.now(), "lease_until": None}
    if job is None or not stopped.update(state=Job.State.DUE, finished_at=None, **changes):
        return False
    if job.parent_id:
        Job.objects.filter(pk=job.parent_id, state__in=STOPPED).update(state=Job.State.DIVIDED, finished_at=None)
    transaction.on_commit(partial(queues.send_wake_ups, [job]))
    return True


def run_leased(job_id: int, work: Work, *, shares: bool = False) -> bool:
    """Do the work of this job, if its lease is free; never raise its exceptions. `shares`: others may have to wait."""
    lease = take_lease(job_id)
    if lease:
        lease.shares = shares
        _run(lease, work)
    return lease is not None


def _run(lease: Lease, work: Work) -> None:
    job = lease.job
    with job_context(job.pk, job.request_id):
        try:
            with lease.heartbeat(), published_changes_read_once():
                work(lease)
        except LeaseLost as lost:
            log.warning("%s; left to its holder", lost)
        except GiveWay as reason:
            log.info("job %s (%s %s) given back: %s", job.pk, job.kind, job.subject, reason)
            lease.put_back(behind=reason.behind)
        except Divided as divided:
            lease.divide(str(divided))
        except TryLater as later:
            log.warning("job %s (%s %s) put off: %s", job.pk, job.kind, job.subject, later)
            lease.put_off(str(later), later.pause)
        except Refusal as refusal:
            lease.end(Job.State.FAILED, refusal.message)
        except Exception as error:
            if fault := disk_fault(error):
                log.warning("job %s (%s %s) put off: %s (%s)", job.pk, job.kind, job.subject, fault, error)
                return lease.put_off(f"Waits until there is room: {fault}.", LONGEST_PAUSE)
            log.exception("job %s (%s %s), attempt %s", job.pk, job.kind, job.subject, job.attempts)
            last = job.attempts >= settings.JOB_ATTEMPTS
            lease.end(Job.State.ERRORED if last else Job.State.DUE, f"{type(error).__name__}: {error}")
        else:
            lease.end(Job.State.DONE)
            log.info("job %s (%s %s): done", job.pk, job.kind, job.subject)


def take_lease(job_id: int) -> Lease | None:
    """Return the lease of this job, if it is due or its last lease has expired."""
    expired = Q(state=Job.State.RUNNING, lease_until__lte=clock.now())
    free = expired | Q(state=Job.State.DUE, not_before__lte=clock.now())
    job = Job.objects.filter(free, pk=job_id).first()
    return _start(job) if job else None


def _start(job: Job) -> Lease | None:
    """Return the lease of a free job, by one compare-and-swap on the fence; None if it has had all its attempts."""
    row = Job.objects.filter(pk=job.pk, fence=job.fence)
    if job.attempts >= settings.JOB_ATTEMPTS:
        last = job.message or "nothing"
        message = f"{job.attempts} attempts ended with the worker's death, without progress. Last: {last}"
        row.update(state=Job.State.ERRORED, finished_at=clock.now(), fence=F("fence") + 1, message=message)
        return None
    if not row.update(
        state=Job.State.RUNNING,
        fence=F("fence") + 1,
        attempts=F("attempts") + 1,
        lease_until=clock.now(settings.JOB_LEASE),
        started_at=Coalesce(F("started_at"), clock.now()),
    ):
        return None
    job.attempts += 1
    return Lease(job, job.fence + 1)


def enqueue_parts(parent: Job, kind: Job.Kind, subjects: Sequence[int]) -> None:
    """Create a job for each subject, in the caller's transaction; those that ended are run again."""
    place = PLACES[kind]
    rows = [
        Job(
            kind=kind,
            subject=subject,
            parent=parent,
            not_before=clock.now(),
            queue=place.queue,
            urgency=place.urgency,
            request_id=parent.request_id,
        )
        for subject in subjects
    ]
    Job.objects.bulk_create(rows, ignore_conflicts=True)
    parts = Job.objects.filter(kind=kind, parent=parent, subject__in=subjects)
    parts.filter(state__in=(Job.State.DONE, *STOPPED)).update(
        state=Job.State.DUE, attempts=0, fence=F("fence") + 1, not_before=clock.now(), finished_at=None
    )
    transaction.on_commit(lambda: queues.send_wake_ups(parts.filter(state=Job.State.DUE)))


def settle(parent_id: int) -> None:
    """Make the divided job due if all parts are done; if one stopped, stop it with that part's message."""
    parts, parent = Job.objects.filter(parent=parent_id), Job.objects.filter(pk=parent_id, state=Job.State.DIVIDED)
    stopped = parts.filter(state__in=STOPPED).order_by("pk").first()
    if stopped:
        parent.update(state=stopped.state, message=stopped.message, finished_at=clock.now())
    elif not parts.exclude(state=Job.State.DONE).exists() and parent.update(state=Job.State.DUE):  # keeps its age
        transaction.on_commit(partial(queues.send_wake_ups, [Job.objects.get(pk=parent_id)]))


def settle_all() -> None:
    """Settle every divided job that has no open part or one that stopped."""
    parts = Job.objects.filter(parent=OuterRef("pk"))
    no_open_part = ~Exists(parts.exclude(state=Job.State.DONE))
    one_stopped = Exists(parts.filter(state__in=STOPPED))
    divided = Job.objects.filter(Q(no_open_part) | Q(one_stopped), state=Job.State.DIVIDED)
    for job_id in divided.values_list("pk", flat=True):
        settle(job_id)
