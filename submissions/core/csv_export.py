"""Lines of CSV as spreadsheets open them: in UTF-8, and no cell is taken for a formula."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # without it spreadsheets do not take the table for UTF-8
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # some take full width, too


class _Sent:
    """A file that hands each line on instead of keeping it."""

    def write(self, line: str) -> str:
        return line


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The table line by line, its heading first. A cell that begins like a formula gets an apostrophe."""
    write = csv.writer(_Sent()).writerow
    yield BYTE_ORDER_MARK + _line(write, columns)
    yield from (_line(write, cells) for cells in rows)


def _line(write: Any, cells: Sequence[str]) -> str:
    return str(write([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in cells]))
