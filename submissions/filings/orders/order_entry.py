"""Entering an order, waiver or condition, replacing one, and ending one early.

Here are also its content as it is stored, and the conditions that a director adds to an approval.

A row is never changed: each action adds one and records one event. Directors act, after a confirmation by the page. A
refusal names the field of the form (`option`). Conditions of an approval are created in its transaction and sealed in
its event; the approval itself is `filings.review.decisions`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.registry import folders
from games.rules.lists import format_tables, parse_tables
from games.rules.model import Chapter
from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.core import uploads
from submissions.core.dates import date_text
from submissions.core.errors import Conflict, Refusal
from submissions.core.text import clean_text
from submissions.core.uploads import check_size, clean_file_name
from submissions.filings.orders.order_periods import OrderPeriod, order_periods
from submissions.filings.orders.temporary_chapters import TEMPORARY
from submissions.models import ChapterEffect, Decision, Order, OrderEnd, OrderKind, Organization, Person, StoredFile
from submissions.permissions import licensees
from submissions.rules import chapter_on_or_none

LONGEST = {"citation": 80, "docket": 80, "text": 4000}


@dataclass(frozen=True, slots=True)
class OrderContent:
    """An order as it is entered. `licensee`: a slug, "" = all; `chapter`, `tables`: "" = all; days of Eastern Time."""

    kind: str
    citation: str
    text: str
    first_day: date
    last_day: date | None = None
    licensee: str = ""
    chapter: str = ""
    tables: str = ""
    option: str = ""
    rule: str = ""
    docket: str = ""
    chapter_effect: str = ""


def clean_content(content: OrderContent) -> OrderContent:
    """Return the content as it is stored; `Refusal` for the first field that is wrong."""
    if content.kind not in OrderKind.values:
        raise Refusal("order-incomplete/kind", option="kind", kind=content.kind, kinds=", ".join(OrderKind.labels))
    cleaned = replace(
        content,
        citation=_clean_field("citation", content.citation),
        docket=_clean_field("docket", content.docket),
        text=_clean_field("text", content.text),
        tables=_clean_tables(content.tables),
    )
    if "§" not in cleaned.citation:
        raise Refusal("order-incomplete/citation", option="citation", citation_text=cleaned.citation)
    if not cleaned.text:
        raise Refusal("order-incomplete/text", option="text")
    _refuse_days(cleaned)
    _refuse_scope(cleaned)
    return cleaned


def _clean_tables(text: str) -> str:
    """Return the list of tables in the form that is stored; "" = all tables."""
    try:
        return format_tables(parse_tables(text))
    except ValueError as error:
        raise Refusal("order-scope/tables", option="tables", error=error) from None


def waivable_rules(chapter: Chapter) -> dict[str, str]:
    """Return each requirement whose findings block, with what it says."""
    return {row.id: row.message for row in chapter.requirements if row.severity == "blocking"}


def _clean_field(name: str, value: str) -> str:
    text = clean_text(value, "The text", option=name)
    text = text if name == "text" else " ".join(text.split())
    if len(text) > LONGEST[name]:
        raise Refusal("order-incomplete/too-long", option=name, count=len(text), most=LONGEST[name])
    return text


def _refuse_days(content: OrderContent) -> None:
    is_backwards = content.last_day is not None and content.last_day < content.first_day
    if content.last_day and is_backwards and not content.chapter_effect:  # a chapter's end may be past
        last, first = date_text(content.last_day), date_text(content.first_day)
        raise Refusal("order-days/last-before-first", option="last_day", last_day=last, first_day=first)
    if content.chapter_effect == ChapterEffect.ENDS and content.last_day is None:
        raise Refusal("order-days/chapter-end", option="last_day", chapter=content.chapter)


def _refuse_scope(content: OrderContent) -> None:
    """Refuse a chapter, line or requirement that there is not, and a waiver that waives nothing."""
    if content.chapter and content.chapter not in folders():
        raise Refusal("order-scope/chapter", option="chapter", chapter=content.chapter, chapters=", ".join(folders()))
    if not content.chapter and (content.kind != OrderKind.ORDER or content.option or content.rule):
        raise Refusal("order-scope/no-chapter", option="chapter", kind=OrderKind(content.kind).label.lower())
    chapter = chapter_on_or_none(content.chapter, content.first_day) if content.chapter else None
    if chapter:
        _refuse_places(content, chapter)
    if content.kind == OrderKind.WAIVER and not (content.option or content.rule):
        raise Refusal("order-scope/waives-nothing", option="rule")
    if content.chapter_effect and (content.licensee or content.kind != OrderKind.ORDER):
        raise Refusal("order-scope/chapter-for-all", option="chapter_effect")
    if content.chapter_effect and (chapter is None or chapter.status != TEMPORARY):
        raise Refusal("order-scope/not-temporary", option="chapter", chapter=content.chapter)


def _refuse_places(content: OrderContent, chapter: Chapter) -> None:
    keys = [option.key for option in chapter.options]
    if content.option and content.option not in keys:
        raise Refusal("order-scope/option", option="option", text=content.option, chapter=chapter.number)
    if content.rule and content.rule not in waivable_rules(chapter):
        raise Refusal("order-scope/rule", option="rule", text=content.rule, chapter=chapter.number)


ENTERED, ENDED = "ordered", "order-ended"  # verbs of events
PDF = "application/pdf"
UploadedFile = tuple[str, bytes]  # the name, as uploaded, and the content


def enter_order(
    actor: Person, content: OrderContent, document: UploadedFile | None = None, *, replaces: Order | None = None
) -> Order:
    """Enter a new order; with `replaces`, it takes the place of that one from its first day on.

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
        fields: dict[str, Any] = {"document": stored, "document_name": name}
        fields |= {"replaces": replaces, "decision": replaces.decision} if replaces else {}
        order = create_order(content, actor, organization=_licensee(content.licensee), **fields)
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
    """Create the row, inside the caller's transaction, which has locked the history and records the event."""
    fields |= asdict(content)
    del fields["licensee"]
    return Order.objects.create(
        number=f"BO-{timezone.localdate().year}-{Order.objects.count() + 1:05d}",
        organization=organization,
        all_licensees=organization is None,
        by=by,
        at=timezone.now(),
        **fields,
    )


