"""The sweeper's loop: it wakes workers, does its duties, and reports that it works.

Every few seconds workers are woken for jobs that are due and that no message announces; every minute (`run_upkeep`) and
once a day (`DUTIES`) its duties are done. Each is safe to be called at any moment, as often as one likes, by several
sweepers; what they have done is in the database. `Daily` and `Upkeep` only spare the rows being asked every two
seconds.

Every minute sweepers and workers also look at what needs an operator, so that a sweeper that is no longer there is
noticed. Not here: what is looked at and who gets an alert (`submissions.operations`).
"""

import logging
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connections
from django.utils import timezone

from submissions.audit.retention import purge, unless_on_hold
from submissions.core.database_faults import fault_words
from submissions.core.log_context import SELDOM
from submissions.filings.evidence import computations
from submissions.filings.orders import order_tasks
from submissions.filings.tables import table_status
from submissions.jobs import idempotency, sweep
from submissions.notifications import email, webhooks
from submissions.operations import alerts, work_checks
from submissions.operations.work_checks import SWEEPER
from submissions.security_log import daily_seals
from submissions.security_log.records import record_counts

log = logging.getLogger(__name__)


def loop() -> None:
    """Sweep until SIGTERM or SIGINT; a database that does not answer is tried again at the next turn."""
    stop, daily, upkeep, watch = Event(), Daily(), Upkeep(), Watch.begin(SWEEPER)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    while not stop.wait(settings.SWEEP_EVERY.total_seconds()):
        close_old_connections()
        try:
            if sweep.take_turn() and (sent := sweep.sweep_due_jobs()):
                log.info("sent %s wake-up%s", sent, "s" if sent > 1 else "")
            daily.turn()
            upkeep.turn()
            watch.turn()
        except DatabaseError as error:
            log.warning("nothing is swept, %s", fault_words(error), extra=SELDOM)
    watch.end()


AGAIN = timedelta(minutes=1)  # after something went wrong


def history(now: datetime) -> int:
    from submissions.documents import checkpoints  # Start-up cost: 2 s once a day, not at each start

    return checkpoints.refuse_broken_history(now)


class Duty(NamedTuple):
    start: time  # Pennsylvania's
    do: Callable[[datetime], int]


DUTIES = {
    "security log": Duty(time(0, 3), daily_seals.seal_days),
    "history": Duty(time(0, 5), history),
    "keys": Duty(time(0, 15), unless_on_hold(idempotency.delete_expired_calls)),
    "deliveries": Duty(time(0, 20), unless_on_hold(webhooks.delete_old_deliveries)),
    "results": Duty(time(0, 25), computations.delete_old_results),
    "old security log": Duty(time(0, 30), unless_on_hold(daily_seals.delete_old_records)),
    "retention": Duty(time(0, 40), purge),
    "orders": Duty(time(0, 35), order_tasks.remind),
    "open tables": Duty(time(0, 45), table_status.report_openings),
    "digests": Duty(email.MORNING, email.mail_digests),
}


@dataclass(slots=True)
class Daily:
    """Remembers on which day each duty was done, and until when it rests after it failed."""

    done: dict[str, date] = field(default_factory=dict)
    resting: dict[str, datetime] = field(default_factory=dict)

    def turn(self) -> None:
        """Do what is due. What fails is logged and tried again; the other duties do not wait for it."""
        now = timezone.now()
        local = timezone.localtime(now)
        for name, duty in DUTIES.items():
            over = self.done.get(name) == local.date() or self.resting.get(name, now) > now
            if over or local.time() < duty.start:
                continue
            try:
                if done := duty.do(now):
                    log.info("%s: %s done", name, int(done))
                self.done[name] = local.date()
            except Exception:
                log.exception("%s: not made, tried again in a minute", name)
                self.resting[name] = now + AGAIN


EVERY = timedelta(minutes=1)


