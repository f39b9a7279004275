"""Lists of tables, "3, 7-9, 12, BJ-4", of a table group and in answers alike: read, and written in one form.

Pure. A table is a number or a name of letters, digits and hyphens; ranges are of numbers only. Not here: which list a
table is on (`submissions.core.configurations`), the lists held against each other (`group_tables`).
"""

import re

from games.rules.signs import quoted_answer

MOST = 1_000  # tables in one list: more than any floor has, and a range cannot fill the memory
LONGEST_NAME = 12  # letters
EXAMPLE = "Write table numbers, ranges of them and names, such as 3, 7-9, BJ-4."

_WORDS = frozenset({"ALL", "ANY", "EACH", "EVERY", "NONE", "OTHER", "OTHERS", "REST"})  # read like a name, and are none
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
    if (
        part not in _WORDS
        and len(part) <= LONGEST_NAME
        and _NAME.fullmatch(part)
        and not part.replace("-", "").isdigit()
    ):
        return part
    raise ValueError(f"{quoted_answer(text.strip())} is not a table's number or name")


def format_tables(tables: frozenset[str]) -> str:
    """The one form that is stored: numbers in order, neighbors as a range, then names: "3, 7-9, BJ-4"."""
    numbers = frozenset(int(table) for table in tables if table.isdigit())
    names = sorted((table for table in tables if not table.isdigit()), key=table_order)
    return ", ".join(filter(None, (_in_ranges(numbers), *names)))


def table_order(name: str) -> list[tuple[int, str]]:
    """What sorts names by their letters and numbers: BJ-4 before BJ-12."""
    return [(int(piece), "") if piece.isdigit() else (0, piece) for piece in _PIECES.split(name)]


def tables_with_noun(tables: frozenset[str]) -> str:
    """The list after its noun: "table 12", "tables 3, 7-9"."""
    return f"table{'' if len(tables) == 1 else 's'} {format_tables(tables)}"


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


def _in_ranges(numbers: frozenset[int]) -> str:
    """The numbers in order, neighbors as a range: "12, 14-16"."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in parts)
