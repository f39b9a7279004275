"""What the Board decided of a temporary chapter (4 Pa.C.S. § 13A03: two years): that it continues, or that it ends.

The decision entered last counts, unless it was ended; it counts from the moment when it is entered, so that what it
announces is known ahead. A chapter that continues until a day is undecided again after that day.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db import models

from submissions.core.dates import date_text
from submissions.models import ChapterEffect, Order
from submissions.orders.order_periods import OrderPeriod

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
        """The chapter's last day, or the day until which it continues."""
        return self.order.last_day

    def has_ended(self, day: date) -> bool:
        """Whether the chapter ended before the day."""
        ends = self.order.chapter_effect == ChapterEffect.ENDS
        return ends and self.last_day is not None and day > self.last_day

    def outlook(self, day: date) -> ChapterOutlook:
        if self.order.chapter_effect == ChapterEffect.ENDS:
            return ChapterOutlook.ENDED if self.has_ended(day) else ChapterOutlook.ENDING
        is_over = self.last_day is not None and day > self.last_day
        return ChapterOutlook.UNDECIDED if is_over else ChapterOutlook.CONTINUES

    @property
    def words(self) -> str:
        """ "Ends on March 1, 2026, by order 12-2026"."""
        name = self.order.docket or self.order.number
        day = date_text(self.last_day) if self.last_day else ""
        if self.order.chapter_effect == ChapterEffect.ENDS:
            return f"Ends on {day}, by order {name}"
        return f"Continues until {day}, by order {name}" if day else f"Continues by order {name}"


def chapter_decisions() -> dict[str, ChapterDecision]:
    """Chapter → the decision that counts; one query."""
    rows = Order.objects.filter(end=None, replaced_by=None).exclude(chapter_effect="")
    return {order.chapter: ChapterDecision(order) for order in rows.order_by("pk")}


def decisions_among(periods: Iterable[OrderPeriod]) -> dict[str, ChapterDecision]:
    """The same from orders at hand."""
    decided = sorted(
        (period.order for period in periods if period.order.chapter_effect and not period.end and not period.successor),
        key=lambda order: order.pk,
    )
    return {order.chapter: ChapterDecision(order) for order in decided}
