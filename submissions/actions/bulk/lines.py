"""A table's lines as both readers give them: which sheet, which row, and the text of each cell.

Not here: how a file is read (`csv_rows`, `xlsx_rows`), what the columns mean (`sheets`).
"""

from __future__ import annotations

from dataclasses import dataclass

from openpyxl.utils import get_column_letter

MOST_COLUMNS = 300
MOST_ROWS = 20_000  # with empty ones: spreadsheets keep those that were only formatted


@dataclass(frozen=True, slots=True)
class Line:
    sheet: str  # "" where the file is one table
    number: int  # 1, 2, … as the spreadsheet counts
    cells: tuple[str, ...]
    merged: str = ""  # cells of it that were merged, with those of other rows perhaps: "649a!C4:C6"

    @property
    def row(self) -> str:
        """“649a!7”; “7” where the file is one table."""
        return place(self.sheet, str(self.number))

    def cell(self, column: int) -> str:
        """The cell in the column (0, 1, …) as a spreadsheet calls it: “649a!C7”."""
        return place(self.sheet, f"{get_column_letter(column + 1)}{self.number}")

    @property
    def is_empty(self) -> bool:
        return not any(self.cells)


def place(sheet: str, where: str) -> str:
    return f"{sheet}!{where}" if sheet else where
