"""The filters of lists: table lists, the register, the versions in effect, and the Board's queue with its rows.

Not here: how a single value is read (`core.parameters`), whose turn it is (`filings.review.worklist`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_filters import ChoiceFilter
from drf_spectacular.utils import extend_schema_field

from games.registry import folders
from submissions.core.errors import Refusal
from submissions.core.parameters import RefusalFilterSet, excerpt
from submissions.filings.review.assignments import assignable_names
from submissions.filings.review.worklist import QueuedFiling, filings_with_status, layout_tasks_of, overdue_before
from submissions.filings.versions import VersionState, in_state
from submissions.models import (
    WITH_BOARD,
    LayoutFiling,
    LayoutStatus,
    Person,
    Status,
    TableEntry,
    TableState,
    Version,
)
from submissions.permissions import layouts_visible_to, licensees, licensees_visible_to
from submissions.rules import chapters_on

OPEN_STATES = {"yes": TableState.OPEN, "no": TableState.CLOSED}
CHAPTER_SCHEMA = {"type": "string", "pattern": "^[0-9]+[a-h]?$"}  # the description of the API names no chapter itself
CHAPTER_NUMBER = "Of this chapter: its number in `/api/v1/chapters/`."


def game_choices() -> list[tuple[str, str]]:
    """Return (number, number) of every chapter."""
    return [(number, number) for number in folders()]


class GameFilterSet(RefusalFilterSet):
    """A list that is narrowed by game."""

    chapter = extend_schema_field(CHAPTER_SCHEMA)(ChoiceFilter(choices=game_choices, help_text=CHAPTER_NUMBER))

    @property
    def games(self) -> list[tuple[str, str]]:
        """(number, words) of each game to choose from."""
        return [(game.number, f"{game.title} ({game.number})") for game in chapters_on(timezone.localdate())]


class TableFilterSet(GameFilterSet):
    """Tables, by game and state."""

    open = ChoiceFilter(
        choices=list(OPEN_STATES.items()), method="in_state", help_text="Only open tables, or only closed ones."
    )

    def in_state(self, rows: QuerySet[TableEntry], name: str, state: str) -> QuerySet[TableEntry]:
        return rows.filter(state=OPEN_STATES[state])


class LicenseeFilterSet(RefusalFilterSet):
    """A list that is narrowed by licensee."""

    licensee = ChoiceFilter(field_name="organization__slug", help_text="Of this licensee, by its short name.")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.filters["licensee"].extra["choices"] = lambda: self.licensees.items()

    @cached_property
    def licensees(self) -> dict[str, str]:
        """Slug → name of those to choose from."""
        return dict(licensees().values_list("slug", "name"))


class VersionFilterSet(LicenseeFilterSet, GameFilterSet):
    """Versions, by licensee and game."""


class VisibleFilterSet(VersionFilterSet):
    """Submissions, by game and by those licensees that the reader of the request may see."""

    @cached_property
    def licensees(self) -> dict[str, str]:
        return dict(licensees_visible_to(self.request.user).values_list("slug", "name"))

    def unknown(self, name: str, text: str, allowed: Iterable[str]) -> Refusal:
        if name == "chapter":
            return Refusal("unknown-chapter/search", text=excerpt(text), chapters=", ".join(allowed))
        return super().unknown(name, text, allowed)


class LicenseeTableFilterSet(LicenseeFilterSet, TableFilterSet):
    """The tables of all licensees."""


class RegisterFilterSet(VersionFilterSet):
    """Versions, also by their state today."""

    states = VersionState.choices
    standing = ChoiceFilter(choices=VersionState.choices, method="in_state_today", help_text="With this status today.")

    def in_state_today(self, rows: QuerySet[Version], name: str, state: str) -> QuerySet[Version]:
        return in_state(rows, VersionState(state), timezone.localdate())


HEAVY = ("revision__snapshot", "revision__attestation", "revision__document__verification")


def light(rows: QuerySet[Version]) -> QuerySet[Version]:
    """Return the rows with their licensee, filing, document and period; not with what was frozen, which is long."""
    return rows.select_related("organization", "revision__document", "period").defer(*HEAVY)


ME, UNASSIGNED = "me", "none"
OF_BOTH_KINDS = {Status.RECOMMENDED: "Recommended or reported", Status.RETURNED: "With the licensee"}
STATUSES = [(status.value, OF_BOTH_KINDS.get(status, status.label)) for status in (*WITH_BOARD, Status.RETURNED)]
ORDERS = {"waiting": "Waiting longest", "due": "Due first", "chapter": "Game", "licensee": "Licensee"}
FIRST_ORDER = "waiting"


class QueueFilterSet(VisibleFilterSet):
    """The filters of the queue. Without a status: what waits for the role of the reader."""

    assigned = ChoiceFilter()
    status = ChoiceFilter(choices=STATUSES)
    overdue = ChoiceFilter(choices=[("yes", "Overdue")])
    by = ChoiceFilter(choices=list(ORDERS.items()))
    defaults = {"by": FIRST_ORDER}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.people = assignable_names(self.request.user)
        self.filters["assigned"].extra["choices"] = [(ME, "me"), (UNASSIGNED, "Unassigned"), *self.people.items()]


def queue_of(person: Person, filters: QueueFilterSet, open_filings: Sequence[QueuedFiling]) -> list[QueuedFiling]:
    """Return the filings of the queue that wait for the person, in their order; with a status, all that have it."""
    wanted, filings = filters.values, open_filings
    if status := wanted.get("status"):
        filings = filings_with_status(person, status)
    overdue = overdue_before(timezone.localdate())
    chosen = (filing for filing in filings if _is_wanted(filing, person, wanted, overdue))
    place = {licensee: place for place, licensee in enumerate(filters.licensees)}  # by name
    first: Mapping[str, Callable[[QueuedFiling], object]] = {
        "waiting": lambda filing: filing.since,
        "due": lambda filing: filing.filed_at,  # every target is as many days after its filing
        "chapter": lambda filing: (filing.chapter, filing.since),
        "licensee": lambda filing: (place.get(filing.licensee, len(place)), filing.since),
    }
    return sorted(chosen, key=lambda filing: (first[wanted["by"]](filing), filing.pk))


def layout_queue_of(person: Person, wanted: Mapping[str, str]) -> QuerySet[LayoutFiling]:
    """Return the layout filings that the filters' values leave, in no order and overdue or not: clocks decide that."""
    rows = layout_tasks_of(person)
    if status := wanted.get("status"):
        rows = layouts_visible_to(person).filter(status=LayoutStatus.DEFICIENT if status == Status.RETURNED else status)
    fields = {"chapter": "submission__chapter", "licensee": "submission__organization__slug"}
    conditions = {field: wanted[name] for name, field in fields.items() if name in wanted}
    return rows.filter(**conditions, **_assigned(person, wanted))


