"""Open tables without an approval (§ 601a.2): open on the table list, and no approved version of their game in effect.

A version is for all tables of its game, so the game decides. Whose task they are, and the notice of them, once for each
opening. Not here: how one table is on the list (`table_list.table_status`), the notices' words (`notifications`).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from itertools import groupby
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from submissions.audit.record import lock_history, record_event
from submissions.core.table_ranges import format_tables
from submissions.filings.versions import versions_in_effect
from submissions.models import Event, Organization, Person, TableEntry, TableState, Version
from submissions.orders.chapter_decisions import chapter_decisions
from submissions.permissions import PREPARER_ROLES, REVIEWER_ROLES, ReadScope, licensees, read_scope_of
from submissions.table_list.listed_tables import entries_on

OPEN_WITHOUT_APPROVAL = "tables-open-without-approval"  # verb of the event of a notice
TASK_ROLES = (*PREPARER_ROLES, *REVIEWER_ROLES)


@dataclass(frozen=True, slots=True)
class UncoveredTables:
    """The open tables of one game at one licensee. `openings` names each opening: its entry on the list, and the last
    decision on the game before it; a later discontinuation makes it another one."""

    licensee: Organization
    chapter: str
    numbers: frozenset[str]
    openings: tuple[str, ...]

    @property
    def tables(self) -> str:
        """ "3, 7-9"."""
        return format_tables(self.numbers)


def uncovered_tables_of(person: Person) -> list[UncoveredTables]:
    """Today's, of the person's licensee or, for the Board's reviewers, of all; by licensee and chapter. Two queries."""
    reach = read_scope_of(person)
    return _uncovered(reach, timezone.localdate()) if reach and person.role in TASK_ROLES else []


def report_openings(now: datetime) -> int:
    """Record an event, of which people get notices, for each licensee's game with tables that were not reported yet."""
    with transaction.atomic():
        lock_history()  # of several sweepers, one records it
        events = Event.objects.filter(verb=OPEN_WITHOUT_APPROVAL).values_list("after", flat=True)
        reported = {opening for after in events for opening in after["openings"]}
        today, board = timezone.localdate(now), ReadScope(0, at_regulator=True, live=True)
        new = [group for group in _uncovered(board, today) if not reported.issuperset(group.openings)]
        for group in new:
            after = {"chapter": group.chapter, "tables": group.tables, "day": today.isoformat()}
            payload = {**after, "openings": list(group.openings)}
            record_event(None, None, OPEN_WITHOUT_APPROVAL, after=payload, organization=group.licensee)
    return len(new)


def _uncovered(reach: ReadScope, day: date) -> list[UncoveredTables]:
    ended = [number for number, decision in chapter_decisions().items() if decision.has_ended(day)]
    games = list(_games_without_approval(reach, day, ended))
    rows = _open_tables(games, day) if games else ()
    return [_group(list(rows)) for _, rows in groupby(rows, key=_game)]


def _games_without_approval(reach: ReadScope, day: date, ended: Collection[str]) -> QuerySet[Any, tuple[int, str]]:
    """The games of which some table was ever open, and that have no version in effect: as (licensee's key, chapter).

    `ended`: the chapters that had ended by the day. First the games: there are ten times as many tables, and nearly all
    are of a game with an approval.
    """
    ever_open = _readable(reach).filter(state=TableState.OPEN).order_by().values_list("organization", "chapter")
    approved = versions_in_effect(day).exclude(chapter__in=ended).order_by().values_list("organization", "chapter")
    return ever_open.difference(approved)


def _open_tables(games: Iterable[tuple[int, str]], day: date) -> QuerySet[TableEntry, Any]:
    """The open tables of these games, with the last decision on the game as `decided`."""
    of_games = reduce(or_, (Q(organization=licensee, chapter=chapter) for licensee, chapter in games))
    versions = Version.objects.filter(organization=OuterRef("organization"), chapter=OuterRef("chapter"))
    latest = versions.filter(from_day__lte=day).order_by("-from_day", "-pk").values("pk")[:1]
    rows: QuerySet[TableEntry, Any] = entries_on(day).filter(of_games, state=TableState.OPEN)
    rows = rows.annotate(decided=Subquery(latest)).select_related("organization")
    return rows.order_by("organization__name", "organization", "chapter", "pk")


def _readable(reach: ReadScope) -> QuerySet[TableEntry]:
    if reach.at_regulator:
        return TableEntry.objects.filter(organization__in=licensees(live=reach.live).order_by())
    return TableEntry.objects.filter(organization=reach.organization)


def _game(row: TableEntry) -> tuple[int, str]:
    return row.organization_id, row.chapter


def _group(rows: list[Any]) -> UncoveredTables:
    first = rows[0]
    openings = tuple(f"{row.pk}:{row.decided or 0}" for row in rows)
    return UncoveredTables(first.organization, first.chapter, frozenset(row.number for row in rows), openings)
