"""Run the daily jobs, in whichever sweeper comes first: the digests of notices, the check of the history,
the seal of the security log, the end of its old records, the notices of orders that end soon and of open tables without
an approval, the end of old Idempotency-Keys, deliveries, replayed rounds and drafts, and of what is no longer needed
(`submissions.retention`).

Each is safe to be called at any moment, as often as one likes, by several sweepers; what they have done is in the
database. This only spares the rows being asked every two seconds.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from django.utils import timezone

from submissions.evidence import computations
from submissions.filings import uncovered_tables
from submissions.jobs import idempotency
from submissions.notifications import email, webhook_delivery
from submissions.orders import order_tasks
from submissions.retention.legal_holds import unless_on_hold
from submissions.retention.purge import purge
from submissions.security_log import daily_seals

log = logging.getLogger(__name__)

AGAIN = timedelta(minutes=1)  # after something went wrong


def history(now: datetime) -> int:
    from submissions.documents import checkpoints  # Start-up cost: 2 s once a day, not at each start

    return checkpoints.refuse_broken_history(now)


@dataclass(frozen=True, slots=True)
class Duty:
    start: time  # Pennsylvania's
    do: Callable[[datetime], int]


DUTIES = {
    "security log": Duty(time(0, 3), daily_seals.seal_days),
    "history": Duty(time(0, 5), history),
    "keys": Duty(time(0, 15), unless_on_hold(idempotency.delete_expired_calls)),
    "deliveries": Duty(time(0, 20), unless_on_hold(webhook_delivery.delete_old_deliveries)),
    "results": Duty(time(0, 25), computations.delete_old_results),
    "old security log": Duty(time(0, 30), unless_on_hold(daily_seals.delete_old_records)),
    "retention": Duty(time(0, 40), purge),
    "orders": Duty(time(0, 35), order_tasks.remind),
    "open tables": Duty(time(0, 45), uncovered_tables.report_openings),
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
