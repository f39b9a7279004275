"""Sweepers and workers report every few seconds that they work, so that others can see when one no longer does.

The time is that of the machine that reports. Not here: the processes themselves (`portal.processes`).
"""

import socket
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from submissions.models import ProcessReport

SWEEPER = "sweeper"
FORGOTTEN = timedelta(days=1)  # after which a process that was not stopped is no longer expected


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """A kind of process on all machines: the newest report, and on how many machines one reported in time."""

    process: str
    newest: ProcessReport
    running: int
    age: timedelta

    @property
    def is_late(self) -> bool:
        """Whether none of them reported in time."""
        return not self.running


def host() -> str:
    """The name of this machine, as far as a report holds it."""
    return socket.gethostname()[:120]


def report(process: str, now: datetime, *, stopped: bool = False) -> None:
    """Note that the process on this machine works, or ended as it was asked to."""
    ProcessReport.objects.update_or_create(process=process, host=host(), defaults={"at": now, "stopped": stopped})


def process_statuses(now: datetime) -> list[ProcessStatus]:
    """Each kind of process that reported in the last day, in the order of the names."""
    rows: dict[str, list[ProcessReport]] = {}
    for row in ProcessReport.objects.filter(at__gt=now - FORGOTTEN).order_by("process", "-at"):
        rows.setdefault(row.process, []).append(row)
    return [_status(process, reports, now) for process, reports in rows.items()]


def _status(process: str, reports: list[ProcessReport], now: datetime) -> ProcessStatus:
    in_time = [row for row in reports if not row.stopped and now - row.at <= settings.PROCESS_LATE]
    return ProcessStatus(process, reports[0], len(in_time), max(now - reports[0].at, timedelta()))


def last_sweep() -> ProcessReport | None:
    """The newest report of any sweeper."""
    return ProcessReport.objects.filter(process=SWEEPER).order_by("-at").first()