def _licensee(slug: str) -> Organization | None:
    organization = licensees().filter(slug=slug).first() if slug else None
    if slug and organization is None:
        raise Refusal("order-scope/licensee", option="licensee", text=slug)
    return organization


def _scanned(document: UploadedFile) -> tuple[str, bytes]:
    name, content = clean_file_name(document[0]), document[1]
    check_size(name, len(content))
    media_type, safe = uploads.check_upload(name, content)
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
    (period,) = order_periods(Order.objects.filter(pk=order.pk))
    what = ""
    if period.end:
        what = f"ended by {period.end.by.name}"
    elif period.successor:
        what = f"replaced by {period.successor}"
    elif period.last_day and period.last_day < today and not order.chapter_effect:
        what = "over: its last day has passed"
    if what:
        raise Conflict("order-over", number=order.number, what=what)


MOST_CONDITIONS = 20


@dataclass(frozen=True, slots=True)
class ConditionText:
    """A condition as it is entered; `tables` "" = all tables of the approval."""

    text: str
    citation: str
    tables: str = ""
    last_day: date | None = None


def add_conditions(decision: Decision, conditions: Sequence[ConditionText], from_day: date) -> list[Order]:
    """Add the conditions from the first day of the version; the caller has locked the history."""
    if len(conditions) > MOST_CONDITIONS:
        raise Refusal("too-many-conditions", count=len(conditions), most_conditions=MOST_CONDITIONS)
    submission = decision.revision.submission
    rows = []
    for condition in conditions:
        content = OrderContent(
            OrderKind.CONDITION,
            licensee=submission.organization.slug,
            chapter=submission.chapter,
            first_day=from_day,
            **asdict(condition),
        )
        cleaned, organization = clean_content(content), submission.organization
        rows.append(create_order(cleaned, decision.by, organization=organization, decision=decision))
    return rows


def conditions_of(revision: int) -> list[OrderPeriod]:
    """Return the conditions of an approval (`revision`: primary key) with what became of them, in order of entry."""
    return order_periods(_conditions_of_revision(revision).order_by("pk"))


def conditions_in_effect(revision: int, day: date) -> list[OrderPeriod]:
    """Return those of the conditions that are in effect on the day."""
    return [period for period in conditions_of(revision) if period.is_in_effect(day)]


def condition_counts(revisions: Iterable[int]) -> dict[int, int]:
    """Return how many conditions each revision's approval was given under, by primary key; one query."""
    rows = Order.objects.filter(kind=OrderKind.CONDITION, replaces=None, decision__revision__in=list(revisions))
    return Counter(rows.order_by().values_list("decision__revision", flat=True))


def first_conditions(revision: int) -> list[Order]:
    """Return the conditions as they were decided with the approval: later replacements and ends change nothing."""
    return list(_conditions_of_revision(revision).filter(replaces=None).order_by("pk"))


def _conditions_of_revision(revision: int) -> QuerySet[Order]:
    return Order.objects.filter(kind=OrderKind.CONDITION, decision__revision=revision)
