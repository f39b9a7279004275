"""Lines of CSV as spreadsheets open them: in UTF-8, and no cell is taken for a formula, except negative numbers."""

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # without it spreadsheets do not take the table for UTF-8
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # some take full width, too
_CONTROLS = ("\t", "\r", "\n")
_NEGATIVE = re.compile(r"-[0-9]+(\.[0-9]+)?", re.ASCII)
_INVISIBLE = ("Cc", "Cf", "Zs", "Zl", "Zp")  # categories of Unicode: controls, formats, separators


class _Sent:
    """A file that hands each line on instead of keeping it."""

    def write(self, line: str) -> str:
        return line


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the table line by line, its heading first. A cell that begins like a formula gets an apostrophe.

    So does one that begins like a formula after apostrophes, so that `without_apostrophe` is exact.
    """
    write = csv.writer(_Sent()).writerow
    yield BYTE_ORDER_MARK + _line(write, columns)
    yield from csv_rows(rows)


def csv_rows(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield some lines of a table, without its heading."""
    write = csv.writer(_Sent()).writerow
    yield from (_line(write, cells) for cells in rows)


def without_apostrophe(cell: str) -> str:
    """Return the text that a cell of such a table was written from."""
    return cell[1:] if cell.startswith("'") and _may_be_formula(cell.lstrip("'")) else cell


def _line(write: Any, cells: Sequence[str]) -> str:
    return str(write([f"'{cell}" if _may_be_formula(cell.lstrip("'")) else cell for cell in cells]))


def _may_be_formula(cell: str) -> bool:
    """Return whether a spreadsheet may take the cell for a formula: some trim what cannot be seen before the sign."""
    if _NEGATIVE.fullmatch(cell):
        return False
    first = next((sign for sign in cell if unicodedata.category(sign) not in _INVISIBLE), "")
    return first in _FORMULA or cell.startswith(_CONTROLS)
