"""A table list as a spreadsheet with the columns number, pit, game, open. It is read from CSV, from a workbook or as it
was pasted, and written as CSV or as a workbook that can be changed and sent back. Hidden cells that count are named
(`hidden_cells`).

Not here: what a row changes, and whether its values are allowed (`table_list.list_changes`).
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.worksheet.datavalidation import DataValidation

from submissions.bulk.spreadsheets import read_csv, read_xlsx
from submissions.bulk.spreadsheets.hidden_cells import HiddenCells
from submissions.bulk.spreadsheets.import_rows import form_of
from submissions.bulk.spreadsheets.sheet_rows import SheetRow
from submissions.bulk.spreadsheets.workbook_file import workbook_file
from submissions.core.csv_export import csv_lines
from submissions.core.errors import Refusal
from submissions.models import TableEntry, TableState
from submissions.table_list.list_changes import MOST, TableRow

COLUMNS = ("number", "pit", "game", "open")
FIRST_HEADINGS = ("number",)  # of a header row
OPEN_WORDS = {"yes": TableState.OPEN, "no": TableState.CLOSED}  # in the column “open”
_STATES = OPEN_WORDS | {"open": TableState.OPEN, "closed": TableState.CLOSED, "": TableState.OPEN}
LARGEST = 2 << 20  # bytes of a file
TITLE = "Tables"
WIDTHS = (14, 24, 34, 10)


@dataclass(frozen=True, slots=True)
class TableSheet:
    """The rows as they were sent; `note` names what the file hides of them, "" if nothing."""

    rows: list[TableRow]
    note: str


def read_table_sheet(content: bytes, *, include_hidden: bool = False) -> TableSheet:
    """A CSV file or a workbook. A `Refusal` names the cell, what it has and what is allowed.

    `include_hidden`: hidden cells count, and the note names them.
    """
    if len(content) > LARGEST:
        raise Refusal("sheet-too-large/bytes", count=len(content), largest=LARGEST)
    is_workbook = form_of(content) == "xlsx"
    rows = read_xlsx.read(content) if is_workbook else read_csv.read(content, FIRST_HEADINGS)
    hidden = HiddenCells()
    table_rows = list(_table_rows((row for row in rows if not row.is_empty), hidden))
    return TableSheet(table_rows, hidden.require_included(include=include_hidden))


def read_pasted_table(text: str) -> TableSheet:
    """The same of cells that were pasted from a spreadsheet, with tabs between them, or of CSV text."""
    return read_table_sheet(text.encode())


def rows_as_text(rows: Iterable[TableRow]) -> str:
    """The rows as CSV text that `read_pasted_table` reads again, exactly."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(map(cells_of, rows))
    return text.getvalue()


def table_sheet_csv(rows: Iterable[TableEntry]) -> Iterator[str]:
    """The list, line by line."""
    return csv_lines(COLUMNS, map(cells_of, rows))


def table_workbook(rows: Iterable[TableEntry], games: Sequence[str]) -> bytes:
    """The list as a workbook; the games and yes or no can be chosen from drop-downs."""
    book = Workbook()
    sheet = book.active
    sheet.title = TITLE
    sheet.append(COLUMNS)
    for row in rows:
        sheet.append(cells_of(row))
    for cells in sheet.iter_rows():
        for cell in cells:
            cell.data_type = "s"  # a text stays a text, even if it begins like a formula
            cell.font = Font(bold=cell.row == 1)
    for letter, width in zip("ABCD", WIDTHS, strict=True):
        sheet.column_dimensions[letter].width = width
    sheet.freeze_panes = "A2"
    _offer(sheet, "C", list(games))
    _offer(sheet, "D", list(OPEN_WORDS))
    return workbook_file(book)


def cells_of(row: TableEntry | TableRow) -> tuple[str, str, str, str]:
    """The cells of a listed table, in the order of `COLUMNS`."""
    return row.number, row.pit, row.chapter, "yes" if row.state == TableState.OPEN else "no"


def _offer(sheet: object, letter: str, values: Sequence[str]) -> None:
    rule = DataValidation("list", formula1=f'"{",".join(values)}"', allow_blank=True)
    rule.add(f"{letter}2:{letter}{MOST + 1}")
    sheet.add_data_validation(rule)  # type: ignore[attr-defined]


def _table_rows(rows: Iterator[SheetRow], hidden: HiddenCells) -> Iterator[TableRow]:
    header = next(rows, None)
    if header is None or header.cells[0].strip().casefold() != COLUMNS[0]:
        raise Refusal("sheet-header-missing/tables", columns=", ".join(COLUMNS))
    places = _places(header)
    is_empty = True
    for row in rows:
        if row.merged:  # only the first of merged cells has the text, but people read it as that of all
            raise Refusal("sheet-merged", option=row.merged, merged=row.merged)
        is_empty = False
        hidden.add(row, places.values())
        yield _table_row(row, places)
    if is_empty:
        raise Refusal("sheet-empty/tables")


def _places(header: SheetRow) -> dict[str, int]:
    """Heading → column. A heading in parentheses is for people."""
    places: dict[str, int] = {}
    for index, cell in enumerate(header.cells):
        name = cell.strip().casefold()
        if not name or (name.startswith("(") and name.endswith(")")):
            continue
        where, columns = header.cell_label(index), ", ".join(COLUMNS)
        if name not in COLUMNS:
            raise Refusal("sheet-column-unknown/tables", option=where, name=cell[:60], cell=where, columns=columns)
        if name in places:
            raise Refusal("sheet-column-twice", option=where, name=cell[:60], cell=where)
        places[name] = index
    if missing := next((name for name in ("number", "game") if name not in places), ""):
        columns = ", ".join(COLUMNS)
        raise Refusal(
            "sheet-column-missing/tables", option=header.label, label=header.label, name=missing, columns=columns
        )
    return places


def _table_row(row: SheetRow, places: dict[str, int]) -> TableRow:
    texts = {name: row.cells[index] if index < len(row.cells) else "" for name, index in places.items()}
    state = texts.get("open", "").strip().casefold()
    return TableRow(texts["number"], texts["game"], texts.get("pit", ""), _STATES.get(state, state), f"row {row.label}")
