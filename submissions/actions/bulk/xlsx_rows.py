"""Reading an Excel workbook that anybody may have made: nothing in it is run, followed or believed.

Formulas are refused by their cell: what one yields need not be what its author saw. openpyxl reads with defusedxml,
which refuses declared entities. Not here: what is refused before anything is read (`xlsx_guard`).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from openpyxl import load_workbook
from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.utils import range_boundaries
from openpyxl.worksheet._reader import MERGE_TAG, ROW_TAG, WorkSheetParser
from openpyxl.xml.functions import iterparse

from submissions.actions.bulk.lines import MOST_COLUMNS, MOST_ROWS, Line, place
from submissions.actions.bulk.xlsx_guard import refuse_dangerous, refuse_laborious, unreadable
from submissions.errors import Refusal

CALCULATED = ("f", "e")  # a formula; an error that one left behind


class _Rows(WorkSheetParser):  # type: ignore[misc]  # openpyxl has no types
    """Rows as openpyxl reads them; a formula is not even read: whatever it says, its cell is refused."""

    def parse_formula(self, element: Any) -> str:
        return "="


def read(content: bytes) -> Iterator[Line]:
    """The lines of every sheet, in the workbook's order, those that say nothing left out."""
    refuse_dangerous(content)
    try:
        refuse_laborious(content)
        book = load_workbook(io.BytesIO(content), read_only=True, keep_links=False)
        for sheet in book.worksheets:
            yield from _lines(book, sheet)
    except Refusal:
        raise
    except Exception as error:  # whatever a parser stumbles over
        raise unreadable() from error


def text(value: object, number_format: str = "General") -> str:
    """What a person would type to get the cell: 50000.0 is 50000, a true cell yes, 0.025 shown as percent 2.5."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        number = Decimal(f"{value:.15g}")
        number = number * 100 if "%" in number_format else number
        return f"{number.normalize():f}" if number.is_finite() else str(value)
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return str(value).strip()


def _lines(book: Any, sheet: Any) -> Iterator[Line]:
    """Not by openpyxl's own rows: they leave out, in silence, what does not stand in its order."""
    found: list[tuple[int, tuple[str, ...]]] = []
    merged: list[str] = []
    with book._archive.open(sheet._worksheet_path) as source:
        rows = _Rows(
            source, sheet._shared_strings, epoch=book.epoch, date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )  # fmt: skip
        for _, element in iterparse(source):
            if element.tag == ROW_TAG:
                number, cells = rows.parse_row(element)
                _refuse_disorder(sheet.title, found[-1][0] if found else 0, number, cells)
                found.append((number, _texts(sheet, number, cells)))
                element.clear()
            elif element.tag == MERGE_TAG:
                merged += [one.get("ref") for one in element]
    covered = _covered(sheet.title, merged)
    return (Line(sheet.title, number, cells, covered.get(number, "")) for number, cells in found if cells)


def _refuse_disorder(title: str, before: int, number: int, cells: Sequence[Mapping[str, Any]]) -> None:
    columns = [one["column"] for one in cells]
    if number <= before or columns != sorted(set(columns)) or any(one["row"] != number for one in cells):
        where = place(title, str(number))
        raise Refusal(
            "sheet-unreadable", f"Row {where} or its cells stand in the file twice, or out of their order.",
            fix="Open it with a spreadsheet program, save it anew, and look whether all rows are there.", option=where,
        )  # fmt: skip


def _texts(sheet: Any, number: int, cells: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The row's cells from the first column on."""
    width = cells[-1]["column"] if cells else 0
    if number > MOST_ROWS or width > MOST_COLUMNS:
        raise _beyond(sheet.title, number)
    found = [""] * width
    for one in cells:
        found[one["column"] - 1] = _text(sheet.title, ReadOnlyCell(sheet, **one))
    return tuple(found)


def _covered(title: str, merged: Iterable[str]) -> dict[int, str]:
    """Row → the cells that were merged in it and perhaps in others: “649a!C4:C6”."""
    found: dict[int, str] = {}
    begun = 1
    for first, last, where in sorted((*range_boundaries(where)[1::2], where) for where in merged):
        last = min(last, MOST_ROWS)
        found.update(dict.fromkeys(range(max(first, begun), last + 1), place(title, where)))
        begun = max(begun, last + 1)
    return found


def _text(title: str, cell: Any) -> str:
    if cell.value is None:
        return ""
    if cell.data_type in CALCULATED:
        where = place(title, cell.coordinate)
        what = "a formula" if cell.data_type == "f" else f"the error {str(cell.value)[:20]}"
        raise Refusal(
            "sheet-formula", f"Cell {where} holds {what}.",
            fix="Put the value itself into the cell: copy it, and paste it as a value.", option=where,
        )  # fmt: skip
    return text(cell.value, cell.number_format if cell.data_type == "n" else "")


def _beyond(title: str, number: int) -> Refusal:
    where = place(title, str(number)[:20])
    return Refusal(
        "sheet-too-large", f"Row {where} is beyond what is read: {MOST_ROWS:,} rows, {MOST_COLUMNS} columns.",
        fix="Send it in parts; delete the rows and columns outside the table, do not only clear them.", option=where,
    )  # fmt: skip
