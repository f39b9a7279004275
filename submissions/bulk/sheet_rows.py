r"""The rows of a spreadsheet as the readers of CSV and XLSX return them, and the ones that count.

A row has the text of each cell as a person would type it. A number format multiplies by 100 if it has a percent sign
that is an instruction (ECMA-376, part 1, § 18.8.31): one in quotation marks or brackets, or after `\`, `_` or `*`, is
text or filling. A format has up to three sections for numbers, separated by semicolons: positive (or all), negative,
zero.

Every sheet has a header of its own: its first row that begins with one of certain headings; rows above it are for
people. A sheet without a header is left out if it cannot be meant as data, and refused otherwise. What a file hides of
the rows, columns and sheets that count is named before it counts. Not here: the readers (`sheet_files`), the meaning of
the columns (`item_sheets`, `table_sheets`).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import groupby
from typing import Generic, TypeVar

from openpyxl.utils import get_column_letter

from submissions.core.errors import Refusal

_NO_INSTRUCTION = re.compile(r'"[^"]*"|\[[^\]]*\]|[\\_*].', re.DOTALL)
_CONDITION = re.compile(r"\[\s*[<>=]")
_UNFINISHED = re.compile(r'["\[\]\\_*!]')  # also `!`, by which some languages mark text
_SECTIONS_OF_NUMBERS, _MOST_SECTIONS = 3, 4  # the fourth is for texts


def is_percentage(number: Decimal, number_format: str) -> bool:
    """Return whether the cell shows the number times 100.

    Raises:
        ValueError: The format has a percent sign whose effect is not certain.
    """
    if "%" not in number_format:
        return False
    instructions = _NO_INSTRUCTION.sub("", number_format)
    if "%" not in instructions and not _UNFINISHED.search(instructions):
        return False
    sections = instructions.split(";")
    signs = [section.count("%") for section in sections[:_SECTIONS_OF_NUMBERS]]
    if len(sections) > _MOST_SECTIONS or _UNFINISHED.search(instructions) or max(signs) > 1:
        raise ValueError(number_format)
    if len(set(signs)) > 1 and _CONDITION.search(number_format):
        raise ValueError(number_format)
    return signs[1 if number < 0 and len(signs) > 1 else 0] == 1


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
        """Return “649a!7”; “7” where the file is one table."""
        return in_sheet(self.sheet, str(self.number))

    def cell_label(self, column: int) -> str:
        """Return the cell in the column (0, 1, …) as a spreadsheet calls it: “649a!C7”."""
        return in_sheet(self.sheet, f"{get_column_letter(column + 1)}{self.number}")


def heading(text: str) -> str:
    """Return a heading as it is compared: “ Takes Effect” is “takes_effect”. Case, spaces and hyphens do not matter."""
    return "_".join(text.casefold().replace("-", " ").replace("_", " ").split())


def in_sheet(sheet: str, reference: str) -> str:
    return f"{sheet}!{reference}" if sheet else reference


def cell_text(value: object, number_format: str = "General") -> str:
    """Return the text that a person would type for the cell: 50000 for 50000.0, yes for true, 2.5 for 0.025 as percent.

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
    """Return the text as a workbook stores it: `_x000D_` would be read as a line break."""
    return _BEGINS_ESCAPE.sub("_x005F_", text)


def _unescaped(text: str) -> str:
    """Return the text with the characters that a workbook stores as `_xHHHH_`, units of UTF-16.

    ECMA-376, part 1, § 22.9.2.19, `ST_Xstring`; half of a character becomes U+FFFD.
    """
    if not _ESCAPE.search(text):
        return text
    units = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


NAMED = 10  # of each kind; the others are counted


@dataclass(slots=True)
class HiddenCells:
    """The hidden sheets, columns and rows of what was read so far, each once and in their order."""

    labels: dict[str, dict[str, None]] = field(default_factory=lambda: {"sheet": {}, "column": {}, "row": {}})

    def add(self, row: SheetRow, used: Iterable[int]) -> None:
        """Add a row that counts, with the columns (0, 1, …) whose cells count."""
        if row.in_hidden_sheet:
            self.labels["sheet"][row.sheet] = None
            return
        if row.is_hidden:
            self.labels["row"][row.label] = None
        for index in used:
            if index in row.hidden_columns:
                self.labels["column"][in_sheet(row.sheet, get_column_letter(index + 1))] = None

    @property
    def names(self) -> str:
        """Return “the sheet Old; row 686a!4; columns 686a!E, 686a!F”; "" if nothing is hidden."""
        return "; ".join(_named(kind, list(labels)) for kind, labels in self.labels.items() if labels)

    def require_included(self, *, include: bool) -> str:
        """Return the sentence that names them; a `Refusal` unless the sender included them."""
        if self.names and not include:
            raise Refusal("sheet-hidden", option="include_hidden", names=self.names)
        return f"The file hides cells that count: {self.names}." if self.names else ""


def _named(kind: str, labels: list[str]) -> str:
    more = f" and {len(labels) - NAMED:,} more" if len(labels) > NAMED else ""
    return f"{kind}{'' if len(labels) == 1 else 's'} {', '.join(label[:60] for label in labels[:NAMED])}{more}"


MOST_ROWS_ABOVE = 20  # the header
Columns = TypeVar("Columns")


@dataclass(frozen=True, slots=True)
class HeaderForm(Generic[Columns]):
    """The header of a kind of sheet.

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
        for row in (row for row in rows if any(row.cells)):
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
    """Return the beginning of the sentence about a missing header."""
    return f"The sheet “{sheet[:40]}”" if sheet else "The file"


def left_out_notes(notes_sheets: Iterable[str], first_heading: str) -> Iterator[str]:
    """Yield a sentence for each sheet that was left out."""
    for title in notes_sheets:
        yield f"The sheet “{title[:40]}” was left out: it has no header row with “{first_heading}”."


def _refuse_unclear(row: SheetRow, header: SheetRow) -> None:
    for index, text in enumerate(row.cells):
        if text and not (index < len(header.cells) and header.cells[index]):
            where = row.cell_label(index)
            raise Refusal("sheet-column-missing", option=where, where=where, text=text[:40])
    if row.merged:  # only the first of merged cells has the text, but people read it as that of all
        raise Refusal("sheet-merged", option=row.merged, merged=row.merged)
