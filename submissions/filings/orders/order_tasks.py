"""Orders that end soon: the tasks of a licensee's manager and of the Board, and the notice, once for each end.

Here are also the words by which pages and notices name an order.

The setting `ORDER_NOTICE_DAYS` says how long before the end. An order that was replaced needs nothing; one for all
licensees concerns those that have a version of its chapter; a condition only while its version is in effect or
scheduled.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.registry import title_of
from submissions.audit.record import lock_history, record_event
from submissions.core.configurations import tables_as_text
from submissions.core.dates import date_text
from submissions.core.text import counted
from submissions.filings.orders.order_periods import OrderPeriod
from submissions.filings.orders.temporary_chapters import ChapterDecision
from submissions.models import ChapterEffect, Event, Order, OrderKind, Organization, Person, Role, Version
from submissions.permissions import REVIEWER_ROLES, licensees, orders_within, read_scope_of

ENDING = "order-ending"  # verb of the event of a notice
TASK_ROLES = (Role.MANAGER, *REVIEWER_ROLES)


@dataclass(frozen=True, slots=True)
class OrderTask:
    """An order that ends soon, and its last day."""

    period: OrderPeriod
    last_day: date
    days_left: int  # 0 = its last day is today


def order_tasks_of(person: Person) -> list[OrderTask]:
    """Return the orders that end soon for a manager's licensee, or any for the Board's reviewers.

    One query; for a licensee another, for its games.
    """
    reach = read_scope_of(person)
    if person.role not in TASK_ROLES or reach is None:
        return []
    today = timezone.localdate()
    rows = ending_orders(orders_within(reach), today)
    if not reach.at_regulator:
        rows = rows.filter(_concerns_licensee(reach.organization, today))
    return tasks_among(rows, today)


def ending_orders(rows: QuerySet[Order], today: date) -> QuerySet[Order]:
    """Return the rows whose last day is today or soon."""
    last = today + timedelta(days=settings.ORDER_NOTICE_DAYS)
    by_itself = Q(end=None, last_day__range=(today, last))
    early = Q(end__from_day__range=(today + timedelta(days=1), last + timedelta(days=1)))
    of_version = Exists(_current(today).filter(revision=OuterRef("decision__revision")))
    return rows.filter(by_itself | early, Q(decision=None) | of_version, replaced_by=None, first_day__lte=last)


def tasks_among(rows: QuerySet[Order], today: date) -> list[OrderTask]:
    """Return the tasks of rows from `ending_orders`, which nothing replaces; with what a task shows of its order."""
    shown = rows.select_related("organization", "end").only(
        "number", "kind", "docket", "chapter", "chapter_effect", "tables", "first_day", "last_day",
        "organization__name", "end__from_day",
    )  # fmt: skip
    periods = (OrderPeriod(order, getattr(order, "end", None), None) for order in shown)
    tasks = [
        OrderTask(period, period.last_day, (period.last_day - today).days)
        for period in periods
        if period.last_day and period.last_day >= today
    ]
    return sorted(tasks, key=lambda task: (task.last_day, task.period.order.pk))


def affected_licensees(order: Order) -> QuerySet[Organization]:
    """Return the licensees that an order concerns: its own, or those with a version of its chapter."""
    if order.organization:
        return Organization.objects.filter(pk=order.organization.pk)
    versions = _current(timezone.localdate()).filter(organization=OuterRef("pk"))
    return licensees().filter(Exists(versions.filter(chapter=order.chapter) if order.chapter else versions))


def remind(now: datetime) -> int:
    """Record an event, of which people get notices, for each order that ends soon; once for each last day."""
    today = timezone.localdate(now)
    return sum(map(_remind, tasks_among(ending_orders(Order.objects.all(), today), today)))


def _remind(task: OrderTask) -> bool:
    after = {"order": task.period.order.number, "last_day": task.last_day.isoformat()}
    with transaction.atomic():
        lock_history()  # of several sweepers, one records it
        same = {f"after__{name}": value for name, value in after.items()}
        if Event.objects.filter(verb=ENDING, **same).exists():
            return False
        record_event(None, None, ENDING, after=after)
    return True


def _current(today: date) -> QuerySet[Version]:
    """Return the versions that are in effect or scheduled."""
    return Version.objects.filter(Q(period__ends=None) | Q(period__ends__gt=today), revision__isnull=False)


def _concerns_licensee(organization: int, today: date) -> Q:
    games = {version.chapter for version in _current(today).filter(organization=organization).only("chapter")}
    return Q(organization=organization) | Q(chapter__in=games | {""} if games else ())


BEFORE_END: Mapping[str, str] = {  # by the effect on a chapter, else by the kind
    ChapterEffect.ENDS: "After that day, nothing under the chapter is in effect. Discontinue the game, or file for "
    "another one.",
    ChapterEffect.CONTINUES: "After that day, the chapter is undecided unless the Board orders something else.",
    OrderKind.WAIVER: "After that day, the waived finding blocks again. Amend the versions that need it, or ask the "
    "Board for another waiver.",
    OrderKind.CONDITION: "Meet the condition by then.",
    OrderKind.ORDER: "Check what the order requires by then.",
}


def order_name(order: Order) -> str:
    """Return the order's name as "Waiver BO-2026-00001 (12-2026)"."""
    docket = f" ({order.docket})" if order.docket else ""
    return f"{order.get_kind_display()} {order.number}{docket}"


def licensee_words(order: Order) -> str:
    """Return "Casino East" or "All licensees"."""
    return order.organization.name if order.organization else "All licensees"


def chapter_words(order: Order) -> str:
    """Return "Over/Under (686a)" or "Every chapter"."""
    return f"{title_of(order.chapter) or 'Chapter'} ({order.chapter})" if order.chapter else "Every chapter"


def tables_words(order: Order) -> str:
    """Return "tables 3, 5-8" or "all tables"."""
    return tables_as_text(order.tables) if order.tables else "all tables"


def days_words(period: OrderPeriod) -> str:
    """Return when it is in effect; of a decision on a chapter, what is decided."""
    order = period.order
    return ChapterDecision(order).words if order.chapter_effect else period.days_text


def task_words(task: OrderTask) -> str:
    """Return the task as "Its last day is March 1, 2026, in 9 days. …"."""
    order, left = task.period.order, task.days_left
    when = "today" if left == 0 else f"in {counted(left, 'day')}"
    todo = BEFORE_END[order.chapter_effect or order.kind]
    return f"Its last day is {date_text(task.last_day)}, {when}. {todo}"
