"""Lists in answers: of tables, and of amounts of dollars.

Tables: "3, 7-9, 12, BJ-4", of a table group and in answers alike, read, and written in one form. Amounts: "1, 2" for
several bets, "10: 1, 20: 2" for the steps of a rake.

Pure. A table is a number or a name of letters, digits and hyphens; ranges are of numbers only. Not here: which list a
table is on (`submissions.core.table_ranges`), the lists compared with each other (`evaluate`), a single amount (an
option of kind money, `answers`).
"""

import re
from decimal import Decimal
from itertools import pairwise

from games.rules.phrases import quoted_answer

MOST_TABLES = 1_000  # tables in one list: more than any floor has, and a range cannot fill the memory
LONGEST_NAME = 12  # letters
TABLES_EXAMPLE = "Write table numbers, ranges of them and names, such as 3, 7-9, BJ-4."

_WORDS = frozenset({"ALL", "ANY", "EACH", "EVERY", "NONE", "OTHER", "OTHERS", "REST"})  # read like a name, and are none
_SEPARATORS = re.compile(r"[,;\n]")
_RANGE = re.compile(r"([0-9]{1,5})\s*[-–]\s*([0-9]{1,5})")
_NUMBER = re.compile(r"[0-9]{1,5}")
_NAME = re.compile(r"[A-Z0-9]+(-[A-Z0-9]+)*")
_RANGE_OF_NAMES = re.compile(r"([A-Z-]*)[0-9]+-\1?[0-9]+")
_PIECES = re.compile(r"([0-9]+)")


def parse_tables(text: str) -> frozenset[str]:
    """Return the tables named, each as it is stored; `ValueError` says in words what cannot be read."""
    tables: set[str] = set()
    for part in filter(None, (part.strip() for part in _SEPARATORS.split(text))):
        tables.update(_several(part))
        if len(tables) > MOST_TABLES:
            raise ValueError(f"more than {MOST_TABLES:,} tables are named")
    return frozenset(tables)


def parse_table(text: str) -> str:
    """Return one table as it is stored: "12", "BJ-4"; `ValueError` says in words why it is not one."""
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
    """Return the one form that is stored: numbers in order, neighbors as a range, then names: "3, 7-9, BJ-4"."""
    numbers = frozenset(int(table) for table in tables if table.isdigit())
    names = sorted((table for table in tables if not table.isdigit()), key=table_order)
    return ", ".join(filter(None, (_in_ranges(numbers), *names)))


def table_order(name: str) -> list[tuple[int, str]]:
    """Return the sort key of a name by its letters and numbers: BJ-4 before BJ-12."""
    return [(int(piece), "") if piece.isdigit() else (0, piece) for piece in _PIECES.split(name)]


def tables_with_noun(tables: frozenset[str]) -> str:
    """Return the list after its noun: "table 12", "tables 3, 7-9"."""
    return f"table{'' if len(tables) == 1 else 's'} {format_tables(tables)}"


def _several(part: str) -> frozenset[str]:
    match = _RANGE.fullmatch(part)
    if not match:
        return frozenset({parse_table(part)})
    first, last = int(match[1]), int(match[2])
    if last < first:
        raise ValueError(f"the range {quoted_answer(part)} runs backwards")
    if last - first >= MOST_TABLES:
        raise ValueError(f"the range {quoted_answer(part)} has more than {MOST_TABLES:,} tables")
    return frozenset(str(number) for number in range(first, last + 1))


def _in_ranges(numbers: frozenset[int]) -> str:
    """Return the numbers in order, neighbors as a range: "12, 14-16"."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in parts)


_AMOUNT = re.compile(r"\$?(\d{1,7}(?:\.\d{1,2})?)")


def parse_amounts(text: str) -> tuple[Decimal, ...]:
    """Return the amounts in their order; `ValueError` says in words what cannot be read."""
    return tuple(_amount(part) for part in text.split(","))


def parse_steps(text: str) -> tuple[tuple[Decimal, Decimal], ...]:
    """Return (size of the pot, rake collected in all), rising; `ValueError` says in words what is wrong."""
    schedule = []
    for part in text.split(","):
        size, colon, taken = part.partition(":")
        if not colon:
            raise ValueError(f"“{part.strip()}” has no colon between pot and rake")
        schedule.append((_amount(size), _amount(taken)))
    for (pot, rake), (next_pot, next_rake) in pairwise(schedule):
        if next_pot <= pot or next_rake <= rake:
            raise ValueError(f"${next_rake} at ${next_pot} follows ${rake} at ${pot}, but both must rise")
    if above := next((step for step in schedule if step[1] > step[0]), None):
        raise ValueError(f"a rake of ${above[1]} is more than the pot of ${above[0]}")
    return tuple(schedule)


def _amount(text: str) -> Decimal:
    match = _AMOUNT.fullmatch(text.strip())
    if not match or not Decimal(match[1]):
        raise ValueError(f"“{text.strip()}” is not an amount in dollars")
    return Decimal(match[1])
