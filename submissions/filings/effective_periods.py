"""The period in which each version is in effect, and its state on a day: in effect, scheduled, superseded,
discontinued. A version is in effect from its effective date until the next version's; among versions of one day, the
one made later counts. A version whose successor has the same or an earlier date is never in effect. Not here: what
makes a version (`filings.versions`).
"""

from dataclasses import dataclass
from datetime import date

from django.db import models
from django.db.models import F, Q, QuerySet

from submissions.core.dates import date_text, day_before
from submissions.models import Version


class VersionState(models.TextChoices):
    IN_FORCE = "in-force", "In effect"
    SCHEDULED = "scheduled", "Scheduled"
    SUPERSEDED = "superseded", "Superseded"
    DISCONTINUED = "discontinued", "Discontinued"


@dataclass(frozen=True, slots=True)
class EffectivePeriod:
    """A version and its period. `ends`: the first day on which it is no longer in effect; None: no end is known."""

    version: Version
    ends: date | None = None
    successor: str = ""  # the receipt that replaces it; "" = none, or the game is discontinued

    @property
    def ever_in_effect(self) -> bool:
        """Whether it is in effect on any day."""
        return self.ends is None or self.ends > self.version.from_day

    @property
    def is_latest(self) -> bool:
        """Whether nothing was decided after it: a later version ends it."""
        return self.ends is None

    @property
    def last_day(self) -> date | None:
        return day_before(self.ends)

    def state(self, day: date) -> VersionState:
        return version_state(self.version.from_day, self.ends, self.successor, day)

    def words(self, day: date) -> str:
        """Since when or until when, and what takes its place: “Since March 1, 2026.”"""
        return " ".join(filter(None, (self._begins(day), self._ends(day))))

    def _begins(self, day: date) -> str:
        if not self.ever_in_effect:
            return "It never took effect."
        begins = self.version.from_day
        if self.last_day and self.last_day < day:
            first, last = date_text(begins), date_text(self.last_day)
            return f"In effect on {first}." if first == last else f"In effect from {first} to {last}."
        return f"Since {date_text(begins)}." if begins <= day else f"From {date_text(begins)}."

    def _ends(self, day: date) -> str:
        if self.ends is None:
            return ""
        if self.successor:
            return f"Replaced by {self.successor} from {date_text(self.ends)}."
        return f"The game is not offered from {date_text(self.ends)}."


def version_state(from_day: date, ends: date | None, successor: str | None, day: date) -> VersionState:
    """The state on `day` of a version with this period."""
    if ends and (ends <= from_day or ends <= day):
        return VersionState.SUPERSEDED if successor else VersionState.DISCONTINUED
    return VersionState.IN_FORCE if from_day <= day else VersionState.SCHEDULED


def effective_periods(rows: QuerySet[Version]) -> list[EffectivePeriod]:
    """The rows, in their order, each with its time."""
    return [effective_period(row) for row in rows.select_related("period")]


def effective_period(version: Version) -> EffectivePeriod:
    """The time of a version, as it is now."""
    return EffectivePeriod(version, version.period.ends, version.period.successor or "")


def in_state(rows: QuerySet[Version], state: VersionState, day: date) -> QuerySet[Version]:
    """The versions that have this state on the day: `EffectivePeriod.state`, computed by the database."""
    over = Q(period__ends__lte=day) | Q(period__ends__lte=F("from_day"))
    holds = ~over | Q(period__ends=None)
    return rows.filter(
        {
            VersionState.IN_FORCE: holds & Q(from_day__lte=day),
            VersionState.SCHEDULED: holds & Q(from_day__gt=day),
            VersionState.SUPERSEDED: over & Q(period__successor__isnull=False),
            VersionState.DISCONTINUED: over & Q(period__successor=None),
        }[state]
    )


def not_over(rows: QuerySet[Version], day: date) -> QuerySet[Version]:
    """The versions that are in effect on the day or scheduled."""
    return rows.filter(Q(period__ends=None) | Q(period__ends__gt=day) & Q(period__ends__gt=F("from_day")))
