"""The rows of a file below the header of their sheet; every sheet has a header of its own.

A header is the first row that begins with one of certain headings; rows above it are for people. A sheet without a
header is left out if it cannot be meant as data, and refused otherwise. Shared by batches (`import_rows`) and table
lists (`table_sheets`).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, TypeVar

from submissions.bulk.spreadsheets.sheet_rows import SheetRow, heading
from submissions.core.errors import Refusal

MOST_ROWS_ABOVE = 20  # the header
Columns = TypeVar("Columns")


@dataclass(frozen=True, slots=True)
class HeaderForm(Generic[Columns]):
    """Describes the header of a kind of sheet.

    `first_headings`: of a header row. `columns_of`: the columns of a header row. `resembles_data`: whether rows without
    a header may be meant as data. `missing`: the refusal of a sheet ("" for a file that is one table) without a header.
    `own_sheets`: titles of sheets that need none.
    """

    first_headings: tuple[str, ...]
    columns_of: Callable[[SheetRow], Columns]
    resembles_data: Callable[[Iterable[SheetRow]], bool]
    missing: Callable[[str], Refusal]
    own_sheets: tuple[str, ...] = ()

    def is_header(self, row: SheetRow) -> bool:
        return heading(row.cells[0]) in self.first_headings


def rows_below_headers(
    sheet_rows: Iterable[SheetRow], form: HeaderForm[Columns], notes_sheets: list[str]
) -> Iterator[tuple[SheetRow, Columns]]:
    """Yield each row with the columns of its sheet. Add the sheets that are left out to `notes_sheets`.

    Refuse a sheet without a header that may be meant as data, a cell in a column that the header does not name, and a
    row with merged cells.
    """
    has_header = False
    for sheet, rows in groupby(sheet_rows, key=lambda row: row.sheet):
        header: tuple[SheetRow, Columns] | None = None
        above: list[SheetRow] = []
        for row in (row for row in rows if not row.is_empty):
            if header:
                _refuse_unclear(row, header[0])
                yield row, header[1]
            elif form.is_header(row) and len(above) <= MOST_ROWS_ABOVE:
                header, has_header = (row, form.columns_of(row)), True
            else:
                above.append(row)
        if above and not header and sheet not in form.own_sheets:
            if not sheet or form.resembles_data(above):
                raise form.missing(sheet)
            notes_sheets.append(sheet)
    if notes_sheets and not has_header:
        raise form.missing(notes_sheets[0])


def where_missing(sheet: str) -> str:
    """The beginning of the sentence about a missing header."""
    return f"The sheet “{sheet[:40]}”" if sheet else "The file"


def left_out_notes(notes_sheets: Iterable[str], first_heading: str) -> Iterator[str]:
    """A sentence for each sheet that was left out."""
    for title in notes_sheets:
        yield f"The sheet “{title[:40]}” was left out: it has no header row with “{first_heading}”."


def _refuse_unclear(row: SheetRow, header: SheetRow) -> None:
    for index, text in enumerate(row.cells):
        if text and not (index < len(header.cells) and header.cells[index]):
            where = row.cell_label(index)
            raise Refusal("sheet-column-missing", option=where, where=where, text=text[:40])
    if row.merged:  # only the first of merged cells has the text, but people read it as that of all
        raise Refusal("sheet-merged", option=row.merged, merged=row.merged)
