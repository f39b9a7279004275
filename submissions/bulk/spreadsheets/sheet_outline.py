"""What a sheet's XML says beside its values: its last row, merged and hidden cells, formulas.

openpyxl reads the values for `read_xlsx` and reports none of this.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from openpyxl.utils import range_boundaries
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.xml.constants import SHEET_MAIN_NS

from submissions.bulk.spreadsheets.sheet_rows import MOST_COLUMNS, MOST_ROWS, in_sheet
from submissions.core.errors import Refusal

ROW, CELL, VALUE, FORMULA, MERGED, SHEET, COLUMNS, FORMAT = (
    f"{{{SHEET_MAIN_NS}}}{name}" for name in ("row", "c", "v", "f", "mergeCell", "sheet", "col", "sheetFormatPr")
)
_TRUE = ("1", "true", "on")


@dataclass(slots=True)
class SheetOutline:
    """Facts of a sheet's XML that openpyxl does not report."""

    title: str
    is_hidden: bool = False
    last_row: int = 0
    merged: dict[int, str] = field(default_factory=dict)  # row → a range that covers it
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)  # 0, 1, …
    hides_rows: bool = False  # unless a row says otherwise

    def add(self, element: Element) -> None:
        """An element of the sheet, once it is parsed; rows are emptied, since they are the bulk of it."""
        if element.tag == ROW:
            self._add_row(element)
            element.clear()
        elif element.tag == MERGED:
            self._add_merged(element.get("ref", ""))
        elif element.tag == COLUMNS:
            self._add_columns(element)
        elif element.tag == FORMAT:
            self.hides_rows = element.get("zeroHeight") in _TRUE

    def _add_row(self, row: Element) -> None:
        number, columns = int(row.get("r", self.last_row + 1)), [0]
        is_ordered = number > self.last_row
        for cell in row:
            cell_row, column = coordinate_to_tuple(cell.get("r")) if cell.get("r") else (number, columns[-1] + 1)
            is_ordered = is_ordered and cell_row == number and column > columns[-1]
            columns.append(column)
            if cell.find(FORMULA) is not None:
                raise not_a_value(in_sheet(self.title, cell.get("r", str(number))), "a formula")
        self._refuse_beyond(number, columns, is_ordered=is_ordered)
        if _is_hidden(row, "ht") or (self.hides_rows and row.get("hidden") is None):
            self.hidden_rows.add(number)
        self.last_row = number

    def _refuse_beyond(self, number: int, columns: Sequence[int], *, is_ordered: bool) -> None:
        if not is_ordered:
            where = in_sheet(self.title, str(number))
            raise Refusal("sheet-unreadable/order", option=where, where=where)
        if number > MOST_ROWS or columns[-1] > MOST_COLUMNS:
            where = in_sheet(self.title, str(number)[:20])
            raise Refusal(
                "sheet-too-large/row", option=where, where=where, most_rows=MOST_ROWS, most_columns=MOST_COLUMNS
            )

    def _add_merged(self, cells: str) -> None:
        _, first, _, last = range_boundaries(cells)
        for number in range(first, min(last, MOST_ROWS) + 1):
            self.merged.setdefault(number, in_sheet(self.title, cells))

    def _add_columns(self, element: Element) -> None:
        if _is_hidden(element, "width"):
            first, last = int(element.get("min", 1)), int(element.get("max", MOST_COLUMNS))
            self.hidden_columns.update(range(max(first, 1) - 1, min(last, MOST_COLUMNS)))


def not_a_value(where: str, what: str) -> Refusal:
    """The refusal of a cell with a formula or an error."""
    return Refusal("sheet-formula", option=where, where=where, what=what)


def _is_hidden(element: Element, size: str) -> bool:
    """Hidden, or without any size."""
    return element.get("hidden") in _TRUE or float(element.get(size, 1)) == 0
