"""The rows of a table as both readers return them: the sheet, the row's number and the text of each cell.

Not here: the readers (`read_csv`, `read_xlsx`), the meaning of the columns (`columns`).
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from openpyxl.utils import get_column_letter

from submissions.bulk.spreadsheets.number_formats import is_percentage

ANSWERS = "answers."  # prefix of the heading of a column with answers
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_BEGINS_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
MOST_COLUMNS = 300
MOST_ROWS = 20_000  # including empty ones: spreadsheets store formatted rows


@dataclass(frozen=True, slots=True)
class SheetRow:
    sheet: str  # "" where the file is one table
    number: int  # 1, 2, … as the spreadsheet counts
    cells: tuple[str, ...]
    merged: str = ""  # a range of merged cells that covers cells of the row: "649a!C4:C6"
    numeric: frozenset[int] = frozenset()  # columns (0, 1, …) whose cells the file stores as numbers
    is_hidden: bool = False
    in_hidden_sheet: bool = False
    hidden_columns: frozenset[int] = frozenset()
    semicolons: bool = False  # they divide the cells

    @property
    def label(self) -> str:
        """“649a!7”; “7” where the file is one table."""
        return in_sheet(self.sheet, str(self.number))

    def cell_label(self, column: int) -> str:
        """The cell in the column (0, 1, …) as a spreadsheet calls it: “649a!C7”."""
        return in_sheet(self.sheet, f"{get_column_letter(column + 1)}{self.number}")

    @property
    def is_empty(self) -> bool:
        return not any(self.cells)


def heading(text: str) -> str:
    """A heading as it is compared: “ Takes  Effect” is “takes_effect”. Case, spaces and hyphens do not matter."""
    return "_".join(text.casefold().replace("-", " ").replace("_", " ").split())


def in_sheet(sheet: str, reference: str) -> str:
    return f"{sheet}!{reference}" if sheet else reference


def cell_text(value: object, number_format: str = "General") -> str:
    """The text that a person would type for the cell: 50000 for 50000.0, yes for true, 2.5 for 0.025 as percent.

    Raises:
        ValueError: The number's format may be a percentage or not.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        number = Decimal(f"{value:.15g}")
        if not number.is_finite():
            return str(value)
        number = number * 100 if is_percentage(number, number_format) else number
        return f"{number.normalize():f}"
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return _unescaped(str(value)).strip()


def escaped(text: str) -> str:
    """The text as a workbook stores it: `_x000D_` would be read as a line break."""
    return _BEGINS_ESCAPE.sub("_x005F_", text)


def _unescaped(text: str) -> str:
    """The text with the characters that a workbook stores as `_xHHHH_` (ECMA-376, part 1, § 22.9.2.19, `ST_Xstring`).

    They are units of UTF-16; half of a character becomes U+FFFD.
    """
    if not _ESCAPE.search(text):
        return text
    units = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
