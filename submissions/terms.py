"""From when until when a version holds: what is in force, scheduled, superseded or discontinued on a day.

A version holds from its day until the next one's day; the next one is the next by day, and of the same day the one
made later. One whose successor is of its own day or earlier never holds. Not here: what makes a version
(`actions.versions`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.db import models
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils.dateformat import format as format_date

from submissions.models import Version


class State(models.TextChoices):
    IN_FORCE = "in-force", "In force"
    SCHEDULED = "scheduled", "Scheduled"
    SUPERSEDED = "superseded", "Superseded"
    DISCONTINUED = "discontinued", "Discontinued"


@dataclass(frozen=True, slots=True)
class Term:
    """A version and the time it holds. `ends` is the first day on which something else does; None = no end known."""

    version: Version
    ends: date | None = None
    successor: str = ""  # the receipt that takes its place; "" = none does, or the game is no longer offered

    @property
    def held(self) -> bool:
        """Whether there is a day on which it holds."""
        return self.ends is None or self.ends > self.version.from_day

    @property
    def last_day(self) -> date | None:
        return last_day(self.ends)

    def state(self, day: date) -> State:
        return state(self.version.from_day, self.ends, self.successor, day)

    def words(self, day: date) -> str:
        """Since when or until when, and what takes its place: “Since March 1, 2026.”"""
        return " ".join(filter(None, (self._begins(day), self._ends(day))))

    def _begins(self, day: date) -> str:
        if not self.held:
            return "It never came into force."
        begins = self.version.from_day
        if self.last_day and self.last_day < day:
            one_day = self.last_day == begins
            return f"It held {'on' if one_day else 'from'} {between(begins, self.last_day)}."
        return f"Since {in_words(begins)}." if begins <= day else f"From {in_words(begins)}."

    def _ends(self, day: date) -> str:
        if self.ends is None:
            return ""
        if self.successor:
            return f"Replaced by {self.successor} from {in_words(self.ends)}."
        return f"The game is not offered from {in_words(self.ends)}."


def state(from_day: date, ends: date | None, successor: str | None, day: date) -> State:
    """Where a version of that time stands on the day."""
    if ends and (ends <= from_day or ends <= day):
        return State.SUPERSEDED if successor else State.DISCONTINUED
    return State.IN_FORCE if from_day <= day else State.SCHEDULED


def last_day(ends: date | None) -> date | None:
    return ends - timedelta(days=1) if ends else None


def in_words(day: date) -> str:
    return format_date(day, "F j, Y")


def between(first: date, last: date) -> str:
    """ "March 1, 2026 to March 9, 2026", or the one day that both are."""
    return in_words(first) if first == last else f"{in_words(first)} to {in_words(last)}"


def with_ends(rows: QuerySet[Version]) -> QuerySet[Version]:
    """The versions with `ends` and `successor`, of what comes next, for filters and for `terms`."""
    same = Version.objects.filter(organisation=OuterRef("organisation"), chapter=OuterRef("chapter"))
    later = Q(from_day__gt=OuterRef("from_day")) | Q(from_day=OuterRef("from_day"), pk__gt=OuterRef("pk"))
    following = same.filter(later).order_by("from_day", "pk")
    return rows.annotate(
        ends=Subquery(following.values("from_day")[:1]),
        successor=Subquery(following.values("revision__receipt")[:1]),
    )


def terms(rows: QuerySet[Version]) -> list[Term]:
    """The rows, in their order, each with its time."""
    return [term(row) for row in with_ends(rows)]


def term(row: Version) -> Term:
    """The time of a row of `with_ends`."""
    return Term(row, row.ends, row.successor or "")  # type: ignore[attr-defined]


def in_state(rows: QuerySet[Version], state: State, day: date) -> QuerySet[Version]:
    """Those rows of `with_ends` that stand so on the day; the same reckoning as `Term.state`, by the database."""
    over = Q(ends__lte=day) | Q(ends__lte=F("from_day"))
    holds = ~over | Q(ends=None)
    return rows.filter(
        {
            State.IN_FORCE: holds & Q(from_day__lte=day),
            State.SCHEDULED: holds & Q(from_day__gt=day),
            State.SUPERSEDED: over & Q(successor__isnull=False),
            State.DISCONTINUED: over & Q(successor=None),
        }[state]
    )
