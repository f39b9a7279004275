"""The items of a batch from a spreadsheet: a header row, then one item in each row.

A sheet's header is its first row that begins with `action` or `submission`; rows above it are for people. Its
columns are the fields of `item_schema.ITEM_FIELDS`; `answers.<key>`, or the key alone, is the answer to a line. A
heading in parentheses is for people, too. An empty cell changes nothing, `(empty)` empties the line. Several sheets
are read in their order; those that the portal adds to its workbook (`OWN_SHEETS`) need no header, and one for notes is
left out with a word. Hidden cells that count are named (`hidden_cells`), a comma in doubt is refused (`decimal_signs`).

A downloaded row (`export_workbook`) has a stamp of its cells: it is an item only if one of them was changed, with the
changed answers; a cleared cell empties its line. An approved filing is amended once: of several rows that amend its
groups, the first starts the draft, and the next ones continue with it.

Not here: whether an item can be applied. A wrong value is passed on, and its item is refused later.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from submissions.bulk.intake import Upload
from submissions.bulk.item_schema import ITEM_FIELDS, ITEM_VERBS
from submissions.bulk.spreadsheets import read_csv, read_xlsx
from submissions.bulk.spreadsheets.columns import SheetColumn, changed_texts, columns_of, known_heading, option_keys
from submissions.bulk.spreadsheets.decimal_signs import DecimalSign, with_point
from submissions.bulk.spreadsheets.hidden_cells import HiddenCells
from submissions.bulk.spreadsheets.rows_below_headers import (
    HeaderForm,
    left_out_notes,
    rows_below_headers,
    where_missing,
)
from submissions.bulk.spreadsheets.sheet_rows import ANSWERS, SheetRow, heading
from submissions.core.errors import Refusal

LARGEST = 20 << 20  # bytes of a file
FIRST_HEADINGS = ("action", "submission")  # of a header row
EMPTY = "(empty)"
GUIDE, LISTS = "How it works", "Lists"
OWN_SHEETS = (GUIDE, LISTS)
IDENTITY = ("action", "submission", "version", "group")  # these identify a downloaded row's configuration
_WHOLE = re.compile(r"[0-9]{1,9}")


def read_upload(
    content: bytes, *, form: str, name: str, decimal: DecimalSign = "", include_hidden: bool = False
) -> Upload:
    """The items of a CSV file or an Excel workbook; a `Refusal` names the cell that cannot be understood.

    `decimal`: the sign in numbers that are texts. `include_hidden`: hidden cells count, and the note names them.
    """
    if len(content) > LARGEST:
        raise Refusal("sheet-too-large/bytes", count=len(content), largest=LARGEST)
    sheet_rows = read_csv.read(content, FIRST_HEADINGS) if form == "csv" else read_xlsx.read(content)
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
    """The form of an uploaded file: a workbook by how it begins, any other file as CSV."""
    return "xlsx" if content.startswith((b"PK", read_xlsx.OLD_FORMAT)) else "csv"


def _resembles_items(rows: Iterable[SheetRow]) -> bool:
    """Whether a row may be meant as a header: then the sheet is refused, because leaving it out would lose items."""
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
    """The item of the row; None for a downloaded row without a change."""
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
    """The columns whose cells the item has."""
    answers = item.get("answers", {})
    for column in columns:
        if column.part == "field" and column.name in item and _text(row, column):
            yield column.index
        if column.part == "answer" and column.key in answers:
            yield column.index


def _changed_texts(row: SheetRow, columns: list[SheetColumn], texts: dict[str, str]) -> dict[str, str] | None:
    """The cells changed since the download; None for a row that was not downloaded, or is now about something else."""
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
    """The text of the cell; that of a number with a decimal point."""
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
    """An approved submission is amended once: the rows of its other groups continue with the first row's draft."""
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
