"""Configurations of a filing: which one is meant, whose evidence it has, and to which one a table belongs.

Runs, remarks and indexes name a configuration by its *place*: the index in the `configurations` of one filing's
snapshot, which never changes. Its *group* is the draft's `Configuration.position`, which stays the same from filing to
filing and is never given to another group, so that a remark on one filing finds its line in the draft and in the next
filing. `evidence_as` is the place of the first configuration with the same answers (its own, if none before it has
them): only that one is simulated. Filings made before there were groups have neither `group` nor `evidence_as`.

Pure. The shape of a snapshot is described in `submissions.filings.snapshot`; lists of tables, in `games.rules.lists`.
"""

from collections.abc import Sequence
from typing import Any

from games.rules.evaluate import GroupTables
from games.rules.lists import parse_table, parse_tables

Snapshot = dict[str, Any]


def evidence_index(configurations: Sequence[Snapshot], place: int) -> int:
    """Return the place of the configuration whose run is the evidence of the one at `place`."""
    return int(configurations[place].get("evidence_as", place))


def runs_needed(configurations: Sequence[Snapshot]) -> list[int]:
    """Return the places that are simulated, in order."""
    return sorted({evidence_index(configurations, place) for place in range(len(configurations))})


def group_at(content: Snapshot, place: int) -> int:
    """Return the draft's position of the configuration at `place` of a filing."""
    return int(content["configurations"][place].get("group", place))


def index_of_group(content: Snapshot, group: int) -> int | None:
    """Return where a filing has the draft's configuration at position `group`; None if it has none."""
    places = range(len(content["configurations"]))
    return next((place for place in places if group_at(content, place) == group), None)


def tables_text(content: Snapshot, place: int) -> str:
    """Return "tables 3, 7-9, pit 2" or "all other tables"; "" where one configuration is for all."""
    row = content["configurations"][place]
    if row["tables"]:
        return tables_as_text(row["tables"], row.get("pit", ""))
    name: str = row["name"]
    return name.lower() if len(content["configurations"]) > 1 else ""


def tables_of(place: int, lists: Sequence[str]) -> GroupTables:
    """Return the tables of the configuration at this place; an empty list is for all that no other one names."""
    elsewhere = map(parse_tables, (*lists[:place], *lists[place + 1 :]))
    return GroupTables(parse_tables(lists[place]), frozenset[str]().union(*elsewhere))


def tables_as_text(tables: str, pit: str = "") -> str:
    """Return a stored list with its pit, "tables 3, 7-9, pit 2"; a group from another property has no list yet."""
    if not tables:
        return "tables to be entered"
    noun = "table" if len(parse_tables(tables)) == 1 else "tables"
    where = pit if not pit or pit.casefold().startswith("pit") else f"pit {pit}"
    return f"{noun} {tables}, {where}" if where else f"{noun} {tables}"


def covers_table(tables: str, table: str) -> bool:
    """Return whether a stored list names the table; an empty one, for all that no other list names, names none."""
    return parse_table(table) in parse_tables(tables)


def configuration_of_table(lists: Sequence[str], table: str) -> int:
    """Return which of the table lists' configurations holds at the table: the one naming it, else the first."""
    return next((place for place, tables in enumerate(lists) if covers_table(tables, table)), 0)
