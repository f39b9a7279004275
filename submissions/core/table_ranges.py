"""The tables that a group names, "3, 7-9, 12, BJ-4": read, written in the one form that is stored, looked up.

Pure. A table is a number or a name of letters, digits and hyphens; ranges are of numbers only. Not here: who may name
which tables (`filings.table_groups`), the table numbers that a line of a checklist asks for (`games.rules.tables`).
"""

import re
from collections.abc import Sequence

from games.rules.signs import quoted_answer
from games.rules.tables import in_ranges

MOST = 1_000  # tables in one list: more than any floor has, and a range cannot fill the memory
LONGEST_NAME = 12  # letters

_SEPARATORS = re.compile(r"[,;\n]")
_RANGE = re.compile(r"([0-9]{1,5})\s*[-–]\s*([0-9]{1,5})")
_NUMBER = re.compile(r"[0-9]{1,5}")
_NAME = re.compile(r"[A-Z0-9]+(-[A-Z0-9]+)*")
_RANGE_OF_NAMES = re.compile(r"([A-Z-]*)[0-9]+-\1?[0-9]+")
_PIECES = re.compile(r"([0-9]+)")


def parse_tables(text: str) -> frozenset[str]:
    """The tables named, each as it is stored; `ValueError` says in words what cannot be read."""
    tables: set[str] = set()
    for part in filter(None, (part.strip() for part in _SEPARATORS.split(text))):
        tables.update(_several(part))
        if len(tables) > MOST:
            raise ValueError(f"more than {MOST:,} tables are named")
    return frozenset(tables)


def parse_table(text: str) -> str:
    """One table as it is stored: "12", "BJ-4"; `ValueError` says in words why it is none."""
    part = text.strip().upper()
    if _NUMBER.fullmatch(part):
        return str(int(part))
    if _RANGE_OF_NAMES.fullmatch(part):
        raise ValueError(f"{quoted_answer(part)} looks like a range, and ranges are of plain numbers")
    if len(part) <= LONGEST_NAME and _NAME.fullmatch(part) and not part.replace("-", "").isdigit():
        return part
    raise ValueError(f"{quoted_answer(text.strip())} is not a table's number or name")


def format_tables(tables: frozenset[str]) -> str:
    """The one form that is stored: numbers in order, neighbors as a range, then names: "3, 7-9, BJ-4"."""
    numbers = frozenset(int(table) for table in tables if table.isdigit())
    names = sorted((table for table in tables if not table.isdigit()), key=_in_order)
    return ", ".join(filter(None, (in_ranges(numbers), *names)))


def tables_as_text(tables: str, pit: str = "") -> str:
    """A stored list with its pit, as it is shown beside a group's name: "tables 3, 7-9, pit 2"."""
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


def _several(part: str) -> frozenset[str]:
    match = _RANGE.fullmatch(part)
    if not match:
        return frozenset({parse_table(part)})
    first, last = int(match[1]), int(match[2])
    if last < first:
        raise ValueError(f"the range {quoted_answer(part)} runs backwards")
    if last - first >= MOST:
        raise ValueError(f"the range {quoted_answer(part)} has more than {MOST:,} tables")
    return frozenset(str(number) for number in range(first, last + 1))


def _in_order(name: str) -> list[tuple[int, str]]:
    """BJ-4 before BJ-12."""
    return [(int(piece), "") if piece.isdigit() else (0, piece) for piece in _PIECES.split(name)]
