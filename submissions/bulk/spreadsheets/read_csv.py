"""Reads a CSV file: UTF-8, with commas, semicolons or tabs between the cells."""

import csv
import io
from collections.abc import Iterator

from submissions.bulk.spreadsheets.sheet_rows import MOST_COLUMNS, MOST_ROWS, SheetRow, heading
from submissions.core.errors import Refusal

DIVIDERS = (",", ";", "\t")
FIX = "Save it as “CSV UTF-8”, with commas, semicolons or tabs between the cells."
csv.field_size_limit(2**24)  # so that a cell that is too long is refused with its row


def read(content: bytes, first_cells: tuple[str, ...]) -> Iterator[SheetRow]:
    """The rows; the divider is the one in the line that begins with one of `first_cells`."""
    text = _decoded(content)
    divider = next((sign for sign in DIVIDERS if _begins(text, sign, first_cells)), DIVIDERS[0])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=divider, strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            _refuse_beyond(number, len(cells))
            yield SheetRow("", number, tuple(cell.strip() for cell in cells), semicolons=divider == ";")
    except csv.Error as error:
        raise Refusal("sheet-unreadable/csv", option=str(number + 1), number=number, error=error) from error


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Refusal("sheet-encoding", fix=FIX, option=str(line), line=line) from error


def _begins(text: str, divider: str, first_cells: tuple[str, ...]) -> bool:
    """Whether a line starts with such a cell and the divider: other candidates may occur within texts."""
    firsts = (line.split(divider, 1) for line in text[:100_000].splitlines())
    return any(len(parts) == 2 and heading(parts[0].strip().strip('"')) in first_cells for parts in firsts)


def _refuse_beyond(number: int, width: int) -> None:
    if number > MOST_ROWS or width > MOST_COLUMNS:
        raise Refusal(
            "sheet-too-large/csv-row", option=str(number), number=number, most_rows=MOST_ROWS, most_columns=MOST_COLUMNS
        )
