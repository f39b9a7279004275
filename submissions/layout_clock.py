"""The clock of a layout filing (§ 601a.10), read from its rows, and what it says in words.

How days count is `submissions.layouts.clock`. It runs from the first filing, stands from a deficiency notice until the
filing is corrected, and ends with the approval, the rejection or the withdrawal. Rules Submissions have no such clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from submissions.layouts.clock import DAYS, Kind, Mark, Reading, day_of, read
from submissions.models import LayoutDecision, LayoutFiling, LayoutRevision, LayoutStatus
from submissions.terms import in_words

ENDS = {LayoutDecision.Kind.APPROVE: "Approved", LayoutDecision.Kind.REJECT: "Rejected"}


@dataclass(frozen=True, slots=True)
class Clock:
    """A reading with what led to it: the notice that stops it, what ended it ("Approved"), the day it is read on."""

    reading: Reading
    today: date
    ended: str = ""
    notice: date | None = None  # the latest one

    @property
    def overdue(self) -> bool:
        return self.reading.overdue and not self.ended

    @property
    def words(self) -> str:
        """ "Day 12 of 15 · due November 30, 2026"; how it stands without the colour and the bar."""
        return self._end() if self.ended else self._now()

    @property
    def days(self) -> list[str]:
        """Each of the days for the bar: "used" or "left", then those that it is late."""
        left = self.reading.left
        return ["used"] * self.reading.used + ["left"] * left + ["late"] * min(self.reading.late, DAYS)

    def _now(self) -> str:
        found = self.reading
        if found.due is None:
            return f"Stopped by the notice of {_day(self.notice)}: {_count(found.left)} left"
        if found.overdue:
            late = "" if self.notice is None or self.notice <= found.due else "; the notice came too late to stop it"
            return f"{_count(found.late)} overdue · was due {_day(found.due)}{late}"
        if found.due == self.today:
            return f"Day {found.used} of {DAYS} · due today, {_day(found.due)}"
        day = f"Day {found.used} of {DAYS}" if found.used else f"Day 1 of {DAYS} begins tomorrow"
        return f"{day} · due {_day(found.due)}"

    def _end(self) -> str:
        found = self.reading
        when = f"{self.ended} on {_day(self.today)}"
        if found.overdue:
            return f"{when}, {_count(found.late)} late"
        if found.due is None:
            return f"{when}, while the clock stood with {_count(found.left)} left"
        return f"{when}, on day {found.used} of {DAYS}" if found.used else f"{when}, on the day of filing"


def clock(filing: LayoutFiling, at: datetime) -> Clock | None:
    """The clock at an instant, or as it stood when the filing was decided; None for what was never filed.

    Reads `revisions` with their `decisions`, prefetched or not.
    """
    revisions = sorted(filing.revisions.all(), key=lambda one: one.number)
    if not revisions:
        return None
    marks = list(_marks(revisions))
    ended, at = _end_of(filing, revisions, at)
    notices = [day_of(mark.at) for mark in marks if mark.kind is Kind.NOTICE]
    found = read(revisions[0].filed_at, marks, at)
    return Clock(found, day_of(at), ended, max(notices, default=None))


def reading(filing: LayoutFiling, at: datetime) -> Reading | None:
    """Only the figures."""
    found = clock(filing, at)
    return found.reading if found else None


def _marks(revisions: list[LayoutRevision]) -> Iterator[Mark]:
    """The notices, and the filings after the first."""
    for place, revision in enumerate(revisions):
        if place:
            yield Mark(revision.filed_at, Kind.CORRECTION)
        yield from (Mark(one.at, Kind.NOTICE) for one in revision.decisions.all() if one.kind == one.Kind.NOTICE)


def _end_of(filing: LayoutFiling, revisions: list[LayoutRevision], at: datetime) -> tuple[str, datetime]:
    """What ended it and when; nothing and `at` while it is open. A withdrawal is the last change of its row."""
    if filing.status == LayoutStatus.WITHDRAWN:
        return "Withdrawn", filing.changed_at
    decided = next((one for one in revisions[-1].decisions.all() if one.kind in ENDS), None)
    return (ENDS[LayoutDecision.Kind(decided.kind)], decided.at) if decided else ("", at)


def _day(day: date | None) -> str:
    return in_words(day) if day else ""


def _count(days: int) -> str:
    return f"{days} day{'' if days == 1 else 's'}"
