"""What is due and what takes effect on the days of a period, as far as one person may see it.

Due are the statutory last days of layout reviews (§ 601a.10), the Board's own target days (for the Board only), and the
last days of orders, waivers and conditions. Effects are planned days of submissions that are not decided, first days of
approved versions, and changes of published rulemakings. Days are Eastern Time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from games.registry import title_of
from submissions.layouts.review_clock import review_clock
from submissions.models import LayoutStatus, Person, RulemakingChange, Status
from submissions.orders.order_periods import periods_of, with_period
from submissions.orders.order_words import order_name
from submissions.permissions import (
    layouts_visible_to,
    orders_visible_to,
    rulemakings_visible_to,
    versions_visible_to,
    visible_to,
)
from submissions.review.target_days import target_of
from submissions.review.worklist import with_latest

REVIEWED_LAYOUTS = (LayoutStatus.FILED, LayoutStatus.RECOMMENDED)  # whose clock runs
WITH_BOARD = (Status.FILED, Status.RECOMMENDED)
PREPARED = (Status.DRAFT, Status.RETURNED)  # whose planned day the licensee can still change: not for the Board


class EntryKind(models.TextChoices):
    LAYOUT_DUE = "layout-due", "Statutory last day (§ 601a.10)"
    TARGET = "target", "Target day"
    ORDER_ENDS = "order-ends", "Order ends"
    PLANNED = "planned", "Planned effective day"
    IN_EFFECT = "in-effect", "In effect from"
    RULES_CHANGE = "rules-change", "Rules change"


@dataclass(frozen=True, slots=True, order=True)
class CalendarEntry:
    """An entry of one day; entries are in the order of their days."""

    day: date
    kind: EntryKind
    number: str  # of what it is about
    words: str
    address: str  # of its page, without the host

    @property
    def uid(self) -> str:
        """The same for the same thing whenever it is asked for, also when its day has moved."""
        return f"{self.kind}-{self.number}"


def calendar_entries(person: Person, first: date, last: date) -> list[CalendarEntry]:
    """The entries from the first to the last day. Eight queries at most, however many entries there are."""
    sources = (_layouts, _targets, _orders, _planned, _versions, _rules)
    entries = (entry for source in sources for entry in source(person, first, last))
    return sorted(entry for entry in entries if first <= entry.day <= last)


def _layouts(person: Person, first: date, last: date) -> Iterator[CalendarEntry]:
    rows = layouts_visible_to(person).filter(status__in=REVIEWED_LAYOUTS)
    for row in rows.select_related("submission__organization").prefetch_related("revisions__decisions"):
        clock = review_clock(row, timezone.now())
        if clock and clock.reading.due:
            about = _about(row.submission.chapter, row.organization.name)
            words = f"{row.parts_in_words()}: {about}"
            yield CalendarEntry(
                clock.reading.due, EntryKind.LAYOUT_DUE, row.number, words, reverse("layout", args=[row.number])
            )


def _targets(person: Person, first: date, last: date) -> Iterator[CalendarEntry]:
    if not person.at_regulator:
        return
    rows = with_latest(visible_to(person).filter(status__in=WITH_BOARD)).order_by()
    for number, chapter, licensee, filed_at in rows.values_list("number", "chapter", "organization__name", "filed_at"):
        if target := target_of(filed_at, first):
            yield _of_submission(target.due, EntryKind.TARGET, number, chapter, licensee)


def _orders(person: Person, first: date, last: date) -> Iterator[CalendarEntry]:
    ends = Q(last_day__range=(first, last)) | Q(end__isnull=False) | Q(replaced_by__isnull=False)
    for period in periods_of(with_period(orders_visible_to(person).filter(ends))):
        order = period.order
        if period.last_day and period.last_day >= order.first_day and period.successor is None:
            about = _about(order.chapter, order.organization.name if order.organization else "All licensees")
            words, address = f"{order_name(order)}: {about}", reverse("order", args=[order.number])
            yield CalendarEntry(period.last_day, EntryKind.ORDER_ENDS, order.number, words, address)


def _planned(person: Person, first: date, last: date) -> Iterator[CalendarEntry]:
    statuses = WITH_BOARD if person.at_regulator else (*WITH_BOARD, *PREPARED)
    rows = visible_to(person).filter(status__in=statuses, takes_effect__range=(first, last)).order_by()
    for number, chapter, licensee, day in rows.values_list("number", "chapter", "organization__name", "takes_effect"):
        if day:
            yield _of_submission(day, EntryKind.PLANNED, number, chapter, licensee)


def _versions(person: Person, first: date, last: date) -> Iterator[CalendarEntry]:
    rows = versions_visible_to(person).filter(from_day__range=(first, last), revision__isnull=False).order_by()
    columns = ("revision__submission__number", "chapter", "organization__name", "from_day")
    for number, chapter, licensee, day in rows.values_list(*columns):
        yield _of_submission(day, EntryKind.IN_EFFECT, number, chapter, licensee)


def _rules(person: Person, first: date, last: date) -> Iterator[CalendarEntry]:
    """Published changes; for a licensee, too, of every game: it may want to offer it."""
    published = rulemakings_visible_to(person).exclude(published_at=None)
    rows = RulemakingChange.objects.filter(rulemaking__in=published, effective__range=(first, last))
    for row in rows.select_related("rulemaking").defer("text"):
        number = row.rulemaking.number
        words = f"{_about(row.chapter, '')}: {row.rulemaking.title}"
        address = reverse("rulemaking", args=[number])
        yield CalendarEntry(row.effective, EntryKind.RULES_CHANGE, f"{number}-{row.chapter}", words, address)


def _of_submission(day: date, kind: EntryKind, number: str, chapter: str, licensee: str) -> CalendarEntry:
    return CalendarEntry(day, kind, number, _about(chapter, licensee), reverse("submission", args=[number]))


def _about(chapter: str, licensee: str) -> str:
    """ "DJ Wild Stud Poker (687a), Casino East"."""
    game = f"{title_of(chapter) or 'Chapter'} ({chapter})" if chapter else "Every chapter"
    return ", ".join(filter(None, (game, licensee)))
