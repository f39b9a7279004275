"""Turnaround: for how many days the Board had a filing, from filing to decision. For the Board only.

The days from each filing to the return or decision that followed are added up; the days that the licensee had it after
a return (or a notice of deficiency) are not counted. A day is 24 hours. Withdrawn filings are left out: the Board did
not decide on them.
"""

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from operator import attrgetter
from statistics import median
from typing import Any, NamedTuple

from django.db.models import Exists, Min, OuterRef, QuerySet, Subquery, Sum
from django.utils import timezone

from submissions.core.milliseconds import MILLISECONDS_OF_DAY, MillisecondsBetween
from submissions.core.rows_seen import RowsSeen, rows_seen
from submissions.models import Decision, LayoutDecision, LayoutRevision, Organization, Person, Revision
from submissions.permissions import ReadScope, layouts_visible_to, read_scope_of, visible_to

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
    """Both kinds, decided from the first to the last day (Eastern Time), the latest first. Two queries."""
    filings = []
    for kind in (RULES, LAYOUT):
        decisions, facts = _decided(person, kind)
        decisions = decisions.filter(at__gte=_start_of(first), at__lt=_start_of(last + timedelta(days=1)))
        rows = decisions.values_list(*facts, "kind", "at", "board_time")
        for number, chapter, licensee, outcome, at, board_time in rows:
            label = str(decisions.model.Kind(outcome).label)
            filings.append(DecidedFiling(kind, number, chapter, licensee, label, at, board_time / MILLISECONDS_OF_DAY))
    return sorted(filings, key=lambda filing: filing.decided_at, reverse=True)


def board_days(person: Person, kind: str, first: date, last: date) -> list[tuple[str, str, float]]:
    """The same filings of one kind by the moment of their decision, only with what is compared: chapter, licensee,
    days. Three queries, and one more after another decision.
    """
    times, names = _board_times(person, kind), dict(Organization.objects.order_by().values_list("pk", "name"))
    begin, end = (bisect_left(times, _start_of(day), key=attrgetter("at")) for day in (first, last + timedelta(1)))
    return [(row.chapter, names[row.licensee], row.days) for row in times[begin:end]]


def _board_times(person: Person, kind: str) -> list[BoardTime]:
    """Of everything of this kind that was decided and that the person may see."""
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
        times = [BoardTime(at, game, key, board_time / MILLISECONDS_OF_DAY) for at, game, key, board_time in rows]
        _known_times[kind, reach] = (seen, times)
    return times


def turnaround(days: Iterable[float], label: str = "All") -> Turnaround | None:
    """Of filings with these days; None of none."""
    ordered = sorted(days)
    if not ordered:
        return None
    return Turnaround(label, len(ordered), median(ordered), ordered[math.ceil(SHARE * len(ordered)) - 1])


def turnaround_by(filings: Iterable[tuple[str, float]]) -> list[Turnaround]:
    """One for each label, in their order; a filing is its label and its days."""
    groups: dict[str, list[float]] = defaultdict(list)
    for label, days in filings:
        groups[label].append(days)
    results = (turnaround(groups[label], label) for label in sorted(groups))
    return [result for result in results if result]


def _decided(person: Person, kind: str) -> tuple[QuerySet[Any, Any], tuple[str, str, str]]:
    """The decisions that approve or reject, with `board_time` in milliseconds; and where they have the number, the
    chapter and the licensee."""
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
    """The milliseconds from each of a filing's revisions to the first decision of these kinds on it."""
    (revision, filing) = ("revision", "submission") if revisions.model is Revision else ("layout_revision", "filing")
    ends = decisions.filter(**{revision: OuterRef("pk")}, kind__in=kinds).order_by().values(revision)
    spans = MillisecondsBetween("filed_at", Subquery(ends.values(first=Min("at"))))
    return Subquery(revisions.order_by().values(filing).values(total=Sum(spans)))


def _start_of(day: date) -> datetime:
    """Midnight in Pennsylvania."""
    return timezone.make_aware(datetime.combine(day, time()))
