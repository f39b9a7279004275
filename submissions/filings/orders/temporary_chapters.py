"""The temporary chapters (4 Pa.C.S. § 13A03: two years): the Board's decision that one continues or ends.

Here are also the versions under it.

The decision entered last counts, unless it was ended; it counts from the moment when it is entered, so that an end is
known ahead. A chapter that continues until a day is undecided again after that day.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db import models
from django.db.models import QuerySet
from django.utils import timezone

from games.rules.model import Chapter
from submissions.core.dates import date_text
from submissions.filings.orders.order_periods import OrderPeriod
from submissions.filings.versions import EffectivePeriod, effective_periods, not_over
from submissions.models import ChapterEffect, Order, Version
from submissions.rules import chapters_on

TEMPORARY = "temporary"  # the status of a chapter that ends unless it is made final


class ChapterOutlook(models.TextChoices):
    UNDECIDED = "undecided", "Undecided"
    CONTINUES = "continues", "Continues"
    ENDING = "ending", "Ends"
    ENDED = "ended", "Ended"


@dataclass(frozen=True, slots=True)
class ChapterDecision:
    """The order that decides on a chapter."""

    order: Order

    @property
    def last_day(self) -> date | None:
        """Return the chapter's last day, or the day until which it continues."""
        return self.order.last_day

    def has_ended(self, day: date) -> bool:
        """Return whether the chapter ended before the day."""
        ends = self.order.chapter_effect == ChapterEffect.ENDS
        return ends and self.last_day is not None and day > self.last_day

    def outlook(self, day: date) -> ChapterOutlook:
        if self.order.chapter_effect == ChapterEffect.ENDS:
            return ChapterOutlook.ENDED if self.has_ended(day) else ChapterOutlook.ENDING
        is_over = self.last_day is not None and day > self.last_day
        return ChapterOutlook.UNDECIDED if is_over else ChapterOutlook.CONTINUES

    @property
    def words(self) -> str:
        """Return the decision as "Ends on March 1, 2026, by order 12-2026"."""
        name = self.order.docket or self.order.number
        day = date_text(self.last_day) if self.last_day else ""
        if self.order.chapter_effect == ChapterEffect.ENDS:
            return f"Ends on {day}, by order {name}"
        return f"Continues until {day}, by order {name}" if day else f"Continues by order {name}"


def chapter_decisions() -> dict[str, ChapterDecision]:
    """Return the decision that counts, by chapter; one query."""
    rows = Order.objects.filter(end=None, replaced_by=None).exclude(chapter_effect="")
    return {order.chapter: ChapterDecision(order) for order in rows.order_by("pk")}


def decisions_among(periods: Iterable[OrderPeriod]) -> dict[str, ChapterDecision]:
    """Return the decisions among the orders at hand."""
    decided = sorted(
        (period.order for period in periods if period.order.chapter_effect and not period.end and not period.successor),
        key=lambda order: order.pk,
    )
    return {order.chapter: ChapterDecision(order) for order in decided}


@dataclass(frozen=True, slots=True)
class TemporaryChapter:
    """A chapter, the decision that counts (None: none was made), and its versions in effect or scheduled."""

    chapter: Chapter
    decision: ChapterDecision | None
    outlook: ChapterOutlook
    versions: tuple[EffectivePeriod, ...]


def temporary_chapters(rows: QuerySet[Version], day: date) -> list[TemporaryChapter]:
    """Return every temporary chapter on the day, in the Code's order, with the rows under it; two queries."""
    temporary, decisions = _temporary(), chapter_decisions()
    versions = _current(rows.filter(chapter__in=[chapter.number for chapter in temporary]), day)
    return [
        TemporaryChapter(
            chapter,
            decision := decisions.get(chapter.number),
            decision.outlook(day) if decision else ChapterOutlook.UNDECIDED,
            tuple(versions[chapter.number]),
        )
        for chapter in temporary
    ]


def undecided_chapters(decisions: Mapping[str, ChapterDecision], day: date) -> list[Chapter]:
    """Return the temporary chapters of which nothing is decided for the day."""
    return [
        chapter
        for chapter in _temporary()
        if chapter.number not in decisions or decisions[chapter.number].outlook(day) == ChapterOutlook.UNDECIDED
    ]


def _temporary() -> list[Chapter]:
    return [chapter for chapter in chapters_on(timezone.localdate()) if chapter.status == TEMPORARY]


def _current(rows: QuerySet[Version], day: date) -> dict[str, list[EffectivePeriod]]:
    filed = not_over(rows, day).filter(revision__isnull=False).select_related("organization", "revision__submission")
    light = filed.defer("revision__snapshot", "revision__attestation").order_by("organization__name", "pk")
    versions: dict[str, list[EffectivePeriod]] = defaultdict(list)
    for period in effective_periods(light):
        versions[period.version.chapter].append(period)
    return versions
