"""The Board's work over time: open items by person, turnaround, and the calendar of days that are due or take effect.

Open items are filings that wait for a recommendation or a decision. Turnaround is for how many days of 24 hours the
Board had a filing: from each filing to the return or decision that followed, added up, without the days that the
licensee had it. Withdrawn filings are left out. Both are for the Board only.

The calendar has what one person may see of a period. Days are Eastern Time.
"""

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import attrgetter
from statistics import median
from typing import Any, NamedTuple

from django.db import models
from django.db.models import DurationField, Exists, ExpressionWrapper, F, Min, OuterRef, Q, QuerySet, Subquery, Sum
from django.urls import reverse
from django.utils import timezone

from games.registry import title_of
from submissions.core.caches import RowsSeen, rows_seen
from submissions.core.dates import start_of
from submissions.filings.orders.order_periods import periods_of, with_period
from submissions.filings.orders.order_tasks import order_name
from submissions.filings.review.worklist import overdue_before, target_of, with_latest
from submissions.layouts.review_clock import review_clock
from submissions.models import (
    LAYOUTS_WITH_BOARD,
    OPEN_STATUSES,
    WITH_BOARD,
    Decision,
    LayoutDecision,
    LayoutRevision,
    Organization,
    Person,
    Revision,
    RulemakingChange,
)
from submissions.permissions import (
    ReadScope,
    layouts_visible_to,
    orders_visible_to,
    read_scope_of,
    rulemakings_visible_to,
    versions_visible_to,
    visible_to,
)

UNASSIGNED = "Unassigned"


@dataclass(slots=True)
class Workload:
    """The open items assigned to one person, or unassigned."""

    name: str
    submissions: int = 0
    overdue: int = 0  # of the submissions: past their target day
    layouts: int = 0

    @property
    def total(self) -> int:
        return self.submissions + self.layouts


def workloads(reader: Person, today: date) -> list[Workload]:
    """Return the workloads by name; the unassigned items come last. Two queries."""
    moment = overdue_before(today)
    by_name: dict[str, Workload] = defaultdict(lambda: Workload(""))
    rows = with_latest(visible_to(reader).filter(status__in=WITH_BOARD)).order_by()
    for name, filed_at in rows.values_list("assignment__person__name", "filed_at"):
        by_name[name or ""].submissions += 1
        by_name[name or ""].overdue += bool(moment and filed_at and filed_at < moment)
    layouts = layouts_visible_to(reader).filter(status__in=LAYOUTS_WITH_BOARD).order_by()
    for name in layouts.values_list("assignment__person__name", flat=True):
        by_name[name or ""].layouts += 1
    for name, workload in by_name.items():
        workload.name = name or UNASSIGNED
    return [by_name[name] for name in sorted(by_name, key=lambda name: (not name, name))]


DAY = timedelta(days=1)
SHARE = 0.9  # of the filings, in the 90th percentile
RULES, LAYOUT = "Rules Submission", "Layout filing"


@dataclass(frozen=True, slots=True)
class DecidedFiling:
    """A filing that was approved or rejected, and for how many days the Board had it."""

    kind: str
    number: str
    chapter: str
    licensee: str
    outcome: str
    decided_at: datetime
    days: float


@dataclass(frozen=True, slots=True)
class Turnaround:
    """Median and 90th percentile of the days of `count` filings. The percentile is by nearest rank: a real filing's."""

    label: str
    count: int
    median: float
    ninetieth: float


class BoardTime(NamedTuple):
    """Of a decided filing, what is compared; all of it is final."""

    at: datetime  # of the decision
    chapter: str
    licensee: int  # primary key
    days: float


# By kind and read scope: what was seen, and the times by the moment of the decision. Nothing of it can change, since
# decisions and filings are only added to; it is read again as soon as there is another decision.
_known_times: dict[tuple[str, ReadScope], tuple[RowsSeen, list[BoardTime]]] = {}


def decided_filings(person: Person, first: date, last: date) -> list[DecidedFiling]:
    """Return the filings of both kinds decided from the first to the last day, the latest first; two queries."""
    filings = []
    for kind in (RULES, LAYOUT):
        decisions, facts = _decided(person, kind)
        decisions = decisions.filter(at__gte=start_of(first), at__lt=start_of(last + timedelta(days=1)))
        rows = decisions.values_list(*facts, "kind", "at", "board_time")
        for number, chapter, licensee, outcome, at, board_time in rows:
            label = str(decisions.model.Kind(outcome).label)
            filings.append(DecidedFiling(kind, number, chapter, licensee, label, at, board_time / DAY))
    return sorted(filings, key=lambda filing: filing.decided_at, reverse=True)


def board_days(person: Person, kind: str, first: date, last: date) -> list[tuple[str, str, float]]:
    """Return chapter, licensee and days of the filings of one kind, by their decision; three or four queries."""
    times, names = _board_times(person, kind), dict(Organization.objects.order_by().values_list("pk", "name"))
    begin, end = (bisect_left(times, start_of(day), key=attrgetter("at")) for day in (first, last + timedelta(1)))
    return [(row.chapter, names[row.licensee], row.days) for row in times[begin:end]]


