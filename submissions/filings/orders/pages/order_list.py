"""The Board's orders, waivers and conditions as lists.

All that one may see, by licensee, chapter and state; and those that end soon, for the first page.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_filters import ChoiceFilter

from games import registry
from games.rules.model import Chapter
from submissions.core.errors import Refusal
from submissions.core.parameters import RefusalFilterSet
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
from submissions.filings.orders.temporary_chapters import ChapterDecision, undecided_chapters
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
    """An order that ends soon, and the remedy."""

    task: OrderTask
    name: str
    scope: str
    words: str


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Return the orders that the reader may see and the filter leaves, with their state today.

    The latest entered is first.
    """
    today = timezone.localdate()
    chosen = OrderPageFilterSet(request.GET, orders_visible_to(request.user))
    page = page_of(request, with_period(chosen.qs).order_by("-pk"), PAGE)
    context = {
        "page": page,
        "chosen": chosen,
        "rows": [order_row(period, today) for period in periods_of(page)],
        "today": today,
        "may_enter": may(request.user, "enter-order"),
        "here": "orders",
    }
    return render(request, "pages/orders.html", context, status=chosen.status)


def orders_ending_soon(
    person: Person, decisions: Mapping[str, ChapterDecision]
) -> dict[str, list[OrderTaskRow] | list[Chapter] | int]:
    """Return the orders that end soonest, and the number of the others that end soon, for the first page.

    For the Board also the temporary chapters that have no decision yet.
    """
    tasks = order_tasks_of(person)
    undecided = undecided_chapters(decisions, timezone.localdate()) if person.at_regulator else []
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
"""The value in the address for orders that are for all licensees."""


class OrderPageFilterSet(RefusalFilterSet):
    """Orders, by licensee, game and state today. With a fault, no orders are left."""

    licensee = ChoiceFilter(label="Licensee", empty_label="All", method="for_licensee")
    chapter = ChoiceFilter(label="Game", empty_label="All", method="for_game")
    state = ChoiceFilter(label="State", empty_label="All", choices=list(STATES.items()), method="in_state")

    def __init__(self, data: Mapping[str, str], queryset: QuerySet[Order]) -> None:
        super().__init__(data, queryset)
        named = Organization.objects.filter(pk__in=queryset.values("organization")).order_by("name")
        licensees = [(ALL_LICENSEES, "All licensees"), *named.values_list("slug", "name")]
        games = [(number, f"{number}, {registry.title_of(number)}") for number in registry.folders()]
        self.filters["licensee"].extra["choices"], self.filters["chapter"].extra["choices"] = licensees, games

    @property
    def fields(self) -> list[tuple[BoundField, Refusal | None]]:
        """Each field of the form, and what is wrong with it."""
        return [(field, self.faults.get(field.name)) for field in self.form]

    def unknown(self, name: str, text: str, allowed: Iterable[str]) -> Refusal:
        return Refusal("unknown-filter/orders", what=name, text=text[:40], known=", ".join(allowed))

    def filter_queryset(self, queryset: QuerySet[Order]) -> QuerySet[Order]:
        rows: QuerySet[Order] = super().filter_queryset(queryset)
        return rows.none() if self.faults else rows

    def for_licensee(self, rows: QuerySet[Order], name: str, licensee: str) -> QuerySet[Order]:
        all_licensees = licensee == ALL_LICENSEES
        return rows.filter(all_licensees=True) if all_licensees else rows.filter(organization__slug=licensee)

    def for_game(self, rows: QuerySet[Order], name: str, chapter: str) -> QuerySet[Order]:
        return rows.filter(is_for(chapter))

    def in_state(self, rows: QuerySet[Order], name: str, state: str) -> QuerySet[Order]:
        day = timezone.localdate()
        if state == ENDING:
            return ending_orders(rows, day)
        return rows.filter(ended_on(day)) if state == ENDED else rows.exclude(ended_on(day))
