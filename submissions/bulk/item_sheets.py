"""The items of a batch as a spreadsheet: a header row, then one item in each row.

A sheet's header is its first row that begins with `action` or `submission`; rows above it are for people. Its
columns are the fields of `items.ITEM_FIELDS`; `answers.<key>`, or the key alone, is the answer to a line. A
heading in parentheses is for people, too. An empty cell changes nothing, `(empty)` empties the line. Several sheets
are read in their order; those that the portal adds to its workbook (`OWN_SHEETS`) need no header, and one for notes is
left out with a word. Hidden cells that count are named (`sheet_rows.HiddenCells`).

A comma that may be a decimal sign is asked about, never guessed: 2,5 read as 25 would be filed as such. Where
semicolons divide the cells of a CSV file, commas usually are decimal signs: there 1,000 is asked about, too. A cell
that the workbook stores as a number is not in doubt.

A downloaded row (`export_workbook`) has a stamp: the first eight digits of the SHA-256 of each cell's text, by the name
of its column. The row is an item only if one of its cells was changed, with the changed answers; a cleared cell empties
its line. The stamp protects nothing: permissions are checked when a change is made. An approved filing is amended once:
of several rows that amend its groups, the first starts the draft, and the next ones continue with it.

Not here: whether an item can be applied. A wrong value is passed on, and its item is refused later.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal

from django.utils import timezone

from submissions.bulk import sheet_files
from submissions.bulk.intake import Upload
from submissions.bulk.items import ITEM_FIELDS, ITEM_VERBS
from submissions.bulk.sheet_rows import (
    ANSWERS,
    HeaderForm,
    HiddenCells,
    SheetRow,
    heading,
    left_out_notes,
    rows_below_headers,
    where_missing,
)
from submissions.core.errors import Refusal
from submissions.core.text import WITH_THOUSANDS
from submissions.filings.answer_values import NUMBERS
from submissions.rules import chapters_of_all_days

DecimalSign = Literal["", "point", "comma"]  # "": nothing was said
DECIMAL_SIGNS = ("point", "comma")
_AROUND_AMOUNTS = str.maketrans("", "", "$% \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}")
_NUMBER = re.compile(r"-?[0-9.,]*[0-9][0-9.,]*", re.ASCII)
_ONE_GROUP = re.compile(r"-?[0-9]+,[0-9]+", re.ASCII)  # also what a decimal comma would look like
_WITH_COMMA = re.compile(r"-?([0-9]+|[1-9][0-9]{0,2}(\.[0-9]{3})+)?(,[0-9]+)?", re.ASCII)


def parse_sign(text: str) -> DecimalSign:
    """Return `point`, `comma`, or "" for an empty text."""
    match text:
        case "" | "point" | "comma":
            return text
    raise Refusal("field-shape/decimal", option="decimal", value=text[:40])


def with_point(text: str, sign: DecimalSign, where: str, *, semicolons: bool = False) -> str:
    """Return a number's text with a decimal point, any other text as it is; a `Refusal` names the cell in doubt."""
    bare = text.translate(_AROUND_AMOUNTS)
    if not _NUMBER.fullmatch(bare):
        return text
    if sign == "comma":
        if not _WITH_COMMA.fullmatch(bare):
            raise Refusal("sheet-decimal-sign/comma", option=where, where=where, text=text[:40])
        return bare.replace(".", "").replace(",", ".")
    if "," not in bare:
        return text
    is_thousands = bool(WITH_THOUSANDS.fullmatch(bare))
    if sign == "point" and not is_thousands:
        raise Refusal("sheet-decimal-sign/point", option=where, where=where, text=text[:40])
    if not sign and (not is_thousands or (semicolons and _ONE_GROUP.fullmatch(bare))):
        raise Refusal("sheet-decimal-sign", option=where, where=where, text=text[:40])
    return text


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
    """Return the columns; a `Refusal` names the cell of an unknown or repeated heading."""
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
    """Return the heading as the portal writes it, whatever its case and spaces; an unknown one as it was sent."""
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
    """Return the keys of every chapter's lines: whether one of the lines with this key takes a number."""
    keys: dict[str, bool] = {}
    for option in (option for chapter in chapters_of_all_days() for option in chapter.options):
        keys[option.key] = keys.get(option.key, False) or option.kind in NUMBERS
    return keys


