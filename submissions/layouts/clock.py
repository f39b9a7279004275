"""The 15 calendar days that the Bureau has for a filing of layouts, signs or guides (§ 601a.10(b)); no other filing.

A day counts where the clock runs through all of it, in Pennsylvania: the days of the filing, of a deficiency notice
and of the filing that corrects it do not count, nor those between notice and correction. So day 1 is the day after the
filing, and a notice on the last day leaves one day for what is filed anew. A notice after the last day comes too late
to stop the clock (§ 601a.10(d): a deficiency found within that period). Calendar days: a last day that is a Sunday or
a holiday is not moved. Pure. Not here: who gave notice, and what of.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

DAYS = 15
PENNSYLVANIA = ZoneInfo("America/New_York")


class Kind(StrEnum):
    NOTICE = "notice"  # of a deficiency: stops the clock
    CORRECTION = "correction"  # filed anew: the clock goes on


@dataclass(frozen=True, slots=True)
class Mark:
    """What stops the clock or lets it go on. A notice while it stands or a correction while it runs changes nothing."""

    at: datetime
    kind: Kind


@dataclass(frozen=True, slots=True)
class Reading:
    """How the clock stands. `used` and `left` are `DAYS` together; a day that has begun is used while it may count."""

    used: int
    due: date | None  # the last day, if nothing stops the clock any more; None while it stands
    late: int = 0  # days that the last day is past

    @property
    def left(self) -> int:
        return DAYS - self.used

    @property
    def stopped(self) -> bool:
        return self.due is None

    @property
    def overdue(self) -> bool:
        return self.late > 0


def read(filed: datetime, marks: Iterable[Mark], at: datetime) -> Reading:
    """The clock at an instant; what is marked later does not count yet. `ValueError` for what is before the filing."""
    since, left = day_of(filed), DAYS  # the clock runs from the day after `since`
    due: date | None = since + timedelta(left)
    for mark in _until(at, filed, marks):
        day = day_of(mark.at)
        if due is None and mark.kind is Kind.CORRECTION:
            since, due = day, day + timedelta(left)
        elif due is not None and mark.kind is Kind.NOTICE and day <= due:
            left -= max(0, (day - since).days - 1)
            due = None
    if due is None:
        return Reading(DAYS - left, None)
    passed = (day_of(at) - since).days
    return Reading(DAYS - left + min(passed, left), due, max(0, passed - left))


def day_of(instant: datetime) -> date:
    """Pennsylvania's day."""
    if instant.tzinfo is None:
        raise ValueError(f"{instant} is no instant: it has no time zone")
    return instant.astimezone(PENNSYLVANIA).date()


def _until(at: datetime, filed: datetime, marks: Iterable[Mark]) -> list[Mark]:
    ordered = sorted(marks, key=lambda mark: mark.at)
    if first := next((when for when in (at, *(mark.at for mark in ordered)) if when < filed), None):
        raise ValueError(f"{first} is before the filing at {filed}")
    return [mark for mark in ordered if mark.at <= at]
