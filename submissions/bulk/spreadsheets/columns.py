"""The columns of a sheet: a field of an item, the answer to a line, or the stamp of a downloaded row.

The stamp tells the portal which cells a person changed since the download: it has the first eight digits of the SHA-256
of each cell's text, by the name of its column. It protects nothing: permissions are checked when a change is made. Not
here: the rows below the header (`import_rows`), the text of a cell (`sheet_rows`).
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from hashlib import sha256
from typing import Literal

from django.utils import timezone

from submissions.bulk.item_schema import ITEM_FIELDS, ITEM_VERBS
from submissions.bulk.spreadsheets.sheet_rows import ANSWERS, SheetRow, heading
from submissions.core.errors import Refusal
from submissions.filings.answer_cleaning import NUMBERS
from submissions.rules.effective_rules import chapters_of_all_days

STAMP_COLUMN = "(as downloaded)"
_AROUND_NUMBERS = str.maketrans("", "", "$,% ")

ColumnPart = Literal["field", "answer", "stamp", "remark"]


@dataclass(frozen=True, slots=True)
class SheetColumn:
    index: int
    name: str  # as `known_heading` has it
    part: ColumnPart
    takes_numbers: bool = False  # some chapter's line with this key does

    @property
    def key(self) -> str:
        return self.name.removeprefix(ANSWERS)


def columns_of(header: SheetRow) -> list[SheetColumn]:
    """The columns; a `Refusal` names the cell of an unknown or repeated heading."""
    columns: dict[str, SheetColumn] = {}
    keys = option_keys()
    for index, text in enumerate(header.cells):
        if not text:
            continue
        cell = header.cell_label(index)
        name = known_heading(text, keys)
        column = SheetColumn(index, name, _part(name, cell, keys), keys.get(name.removeprefix(ANSWERS), False))
        if column.key in columns and column.part != "remark":
            raise Refusal("sheet-column-twice", option=cell, name=name[:60], cell=cell)
        columns[f"{name}{index}" if column.part == "remark" else column.key] = column
    if "action" not in columns:
        raise Refusal(
            "sheet-header-missing/no-action", option=header.label, label=header.label, actions=", ".join(ITEM_VERBS)
        )
    return list(columns.values())


def known_heading(text: str, keys: Collection[str]) -> str:
    """The heading as the portal writes it: case and spaces do not matter. An unknown one stays as it was sent."""
    name = heading(text)
    if text.startswith("(") and text.endswith(")"):
        return STAMP_COLUMN if name == heading(STAMP_COLUMN) else text
    if name == "action" or name in ITEM_FIELDS or name in keys:
        return name
    prefix, dot, key = text.partition(".")
    if dot and heading(prefix) == heading(ANSWERS.removesuffix(".")):
        return ANSWERS + (heading(key) if heading(key) in keys else key.strip())
    return text


def _part(name: str, cell: str, keys: Collection[str]) -> ColumnPart:
    if name.startswith("(") and name.endswith(")"):
        return "stamp" if name == STAMP_COLUMN else "remark"
    if name == "action" or (name in ITEM_FIELDS and ITEM_FIELDS[name].kind != "answers"):
        return "field"
    if name in keys or (name.startswith(ANSWERS) and name != ANSWERS):
        return "answer"
    raise Refusal("sheet-column-unknown", option=cell, name=name[:60], cell=cell)


def option_keys() -> dict[str, bool]:
    """The keys of every chapter's lines: whether one of the lines with this key takes a number."""
    keys: dict[str, bool] = {}
    for option in (option for chapter in chapters_of_all_days() for option in chapter.options):
        keys[option.key] = keys.get(option.key, False) or option.kind in NUMBERS
    return keys


def stamp(texts: Mapping[str, str]) -> str:
    """The cell of the stamp column. `texts`: name of a column → the text of its cell."""
    return json.dumps({name: _digest(name, text) for name, text in texts.items()}, separators=(",", ":"))


def changed_texts(stamped: str, texts: Mapping[str, str]) -> dict[str, str]:
    """The columns whose cells were changed or cleared, with their current texts.

    Raises:
        ValueError, RecursionError: `stamped` is not a stamp.
    """
    digests = json.loads(stamped)
    if not isinstance(digests, dict):
        raise ValueError("not a stamp")
    return {name: text for name, text in texts.items() if _digest(name, text) != digests.get(name, _digest(name, ""))}


def _digest(name: str, text: str) -> str:
    """The same digest for 50,000.00 and 50000 in a line that takes a number."""
    compared = _digits(text) if name.removeprefix(ANSWERS) in _number_keys(timezone.localdate()) else text
    return sha256(compared.strip().encode()).hexdigest()[:8]


def _digits(text: str) -> str:
    try:
        number = Decimal(text.translate(_AROUND_NUMBERS))
    except InvalidOperation:
        return text
    return f"{number.normalize():f}" if number.is_finite() and len(text) < 40 else text


@lru_cache(maxsize=2)
def _number_keys(_today: date) -> frozenset[str]:
    """The keys of lines that take a number in all chapters that have them; looked up once a day, not for each cell."""
    options = [option for chapter in chapters_of_all_days() for option in chapter.options]
    return frozenset(option.key for option in options if option.kind in NUMBERS) - {
        option.key for option in options if option.kind not in NUMBERS
    }
