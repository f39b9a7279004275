"""The Board's orders, waivers and conditions as pages: the list by licensee, chapter and state, and one order.

Also what ends soon, for the first page; entering, replacing and ending an order, which a director confirms; the
temporary chapters, with the form of the Board's decision on one. Not here: conditions at an approval
(`review.pages.decisions`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.forms import BoundField
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe
from django_filters import ChoiceFilter

from games import registry
from games.rules.model import Chapter
from submissions.accounts.pages import reauthentication
from submissions.core.errors import Refusal
from submissions.core.parameters import RefusalFilterSet
from submissions.filings.orders import order_entry
from submissions.filings.orders.order_entry import OrderContent
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
from submissions.filings.orders.pages.order_forms import (
    ChapterDecisionForm,
    OrderEndForm,
    OrderForm,
    OrderTextForm,
    initial_values,
    uploaded_document,
)
from submissions.filings.orders.temporary_chapters import (
    TEMPORARY,
    ChapterDecision,
    ChapterOutlook,
    chapter_decisions,
    temporary_chapters,
    undecided_chapters,
)
from submissions.models import Order, OrderKind, Organization, Person
from submissions.permissions import may, orders_visible_to, require, versions_visible_to
from submissions.rules import chapter_on_or_none, chapters_on
from submissions.web.access_gate import person_of
from submissions.web.forms import add_refusal, posted, render_form
from submissions.web.responses import file_response, page_of

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
ALL_LICENSEES = "all"  # in the address


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


NEW_KINDS = (OrderKind.WAIVER, OrderKind.ORDER)  # a condition is entered with an approval


@require_safe
def show(request: HttpRequest, number: str) -> HttpResponse:
    order = _order_of(request, number)
    (period,) = periods_of([order])
    row = order_row(period, timezone.localdate())
    context = {
        "row": row,
        "order": order,
        "period": period,
        "submission": order.decision.revision.submission if order.decision else None,
        "may_change": row.state in (OrderState.IN_EFFECT, OrderState.SCHEDULED) and may(request.user, "enter-order"),
        "here": "orders",
    }
    return render(request, "pages/order.html", context)


@require_safe
def document(request: HttpRequest, number: str) -> FileResponse:
    order = _order_of(request, number)
    if order.document is None:
        raise Http404("This order has no document.")
    return file_response(bytes(order.document.content), order.document_name, order.document.media_type)


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest) -> HttpResponse:
    """GET: the form, for the chapter in the address. POST: enter the order."""
    require(request.user, "enter-order")
    number = request.GET.get("chapter", "")
    return _form(request, number, None, {"kind": OrderKind.WAIVER})


@require_http_methods(["GET", "HEAD", "POST"])
def replace(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the form with what is ordered now. POST: enter what takes its place."""
    require(request.user, "enter-order")
    order = _order_of(request, number)
    if order.chapter_effect:
        return redirect("chapter-decision", order.chapter)
    return _form(request, order.chapter, order, initial_values(order))


@require_http_methods(["GET", "HEAD", "POST"])
def end(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the form. POST: end the order, or note that the condition was met."""
    require(request.user, "enter-order")
    order, today = _order_of(request, number), timezone.localdate()
    form = OrderEndForm(*posted(request), initial={"from_day": today})
    if request.method == "POST":
        try:
            reauthentication.require_confirmation(request)
            if form.is_valid():
                made = order_entry.end_order(person_of(request), order, **form.cleaned_data)
                messages.success(request, f"{made.get_outcome_display()}: {order.number}.")
                return redirect("order", number)
        except Refusal as refusal:
            add_refusal(form, refusal)
    is_condition = order.kind == OrderKind.CONDITION
    (period,) = periods_of([order])
    context = {"order": order, "row": order_row(period, today), "is_condition": is_condition, "here": "orders"}
    return render_form(request, "pages/order_end.html", context, form)


def _form(request: HttpRequest, number: str, replaced: Order | None, initial: dict[str, object]) -> HttpResponse:
    today = timezone.localdate()
    chapter = chapter_on_or_none(number, today) if number else None
    kinds = (OrderKind(replaced.kind),) if replaced else NEW_KINDS
    form = OrderForm(chapter, kinds, *posted(request), initial=initial | {"first_day": today})
    if entered := _enter_posted(request, form, replaced, chapter=number):
        return redirect("order", entered.number)
    context = {"chapter": chapter, "chapters": chapters_on(today), "replaced": replaced, "here": "orders"}
    return render_form(request, "pages/order_form.html", context, form)


def _enter_posted(request: HttpRequest, form: OrderTextForm, replaced: Order | None, **fixed: Any) -> Order | None:
    """Enter the order of a form that was posted and is valid; after a refusal, which the form then shows, None."""
    if request.method != "POST":
        return None
    try:
        reauthentication.require_confirmation(request)
        if not form.is_valid():
            return None
        del form.cleaned_data["document"]
        content = OrderContent(**fixed, **form.cleaned_data)
        order = order_entry.enter_order(person_of(request), content, uploaded_document(request), replaces=replaced)
    except Refusal as refusal:
        add_refusal(form, refusal)
        return None
    messages.success(request, f"Entered: {order.number}.")
    return order


def _order_of(request: HttpRequest, number: str) -> Order:
    """Return the order with this number, if this person may see it; 404 otherwise."""
    rows = with_period(orders_visible_to(request.user))
    related = rows.select_related(
        "organization", "end__by", "replaced_by", "replaces", "by", "document", "decision__revision__submission"
    )
    return get_object_or_404(related, number=number)


STATUTE = "4 Pa.C.S. § 13A03"


@require_safe
def list_temporary_chapters(request: HttpRequest) -> HttpResponse:
    """List every temporary chapter with its outlook and the versions under it: all for the Board, else one's own."""
    today = timezone.localdate()
    rows = temporary_chapters(versions_visible_to(request.user), today)
    context = {
        "rows": rows,
        "undecided": [row for row in rows if row.outlook == ChapterOutlook.UNDECIDED],
        "today": today,
        "may_enter": may(request.user, "enter-order"),
        "statute": STATUTE,
        "here": "orders",
    }
    return render(request, "pages/temporary_chapters.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def decide_chapter(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the form. POST: enter the order that decides on the chapter; it takes the place of the one before."""
    require(request.user, "enter-order")
    today = timezone.localdate()
    chapter = chapter_on_or_none(number, today)
    if chapter is None or chapter.status != TEMPORARY:
        raise Http404("This temporary chapter does not exist.")
    decision = chapter_decisions().get(number)
    replaced = decision.order if decision else None
    form = ChapterDecisionForm(*posted(request), initial={"citation": STATUTE})
    if _enter_posted(request, form, replaced, kind=OrderKind.ORDER, first_day=today, chapter=number):
        return redirect("temporary-chapters")
    context = {"chapter": chapter, "decision": decision, "here": "orders"}
    return render_form(request, "pages/chapter_decision.html", context, form)
