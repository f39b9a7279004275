"""The 15 calendar days that the Bureau has to review a layout filing (§ 601a.10(b)), and their status in words.

A day counts if the clock runs through all of it, in Pennsylvania: the days of the filing, of a deficiency notice and of
the filing that corrects it do not count, nor the days between notice and correction. So day 1 is the day after the
filing, and a notice on the last day leaves one day for the corrected filing. A notice after the last day is too late
to stop the clock (§ 601a.10(d): a deficiency found within that period). A last day that is a Sunday or a holiday is not
moved. The clock ends with the approval, the rejection or the withdrawal. Rules Submissions have no such clock.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from submissions.core.dates import date_text
from submissions.core.text import counted
from submissions.models import LayoutDecision, LayoutFiling, LayoutRevision, LayoutStatus

DAYS = 15
PENNSYLVANIA = ZoneInfo("America/New_York")
ENDS = {LayoutDecision.Kind.APPROVE: "Approved", LayoutDecision.Kind.REJECT: "Rejected"}


class ClockMarkKind(StrEnum):
    NOTICE = "notice"  # of a deficiency: stops the clock
    CORRECTION = "correction"  # filed again: the clock continues


@dataclass(frozen=True, slots=True)
class ClockMark:
    """An event that stops or continues the clock; a second notice or correction in a row changes nothing."""

    at: datetime
    kind: ClockMarkKind


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The figures of the clock. `used` and `days_left` are `DAYS` together; a day that has begun counts as used."""

    used: int
    due: date | None  # the last day unless the clock stops again; None while it is stopped
    late: int = 0  # days after the last day

    @property
    def days_left(self) -> int:
        return DAYS - self.used

    @property
    def stopped(self) -> bool:
        return self.due is None

    @property
    def overdue(self) -> bool:
        return self.late > 0


def read_clock(filed: datetime, marks: Iterable[ClockMark], at: datetime) -> ClockReading:
    """Return the clock at an instant, without later marks. `ValueError` for an instant before the filing."""
    ordered = sorted(marks, key=lambda mark: mark.at)
    if too_early := [when for when in (at, *(mark.at for mark in ordered)) if when < filed]:
        raise ValueError(f"{too_early[0]} is before the filing at {filed}")
    since, left = day_of(filed), DAYS  # the clock runs from the day after `since`
    due: date | None = since + timedelta(left)
    for mark in ordered:
        if mark.at > at:
            break
        day = day_of(mark.at)
        if due is None and mark.kind is ClockMarkKind.CORRECTION:
            since, due = day, day + timedelta(left)
        elif due is not None and mark.kind is ClockMarkKind.NOTICE and day <= due:
            left -= max(0, (day - since).days - 1)
            due = None
    if due is None:
        return ClockReading(DAYS - left, None)
    passed = (day_of(at) - since).days
    return ClockReading(DAYS - left + min(passed, left), due, max(0, passed - left))


def day_of(instant: datetime) -> date:
    """Return the day in Pennsylvania."""
    if instant.tzinfo is None:
        raise ValueError(f"{instant} has no time zone")
    return instant.astimezone(PENNSYLVANIA).date()


@dataclass(frozen=True, slots=True)
class ReviewClock:
    """A reading with its day, the latest notice, and the decision that ended it ("Approved")."""

    reading: ClockReading
    today: date
    ended: str = ""
    notice: date | None = None

    @property
    def overdue(self) -> bool:
        return self.reading.overdue and not self.ended

    @property
    def words(self) -> str:
        """Return "Day 12 of 15 · due November 30, 2026", as color and bar show it."""
        reading = self.reading
        if self.ended:
            when = f"{self.ended} on {date_text(self.today)}"
            if reading.overdue:
                return f"{when}, {counted(reading.late, 'day')} late"
            if reading.due is None:
                return f"{when}, while the clock stood with {counted(reading.days_left, 'day')} left"
            return f"{when}, on day {reading.used} of {DAYS}" if reading.used else f"{when}, on the day of filing"
        if reading.due is None:
            notice = date_text(self.notice) if self.notice else ""
            return f"Stopped by the notice of {notice}: {counted(reading.days_left, 'day')} left"
        due = date_text(reading.due)
        if reading.overdue:
            late = "" if self.notice is None or self.notice <= reading.due else "; the notice came too late to stop it"
            return f"{counted(reading.late, 'day')} overdue · was due {due}{late}"
        if reading.due == self.today:
            return f"Day {reading.used} of {DAYS} · due today, {due}"
        day = f"Day {reading.used} of {DAYS}" if reading.used else f"Day 1 of {DAYS} begins tomorrow"
        return f"{day} · due {due}"

    @property
    def days(self) -> list[str]:
        """Each day of the bar: "used" or "left", then the late ones."""
        left = self.reading.days_left
        return ["used"] * self.reading.used + ["left"] * left + ["late"] * min(self.reading.late, DAYS)


def review_clock(filing: LayoutFiling, at: datetime) -> ReviewClock | None:
    """Return the clock at an instant, or when the filing was decided; None for a draft that was never filed."""
    revisions = sorted(filing.revisions.all(), key=lambda revision: revision.number)
    if not revisions:
        return None
    marks = list(_marks(revisions))
    ended = ""
    if filing.status == LayoutStatus.WITHDRAWN:
        ended, at = "Withdrawn", filing.changed_at  # the last change of its row
    elif decided := next((row for row in revisions[-1].decisions.all() if row.kind in ENDS), None):
        ended, at = ENDS[LayoutDecision.Kind(decided.kind)], decided.at
    notices = [day_of(mark.at) for mark in marks if mark.kind is ClockMarkKind.NOTICE]
    filed = revisions[0].filed_at
    at = max(at, filed)  # the clock of the machine that filed may be ahead of this one's
    reading = read_clock(filed, marks, at)
    return ReviewClock(reading, day_of(at), ended, max(notices, default=None))


def _marks(revisions: list[LayoutRevision]) -> Iterator[ClockMark]:
    """Yield the notices, and the filings after the first."""
    for place, revision in enumerate(revisions):
        if place:
            yield ClockMark(revision.filed_at, ClockMarkKind.CORRECTION)
        notices = (decision for decision in revision.decisions.all() if decision.kind == decision.Kind.NOTICE)
        yield from (ClockMark(notice.at, ClockMarkKind.NOTICE) for notice in notices)
