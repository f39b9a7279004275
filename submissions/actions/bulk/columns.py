"""The columns of a sheet: which field of an item each holds, or the answer to which line; what is none is refused.

Not here: what stands below them (`sheets`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Literal

from games.rules.registry import chapters
from submissions.actions.bulk import stamps
from submissions.actions.bulk.lines import Line
from submissions.actions.bulk.shapes import FIELDS, VERBS
from submissions.actions.drafts import NUMBERS
from submissions.errors import Refusal

ANSWERS = "answers."
Part = Literal["field", "answer", "stamp", "remark"]
_AROUND = str.maketrans("", "", "$,% ")


@dataclass(frozen=True, slots=True)
class Column:
    index: int
    name: str  # as it stands in the header
    part: Part

    @property
    def key(self) -> str:
        return self.name.removeprefix(ANSWERS)


def columns_of(header: Line) -> list[Column]:
    """What each column holds; a heading that is unknown, or stands there twice, is refused by its cell."""
    found: dict[str, Column] = {}
    for index, name in enumerate(header.cells):
        if not name:
            continue
        column = Column(index, name, _part(header, index, name))
        if column.key in found and column.part != "remark":
            raise Refusal(
                "sheet-column-twice", f"“{name[:60]}” in cell {header.cell(index)} heads a column already.",
                fix="Keep one of the two columns.", option=header.cell(index),
            )  # fmt: skip
        found[f"{name}{index}" if column.part == "remark" else column.key] = column
    if "action" not in found:
        raise Refusal(
            "sheet-header-missing", f"The header in row {header.row} has no column “action”.",
            fix=f"Add it, and say in each row what is to be done: {', '.join(VERBS)}.", option=header.row,
        )  # fmt: skip
    return list(found.values())


def _part(header: Line, index: int, name: str) -> Part:
    if name.startswith("(") and name.endswith(")"):
        return "stamp" if name == stamps.COLUMN else "remark"
    if name == "action" or (name in FIELDS and FIELDS[name].kind != "answers"):
        return "field"
    if name in _keys() or (name.startswith(ANSWERS) and name != ANSWERS):
        return "answer"
    raise Refusal(
        "sheet-column-unknown", f"“{name[:60]}” in cell {header.cell(index)} is no column.",
        fix="Use the fields of an item, and “answers.” with the key of a line; put a heading that is only for people "
        "into parentheses.",
        option=header.cell(index),
    )  # fmt: skip


def alike(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts by which a row tells what was changed: 50,000.00 and 50000 are one, in a line that takes a number."""
    return {
        name: _in_digits(text) if name.removeprefix(ANSWERS) in _numbers() else text for name, text in texts.items()
    }


def _in_digits(text: str) -> str:
    try:
        number = Decimal(text.translate(_AROUND))
    except InvalidOperation:
        return text
    return f"{number.normalize():f}" if number.is_finite() and len(text) < 40 else text


@cache
def _numbers() -> frozenset[str]:
    """The keys of lines that take a number, in whatever chapter."""
    options = [option for chapter in chapters() for option in chapter.options]
    return frozenset(option.key for option in options if option.kind in NUMBERS) - {
        option.key for option in options if option.kind not in NUMBERS
    }


@cache
def _keys() -> frozenset[str]:
    """The keys of every chapter's lines."""
    return frozenset(option.key for chapter in chapters() for option in chapter.options)
