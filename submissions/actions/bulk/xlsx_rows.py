"""Reading an Excel workbook that anybody may have made: nothing in it is run, followed or believed.

What would take long or much memory to open is refused before it is opened. Formulas are refused by their cell: what
one yields need not be what its author saw. openpyxl reads with defusedxml, which refuses declared entities.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from openpyxl import load_workbook
from openpyxl.xml import DEFUSEDXML

from submissions.actions.bulk.lines import MOST_COLUMNS, MOST_ROWS, Line, place
from submissions.errors import Refusal

MOST_PARTS = 400  # files in the archive: some five for each sheet
LARGEST = 64 << 20  # bytes, when they are unpacked
MOST_ELEMENTS = 300_000  # of XML, two or three for each cell: what reading takes grows with them,
MOST_OTHERS = 40_000  # most of all with those that are no cells,
MOST_ATTRIBUTES = 100  # and with what one of them has
CELLS = (b"<c ", b"<c>", b"<c/", b"<v>", b"<row", b"<si>", b"<t>", b"<t ", b"<is>")
OLD = b"\xd0\xcf\x11\xe0"  # how Excel begins what it encrypts, and what it wrote before 2007
ACTIVE = ("vbaProject", "externalLinks/", "activeX/", "embeddings/", "connections.xml", "queryTables/", "macrosheets/")
CALCULATED = ("f", "e")  # a formula; an error that one left behind
_TAG = re.compile(rb"<[^/!?][^>]*>?")
if not DEFUSEDXML:
    raise ImportError("openpyxl needs defusedxml to read what strangers send")


def read(content: bytes) -> Iterator[Line]:
    """The lines of every sheet, in the workbook's order, those that say nothing left out."""
    _refuse_dangerous(content)
    try:
        book = load_workbook(io.BytesIO(content), read_only=True, keep_links=False)
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # what it says of its size is not believed
            yield from _lines(sheet)
    except Refusal:
        raise
    except Exception as error:  # whatever a parser stumbles over
        raise _unreadable() from error


def text(value: object, number_format: str = "General") -> str:
    """What a person would type to get the cell: 50000.0 is 50000, a true cell yes, 0.025 shown as percent 2.5."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        number = Decimal(f"{value:.15g}")
        number = number * 100 if "%" in number_format else number
        return f"{number.normalize():f}" if number.is_finite() else str(value)
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return str(value).strip()


def _lines(sheet: Any) -> Iterator[Line]:
    for number, row in enumerate(sheet.iter_rows(), 1):
        if number > MOST_ROWS or len(row) > MOST_COLUMNS:
            raise _beyond(sheet.title, number)
        if cells := tuple(_text(sheet.title, cell) for cell in row):
            yield Line(sheet.title, number, cells)


def _text(title: str, cell: Any) -> str:
    if cell.value is None:
        return ""
    if cell.data_type in CALCULATED:
        where = place(title, cell.coordinate)
        what = "a formula" if cell.data_type == "f" else f"the error {str(cell.value)[:20]}"
        raise Refusal(
            "sheet-formula", f"Cell {where} holds {what}.",
            fix="Put the value itself into the cell: copy it, and paste it as a value.", option=where,
        )  # fmt: skip
    return text(cell.value, cell.number_format if cell.data_type == "n" else "")


def _refuse_dangerous(content: bytes) -> None:
    if content.startswith(OLD):
        raise Refusal(
            "sheet-encrypted", "The workbook is protected with a password, or in Excel's format of before 2007.",
            fix="Save it as an Excel workbook (.xlsx) without a password.",
        )  # fmt: skip
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _refuse_active(archive)
            _refuse_large(archive)
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        OSError,
        EOFError,
        RuntimeError,
        ValueError,
        zlib.error,
    ) as error:
        raise _unreadable() from error


def _refuse_active(archive: zipfile.ZipFile) -> None:
    found = [name for name in archive.namelist() if any(part in name for part in ACTIVE)]
    if found:
        raise Refusal(
            "sheet-active", f"The workbook has macros, embedded objects or links to elsewhere ({found[0][:60]}).",
            fix="Copy the cells into the workbook that was downloaded, or save it as CSV.",
        )  # fmt: skip


def _refuse_large(archive: zipfile.ZipFile) -> None:
    """Unpacked as far as is allowed: what an archive says of its sizes is believed only where it says too much."""
    parts = archive.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST:
        raise _too_large()
    elements = others = 0
    for part in parts:
        text = archive.read(part)
        elements += text.count(b"<") - text.count(b"</")
        if elements > MOST_ELEMENTS:
            raise _too_large()
        tags = _TAG.findall(text)
        others += sum(not tag.startswith(CELLS) for tag in tags)
        if others > MOST_OTHERS or any(tag.count(b"=") > MOST_ATTRIBUTES for tag in tags):
            raise _too_large()
        if any(sum(map(row.count, CELLS[:3])) > MOST_COLUMNS for row in text.split(b"<row")[1:]):
            raise _too_large()


def _too_large() -> Refusal:
    return Refusal(
        "sheet-too-large", f"The workbook is larger, unpacked, than is opened: some {MOST_ELEMENTS // 3:,} cells.",
        fix="Leave out the columns in which nothing is changed, send it in parts, or send it as CSV.",
    )  # fmt: skip


def _beyond(title: str, number: int) -> Refusal:
    where = place(title, str(number))
    return Refusal(
        "sheet-too-large", f"Row {where} is beyond what is read: {MOST_ROWS:,} rows, {MOST_COLUMNS} columns.",
        fix="Send it in parts; delete the rows and columns outside the table, do not only clear them.", option=where,
    )  # fmt: skip


def _unreadable() -> Refusal:
    return Refusal(
        "sheet-unreadable", "The file cannot be read as an Excel workbook: it is damaged, or something else.",
        fix="Open it, save it anew as an Excel workbook (.xlsx), and send that; or send CSV.",
    )  # fmt: skip
