"""The filter of the Board's queue: how its query string is read, and the rows that it leaves.

Not here: whose turn it is (`review.worklist`), the form (`submissions.web.review.queue`).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.utils import timezone

from submissions.models import LayoutFiling, LayoutStatus, Person, Status, Submission
from submissions.permissions import layouts_visible_to, visible_to
from submissions.review.target_days import overdue_before
from submissions.review.worklist import layout_tasks_of, turn_of, with_latest, with_task_details
from submissions.search import field_parsing
from submissions.search.filter_sets import ParsedFilter, RefusalFilterSet, choice_filter

ME, UNASSIGNED = "me", "none"
STATUSES: Mapping[str, tuple[str, Status, LayoutStatus]] = {
    "filed": ("Filed", Status.FILED, LayoutStatus.FILED),
    "recommended": ("Recommended or reported", Status.RECOMMENDED, LayoutStatus.RECOMMENDED),
    "returned": ("With the licensee", Status.RETURNED, LayoutStatus.DEFICIENT),
}
ORDERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "waiting": ("Waiting longest", ("since", "pk")),
    "due": ("Due first", ("filed_at", "pk")),  # every target is as many days after its filing
    "chapter": ("Game", ("chapter", "since", "pk")),
    "licensee": ("Licensee", ("organization__name", "since", "pk")),
}
FIRST_ORDER = "waiting"


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """What a filing must be to be shown; an empty field asks for nothing. Without a status: what waits for one's role.
    The fields are the address's, in this order.
    """

    assigned: str = ""  # me, none, or a person's number
    chapter: str = ""
    licensee: str = ""  # slug
    status: str = ""
    overdue: str = ""
    by: str = FIRST_ORDER

    @property
    def query(self) -> str:
        """The one query string that says this."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return urlencode([(name, text) for name, text in given.items() if text and (name, text) != ("by", FIRST_ORDER)])


class QueueFilterSet(RefusalFilterSet):
    """A filter as it was entered: `wanted` is what was understood, `faults` what is wrong with the rest."""

    prepare = staticmethod(field_parsing.clean)
    assigned = ParsedFilter(parse="parse_assigned")
    chapter = ParsedFilter(parse=field_parsing.chapter_of)
    licensee = ParsedFilter(parse="parse_licensee")
    status = choice_filter(lambda: STATUSES, "state")
    overdue = choice_filter(lambda: {"yes": "Overdue"}, "state")
    by = choice_filter(lambda: ORDERS, "order")

    def __init__(self, query: Mapping[str, str], licensees: Mapping[str, str], people: Mapping[str, str]) -> None:
        super().__init__(query, Submission.objects.none())
        self.licensees, self.people = licensees, people

    @property
    def wanted(self) -> QueueFilter:
        self.is_valid()  # parses the fields, once
        return QueueFilter(**{name: text for name, text in self.form.cleaned_data.items() if text})

    def parse_assigned(self, text: str) -> str:
        return field_parsing.one_of(text, {ME: "me", UNASSIGNED: "Unassigned", **self.people}, "assignee")

    def parse_licensee(self, text: str) -> str:
        return field_parsing.one_of(text, self.licensees, "licensee")


def queue_of(person: Person, wanted: QueueFilter) -> QuerySet[Submission]:
    """The submissions of the queue in their order, each with its organization, assignment and task details."""
    rows = turn_of(person)
    if wanted.status:
        rows = with_latest(visible_to(person).filter(status=STATUSES[wanted.status][1]))
    if wanted.overdue:
        rows = rows.filter(status__in=(Status.FILED, Status.RECOMMENDED))
        moment = overdue_before(timezone.localdate())
        rows = rows.filter(filed_at__lt=moment) if moment else rows.none()
    conditions = {"chapter": wanted.chapter, "organization__slug": wanted.licensee}
    rows = rows.filter(**_given(conditions), **_assigned(person, wanted.assigned))
    return with_task_details(rows).select_related("organization", "assignment__person").order_by(*ORDERS[wanted.by][1])


def layout_queue_of(person: Person, wanted: QueueFilter) -> QuerySet[LayoutFiling]:
    """The layout filings of the queue, in no order and overdue or not: their clocks decide that."""
    rows = layout_tasks_of(person)
    if wanted.status:
        rows = layouts_visible_to(person).filter(status=STATUSES[wanted.status][2])
    conditions = {"submission__chapter": wanted.chapter, "submission__organization__slug": wanted.licensee}
    return rows.filter(**_given(conditions), **_assigned(person, wanted.assigned))


@dataclass(slots=True)
class QueueCounts:
    """How many submissions wait for the person's role, in total and by group."""

    total: int = 0
    mine: int = 0
    unassigned: int = 0
    overdue: int = 0
    chapters: Counter[str] = field(default_factory=Counter)
    licensees: Counter[str] = field(default_factory=Counter)
    people: Counter[str] = field(default_factory=Counter)  # by number
    statuses: Counter[str] = field(default_factory=Counter)


def queue_counts(person: Person, today: date) -> QueueCounts:
    """The counts, from one query of short rows."""
    moment, counts = overdue_before(today), QueueCounts()
    rows = turn_of(person).values_list("chapter", "organization__slug", "status", "filed_at", "assignment__person")
    for chapter, licensee, status, filed_at, assignee in rows:
        counts.total += 1
        counts.mine += assignee == person.pk
        counts.unassigned += assignee is None
        counts.overdue += _is_before(filed_at, moment)
        counts.chapters[chapter] += 1
        counts.licensees[licensee] += 1
        counts.people[str(assignee)] += 1
        counts.statuses[status] += 1
    return counts


def _is_before(filed_at: datetime | None, moment: datetime | None) -> bool:
    return filed_at is not None and moment is not None and filed_at < moment


def _given(conditions: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in conditions.items() if text}


def _assigned(person: Person, assigned: str) -> dict[str, int | None]:
    if not assigned:
        return {}
    return {"assignment__person": person.pk if assigned == ME else None if assigned == UNASSIGNED else int(assigned)}
