"""The days on which an order counts: from its first day to its last one, unless it ends earlier or is replaced.

A replaced order counts until the day before the first day of the one that replaces it. Days are Eastern Time. Not here:
what an order covers (`waived_findings`), decisions on chapters, which are not bound to days (`temporary_chapters`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import models
from django.db.models import F, Q, QuerySet

from submissions.core.dates import date_text, day_before
from submissions.models import Order, OrderEnd


class OrderState(models.TextChoices):
    SCHEDULED = "scheduled", "Scheduled"
    IN_EFFECT = "in-effect", "In effect"
    OVER = "over", "Over"
    ENDED = "ended", "Ended"
    MET = "met", "Met"
    REPLACED = "replaced", "Replaced"


@dataclass(frozen=True, slots=True)
class OrderPeriod:
    """An order with what became of it."""

    order: Order
    end: OrderEnd | None
    successor: Order | None

    @property
    def last_day(self) -> date | None:
        """Return the last day on which it counts; None where no end is known."""
        ends = (
            self.order.last_day,
            day_before(self.end.from_day) if self.end else None,
            day_before(self.successor.first_day) if self.successor else None,
        )
        return min((day for day in ends if day), default=None)

    @property
    def day_after(self) -> date | None:
        """Return the first day on which it is no longer in effect; None where no end is known."""
        return self.last_day + timedelta(days=1) if self.last_day else None

    def is_in_effect(self, day: date) -> bool:
        return self.order.first_day <= day and (self.last_day is None or day <= self.last_day)

    def state(self, day: date) -> OrderState:
        """Return the state on the day; a decision on a chapter counts until it is ended or replaced."""
        decides = bool(self.order.chapter_effect) and not self.end and not self.successor
        if decides or self.is_in_effect(day):
            return OrderState.IN_EFFECT
        if self.order.first_day > day and (self.last_day is None or self.last_day >= self.order.first_day):
            return OrderState.SCHEDULED
        if self.end:
            return OrderState(self.end.outcome)
        return OrderState.REPLACED if self.successor else OrderState.OVER

    @property
    def days_text(self) -> str:
        """Return "From March 1, 2026 to May 1, 2026" or "From March 1, 2026, until it is ended"."""
        begins, last = date_text(self.order.first_day), self.last_day
        if last is None:
            return f"From {begins}, until it is ended"
        if last < self.order.first_day:
            return f"Never in effect: from {begins}, and ended before"
        return f"From {begins} to {date_text(last)}"


def order_periods(rows: QuerySet[Order]) -> list[OrderPeriod]:
    """Return the rows, in their order, each with what became of it; one query."""
    return periods_of(with_period(rows))


def with_period(rows: QuerySet[Order]) -> QuerySet[Order]:
    """Return the rows with all that `periods_of` reads, and without their documents."""
    return rows.select_related("organization", "end", "replaced_by").defer("replaced_by__text")


def periods_of(orders: Iterable[Order]) -> list[OrderPeriod]:
    """Return the periods of rows from `with_period`."""
    return [OrderPeriod(order, getattr(order, "end", None), getattr(order, "replaced_by", None)) for order in orders]


def concerns(licensee: str, chapter: str) -> Q:
    """Return the orders on a game of the licensee with this slug; without one, those for all licensees."""
    own = Q(organization__slug=licensee) if licensee else Q(pk__in=())
    return (own | Q(all_licensees=True)) & is_for(chapter)


def ended_on(day: date) -> Q:
    """Return the orders that no longer count on the day, as `OrderPeriod.state` has it.

    A decision on a chapter counts until it is ended or replaced; what is ended before it begins never counts.
    """
    decides = ~Q(chapter_effect="") & Q(end__isnull=True, replaced_by__isnull=True)
    ended = Q(end__from_day__lte=day) | Q(end__from_day__lte=F("first_day"))
    replaced = Q(replaced_by__first_day__lte=day) | Q(replaced_by__first_day__lte=F("first_day"))
    return (Q(last_day__lt=day) | ended | replaced) & ~decides


def is_for(chapter: str) -> Q:
    """Return the orders on a chapter: those that name it, and those for every chapter."""
    return Q(chapter__in=("", chapter))
