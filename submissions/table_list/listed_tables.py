"""The table lists as they are on a day: of several entries of a table, the one of the latest day, and of one day the
one made last. An entry that removes the table ends it. Days are Eastern Time.

Not here: changing a list (`list_changes`), who sees which lists (`permissions`).
"""

from collections.abc import Iterable
from datetime import date

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from submissions.core.table_ranges import table_order
from submissions.models import Organization, TableEntry, TableState


def entries_on(day: date, rows: QuerySet[TableEntry] | None = None) -> QuerySet[TableEntry]:
    """Every table that is on a list on the day: one entry per licensee and table, among these rows."""
    same = TableEntry.objects.filter(organization=OuterRef("organization"), number=OuterRef("number"))
    latest = same.filter(from_day__lte=day).order_by("-from_day", "-pk").values("pk")[:1]
    rows = TableEntry.objects.all() if rows is None else rows
    return rows.filter(pk=Subquery(latest)).exclude(state=TableState.REMOVED)


def has_list(organization: Organization, day: date) -> bool:
    """Whether the licensee had entered a table list that counts on the day."""
    return TableEntry.objects.filter(organization=organization, from_day__lte=day).exists()


def with_list(rows: QuerySet[Organization], day: date) -> QuerySet[Organization]:
    """Those of the organizations that have a table list on the day."""
    return rows.filter(Exists(TableEntry.objects.filter(organization=OuterRef("pk"), from_day__lte=day)))


def table_list(organization: Organization, day: date) -> list[TableEntry]:
    """The licensee's list on the day, in the order of the numbers."""
    return in_order(entries_on(day).filter(organization=organization))


def open_tables(organization: Organization, chapter: str, day: date) -> list[TableEntry]:
    """The open tables of one game, in the order of the numbers."""
    rows = entries_on(day).filter(organization=organization, chapter=chapter, state=TableState.OPEN)
    return in_order(rows)


def entries_of_tables(organization: Organization, numbers: Iterable[str], day: date) -> dict[str, TableEntry]:
    """Those of the tables that are on the list on the day, by their numbers."""
    rows = entries_on(day).filter(organization=organization, number__in=list(numbers))
    return {row.number: row for row in rows}


def scheduled_entries(organization: Organization, day: date) -> list[TableEntry]:
    """What is entered for a later day, the next day first."""
    rows = TableEntry.objects.filter(organization=organization, from_day__gt=day)
    return list(rows.select_related("by").order_by("from_day", "pk"))


def in_order(rows: Iterable[TableEntry]) -> list[TableEntry]:
    """By number: 3, 12, BJ-4, BJ-12."""
    return sorted(rows, key=lambda row: table_order(row.number))
