"""The Board's orders, waivers and conditions as lists: all that one may see, by licensee, chapter and state; and those
that end soon, for the first page.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games import registry
from games.rules.model import Chapter
from submissions.core.errors import Refusal
from submissions.filings.orders.order_periods import OrderPeriod, OrderState, ended_on, is_for, periods_of, with_period
from submissions.filings.orders.order_tasks import (
    OrderTask,
    chapter_words,
    days_words,
    ending_orders,
    licensee_words,
    order_name,
    order_tasks_of,
    tables_words,
    task_words,
)
from submissions.filings.orders.temporary_chapters import undecided_chapters
from submissions.models import Order, Organization, Person
from submissions.permissions import may, orders_visible_to
from submissions.web.responses import page_of

PAGE = 50
ON_FIRST_PAGE = 10  # of what ends soon: the soonest


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order in words, and its state today."""

    order: Order
    state: OrderState
    name: str
    licensee: str
    chapter: str
    tables: str
    days: str
    period: OrderPeriod


def order_row(period: OrderPeriod, day: date) -> OrderRow:
    order = period.order
    return OrderRow(
        order=order,
        state=period.state(day),
        name=order_name(order),
        licensee=licensee_words(order),
        chapter=chapter_words(order),
        tables=tables_words(order),
        days=days_words(period),
        period=period,
    )


@dataclass(frozen=True, slots=True)
class OrderTaskRow:
    """What ends soon, and what to do."""

    task: OrderTask
    name: str
    scope: str
    words: str


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The orders that the reader may see and the filter leaves, the latest entered first, with their state today."""
    today = timezone.localdate()
    visible = orders_visible_to(request.user)
    chosen = order_filter(request.GET, visible)
    page = page_of(request, with_period(chosen.rows(visible, today)).order_by("-pk"), PAGE)
    context = {
        "page": page,
        "chosen": chosen,
        "rows": [order_row(period, today) for period in periods_of(page)],
        "today": today,
        "may_enter": may(request.user, "enter-order"),
        "here": "orders",
    }
    return render(request, "pages/orders.html", context, status=chosen.status)


def orders_ending_soon(person: Person) -> dict[str, list[OrderTaskRow] | list[Chapter] | int]:
    """For the first page: what ends the soonest, and how much more ends soon; for the Board also the temporary chapters
    of which nothing is decided.
    """
    tasks = order_tasks_of(person)
    undecided = undecided_chapters(timezone.localdate()) if person.at_regulator else []
    return {
        "ending_orders": [_task_row(task) for task in tasks[:ON_FIRST_PAGE]],
        "more_ending_orders": len(tasks[ON_FIRST_PAGE:]),
        "undecided_chapters": undecided,
    }


def _task_row(task: OrderTask) -> OrderTaskRow:
    order = task.period.order
    scope = f"{licensee_words(order)}, {chapter_words(order)}, {tables_words(order)}"
    return OrderTaskRow(task, order_name(order), scope, task_words(task))


OPEN, ENDING, ENDED = "open", "ending", "ended"
STATES = {OPEN: "Open: in effect or scheduled", ENDING: "Ends soon", ENDED: "Ended, met, replaced or over"}
ALL_LICENSEES = "all"
"""What the address calls the orders that are for all licensees."""


@dataclass(frozen=True, slots=True)
class FilterField:
    """One choice of the form; `chosen`: its value, "" for all."""

    name: str
    label: str
    values: tuple[tuple[str, str], ...]
    chosen: str
    fault: Refusal | None


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """`entered`: what the address asks for, by field; `faults`: what no order can be, by field; `licensees`: slug →
    name."""

    entered: Mapping[str, str]
    faults: Mapping[str, Refusal]
    licensees: Mapping[str, str]

    @property
    def status(self) -> int:
        return 400 if self.faults else 200

    @property
    def fields(self) -> list[FilterField]:
        titles = tuple((number, f"{number}, {registry.title_of(number)}") for number in registry.folders())
        return [
            self._field("licensee", "Licensee", ((ALL_LICENSEES, "All licensees"), *self.licensees.items())),
            self._field("chapter", "Game", titles),
            self._field("state", "State", tuple(STATES.items())),
        ]

    def _field(self, name: str, label: str, values: tuple[tuple[str, str], ...]) -> FilterField:
        return FilterField(name, label, values, self.entered[name], self.faults.get(name))

    def rows(self, orders: QuerySet[Order], day: date) -> QuerySet[Order]:
        """The orders that the filter leaves; with a fault, none."""
        if self.faults:
            return orders.none()
        licensee, chapter, state = (self.entered[name] for name in ("licensee", "chapter", "state"))
        if licensee:
            named = {"all_licensees": True} if licensee == ALL_LICENSEES else {"organization__slug": licensee}
            orders = orders.filter(**named)
        if chapter:
            orders = orders.filter(is_for(chapter))
        return _in_state(orders, state, day) if state else orders


def order_filter(parameters: Mapping[str, str], orders: QuerySet[Order]) -> OrderFilter:
    """The filter that these parameters of an address ask for, of the orders that one may see."""
    entered = {name: parameters.get(name, "").strip() for name in ("licensee", "chapter", "state")}
    named = Organization.objects.filter(pk__in=orders.values("organization")).order_by("name")
    licensees = dict(named.values_list("slug", "name"))
    allowed = {"licensee": [ALL_LICENSEES, *licensees], "chapter": list(registry.folders()), "state": list(STATES)}
    faults = {
        name: Refusal("unknown-filter/orders", what=name, text=text[:40], known=", ".join(allowed[name]))
        for name, text in entered.items()
        if text and text not in allowed[name]
    }
    return OrderFilter(entered, faults, licensees)


def _in_state(orders: QuerySet[Order], state: str, day: date) -> QuerySet[Order]:
    if state == ENDING:
        return ending_orders(orders, day)
    return orders.filter(ended_on(day)) if state == ENDED else orders.exclude(ended_on(day))
