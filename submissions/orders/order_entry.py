"""Entering an order, waiver or condition, replacing one, and ending one early. A row is never changed: each action adds
one and records one event. Directors act, after a confirmation by the page. Not here: conditions that are entered with
an approval (`approval_conditions`).
"""

from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.core import upload_scan
from submissions.core.dates import date_text
from submissions.core.errors import Conflict, Refusal
from submissions.core.text_cleaning import clean_text
from submissions.core.uploaded_file import check_size, clean_file_name
from submissions.models import Order, OrderEnd, OrderKind, Organization, Person, StoredFile
from submissions.orders.order_content import OrderContent, clean_content
from submissions.orders.order_periods import OrderPeriod, periods_of, with_period
from submissions.permissions import licensees

ENTERED, ENDED = "ordered", "order-ended"  # verbs of events
PDF = "application/pdf"
UploadedFile = tuple[str, bytes]  # the name, as uploaded, and the content


def enter_order(
    actor: Person, content: OrderContent, document: UploadedFile | None = None, *, replaces: Order | None = None
) -> Order:
    """The row of a new order; with `replaces`, of one that takes the place of that one from its first day on.

    Raises:
        Forbidden: the person may not enter orders.
        Refusal: `order-incomplete`, `order-days`, `order-scope`, or why the document cannot be stored.
        Conflict: `order-over`, if what it replaces has ended or was replaced already.
    """
    permissions.require(actor, "enter-order")
    content = clean_content(content)
    if content.kind == OrderKind.CONDITION and not (replaces and replaces.decision_id):
        raise Refusal("order-scope/condition", option="kind")
    name, safe = _scanned(document) if document else ("", b"")
    with transaction.atomic():
        lock_history()  # one after the other: the number is counted
        if replaces:
            _refuse_replacement(replaces, content)
        stored = StoredFile.keep(safe, PDF) if safe else None
        order = create_order(
            content,
            actor,
            organization=_licensee(content.licensee),
            document=stored,
            document_name=name,
            replaces=replaces,
            decision=replaces.decision if replaces else None,
        )
        after = {"order": order.number, "kind": order.kind} | ({"replaces": replaces.number} if replaces else {})
        record_event(actor, None, ENTERED, after=after, seals=(order, *((stored,) if stored else ())))
    return order


def end_order(actor: Person, order: Order, *, from_day: date, reason: str, met: bool = False) -> OrderEnd:
    """Note that it no longer counts from that day on, for a reason; `met`: because the condition was met."""
    permissions.require(actor, "enter-order")
    reason = clean_text(reason, "The reason", option="reason")
    if not reason:
        raise Refusal("reason-missing/order", option="reason")
    if met and order.kind != OrderKind.CONDITION:
        raise Refusal("order-scope/not-a-condition", option="met", number=order.number, kind=order.get_kind_display())
    _refuse_past(from_day)
    with transaction.atomic():
        lock_history()
        _refuse_over(order, timezone.localdate())
        end = OrderEnd.objects.create(
            order=order,
            outcome=OrderEnd.Outcome.MET if met else OrderEnd.Outcome.ENDED,
            from_day=from_day,
            reason=reason,
            by=actor,
            at=timezone.now(),
        )
        after = {"order": order.number, "outcome": end.outcome, "from_day": from_day.isoformat()}
        record_event(actor, None, ENDED, reason=reason, after=after, seals=(end,))
    return end


def create_order(content: OrderContent, by: Person, *, organization: Organization | None, **fields: Any) -> Order:
    """The row, inside the caller's transaction, which has locked the history and records the event."""
    return Order.objects.create(
        number=f"BO-{timezone.localdate().year}-{Order.objects.count() + 1:05d}",
        kind=content.kind,
        docket=content.docket,
        citation=content.citation,
        organization=organization,
        all_licensees=organization is None,
        chapter=content.chapter,
        tables=content.tables,
        option=content.option,
        rule=content.rule,
        chapter_effect=content.chapter_effect,
        first_day=content.first_day,
        last_day=content.last_day,
        text=content.text,
        by=by,
        at=timezone.now(),
        **fields,
    )


def current_period(order: Order) -> OrderPeriod:
    """The order with what became of it by now."""
    return periods_of([with_period(Order.objects.all()).get(pk=order.pk)])[0]


def _licensee(slug: str) -> Organization | None:
    organization = licensees().filter(slug=slug).first() if slug else None
    if slug and organization is None:
        raise Refusal("order-scope/licensee", option="licensee", text=slug)
    return organization


def _scanned(document: UploadedFile) -> tuple[str, bytes]:
    name, content = clean_file_name(document[0]), document[1]
    check_size(name, len(content))
    media_type, safe = upload_scan.inspect(name, content)
    if media_type != PDF:
        raise Refusal("attachment-kind/order", option="document", name=name)
    return name, safe


def _refuse_replacement(replaced: Order, content: OrderContent) -> None:
    _refuse_past(content.first_day, "first_day")
    _refuse_over(replaced, timezone.localdate())
    if (replaced.kind, replaced.chapter) != (content.kind, content.chapter):
        raise Refusal("order-scope/replaces-another", option="chapter", number=replaced.number)


def _refuse_past(day: date, field: str = "from_day") -> None:
    today = timezone.localdate()
    if day < today:
        raise Refusal("order-days/past", option=field, day=date_text(day), today=date_text(today))


def _refuse_over(order: Order, today: date) -> None:
    """Raise `Conflict` if nothing is left to end: it was ended or replaced, or its last day is over."""
    period = current_period(order)
    what = ""
    if period.end:
        what = f"ended by {period.end.by.name}"
    elif period.successor:
        what = f"replaced by {period.successor}"
    elif period.last_day and period.last_day < today and not order.chapter_effect:
        what = "over: its last day has passed"
    if what:
        raise Conflict("order-over", number=order.number, what=what)
