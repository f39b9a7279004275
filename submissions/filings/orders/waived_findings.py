"""Findings under the Board's orders: a waiver covers a blocking finding; a chapter that has ended blocks.

A covered finding does not block. `apply_orders` is the one place where this is decided; `games` knows no orders.

A waiver covers a finding if it is for the licensee (or all), the chapter, the rule or the line, every table that the
answers are for, and the day. Answers for all other tables are covered only by a waiver for all tables. Findings on the
answers themselves (a line without answer, a contradiction, a file that is not stored) cannot be waived.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from typing import Any, Self

from django.db.models import Q

from games.rules.evaluate import GroupTables
from games.rules.lists import parse_tables
from games.rules.model import Chapter, Finding, Judgment
from submissions.core.dates import date_text
from submissions.filings.orders.order_periods import OrderPeriod, concerns, order_periods
from submissions.filings.orders.temporary_chapters import TEMPORARY, ChapterDecision, decisions_among
from submissions.models import Order, OrderKind

CHAPTER_ENDED = "chapter-ended"
NEVER_WAIVED = (  # they are about the answers, not about what the regulation demands
    "not-answered", "not-asked", "contradiction", "unknown-option", "paytable-without-wager", "tables-outside-group",
    "check-failed", "attachment-not-held", CHAPTER_ENDED,
)  # fmt: skip
SEVERITIES = ("blocking", "warning", "note")


@dataclass(frozen=True, slots=True)
class WaiverReference:
    """The waiver as a finding names it: plain JSON. `last_day` is None where it is in effect until it is ended."""

    number: str
    docket: str
    citation: str
    text: str
    first_day: str  # ISO 8601
    last_day: str | None


@dataclass(frozen=True, slots=True)
class WaivedFinding(Finding):
    """A finding that would block without its waiver; it is shown as a warning."""

    waiver: WaiverReference


@dataclass(frozen=True, slots=True)
class OrderBook:
    """The waivers and decisions on chapters that were loaded, by which filings are judged."""

    waivers: tuple[OrderPeriod, ...] = ()
    decisions: tuple[ChapterDecision, ...] = ()

    def waiver_of(
        self, finding: Finding, chapter: str, licensee: str, tables: GroupTables, day: date
    ) -> OrderPeriod | None:
        """Return the waiver that covers the finding on that day: of several, the one that lasts longest."""
        covering = (
            period
            for period in self.waivers
            if period.is_in_effect(day) and _is_for(period.order, licensee, chapter) and _covers(period.order, finding)
        )
        at_these_tables = (period for period in covering if _covers_tables(period.order.tables, tables))
        return max(at_these_tables, key=lambda period: (period.last_day or date.max, period.order.pk), default=None)

    def by_game(self, games: Iterable[tuple[str, str]]) -> Iterator[Self]:
        """Yield the book with the waivers of one game only, for each (licensee by its slug, chapter)."""
        waivers: dict[str, list[OrderPeriod]] = defaultdict(list)
        for period in self.waivers:
            waivers[period.order.chapter].append(period)
        for licensee, chapter in games:
            own = (period for period in waivers[chapter] if _is_for(period.order, licensee, chapter))
            yield replace(self, waivers=tuple(own))

    def decision_on(self, chapter: str) -> ChapterDecision | None:
        return next((decision for decision in self.decisions if decision.order.chapter == chapter), None)

    def change_days(self, chapter: str, licensee: str, since: date) -> set[date]:
        """Return the days from `since` on from which a waiver of the game no longer counts or its chapter ended.

        Of a chapter that ended before, `since`.
        """
        ends = {period.day_after for period in self.waivers if _is_for(period.order, licensee, chapter)}
        days = {day for day in ends if day and day >= since}
        decision = self.decision_on(chapter)
        if decision and decision.last_day and decision.has_ended(date.max):
            days.add(max(since, decision.last_day + timedelta(days=1)))
        return days


def load_order_book(licensee: str | None = None, chapter: str = "") -> OrderBook:
    """Return the orders of one game of one licensee, by its slug; without one, of all. One query."""
    rows = Order.objects.filter(Q(kind=OrderKind.WAIVER) | ~Q(chapter_effect=""))
    periods = order_periods(rows if licensee is None else rows.filter(concerns(licensee, chapter)))
    waivers = tuple(period for period in periods if period.order.kind == OrderKind.WAIVER)
    return OrderBook(waivers, tuple(decisions_among(periods).values()))


def apply_orders(
    chapter: Chapter, judgment: Judgment, licensee: str, tables: GroupTables, day: date, book: OrderBook | None = None
) -> Judgment:
    """Return the judgment with its waived findings, and with a blocking one if the chapter has ended by that day.

    `licensee`: the slug, "" for none; `day`: on which the filing takes effect; `book`: the orders, if they are loaded.
    """
    may_end = chapter.status == TEMPORARY
    if not (may_end or any(map(can_be_waived, judgment.findings))):
        return judgment
    book = load_order_book(licensee, chapter.number) if book is None else book
    findings = [_waived(book, finding, chapter.number, licensee, tables, day) for finding in judgment.findings]
    decision = book.decision_on(chapter.number) if may_end else None
    if decision and decision.has_ended(day):
        findings.append(_ended(chapter, decision, day))
    gravest_first = sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))
    return replace(judgment, findings=tuple(gravest_first))


def can_be_waived(finding: Finding) -> bool:
    return finding.severity == "blocking" and finding.rule.rpartition(".")[2] not in NEVER_WAIVED


def waiver_member(finding: Finding) -> dict[str, Any]:
    """Return `{"waiver": {…}}` for a frozen finding that is waived; nothing for others, so that old digests stay."""
    return {"waiver": asdict(finding.waiver)} if isinstance(finding, WaivedFinding) else {}


def waiver_reference(period: OrderPeriod) -> WaiverReference:
    order, last_day = period.order, period.last_day
    return WaiverReference(
        number=order.number,
        docket=order.docket,
        citation=order.citation,
        text=order.text,
        first_day=order.first_day.isoformat(),
        last_day=last_day.isoformat() if last_day else None,
    )


def _waived(book: OrderBook, finding: Finding, chapter: str, licensee: str, tables: GroupTables, day: date) -> Finding:
    period = book.waiver_of(finding, chapter, licensee, tables, day) if can_be_waived(finding) else None
    if period is None:
        return finding
    return WaivedFinding(
        rule=finding.rule,
        severity="warning",
        options=finding.options,
        message=finding.message,
        fix="",
        citation=finding.citation,
        waiver=waiver_reference(period),
    )


def _is_for(order: Order, licensee: str, chapter: str) -> bool:
    own = bool(licensee) and order.organization is not None and order.organization.slug == licensee
    return order.chapter == chapter and (order.all_licensees or own)


def _covers(order: Order, finding: Finding) -> bool:
    """Return whether each of rule and line that the order names fits; one of several lines fits only by its rule."""
    by_rule = order.rule in ("", finding.rule)
    by_option = not order.option or finding.options == (order.option,)
    return bool(order.rule or order.option) and by_rule and by_option


def _covers_tables(waived_tables: str, tables: GroupTables) -> bool:
    """Return whether every table is covered; tables that no list names are covered by "all tables" only."""
    return not waived_tables or bool(tables.named and tables.named <= parse_tables(waived_tables))


def _ended(chapter: Chapter, decision: ChapterDecision, day: date) -> Finding:
    order = decision.order
    last = date_text(decision.last_day) if decision.last_day else ""
    return Finding(
        rule=f"{chapter.number}.{CHAPTER_ENDED}",
        severity="blocking",
        options=(),
        message=f"Chapter {chapter.number} ends on {last} by order {order.docket or order.number} of the Board; "
        f"what takes effect on {date_text(day)} would be after its end.",
        fix=f"Choose {last} or an earlier day, or wait for another order of the Board.",
        citation=order.citation,
    )