def _board_times(person: Person, kind: str) -> list[BoardTime]:
    """Return the times of all filings of this kind that were decided and that the person may see."""
    reach = read_scope_of(person)
    if reach is None:
        return []
    decisions, (_, chapter, _) = _decided(person, kind)
    filed_at = ("revision" if kind == RULES else "layout_revision") + "__filed_at"
    seen = rows_seen(decisions.model, "at", filed_at)
    known, times = _known_times.get((kind, reach), (None, []))
    if known != seen:
        licensee = chapter.replace("chapter", "organization")
        rows = decisions.order_by("at").values_list("at", chapter, licensee, "board_time")
        times = [BoardTime(at, game, key, board_time / DAY) for at, game, key, board_time in rows]
        _known_times[kind, reach] = (seen, times)
    return times


def turnaround(days: Iterable[float], label: str = "All") -> Turnaround | None:
    """Return the turnaround of filings with these days; None without any."""
    ordered = sorted(days)
    if not ordered:
        return None
    return Turnaround(label, len(ordered), median(ordered), ordered[math.ceil(SHARE * len(ordered)) - 1])


def turnaround_by(filings: Iterable[tuple[str, float]]) -> list[Turnaround]:
    """Return one turnaround for each label, in their order; a filing is its label and its days."""
    groups: dict[str, list[float]] = defaultdict(list)
    for label, days in filings:
        groups[label].append(days)
    results = (turnaround(groups[label], label) for label in sorted(groups))
    return [result for result in results if result]


def _decided(person: Person, kind: str) -> tuple[QuerySet[Any, Any], tuple[str, str, str]]:
    """Return the decisions that approve or reject, with their `board_time`; where they have number, chapter, name."""
    decisions: QuerySet[Any, Any]
    revisions: QuerySet[Any, Any]
    visible: QuerySet[Any, Any]
    if kind == RULES:
        filing = submission = "revision__submission"
        revisions, visible = Revision.objects.filter(submission=OuterRef(filing)), visible_to(person)
        decisions, returns = Decision.objects.all(), Decision.Kind.RETURN.value
    else:
        filing, submission = "layout_revision__filing", "layout_revision__filing__submission"
        revisions, visible = LayoutRevision.objects.filter(filing=OuterRef(filing)), layouts_visible_to(person)
        decisions, returns = LayoutDecision.objects.all(), LayoutDecision.Kind.NOTICE.value
    kinds = decisions.model.Kind
    decided = decisions.filter(Exists(visible.filter(pk=OuterRef(filing))), kind__in=(kinds.APPROVE, kinds.REJECT))
    board_time = _board_time(revisions, decisions, (returns, kinds.APPROVE, kinds.REJECT))
    return decided.order_by().annotate(board_time=board_time), (
        f"{filing}__number",
        f"{submission}__chapter",
        f"{submission}__organization__name",
    )


def _board_time(revisions: QuerySet[Any, Any], decisions: QuerySet[Any, Any], kinds: tuple[str, ...]) -> Subquery:
    """Return the time from each of a filing's revisions to the first decision of these kinds on it."""
    (revision, filing) = ("revision", "submission") if revisions.model is Revision else ("layout_revision", "filing")
    ends = decisions.filter(**{revision: OuterRef("pk")}, kind__in=kinds).order_by().values(revision)
    span = ExpressionWrapper(Subquery(ends.values(first=Min("at"))) - F("filed_at"), output_field=DurationField())
    return Subquery(revisions.order_by().values(filing).values(total=Sum(span)))


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
        """An identifier that stays when the day moves."""
        return f"{self.kind}-{self.number}"


def calendar_entries(person: Person, first: date, last: date) -> list[CalendarEntry]:
    """Return the entries from the first to the last day. Eight queries at most, however many entries there are."""
    sources = (_layouts, _targets, _orders, _planned, _versions, _rules)
    entries = (entry for source in sources for entry in source(person, first, last))
    return sorted(entry for entry in entries if first <= entry.day <= last)


def _layouts(person: Person, first: date, last: date) -> Iterator[CalendarEntry]:
    rows = layouts_visible_to(person).filter(status__in=LAYOUTS_WITH_BOARD)  # whose clock runs
    for row in rows.select_related("submission__organization").prefetch_related("revisions__decisions"):
        clock = review_clock(row, timezone.now())
        if clock and clock.reading.due:
            words = f"{row.parts_in_words()}: {_about(row.submission.chapter, row.organization.name)}"
            address = reverse("layout", args=[row.number])
            yield CalendarEntry(clock.reading.due, EntryKind.LAYOUT_DUE, row.number, words, address)


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
    # A planned day that the licensee can still change is not for the Board.
    statuses = WITH_BOARD if person.at_regulator else OPEN_STATUSES
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
    """Yield published rule changes; for a licensee those of every game, since it may want to offer it."""
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
    """Return the game and the licensee in words: "DJ Wild Stud Poker (687a), Casino East"."""
    game = f"{title_of(chapter) or 'Chapter'} ({chapter})" if chapter else "Every chapter"
    return ", ".join(filter(None, (game, licensee)))
