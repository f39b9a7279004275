"""The table lists of the casinos: as they are on a day; adding, changing, closing and removing tables from a day on.

Of several entries of a table, the one of the latest day counts, and of one day the one made last. An entry that removes
the table ends it. A change set, all or nothing, adds one entry for each table that it changes and records one event. No
entry is ever changed, so the list of a past day stays as it was. Days are Eastern Time. Not here: who sees which lists
(`permissions`), reading a spreadsheet (`bulk.table_sheets`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, cast

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from games.registry import folders, title_of
from games.rules.lists import format_tables, parse_table, table_order
from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.core.dates import date_text
from submissions.core.errors import Conflict, Refusal
from submissions.core.text import clean_text
from submissions.models import Organization, Person, TableEntry, TableState


def entries_on(day: date, rows: QuerySet[TableEntry] | None = None) -> QuerySet[TableEntry]:
    """Return every table that is on a list on the day: one entry per licensee and table, among these rows."""
    same = TableEntry.objects.filter(organization=OuterRef("organization"), number=OuterRef("number"))
    latest = same.filter(from_day__lte=day).order_by("-from_day", "-pk").values("pk")[:1]
    rows = TableEntry.objects.all() if rows is None else rows
    return rows.filter(pk=Subquery(latest)).exclude(state=TableState.REMOVED)


def has_list(organization: Organization, day: date) -> bool:
    """Return whether the licensee had entered a table list that counts on the day."""
    return TableEntry.objects.filter(organization=organization, from_day__lte=day).exists()


def open_tables(organization: Organization, chapter: str, day: date) -> list[TableEntry]:
    """Return the open tables of one game, in the order of the numbers."""
    rows = entries_on(day).filter(organization=organization, chapter=chapter, state=TableState.OPEN)
    return in_order(rows)


def entries_of_tables(organization: Organization, numbers: Iterable[str], day: date) -> dict[str, TableEntry]:
    """Return the entries of the tables that are on the list on the day, by their numbers."""
    rows = entries_on(day).filter(organization=organization, number__in=list(numbers))
    return {row.number: row for row in rows}


def scheduled_entries(organization: Organization, day: date) -> list[TableEntry]:
    """Return the entries for later days, the next day first."""
    rows = TableEntry.objects.filter(organization=organization, from_day__gt=day)
    return list(rows.select_related("by").order_by("from_day", "pk"))


def in_order(rows: Iterable[TableEntry]) -> list[TableEntry]:
    """Return the entries by number: 3, 12, BJ-4, BJ-12."""
    return sorted(rows, key=lambda row: table_order(row.number))


CHANGED = "table-list-changed"  # the event's verb
MOST = 1_000  # tables of one list
LONGEST = {name: cast(Any, TableEntry._meta.get_field(name)).max_length for name in TableEntry.DETAILS}
FARTHEST = 730  # days ahead: a later day is a slip of the pen


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it is entered; `chapter`: the game's number; `where`: the cell or field, for a refusal.

    A state of None and a detail that is missing were left out: they stay as they are on the list.
    """

    number: str
    chapter: str
    state: str | None = None
    details: Mapping[str, str] = field(default_factory=dict)
    where: str = ""


@dataclass(frozen=True, slots=True)
class RowChange:
    """A table's entry before a change set, None if it is not on the list, and the one after it, not stored yet."""

    before: TableEntry | None
    after: TableEntry

    @property
    def kind(self) -> str:
        """Return "Add", "Change" or "Remove"; "" if nothing changes."""
        before, after = self.before, self.after
        if before is None:
            return "" if after.state == TableState.REMOVED else "Add"
        if after.state == TableState.REMOVED:
            return "Remove"
        same = (before.chapter, before.state, before.details) == (after.chapter, after.state, after.details)
        return "" if same else "Change"


def table_words(entry: TableEntry | None) -> str:
    """Return the table's entry as "Cajun Stud, pit 2, open"."""
    if entry is None or entry.state == TableState.REMOVED:
        return "Not on the list"
    details = (f"{name} {text}" for name, text in entry.details.items() if text)
    return ", ".join((title_of(entry.chapter), *details, entry.get_state_display().lower()))


def last_entry(organization: Organization) -> int:
    """Return the number of the latest entry of a list: it changes with every change set; 0 before the first."""
    rows = TableEntry.objects.filter(organization=organization).order_by("-pk").values_list("pk", flat=True)
    return rows.first() or 0


def plan_changes(
    organization: Organization, rows: Iterable[TableRow], from_day: date, *, whole: bool = False
) -> list[RowChange]:
    """Return the change that each row makes to the list of that day, also of a row that changes nothing.

    `whole`: the rows are the whole list, so that every other table is removed: these changes are last.

    Raises:
        Refusal: `table-row` or `table-twice` for a row that cannot be read.
        Conflict: `table-day` for a day that has passed.
    """
    _refuse_day(from_day)
    listed = {row.number: row for row in entries_on(from_day).filter(organization=organization)}
    named = _without_repeats(map(clean_row, rows))
    changes = [_change(row, listed.get(row.number)) for row in named.values()]
    if whole:
        other_tables = (entry for number, entry in listed.items() if number not in named)
        changes += [_change(TableRow(row.number, row.chapter, TableState.REMOVED), row) for row in other_tables]
    kinds = Counter(change.kind for change in changes)
    count = len(listed) + kinds["Add"] - kinds["Remove"]
    if count > MOST:
        raise Refusal("table-list-too-long", count=count, most=MOST)
    return changes


