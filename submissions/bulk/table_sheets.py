"""A table list as a spreadsheet with the columns number, pit, game, open.

It is read from CSV, from a workbook or as it was pasted, and written as CSV or as a workbook that can be changed and
sent back. A header begins with “number”; each sheet has its own, and hidden cells that count are named (`sheet_rows`).

Not here: what a row changes, and whether its values are allowed (`filings.tables.table_lists`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from games.registry import folders
from submissions.bulk import sheet_files
from submissions.bulk.item_sheets import form_of
from submissions.bulk.sheet_files import workbook_file, write_cell
from submissions.bulk.sheet_rows import (
    HeaderForm,
    HiddenCells,
    SheetRow,
    heading,
    left_out_notes,
    rows_below_headers,
    where_missing,
)
from submissions.core.csv_export import csv_lines, csv_rows, without_apostrophe
from submissions.core.errors import Refusal
from submissions.filings.tables.table_lists import MOST, TableRow, chapter_named
from submissions.models import TableEntry, TableState

# A detail that is added later is the last column: programs may read the first ones by their places.
COLUMNS = tuple(dict.fromkeys(("number", "pit", "game", "open", *TableEntry.DETAILS)))
COLUMN_NAMES = ", ".join(COLUMNS)
FIRST_HEADINGS = ("number",)  # of a header row
OPEN_WORDS = {"yes": TableState.OPEN, "no": TableState.CLOSED}  # in the column “open”
_STATES = OPEN_WORDS | {"open": TableState.OPEN, "closed": TableState.CLOSED, "": TableState.OPEN}
LARGEST = 2 << 20  # bytes of a file
TITLE = "Tables"
WIDTHS = {"number": 14, "game": 34, "open": 10}  # of columns other than details


@dataclass(frozen=True, slots=True)
class TableSheet:
    """The rows as they were sent; `note` names what the file hides of them and the sheets left out, "" if nothing."""

    rows: list[TableRow]
    note: str


def read_table_sheet(content: bytes, *, include_hidden: bool = False) -> TableSheet:
    """Return the rows of a CSV file or a workbook; a `Refusal` names the cell, its value and the allowed ones.

    `include_hidden`: hidden cells count, and the note names them.
    """
    if len(content) > LARGEST:
        raise Refusal("sheet-too-large/bytes", count=len(content), largest=LARGEST)
    is_workbook = form_of(content) == "xlsx"
    rows = sheet_files.read_workbook(content) if is_workbook else _csv_rows(content)
    hidden = HiddenCells()
    notes_sheets: list[str] = []
    table_rows: list[TableRow] = []
    for row, places in rows_below_headers(rows, _FORM, notes_sheets):
        hidden.add(row, places.values())
        table_rows.append(_table_row(row, places))
    if not table_rows:
        raise Refusal("sheet-empty/tables") if content.strip() else _no_header("")
    notes = (hidden.require_included(include=include_hidden), *left_out_notes(notes_sheets, COLUMNS[0]))
    return TableSheet(table_rows, " ".join(filter(None, notes)))


def _csv_rows(content: bytes) -> Iterator[SheetRow]:
    for row in sheet_files.read_csv(content, FIRST_HEADINGS):
        yield replace(row, cells=tuple(map(without_apostrophe, row.cells)))


def read_pasted_table(text: str) -> TableSheet:
    """Return the rows of cells pasted from a spreadsheet, with tabs between them, or of CSV text."""
    return read_table_sheet(text.encode())


def rows_as_text(rows: Iterable[TableEntry]) -> str:
    """Return the tables as CSV text that `read_pasted_table` reads again, exactly."""
    return "".join(csv_rows([COLUMNS, *map(cells_of, rows)]))


def table_sheet_csv(rows: Iterable[TableEntry]) -> Iterator[str]:
    """Return the list, line by line."""
    return csv_lines(COLUMNS, map(cells_of, rows))


def table_workbook(rows: Iterable[TableEntry]) -> bytes:
    """Return the list as a workbook; the games and yes or no can be chosen from drop-downs."""
    book = Workbook()
    sheet = book.active
    sheet.title = TITLE
    for place, texts in enumerate([COLUMNS, *map(cells_of, rows)], 1):
        for column, text in enumerate(texts, 1):
            write_cell(sheet.cell(place, column), text, font=Font(bold=place == 1))
    sheet.freeze_panes = "A2"
    choices: Mapping[str, Iterable[str]] = {"game": folders(), "open": OPEN_WORDS}
    for place, name in enumerate(COLUMNS, 1):
        letter = get_column_letter(place)
        sheet.column_dimensions[letter].width = WIDTHS.get(name, 24)
        if name in choices:
            rule = DataValidation("list", formula1=f'"{",".join(choices[name])}"', allow_blank=True)
            rule.add(f"{letter}2:{letter}{MOST + 1}")
            sheet.add_data_validation(rule)
    return workbook_file(book)


def cells_of(row: TableEntry) -> list[str]:
    """Return the cells of a listed table, in the order of `COLUMNS`."""
    state = {"open": "yes", "closed": "no"}.get(row.state, row.state)
    cells = {"number": row.number, "game": row.chapter, "open": state, **row.details}
    return [cells[name] for name in COLUMNS]


def _places(header: SheetRow) -> dict[str, int]:
    """Heading → column. A heading in parentheses is for people."""
    places: dict[str, int] = {}
    for index, cell in enumerate(header.cells):
        name = cell.strip().casefold()
        if not name or (name.startswith("(") and name.endswith(")")):
            continue
        where = header.cell_label(index)
        if name not in COLUMNS:
            raise Refusal("sheet-column-unknown/tables", option=where, name=cell[:60], cell=where, columns=COLUMN_NAMES)
        if name in places:
            raise Refusal("sheet-column-twice", option=where, name=cell[:60], cell=where)
        places[name] = index
    if missing := next((name for name in ("number", "game") if name not in places), ""):
        label = header.label
        raise Refusal("sheet-column-missing/tables", option=label, label=label, name=missing, columns=COLUMN_NAMES)
    return places


def _table_row(row: SheetRow, places: dict[str, int]) -> TableRow:
    texts = {name: row.cells[index] if index < len(row.cells) else "" for name, index in places.items()}
    word = texts.get("open", "").strip().casefold()
    state = _STATES.get(word, word) if "open" in texts else None
    details = {name: texts[name] for name in TableEntry.DETAILS if name in texts}
    return TableRow(texts["number"], texts["game"], state, details, f"row {row.label}")


def _resembles_tables(rows: Iterable[SheetRow]) -> bool:
    """Return whether a row may be a header, or a table with its game: then leaving the sheet out would lose tables."""
    for row in rows:
        texts = list(filter(None, row.cells))
        is_header = heading(row.cells[0]) in FIRST_HEADINGS or sum(heading(text) in COLUMNS for text in texts) > 1
        if is_header or (len(texts) > 1 and any(map(chapter_named, texts))):
            return True
    return False


def _no_header(sheet: str) -> Refusal:
    where = where_missing(sheet)
    return Refusal("sheet-header-missing/tables", option=sheet[:60], where=where, columns=COLUMN_NAMES)


_FORM = HeaderForm(FIRST_HEADINGS, _places, _resembles_tables, _no_header)
