"""The records of a chapter in words, part by part, so that two of them can be compared (`chapter_diff`).

Here: what a record is called, its fields, conditions and limits as text, the sentences of a chapter's words. Not here:
what differs, and answers in words (`phrases`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from games.rules.model import (
    Chapter,
    Condition,
    HouseWay,
    LayoutElement,
    Option,
    Paytable,
    Published,
    Reading,
    Requirement,
    Test,
    Wager,
)

Record = Option | Wager | Paytable | Requirement | LayoutElement | HouseWay | Reading | Published
Value = Any  # of a record's field: text, a number, a condition, a tuple or a mapping of these

NAMING = ("key", "id", "wager", "name", "period")  # of a record: what it is called, and when it is in effect
FIELD_NAMES = {"at_least": "smallest", "at_most": "largest", "asked_if": "asked if", "seed": "reset amount"}


def record_key(record: Record) -> str:
    """The key by which the chapter names it; of a paytable `wager/name`."""
    match record:
        case Paytable():
            return f"{record.wager}/{record.name}"
        case Requirement() | Reading() | Published():
            return record.id
        case _:
            return record.key


def record_subject(chapter: Chapter, record: Record) -> str:
    match record:
        case Paytable():
            return f"{chapter.wager(record.wager).name}, paytable {record.name}"
        case Option():
            return record.question
        case Wager() | HouseWay():
            return record.name
        case LayoutElement():
            return record.element
        case Requirement():
            return record.message
        case Reading():
            return record.reading
        case Published():
            return f"{chapter.wager(record.wager).name} {record.paytable} ({record.measure})".replace("  ", " ")


def record_parts(record: Record) -> dict[str, str]:
    """Part → its words; of a paytable each cell is a part, of an option each of its limits."""
    words: dict[str, str] = {}
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name in NAMING and not (field.name == "name" and isinstance(record, Wager | HouseWay)):
            continue
        if isinstance(record, Paytable) and field.name == "rows":
            words |= _cells(record)
        elif isinstance(record, Option) and field.name == "limits":
            words |= {field_name(limit.name): in_text(getattr(value, limit.name)) for limit in fields(value)}
        else:
            words[field_name(field.name)] = in_text(value)
    return words


def _cells(table: Paytable) -> dict[str, str]:
    cells = {f"{outcome} ({column})" if column else outcome: pay.printed for outcome, column, pay in table.lines()}
    envy = {f"{row.outcome} (envy bonus)": f"${row.envy:,}" for row in table.rows if row.envy is not None}
    return cells | envy


def in_text(value: Value) -> str:
    """The value of a record's field in words; "" for none."""
    match value:
        case None | "" | ():
            return ""
        case bool():
            return "Yes" if value else "No"
        case Decimal() | Fraction():
            return str(value)
        case Condition():
            return " or ".join(
                " and ".join(f"{key} is {in_text(test)}" for key, test in alternative)
                for alternative in value.alternatives
            )
        case Test():
            bounds = (("at least", value.at_least), ("at most", value.at_most))
            limits = " and ".join(f"{words} {bound}" for words, bound in bounds if bound is not None)
            return limits or " or ".join(map(in_text, value.values))
        case Mapping():
            return "; ".join(f"{key}: {in_text(entry)}" for key, entry in value.items())
        case tuple():
            return "; ".join(map(in_text, value))
    if is_dataclass(value):
        entries = ((field.name, in_text(getattr(value, field.name))) for field in fields(value))
        return ", ".join(f"{field_name(name)} {words}" for name, words in entries if words)
    return str(value)


def sentences_of(value: Value, path: str) -> Iterator[tuple[str, str]]:
    """(path, words) of each sentence or label; what has a key is named by it, what has none is counted from 1."""
    if isinstance(value, Condition):
        yield path, in_text(value)
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield from sentences_of(entry, f"{path} {key}".strip())
    elif isinstance(value, tuple) and value and not isinstance(value[0], str):
        for count, entry in enumerate(value, start=1):
            yield from sentences_of(entry, f"{path} {count}")
    elif isinstance(value, tuple) and len(value) == 2 and is_dataclass(value[1]):
        yield from sentences_of(value[1], f"{path} {value[0]}")
    elif is_dataclass(value):
        for field in fields(value):
            yield from sentences_of(getattr(value, field.name), f"{path} {field.name}".strip())
    else:
        yield path, in_text(value)


def field_name(name: str) -> str:
    return FIELD_NAMES.get(name, name.replace("_", " "))