def stamp_of(texts: Mapping[str, str]) -> str:
    """Return the cell of the stamp column. `texts`: name of a column → the text of its cell."""
    return json.dumps({name: _digest(name, text) for name, text in texts.items()}, separators=(",", ":"))


def changed_texts(stamped: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the columns whose cells were changed or cleared, with their current texts.

    Raises:
        ValueError, RecursionError: `stamped` is not a stamp.
    """
    digests = json.loads(stamped)
    if not isinstance(digests, dict):
        raise ValueError("not a stamp")
    return {name: text for name, text in texts.items() if _digest(name, text) != digests.get(name, _digest(name, ""))}


def _digest(name: str, text: str) -> str:
    """Return the digest of a cell, equal for 50,000.00 and 50000 in a line that takes a number."""
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
    """Return the keys of lines that take a number in all chapters that have them; looked up once a day."""
    texts = {
        option.key for chapter in chapters_of_all_days() for option in chapter.options if option.kind not in NUMBERS
    }
    return frozenset(option_keys()) - texts


LARGEST_FILE = 20 << 20  # bytes of a file
FIRST_HEADINGS = ("action", "submission")  # of a header row
EMPTY = "(empty)"
GUIDE, LISTS = "How it works", "Lists"
OWN_SHEETS = (GUIDE, LISTS)
IDENTITY = ("action", "submission", "version", "group")  # these identify a downloaded row's configuration
_WHOLE = re.compile(r"[0-9]{1,9}")


def read_upload(
    content: bytes, *, form: str, name: str, decimal: DecimalSign = "", include_hidden: bool = False
) -> Upload:
    """Return the items of a CSV file or an Excel workbook; a `Refusal` names the cell that cannot be understood.

    `decimal`: the sign in numbers that are texts. `include_hidden`: hidden cells count, and the note names them.
    """
    if len(content) > LARGEST_FILE:
        raise Refusal("sheet-too-large/bytes", count=len(content), largest=LARGEST_FILE)
    sheet_rows = sheet_files.read_csv(content, FIRST_HEADINGS) if form == "csv" else sheet_files.read_workbook(content)
    items: list[dict[str, Any]] = []
    labels: list[str] = []
    notes_sheets: list[str] = []
    hidden = HiddenCells()
    unchanged = 0
    for row, columns in rows_below_headers(sheet_rows, _FORM, notes_sheets):
        item = _item(row, columns, decimal)
        if item is None:
            unchanged += 1
            continue
        items.append(item)
        labels.append(row.label)
        hidden.add(row, _used(row, columns, item))
    if not items:
        raise Refusal("sheet-unchanged", unchanged=unchanged) if unchanged else Refusal("sheet-empty")
    notes = (
        hidden.require_included(include=include_hidden),
        f"{unchanged:,} row{' was' if unchanged == 1 else 's were'} left out: nothing was changed there."
        if unchanged
        else "",
        *left_out_notes(notes_sheets, "action"),
    )
    digest = sha256(content).hexdigest()
    return Upload(_with_one_amendment(items), form, digest, labels, name, " ".join(filter(None, notes)))


def form_of(content: bytes) -> str:
    """Return the form of an uploaded file: a workbook by how it begins, any other file as CSV."""
    return "xlsx" if content.startswith((b"PK", sheet_files.OLD_FORMAT)) else "csv"


def _resembles_items(rows: Iterable[SheetRow]) -> bool:
    """Return whether a row may be meant as a header; the sheet is then refused: leaving it out would lose items."""
    keys = option_keys()
    for row in rows:
        names = [known_heading(text, keys) for text in row.cells if text]
        known = [name for name in names if name == "action" or name in ITEM_FIELDS or name.startswith(ANSWERS)]
        if len(known) + sum(name in keys for name in names) > 1 or heading(row.cells[0]) in FIRST_HEADINGS:
            return True
    return False


def _no_header(sheet: str) -> Refusal:
    return Refusal("sheet-header-missing/no-header", option=sheet[:60], where=where_missing(sheet))


_FORM = HeaderForm(FIRST_HEADINGS, columns_of, _resembles_items, _no_header, OWN_SHEETS)


def _item(row: SheetRow, columns: list[SheetColumn], decimal: DecimalSign) -> dict[str, Any] | None:
    """Return the item of the row; None for a downloaded row without a change."""
    texts = {column.name: _plain_text(row, column, decimal) for column in columns if column.part in ("field", "answer")}
    keys = {column.name: column.key for column in columns if column.part == "answer"}
    answers = {name: text for name, text in texts.items() if text and name in keys}
    changed = _changed_texts(row, columns, texts)
    if changed is not None:
        if not changed:
            return None
        answers = {name: text or EMPTY for name, text in changed.items() if name in keys}
    item: dict[str, Any] = {name: _field(name, text) for name, text in texts.items() if text and name not in keys}
    verb = ITEM_VERBS.get(item.get("action", ""))
    if answers or (verb and "answers" in verb.needs):
        item["answers"] = {keys[name]: None if text == EMPTY else text for name, text in answers.items()}
    return item


def _used(row: SheetRow, columns: list[SheetColumn], item: dict[str, Any]) -> Iterator[int]:
    """Yield the columns whose cells the item has."""
    answers = item.get("answers", {})
    for column in columns:
        if column.part == "field" and column.name in item and _text(row, column):
            yield column.index
        if column.part == "answer" and column.key in answers:
            yield column.index


def _changed_texts(row: SheetRow, columns: list[SheetColumn], texts: dict[str, str]) -> dict[str, str] | None:
    """Return the cells changed since the download; None for a row not downloaded, or now about something else."""
    column = next((column for column in columns if column.part == "stamp"), None)
    stamp = _text(row, column) if column else ""
    if not column or not stamp:
        return None
    try:
        changed = changed_texts(stamp, texts)
    except (ValueError, RecursionError) as error:
        where = row.cell_label(column.index)
        raise Refusal("sheet-stamp-damaged", option=where, where=where) from error
    return None if changed.keys() & set(IDENTITY) else changed


def _plain_text(row: SheetRow, column: SheetColumn, decimal: DecimalSign) -> str:
    """Return the text of the cell; that of a number with a decimal point."""
    text = _text(row, column)
    if not text or not column.takes_numbers or column.index in row.numeric:
        return text
    return with_point(text, decimal, row.cell_label(column.index), semicolons=row.semicolons)


def _text(row: SheetRow, column: SheetColumn) -> str:
    return row.cells[column.index] if column.index < len(row.cells) else ""


def _field(name: str, text: str) -> str | int | None:
    if text == EMPTY:
        return None
    is_number = name in ITEM_FIELDS and ITEM_FIELDS[name].kind == "number"
    return int(text) if is_number and _WHOLE.fullmatch(text) else text


def _with_one_amendment(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the items with each submission amended once: its other rows continue with the first row's draft."""
    first: dict[tuple[object, object], int] = {}
    groups: set[tuple[object, object, object]] = set()
    for place, item in enumerate(items, 1):
        if item.get("action") != "amend":
            continue
        about = item.get("submission"), item.get("version")
        group = item.get("group", 0)
        if about in first and (*about, group) not in groups:
            item |= {"action": "update", "submission": f"#{first[about]}", "version": 1}
            item.setdefault("answers", {})
        first.setdefault(about, place)
        groups.add((*about, group))
    return items