@dataclass(slots=True)
class QueueCounts:
    """Counts of the submissions that wait for the person's role, in total and by group."""

    total: int = 0
    mine: int = 0
    unassigned: int = 0
    overdue: int = 0
    chapters: Counter[str] = field(default_factory=Counter)
    licensees: Counter[str] = field(default_factory=Counter)
    people: Counter[str] = field(default_factory=Counter)  # by number


def queue_counts(person: Person, open_filings: Iterable[QueuedFiling], today: date) -> QueueCounts:
    """Return the counts of the filings that wait for the person."""
    moment, counts = overdue_before(today), QueueCounts()
    for filing in open_filings:
        counts.total += 1
        counts.mine += filing.assignee == person.pk
        counts.unassigned += filing.assignee is None
        counts.overdue += _is_overdue(filing, moment)
        counts.chapters[filing.chapter] += 1
        counts.licensees[filing.licensee] += 1
        counts.people[str(filing.assignee)] += 1
    return counts


def _is_wanted(filing: QueuedFiling, person: Person, wanted: Mapping[str, str], overdue: datetime | None) -> bool:
    """Return whether the filter leaves it; `overdue`: the moment before which a filing must be to be overdue."""
    return (
        ("assigned" not in wanted or filing.assignee in _assigned(person, wanted).values())
        and wanted.get("chapter") in (None, filing.chapter)
        and wanted.get("licensee") in (None, filing.licensee)
        and ("overdue" not in wanted or _is_overdue(filing, overdue))
    )


def _is_overdue(filing: QueuedFiling, moment: datetime | None) -> bool:
    return filing.status in WITH_BOARD and moment is not None and filing.filed_at < moment


def _assigned(person: Person, wanted: Mapping[str, str]) -> dict[str, int | None]:
    assigned = wanted.get("assigned")
    if assigned is None:
        return {}
    return {"assignment__person": person.pk if assigned == ME else None if assigned == UNASSIGNED else int(assigned)}
