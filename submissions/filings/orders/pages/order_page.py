"""One order: its page and its document; entering, replacing and ending one, which a director confirms.

Also the temporary chapters, with the form of the Board's decision on one.

Not here: conditions at an approval (`review.pages.decisions`).
"""

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from submissions.accounts.pages import reauthentication
from submissions.core.errors import Refusal
from submissions.filings.orders import order_entry
from submissions.filings.orders.order_entry import OrderContent
from submissions.filings.orders.order_periods import OrderState, periods_of, with_period
from submissions.filings.orders.pages.order_forms import (
    ChapterDecisionForm,
    OrderEndForm,
    OrderForm,
    initial_values,
    uploaded_document,
)
from submissions.filings.orders.pages.order_list import order_row
from submissions.filings.orders.temporary_chapters import (
    TEMPORARY,
    ChapterOutlook,
    chapter_decisions,
    temporary_chapters,
)
from submissions.models import Order, OrderKind
from submissions.permissions import may, orders_visible_to, require, versions_visible_to
from submissions.rules import chapter_on_or_none, chapters_on
from submissions.web.access_gate import person_of
from submissions.web.forms import add_refusal, posted, render_form
from submissions.web.responses import file_response

NEW_KINDS = (OrderKind.WAIVER, OrderKind.ORDER)  # a condition is entered with an approval
OPEN = (OrderState.IN_EFFECT, OrderState.SCHEDULED)


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
        "may_change": row.state in OPEN and may(request.user, "enter-order"),
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
    if request.method == "POST":
        try:
            reauthentication.require_confirmation(request)
            if form.is_valid():
                del form.cleaned_data["document"]
                content = OrderContent(chapter=number, **form.cleaned_data)
                order = order_entry.enter_order(
                    person_of(request), content, uploaded_document(request), replaces=replaced
                )
                messages.success(request, f"Entered: {order.number}.")
                return redirect("order", order.number)
        except Refusal as refusal:
            add_refusal(form, refusal)
    context = {
        "chapter": chapter,
        "chapters": chapters_on(today),
        "replaced": replaced,
        "here": "orders",
    }
    return render_form(request, "pages/order_form.html", context, form)


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
    form = ChapterDecisionForm(*posted(request), initial={"citation": STATUTE})
    if request.method == "POST":
        try:
            reauthentication.require_confirmation(request)
            if form.is_valid():
                del form.cleaned_data["document"]
                content = OrderContent(OrderKind.ORDER, first_day=today, chapter=number, **form.cleaned_data)
                replaced = decision.order if decision else None
                order = order_entry.enter_order(
                    person_of(request), content, uploaded_document(request), replaces=replaced
                )
                messages.success(request, f"Entered: {order.number}.")
                return redirect("temporary-chapters")
        except Refusal as refusal:
            add_refusal(form, refusal)
    context = {"chapter": chapter, "decision": decision, "here": "orders"}
    return render_form(request, "pages/chapter_decision.html", context, form)
