"""The Board's queue on the first page: its filter, counts and saved views.

Not here: what a row says (`worklist`), saving a view (`saved_views`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest
from django.utils import timezone

from games.registry import folders, title_of
from submissions.models import SavedFilter
from submissions.permissions import filters_visible_to, licensees
from submissions.review.assignments import assignable_names
from submissions.review.equal_filings import equal_groups_among
from submissions.review.worklist import QueuedFiling
from submissions.search.queue_filters import (
    ME,
    ORDERS,
    STATUSES,
    UNASSIGNED,
    QueueCounts,
    QueueFilter,
    QueueFilterSet,
    queue_counts,
)
from submissions.web.access_gate import organization_of, person_of

EQUAL_SHOWN = 10  # groups of equal filings, unless all are asked for


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """A choice of the filter, and how many wait of it (None: not counted)."""

    value: str
    label: str
    count: int | None = None

    @property
    def words(self) -> str:
        return self.label if self.count is None else f"{self.label} ({self.count})"


@dataclass(frozen=True, slots=True)
class CountLink:
    """A count above the queue that leads to the rows that it counts."""

    label: str
    count: int
    query: str
    is_current: bool


def queue_filter(request: HttpRequest, query: Mapping[str, str]) -> QueueFilterSet:
    """The filter of a query string, among the licensees and colleagues of this person."""
    person = person_of(request)
    names = dict(licensees(live=organization_of(request).is_live).values_list("slug", "name"))
    return QueueFilterSet(query, names, assignable_names(person))


def queue_context(
    request: HttpRequest, filters: QueueFilterSet, open_filings: Sequence[QueuedFiling]
) -> dict[str, object]:
    """What the page shows of the filter, the counts and the equal filings of what waits for the person."""
    person, wanted = person_of(request), filters.wanted
    counts = queue_counts(person, open_filings, timezone.localdate())
    return {
        "faults": filters.faults,
        "entered": filters.entered,
        "wanted": wanted,
        "query": f"{wanted.query}&" if wanted.query else "",
        "counts": count_links(counts, wanted),
        "assignees": _assignees(filters.people, counts),
        "chapters": [
            FilterChoice(number, f"{title_of(number)} ({number})", counts.chapters[number]) for number in folders()
        ],
        "licensees": [FilterChoice(slug, name, counts.licensees[slug]) for slug, name in filters.licensees.items()],
        "states": [FilterChoice(key, label) for key, (label, _, _) in STATUSES.items()],
        "orders": [FilterChoice(key, label) for key, label in ORDERS.items()],
        **_equal_groups(open_filings, every="equal" in request.GET),
        "saved_views": list(filters_visible_to(person).filter(page=SavedFilter.Page.QUEUE)),
    }


def _equal_groups(open_filings: Sequence[QueuedFiling], *, every: bool) -> dict[str, object]:
    """The largest groups of equal filings, or every one, and how many more there are."""
    groups = equal_groups_among(open_filings)
    shown = groups if every else groups[:EQUAL_SHOWN]
    return {"equal_groups": shown, "more_equal_groups": len(groups) - len(shown)}


def count_links(counts: QueueCounts, wanted: QueueFilter) -> list[CountLink]:
    """All, mine, unassigned and overdue: each asks for nothing else but the order."""
    order = QueueFilter(by=wanted.by)
    links = (
        ("All waiting", counts.total, order),
        ("Assigned to me", counts.mine, replace(order, assigned=ME)),
        ("Unassigned", counts.unassigned, replace(order, assigned=UNASSIGNED)),
        ("Overdue", counts.overdue, replace(order, overdue="yes")),
    )
    return [CountLink(label, count, target.query, target == wanted) for label, count, target in links]


def _assignees(people: Mapping[str, str], counts: QueueCounts) -> list[FilterChoice]:
    first = [FilterChoice(ME, "Me", counts.mine), FilterChoice(UNASSIGNED, "Unassigned", counts.unassigned)]
    return [*first, *(FilterChoice(key, name, counts.people[key]) for key, name in people.items())]
