"""How a sweeper or a worker reports that it works, and what all of them look at every minute: what needs an operator.

Workers look too, so that a sweeper that is no longer there is noticed. Not here: what is looked at and who gets an
alert (`submissions.operations`).
"""

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import Any

from django.db import DatabaseError, connections
from django.utils import timezone

from submissions.core.database_faults import fault_words
from submissions.core.log_context import SELDOM
from submissions.operations import alerts, process_reports
from submissions.operations.process_reports import SWEEPER

log = logging.getLogger(__name__)
REPORT_EVERY = timedelta(seconds=10)
LOOK_EVERY = timedelta(minutes=1)


@dataclass(slots=True)
class Watch:
    """Remembers when the next report and the next look are."""

    process: str
    report_at: datetime
    look_at: datetime

    @classmethod
    def begin(cls, process: str) -> "Watch":
        """The first report is at once. A sweeper looks at once, a worker when the sweeper has had time to report."""
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
            process_reports.report(self.process, now)

    def end(self) -> None:
        """Report that it ends because it was asked to."""
        try:
            process_reports.report(self.process, timezone.now(), stopped=True)
        except DatabaseError as error:
            log.warning("%s: its end is not reported, %s", self.process, fault_words(error))


def look(now: datetime, *, own_process: str) -> None:
    """Raise and mail alerts. A sweeper that was stopped on purpose does not report its own pause when it is back."""
    last = process_reports.last_sweep()
    sweeper_pause = own_process != SWEEPER or bool(last and not last.stopped)
    try:
        alerts.raise_alerts(now, sweep=sweeper_pause)
        alerts.mail_alerts(now)
    except DatabaseError:
        raise
    except Exception:
        log.exception("alerts: not looked at, tried again in a minute")


@dataclass(slots=True)
class Reporter:
    """The thread of a worker's main process."""

    watch: Watch
    stop: Event = field(default_factory=Event)

    def run(self) -> None:
        """Until `stop` is set. A database that does not answer is tried again."""
        while True:
            try:
                self.watch.turn()
            except DatabaseError as error:
                log.warning("%s: not reported, %s", self.watch.process, fault_words(error), extra=SELDOM)
            finally:
                connections.close_all()  # its own ones: a child that is forked later inherits none
            if self.stop.wait(REPORT_EVERY.total_seconds()):
                self.watch.end()
                connections.close_all()
                return


_reporters: list[Reporter] = []


def begin_worker_reports(sender: Any, **_: Any) -> None:
    """Report for this worker until it shuts down; the receiver of Celery's `worker_ready`, in its main process."""
    reporter = Reporter(Watch.begin(str(sender.hostname).partition("@")[0]))
    _reporters.append(reporter)
    Thread(target=reporter.run, name=f"reports-of-{reporter.watch.process}", daemon=True).start()


def end_worker_reports(**_: Any) -> None:
    """Let the thread report the end; the receiver of Celery's `worker_shutting_down`, which is sent by a signal."""
    while _reporters:
        _reporters.pop().stop.set()
