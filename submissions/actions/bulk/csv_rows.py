"""Reading a CSV file: UTF-8, its cells divided by commas, semicolons or tabs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from submissions.actions.bulk.lines import MOST_COLUMNS, MOST_ROWS, Line
from submissions.errors import Refusal

DIVIDERS = (",", ";", "\t")
FIX = "Save it as “CSV UTF-8”, with commas, semicolons or tabs between the cells."
csv.field_size_limit(2**24)  # a cell that is too long is answered with its row, not with the file


def read(content: bytes, first_cells: tuple[str, ...]) -> Iterator[Line]:
    """The lines; which sign divides them, the line shows that begins with one of `first_cells`."""
    text = _decoded(content)
    divider = next((sign for sign in DIVIDERS if _begins(text, sign, first_cells)), DIVIDERS[0])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=divider, strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            _refuse_beyond(number, len(cells))
            yield Line("", number, tuple(cell.strip() for cell in cells))
    except csv.Error as error:
        raise Refusal(
            "sheet-unreadable", f"After row {number} the file is no CSV: {error}.",
            fix="Look for a quotation mark that is not closed, or not doubled within a cell.", option=str(number + 1),
        ) from error  # fmt: skip


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Refusal(
            "sheet-encoding", f"Line {line} of the file is not in UTF-8.", fix=FIX, option=str(line)
        ) from error


def _begins(text: str, divider: str, first_cells: tuple[str, ...]) -> bool:
    """Whether a line begins with such a cell and the sign: which one divides cells, their text may hold too."""
    starts = tuple(f"{quote}{name}{quote}{divider}" for name in first_cells for quote in ("", '"'))
    return any(line.startswith(starts) for line in text[:100_000].splitlines())


def _refuse_beyond(number: int, width: int) -> None:
    if number > MOST_ROWS or width > MOST_COLUMNS:
        raise Refusal(
            "sheet-too-large", f"Row {number} is beyond what is read: {MOST_ROWS:,} rows, {MOST_COLUMNS} columns.",
            fix="Send it in parts; remove what lies outside the table.", option=str(number),
        )  # fmt: skip
