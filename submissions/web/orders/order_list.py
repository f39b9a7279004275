"""The Board's orders, waivers and conditions as lists: all that one may see, and what ends soon, for the first page."""

from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.rules.model import Chapter
from submissions.filings.temporary_chapters import undecided_chapters
from submissions.models import Order, Person
from submissions.orders.order_periods import OrderPeriod, OrderState, periods_of, with_period
from submissions.orders.order_tasks import OrderTask, order_tasks_of
from submissions.orders.order_words import (
    chapter_words,
    days_words,
    licensee_words,
    order_name,
    tables_words,
    task_words,
)
from submissions.permissions import may, orders_visible_to
from submissions.web.orders.order_filter import order_filter
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


def ending_orders(person: Person) -> dict[str, list[OrderTaskRow] | list[Chapter] | int]:
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