def _change(row: TableRow, before: TableEntry | None) -> RowChange:
    """Return the change with what the row leaves out as it is; a new table is open and has no details."""
    listed = before or TableEntry(state=TableState.OPEN)
    state, details = row.state or listed.state, {**listed.details, **row.details}
    return RowChange(before, TableEntry(number=row.number, chapter=row.chapter, state=state, **details))


def row_faults(rows: Sequence[TableRow]) -> list[Refusal]:
    """Return the refusal of each row that cannot be read, so that all of them can be shown at once."""
    faults = []
    for row in rows:
        try:
            clean_row(row)
        except Refusal as fault:
            faults.append(fault)
    return faults


def change_table_list(
    actor: Person, rows: Sequence[TableRow], *, from_day: date, seen: int | None = None, whole: bool = False
) -> list[TableEntry]:
    """Apply the change set from that day on; return the new entries, none where it changes nothing.

    `seen`: the `last_entry` of the list that the person looked at; None applies it to any list. `whole`: as
    `plan_changes`.

    Raises:
        Forbidden: the person may not change the list.
        Refusal: as `plan_changes`.
        Conflict: `table-list-changed`, if another person changed the list since.
    """
    permissions.require(actor, "edit-tables")
    with transaction.atomic():
        lock_history()  # one after the other: what is listed is looked up
        permissions.require(actor, "edit-tables")
        organization = actor.organization
        if organization is None or (seen is not None and seen != last_entry(organization)):
            raise Conflict("table-list-changed")
        plan = plan_changes(organization, rows, from_day, whole=whole)
        entries = [change.after for change in plan if change.kind]
        if not entries:
            return []
        now = timezone.now()
        for entry in entries:
            entry.organization, entry.from_day, entry.by, entry.at = organization, from_day, actor, now
        TableEntry.objects.bulk_create(entries)
        tables = format_tables(frozenset(entry.number for entry in entries))
        after = {"from_day": from_day.isoformat(), "tables": tables, "count": len(entries)}
        record_event(actor, None, CHANGED, after=after, seals=entries)
    return entries


def clean_row(row: TableRow) -> TableRow:
    """Return the row as it is stored; a `Refusal` names its cell or field, what was sent and what is allowed."""
    try:
        number = parse_table(clean_text(row.number, "The number", option="number"))
    except ValueError as error:
        raise Refusal("table-row/number", option="number", where=_cell(row, "number"), error=error) from None
    details = {name: clean_text(text, f"The {name}", option=name) for name, text in row.details.items()}
    details = {name: " ".join(text.split()) for name, text in details.items()}
    for name, text in details.items():
        if len(text) > LONGEST[name]:
            where, count, most = _cell(row, name), len(text), LONGEST[name]
            raise Refusal("table-row/detail", option=name, name=name, where=where, table=number, count=count, most=most)
    if row.state is not None and row.state not in TableState.values:  # of a spreadsheet, which has the column “open”
        where, text = _cell(row, "open"), row.state[:40]
        raise Refusal("table-row/state", option="state", where=where, table=number, text=text, values="yes, no")
    return replace(row, number=number, details=details, chapter=_chapter(row, number))


def chapter_named(text: str) -> str:
    """Return the chapter that is named by its number or by the game's title; "" without one."""
    name = " ".join(text.split()).casefold()
    return next((key for key in folders() if name in (key, title_of(key).casefold())), "")


def _chapter(row: TableRow, number: str) -> str:
    chapter = chapter_named(row.chapter)
    if not chapter:
        text, chapters = " ".join(row.chapter.split()), ", ".join(folders())
        where = _cell(row, "game")
        raise Refusal("table-row/game", option="chapter", where=where, table=number, text=text[:60], chapters=chapters)
    return chapter


def _cell(row: TableRow, column: str) -> str:
    """Return "Row 7, “game”" for a spreadsheet, "“game”" for a form."""
    return f"{row.where}, “{column}”" if row.where else f"“{column}”"


def _without_repeats(rows: Iterable[TableRow]) -> dict[str, TableRow]:
    """Return the rows by their numbers; a `Refusal` for a table that two of them name."""
    first: dict[str, TableRow] = {}
    for row in rows:
        if row.number in first:
            where, first_row = _cell(row, "number"), first[row.number].where or "another row"
            raise Refusal("table-twice", option="number", where=where, table=row.number, first_row=first_row)
        first[row.number] = row
    return first


def _refuse_day(from_day: date) -> None:
    today = timezone.localdate()
    if not 0 <= (from_day - today).days <= FARTHEST:
        raise Conflict("table-day", option="from_day", day=date_text(from_day), today=date_text(today), most=FARTHEST)