@dataclass(slots=True)
class Upkeep:
    """Memory of when the next turn is; the first one is a minute after the start."""

    next_at: datetime = field(default_factory=lambda: timezone.now() + EVERY)

    def turn(self) -> None:
        """Do what is due. What fails is logged and tried again a minute later."""
        now = timezone.now()
        if now < self.next_at:
            return
        self.next_at = now + EVERY
        try:
            run_upkeep(now)
        except Exception:
            log.exception("upkeep: not done, tried again in a minute")


def run_upkeep(now: datetime) -> None:
    if written := record_counts(now):
        log.info("security log: %s rows for failures that were only counted", written)
    from submissions.documents import checkpoints, verification  # Start-up cost: 1 s, not at the start

    if changed := verification.delete_old_files(now):
        log.info("verification: %s old files and results deleted", changed)
    if started := verification.start_due_reverifications(now):
        log.info("verification: %s documents are verified again", started)
    if checkpoint := checkpoints.make_hourly_checkpoint(now):
        log.info("history: checkpoint at event %s", checkpoint.sequence)


REPORT_EVERY = timedelta(seconds=10)
LOOK_EVERY = timedelta(minutes=1)


@dataclass(slots=True)
class Watch:
    """Memory of when the next report and the next look are."""

    process: str
    report_at: datetime
    look_at: datetime

    @classmethod
    def begin(cls, process: str) -> "Watch":
        """Return a watch that reports at once; a sweeper looks at once, a worker after the sweeper's first report."""
        now = timezone.now()
        return cls(process, now, now if process == SWEEPER else now + LOOK_EVERY)

    def turn(self) -> None:
        """Do what is due. What fails is logged and done at a later turn."""
        now = timezone.now()
        if now >= self.look_at:
            self.look_at = now + LOOK_EVERY
            look(now, own_process=self.process)
        if now >= self.report_at:
            self.report_at = now + REPORT_EVERY
            work_checks.report_process(self.process, now)

    def end(self) -> None:
        """Report that it ends because it was asked to."""
        try:
            work_checks.report_process(self.process, timezone.now(), stopped=True)
        except DatabaseError as error:
            log.warning("%s: its end is not reported, %s", self.process, fault_words(error))


def look(now: datetime, *, own_process: str) -> None:
    """Raise and mail alerts. A sweeper that was stopped on purpose does not report its own pause when it is back."""
    last = work_checks.last_sweep()
    sweeper_pause = own_process != SWEEPER or bool(last and not last.stopped)
    try:
        alerts.raise_alerts(now, sweep=sweeper_pause)
        alerts.mail_alerts(now)
    except DatabaseError:
        raise
    except Exception:
        log.exception("alerts: not looked at, tried again in a minute")


_worker_stops = Event()
# Held while the thread has connections: a child forked during that time would find SQLite locked until it ends.
_connected = Lock()
os.register_at_fork(before=_connected.acquire, after_in_parent=_connected.release, after_in_child=_connected.release)


def begin_worker_reports(sender: Any, **_: Any) -> None:
    """Report for this worker until it shuts down; the receiver of Celery's `worker_ready`, in its main process."""
    watch = Watch.begin(str(sender.hostname).partition("@")[0])
    Thread(target=_report, args=(watch,), name=f"reports-of-{watch.process}", daemon=True).start()


def _report(watch: Watch) -> None:
    """Report until the worker stops; a database that does not answer is tried again."""
    while True:
        with _connected:
            try:
                watch.turn()
            except DatabaseError as error:
                log.warning("%s: not reported, %s", watch.process, fault_words(error), extra=SELDOM)
            finally:
                connections.close_all()
        if _worker_stops.wait(REPORT_EVERY.total_seconds()):
            with _connected:
                watch.end()
                connections.close_all()
            return


def end_worker_reports(**_: Any) -> None:
    """Let the thread report the end; the receiver of Celery's `worker_shutting_down`, which is sent by a signal."""
    _worker_stops.set()
