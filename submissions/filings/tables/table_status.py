"""The status of tables: on a casino's list on a day, and whether a game's rules can be said to govern them.

Here are also open tables without an approval.

Only a table that is listed and open for the game is confirmed by the list; one that is closed, listed for another game
or not listed never is. A table is without an approval (§ 601a.2) if it is open on the list and no approved version of
its game is in effect; each opening is reported once. A version is for all tables of its game, so the game decides. Not
here: the version that governs a game (`filings.versions`), the words of notices (`notifications`).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from itertools import groupby
from operator import attrgetter, or_
from typing import Any

from django.db import models, transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from games.registry import title_of
from games.rules.lists import format_tables
from submissions.audit.record import lock_history, record_event
from submissions.core.dates import date_text
from submissions.filings.orders.temporary_chapters import ChapterDecision, chapter_decisions
from submissions.filings.tables.table_lists import entries_of_tables, entries_on, has_list
from submissions.filings.versions import versions_in_effect
from submissions.models import Event, Organization, Person, TableEntry, TableState, Version
from submissions.permissions import PREPARER_ROLES, REVIEWER_ROLES, ReadScope, licensees, read_scope_of


class ListStatus(models.TextChoices):
    """The status of the table on the list, for one game or, where none is asked about, for any."""

    OPEN = "open", "Open on the table list"
    CLOSED = "closed", "Closed on the table list"
    OTHER_GAME = "other-game", "Listed for another game"
    NOT_LISTED = "not-listed", "Not on the table list"
    NO_LIST = "no-list", "The casino has no table list"


@dataclass(frozen=True, slots=True)
class TableStatus:
    """One table on a day. `chapter`: the game that is asked about, "" for the one of the list."""

    licensee: str  # the name
    number: str
    chapter: str
    day: date
    status: ListStatus
    entry: TableEntry | None = None

    @property
    def is_confirmed(self) -> bool:
        """Return whether the list says that this table is open for the game."""
        return self.status == ListStatus.OPEN

    @property
    def game(self) -> str:
        """Return the title of the game that is asked about, or else of the list's."""
        return title_of(self.chapter or (self.entry.chapter if self.entry else ""))

    @property
    def heading(self) -> str:
        """Return "Table 999 is not on the table list"; "" where there is no list."""
        return {
            ListStatus.OPEN: f"Table {self.number} is open for {self.game}",
            ListStatus.CLOSED: f"Table {self.number} is closed on {date_text(self.day)}",
            ListStatus.OTHER_GAME: f"Table {self.number} is not listed for {self.game}",
            ListStatus.NOT_LISTED: f"Table {self.number} is not on the table list",
            ListStatus.NO_LIST: "",
        }[self.status]

    @property
    def words(self) -> str:
        """Return what the list says of the table, in a sentence or two."""
        table, condition = f"Table {self.number}", self._condition
        if self.entry is None:
            if self.status == ListStatus.NO_LIST:
                return f"The portal has no table list of this casino.{condition}"
            return f"{table} is not on {self.licensee}'s table list.{condition}"
        since, listed_game = f"since {date_text(self.entry.from_day)}", title_of(self.entry.chapter)
        if self.status == ListStatus.OTHER_GAME:
            return f"{self.licensee}'s table list has table {self.number} for {listed_game} {since}.{condition}"
        state = "open" if self.status == ListStatus.OPEN else "closed"
        sentence = f"{self.licensee}'s table list has table {self.number} for {listed_game}, {state} {since}."
        return sentence if self.is_confirmed else f"{sentence} When it opens for {self.game}, these rules apply."

    @property
    def _condition(self) -> str:
        return f" If it offers {self.game}, these rules apply." if self.chapter else ""


def table_status(organization: Organization, number: str, day: date, chapter: str = "") -> TableStatus:
    """Return how the table (from `parse_table`) is on the licensee's list on the day; one query, two if it is not."""
    entry = entries_of_tables(organization, [number], day).get(number)
    if entry is None:
        status = ListStatus.NOT_LISTED if has_list(organization, day) else ListStatus.NO_LIST
    elif chapter and entry.chapter != chapter:
        status = ListStatus.OTHER_GAME
    else:
        status = ListStatus.OPEN if entry.state == TableState.OPEN else ListStatus.CLOSED
    return TableStatus(organization.name, number, chapter, day, status, entry)


