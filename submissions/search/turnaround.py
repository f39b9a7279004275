"""Turnaround: for how many days the Board had a filing, from filing to decision. For the Board only.

The days from each filing to the return or decision that followed are added up; the days that the licensee had it after
a return (or a notice of deficiency) are not counted. A day is 24 hours. Withdrawn filings are left out: the Board did
not decide on them.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from statistics import median
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from submissions.models import Decision, LayoutDecision, LayoutRevision, Person, Revision
from submissions.permissions import layouts_visible_to, visible_to

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


def decided_filings(person: Person, first: date, last: date) -> list[DecidedFiling]:
    """Both kinds, decided from the first to the last day (Eastern Time), the latest first. Four queries."""
    period = (_start_of(first), _start_of(last + DAY))
    filings = [*_decided_rules(person, period), *_decided_layouts(person, period)]
    return sorted(filings, key=lambda filing: filing.decided_at, reverse=True)


def turnaround(filings: Sequence[DecidedFiling], label: str = "All") -> Turnaround | None:
    """Of these filings; None of none."""
    days = sorted(filing.days for filing in filings)
    if not days:
        return None
    return Turnaround(label, len(days), median(days), days[math.ceil(SHARE * len(days)) - 1])


def turnaround_by(filings: Iterable[DecidedFiling], key: Callable[[DecidedFiling], str]) -> list[Turnaround]:
    """One for each value of the key, in the order of the values."""
    groups: dict[str, list[DecidedFiling]] = defaultdict(list)
    for filing in filings:
        groups[key(filing)].append(filing)
    results = (turnaround(groups[label], label) for label in sorted(groups))
    return [result for result in results if result]


def board_days(steps: Iterable[tuple[datetime, datetime]]) -> float:
    """The days of these spans, each from a filing to the return or decision on it."""
    return sum(((end - start) / DAY for start, end in steps), start=0.0)


def _decided_rules(person: Person, period: tuple[datetime, datetime]) -> Iterator[DecidedFiling]:
    decisions = Decision.objects.filter(revision__submission__in=visible_to(person).values("pk"))
    submission = "revision__submission"
    return _decided(RULES, decisions, Revision.objects.all(), submission, submission, Decision.Kind.RETURN, period)


def _decided_layouts(person: Person, period: tuple[datetime, datetime]) -> Iterator[DecidedFiling]:
    decisions = LayoutDecision.objects.filter(layout_revision__filing__in=layouts_visible_to(person).values("pk"))
    filing, submission = "layout_revision__filing", "layout_revision__filing__submission"
    return _decided(
        LAYOUT, decisions, LayoutRevision.objects.all(), filing, submission, LayoutDecision.Kind.NOTICE, period
    )


def _decided(
    of: str,
    decisions: QuerySet[Any, Any],
    revisions: QuerySet[Any, Any],
    filing: str,
    submission: str,
    returned: str,
    period: tuple[datetime, datetime],
) -> Iterator[DecidedFiling]:
    """`filing`, `submission`: where a decision has them; `returned`: the kind that sends a filing back."""
    kinds = decisions.model.Kind
    deciding = (kinds.APPROVE, kinds.REJECT)
    ends = decisions.filter(kind__in=deciding, at__gte=period[0], at__lt=period[1])
    own = filing.rpartition("__")[2]
    ended = revisions.filter(**{f"{own}__in": ends.values(filing)}, decisions__kind__in=(returned, *deciding))
    steps = ended.order_by().values_list(own, "pk", "filed_at", "decisions__at")
    spans = _spans(steps)
    facts = (f"{filing}__number", f"{submission}__chapter", f"{submission}__organization__name")
    for key, number, chapter, licensee, kind, at in ends.order_by().values_list(filing, *facts, "kind", "at"):
        yield DecidedFiling(of, number, chapter, licensee, str(kinds(kind).label), at, board_days(spans[key]))


def _spans(rows: QuerySet[Any, Any]) -> dict[int, list[tuple[datetime, datetime]]]:
    """Filing → (filed, returned or decided) of each of its revisions. Of two endings of one the earlier counts: a
    filing that was recommended can still be returned, but what was returned is decided no more.
    """
    ends: dict[int, dict[int, tuple[datetime, datetime]]] = defaultdict(dict)
    for filing, revision, filed_at, at in rows:
        before = ends[filing].get(revision)
        ends[filing][revision] = (filed_at, min(at, before[1]) if before else at)
    return defaultdict(list, {filing: list(revisions.values()) for filing, revisions in ends.items()})


def _start_of(day: date) -> datetime:
    """Midnight in Pennsylvania."""
    return timezone.make_aware(datetime.combine(day, time()))
