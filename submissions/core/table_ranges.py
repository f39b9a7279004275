"""Which list of tables a table is on: the groups of a submission. How a list is written: `games.rules.tables`.

Pure. Not here: who may name which tables (`filings.table_groups`).
"""

from collections.abc import Sequence

from games.rules.group_tables import GroupTables
from games.rules.tables import format_tables, parse_table, parse_tables, table_order

__all__ = (
    "covers_table", "format_tables", "group_at", "parse_table", "parse_tables", "table_order", "tables_as_text",
    "tables_of",
)  # fmt: skip


def tables_of(place: int, lists: Sequence[str]) -> GroupTables:
    """The tables of the configuration at this place among all of a submission, given by their stored lists.

    An empty list is for all tables that no other list names.
    """
    elsewhere = map(parse_tables, (*lists[:place], *lists[place + 1 :]))
    return GroupTables(parse_tables(lists[place]), frozenset[str]().union(*elsewhere))


def tables_as_text(tables: str, pit: str = "") -> str:
    """A stored list with its pit, as it is shown beside a group's name: "tables 3, 7-9, pit 2". A group that was copied
    from another property has no list yet.
    """
    if not tables:
        return "tables to be entered"
    noun = "table" if len(parse_tables(tables)) == 1 else "tables"
    where = pit if not pit or pit.casefold().startswith("pit") else f"pit {pit}"
    return f"{noun} {tables}, {where}" if where else f"{noun} {tables}"


def covers_table(tables: str, table: str) -> bool:
    """Whether a stored list names the table. An empty one names none: it is for all that no other list names."""
    return parse_table(table) in parse_tables(tables)


def group_at(lists: Sequence[str], table: str) -> int:
    """Which of a submission's configurations, given by their lists of tables, holds at the table: the one that
    names it, else the first, which is for all others."""
    return next((place for place, tables in enumerate(lists) if covers_table(tables, table)), 0)