OPEN_WITHOUT_APPROVAL = "tables-open-without-approval"  # verb of the event of a notice
TASK_ROLES = (*PREPARER_ROLES, *REVIEWER_ROLES)


@dataclass(frozen=True, slots=True)
class UncoveredTables:
    """The open tables of one game at one licensee.

    `openings` names each opening: its entry on the list, and the last decision on the game before it; a later
    discontinuation makes it another one.
    """

    licensee: Organization
    chapter: str
    numbers: frozenset[str]
    openings: tuple[str, ...]

    @property
    def tables(self) -> str:
        """Return the tables as "3, 7-9"."""
        return format_tables(self.numbers)


def uncovered_tables_of(person: Person, decisions: Mapping[str, ChapterDecision]) -> list[UncoveredTables]:
    """Return today's, of the person's licensee or, for the Board's reviewers, of all; one query, or two."""
    reach = read_scope_of(person)
    return _uncovered(reach, timezone.localdate(), decisions) if reach and person.role in TASK_ROLES else []


def report_openings(now: datetime) -> int:
    """Record an event, of which people get notices, for each licensee's game with tables that were not reported yet."""
    with transaction.atomic():
        lock_history()  # of several sweepers, one records it
        events = Event.objects.filter(verb=OPEN_WITHOUT_APPROVAL).values_list("after", flat=True)
        reported = {opening for after in events for opening in after["openings"]}
        today, board = timezone.localdate(now), ReadScope(0, at_regulator=True, live=True)
        new = [
            group for group in _uncovered(board, today, chapter_decisions()) if not reported.issuperset(group.openings)
        ]
        for group in new:
            after = {"chapter": group.chapter, "tables": group.tables, "day": today.isoformat()}
            payload = {**after, "openings": list(group.openings)}
            record_event(None, None, OPEN_WITHOUT_APPROVAL, after=payload, organization=group.licensee)
    return len(new)


def _uncovered(reach: ReadScope, day: date, decisions: Mapping[str, ChapterDecision]) -> list[UncoveredTables]:
    ended = [number for number, decision in decisions.items() if decision.has_ended(day)]
    games = list(_games_without_approval(reach, day, ended))
    rows = _open_tables(games, day) if games else ()
    return [_group(list(rows)) for _, rows in groupby(rows, key=attrgetter("organization_id", "chapter"))]


def _games_without_approval(reach: ReadScope, day: date, ended: Collection[str]) -> QuerySet[Any, tuple[int, str]]:
    """Return the games that ever had an open table and have no version in effect: as (licensee's key, chapter).

    `ended`: the chapters that had ended by the day. First the games: there are ten times as many tables, and nearly all
    are of a game with an approval.
    """
    ever_open = TableEntry.objects.filter(state=TableState.OPEN)
    approved = versions_in_effect(day).exclude(chapter__in=ended)
    if reach.at_regulator:
        ever_open = ever_open.filter(organization__in=licensees(live=reach.live).order_by())
    else:
        ever_open = ever_open.filter(organization=reach.organization)
        approved = approved.filter(organization=reach.organization)
    covered = approved.order_by().values_list("organization", "chapter")
    return ever_open.order_by().values_list("organization", "chapter").difference(covered)


def _open_tables(games: Iterable[tuple[int, str]], day: date) -> QuerySet[TableEntry, Any]:
    """Return the open tables of these games, with the last decision on the game as `decided`."""
    of_games = reduce(or_, (Q(organization=licensee, chapter=chapter) for licensee, chapter in games))
    versions = Version.objects.filter(organization=OuterRef("organization"), chapter=OuterRef("chapter"))
    latest = versions.filter(from_day__lte=day).order_by("-from_day", "-pk").values("pk")[:1]
    rows: QuerySet[TableEntry, Any] = entries_on(day).filter(of_games, state=TableState.OPEN)
    rows = rows.annotate(decided=Subquery(latest)).select_related("organization")
    return rows.order_by("organization__name", "organization", "chapter", "pk")


def _group(rows: list[Any]) -> UncoveredTables:
    first = rows[0]
    openings = tuple(f"{row.pk}:{row.decided or 0}" for row in rows)
    return UncoveredTables(first.organization, first.chapter, frozenset(row.number for row in rows), openings)
