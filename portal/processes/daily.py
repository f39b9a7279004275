"""What is done once a day, by whichever sweeper comes first: the digests of notices, the checkpoint of the history,
the end of old Idempotency-Keys and deliveries.

Each is safe to be called at any moment, as often as one likes, by several sweepers; what they have done is in the
database. This only spares the rows being asked every two seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from django.utils import timezone

from submissions.actions import delivering, idempotency, mails

log = logging.getLogger(__name__)

AGAIN = timedelta(minutes=1)  # after something went wrong


def checkpoint(now: datetime) -> bool:
    """Its libraries take two seconds to load: once a day, not at every start."""
    from submissions.documents.checkpoints import make

    return make(now) is not None


@dataclass(frozen=True, slots=True)
class Duty:
    start: time  # Pennsylvania's
    do: Callable[[datetime], int]


DUTIES = {
    "checkpoint": Duty(time(0, 5), checkpoint),
    "keys": Duty(time(0, 15), idempotency.clean),
    "deliveries": Duty(time(0, 20), delivering.clean),
    "digests": Duty(mails.MORNING, mails.digests),
}


@dataclass(slots=True)
class Daily:
    """Remembers on which day each duty was done, and until when it rests after it failed."""

    done: dict[str, date] = field(default_factory=dict)
    resting: dict[str, datetime] = field(default_factory=dict)

    def turn(self) -> None:
        """Do what is due. What goes wrong is told and tried again; the other duties do not wait for it."""
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
