"""Spreadsheets as files: CSV and untrusted Excel workbooks are read into `sheet_rows`, and workbooks are written.

A CSV file is UTF-8, with commas, semicolons or tabs between the cells. A workbook is read in an isolated process: no
macro runs, no link is followed. openpyxl reads the values. It does not report rows out of order (it skips them), hidden
or merged cells, or formulas, so each part of the archive is parsed first. Formulas are refused: the result here may
differ from the one that the author saw. A workbook with the same content is the same file, whenever it is written:
neither its properties nor the entries of the archive state a time.
"""

import csv
import io
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import IO, Any
from xml.etree.ElementTree import Element
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from defusedxml import ElementTree
from openpyxl import Workbook
from openpyxl.reader.excel import ExcelReader
from openpyxl.utils import range_boundaries
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.writer.excel import ExcelWriter
from openpyxl.xml.constants import REL_NS, SHARED_STRINGS, SHEET_MAIN_NS

from submissions.bulk.sheet_rows import MOST_COLUMNS, MOST_ROWS, SheetRow, cell_text, escaped, heading, in_sheet
from submissions.core.errors import Refusal
from submissions.core.isolated_process import Failure, IsolatedFunction, IsolatedProcessFailed

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"  # the media type
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
        """Add a parsed element of the sheet; rows are emptied, since they are the bulk of it."""
        if element.tag == ROW:
            self._add_row(element)
            element.clear()
        elif element.tag == MERGED:
            cells = element.get("ref", "")
            _, first, _, last = range_boundaries(cells)
            for number in range(first, min(last, MOST_ROWS) + 1):
                self.merged.setdefault(number, in_sheet(self.title, cells))
        elif element.tag == COLUMNS and _is_hidden(element, "width"):
            first, last = int(element.get("min", 1)), int(element.get("max", MOST_COLUMNS))
            self.hidden_columns.update(range(max(first, 1) - 1, min(last, MOST_COLUMNS)))
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
        if not is_ordered:
            where = in_sheet(self.title, str(number))
            raise Refusal("sheet-unreadable/order", option=where, where=where)
        if number > MOST_ROWS or columns[-1] > MOST_COLUMNS:
            where = in_sheet(self.title, str(number)[:20])
            raise Refusal(
                "sheet-too-large/row", option=where, where=where, most_rows=MOST_ROWS, most_columns=MOST_COLUMNS
            )
        if _is_hidden(row, "ht") or (self.hides_rows and row.get("hidden") is None):
            self.hidden_rows.add(number)
        self.last_row = number


def not_a_value(where: str, what: str) -> Refusal:
    """Return the refusal of a cell with a formula or an error."""
    return Refusal("sheet-formula", option=where, where=where, what=what)


def _is_hidden(element: Element, size: str) -> bool:
    """Hidden, or without any size."""
    return element.get("hidden") in _TRUE or float(element.get(size, 1)) == 0


DIVIDERS = (",", ";", "\t")
CSV_FIX = "Save it as “CSV UTF-8”, with commas, semicolons or tabs between the cells."
csv.field_size_limit(2**24)  # so that a cell that is too long is refused with its row


def read_csv(content: bytes, first_cells: tuple[str, ...]) -> Iterator[SheetRow]:
    """Yield the rows; the divider is the one in the line that begins with one of `first_cells`."""
    text = _decoded(content)
    divider = next((sign for sign in DIVIDERS if _begins(text, sign, first_cells)), DIVIDERS[0])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=divider, strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            if number > MOST_ROWS or len(cells) > MOST_COLUMNS:
                raise Refusal(
                    "sheet-too-large/csv-row",
                    option=str(number),
                    number=number,
                    most_rows=MOST_ROWS,
                    most_columns=MOST_COLUMNS,
                )
            yield SheetRow("", number, tuple(cell.strip() for cell in cells), semicolons=divider == ";")
    except csv.Error as error:
        raise Refusal("sheet-unreadable/csv", option=str(number + 1), number=number, error=error) from error


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Refusal("sheet-encoding", fix=CSV_FIX, option=str(line), line=line) from error


def _begins(text: str, divider: str, first_cells: tuple[str, ...]) -> bool:
    """Return whether a line starts with such a cell and the divider: other candidates may occur within texts."""
    firsts = (line.split(divider, 1) for line in text[:100_000].splitlines())
    return any(len(parts) == 2 and heading(parts[0].strip().strip('"')) in first_cells for parts in firsts)


OLD_FORMAT = b"\xd0\xcf\x11\xe0"  # of encrypted workbooks, and of the format before 2007
ACTIVE = ("vbaProject", "externalLinks/", "activeX/", "embeddings/", "connections.xml", "queryTables/", "macrosheets/")
MOST_PARTS = 400  # files in the archive: some five for each sheet
LARGEST_UNPACKED = 64 << 20  # bytes of all parts, unpacked; characters of all cells
MOST_ELEMENTS = 300_000  # of XML, two or three for each cell
MOST_OTHERS = 40_000  # other elements: each takes openpyxl longer
LONGEST_FORMAT = 255  # characters of a number's format, as Excel allows; searching it takes the square of its length
PARSED = (".xml", ".rels")  # the parts that `_elements` parses, and with which it refuses document types
DOCUMENT_TYPE = b"<!DOCTYPE"  # in UTF-8, and in UTF-16 without its zeros
RELATION = f"{{{REL_NS}}}id"
VISIBLE = "visible"  # the state of a sheet, unless it is hidden
STRING, INLINE, TEXT, FORMATTED = (f"{{{SHEET_MAIN_NS}}}{name}" for name in ("si", "is", "t", "r"))
FORMATTED_TEXT = f"{FORMATTED}/{TEXT}"
CELL_ELEMENTS = {ROW, CELL, VALUE, STRING, INLINE, TEXT}
LONGEST_SHOWN = 40  # characters of a format in a message


def read_workbook(content: bytes) -> list[SheetRow]:
    """Return the rows of every sheet that are not empty, in the workbook's order."""
    if content.startswith(OLD_FORMAT):
        raise Refusal("sheet-encrypted")
    try:
        rows = _read_in_child(content)
    except IsolatedProcessFailed as error:
        raise (_unreadable() if error.failure is Failure.CRASH else _too_large()) from error
    kinds = {"cells": tuple, "numeric": frozenset, "hidden_columns": frozenset}  # JSON has neither tuples nor sets
    return [SheetRow(**row | {name: kind(row[name]) for name, kind in kinds.items()}) for row in rows]


def rows_of_workbook(content: bytes) -> list[dict[str, Any]]:
    """Return the fields of each row, as a `SheetRow` has them; only for the child process."""
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            _refuse_active(archive)
            outlines = _outlines(archive)
            reader = ExcelReader(io.BytesIO(content), read_only=True, keep_links=False)
            reader.read()
            reader.shared_strings[:] = _shared_strings(reader, archive)
        rows = [row for sheet in reader.wb.worksheets for row in _rows(sheet, outlines[sheet.title])]
    except (Refusal, MemoryError):
        raise
    except Exception as error:  # any failure of a parser
        raise _unreadable() from error
    if sum(len(text) for row in rows for text in row["cells"]) > LARGEST_UNPACKED:
        raise _too_large()
    return rows


_read_in_child = IsolatedFunction(rows_of_workbook, cpu_seconds=20, wall_seconds=60, memory=1 << 30)


def _refuse_active(archive: ZipFile) -> None:
    names = [part.filename for part in archive.infolist()]
    if active := next((name for name in names if any(part in name for part in ACTIVE)), ""):
        raise Refusal("sheet-active", active=active[:60])
    if len(names) > MOST_PARTS or sum(part.file_size for part in archive.infolist()) > LARGEST_UNPACKED:
        raise _too_large()
    if any(name.startswith("/") or "\\" in name or ".." in name.split("/") for name in names):
        raise _unreadable()  # no part of a workbook: it leads out of the folder of whoever unpacks the archive
    if any(DOCUMENT_TYPE in archive.read(name).replace(b"\0", b"") for name in names if not name.endswith(PARSED)):
        raise _unreadable()  # openpyxl would parse it, whatever its name


def _outlines(archive: ZipFile) -> dict[str, SheetOutline]:
    """Return the outline of each sheet by its title; a `Refusal` if openpyxl would take too long."""
    sheets = _sheets(archive)
    for part, element in _elements(archive, set(sheets)):
        if part in sheets:
            sheets[part].add(element)
    return {outline.title: outline for outline in sheets.values()}


def _elements(archive: ZipFile, sheets: set[str]) -> Iterator[tuple[str, Element]]:
    """Each element of each part, once it is parsed."""
    elements = other_elements = 0
    for part in archive.namelist():
        if not part.endswith(PARSED) and part not in sheets:
            continue
        with archive.open(part) as source:
            for _, element in ElementTree.iterparse(source, forbid_dtd=True):
                elements += 1
                other_elements += element.tag not in CELL_ELEMENTS
                has_long_format = len(element.get("formatCode", "")) > LONGEST_FORMAT
                if elements > MOST_ELEMENTS or other_elements > MOST_OTHERS or has_long_format:
                    raise _too_large()
                yield part, element


def _sheets(archive: ZipFile) -> dict[str, SheetOutline]:
    """Part of the archive → outline of its sheet, with no row yet (ECMA-376, part 2: relationships)."""
    workbook = next(iter(_targets(archive, "", "officeDocument").values()))
    parts = _targets(archive, workbook, "worksheet")
    sheets = [sheet for sheet in _parsed(archive, workbook).iter(SHEET) if sheet.get(RELATION) in parts]
    outlines = {
        parts[sheet.get(RELATION, "")]: SheetOutline(sheet.get("name", ""), sheet.get("state", VISIBLE) != VISIBLE)
        for sheet in sheets
    }
    if len({outline.title for outline in outlines.values()}) < len(sheets):
        raise _unreadable()  # one part or one title for several sheets
    return outlines


def _shared_strings(reader: ExcelReader, archive: ZipFile) -> list[str]:
    """Return the texts to which cells refer by number, as they are stored, without the pronunciation that some have.

    openpyxl's own are without each "x005F_", which is the escape of an underscore or part of a text.
    """
    part = reader.package.find(SHARED_STRINGS)
    items = _parsed(archive, part.PartName[1:]).iter(STRING) if part is not None else ()
    return ["".join(text.text or "" for text in [*item.findall(TEXT), *item.findall(FORMATTED_TEXT)]) for item in items]


def _targets(archive: ZipFile, part: str, kind: str) -> dict[str, str]:
    """Id → target part of the relationships of one kind."""
    folder, name = posixpath.split(part)
    relations = _parsed(archive, posixpath.join(folder, "_rels", f"{name}.rels"))
    return {
        relation.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, relation.get("Target", "")))[1:]
        for relation in relations
        if relation.get("Type", "").endswith(f"/{kind}")
    }


def _parsed(archive: ZipFile, part: str) -> Element:
    root: Element = ElementTree.fromstring(archive.read(part), forbid_dtd=True)
    return root


def _rows(sheet: Any, outline: SheetOutline) -> Iterator[dict[str, Any]]:
    """Yield the rows that are not empty, up to the last one of the outline."""
    sheet.reset_dimensions()  # the size that the file states may be wrong
    for number, cells in enumerate(islice(sheet.iter_rows(), outline.last_row), 1):
        texts = [_text(sheet.title, cell) for cell in cells]
        if any(texts):
            yield {
                "sheet": sheet.title,
                "number": number,
                "cells": texts,
                "merged": outline.merged.get(number, ""),
                "numeric": [index for index, cell in enumerate(cells) if cell.data_type == "n" and texts[index]],
                "is_hidden": number in outline.hidden_rows,
                "in_hidden_sheet": outline.is_hidden,
                "hidden_columns": [index for index in outline.hidden_columns if index < len(texts) and texts[index]],
            }


def _text(title: str, cell: Any) -> str:
    if cell.value is None:
        return ""
    if cell.data_type == "e":
        raise not_a_value(in_sheet(title, cell.coordinate), f"the error {str(cell.value)[:20]}")
    try:
        return cell_text(cell.value, cell.number_format if cell.data_type == "n" else "")
    except ValueError:
        where, shown = in_sheet(title, cell.coordinate), cell.number_format[:LONGEST_SHOWN]
        raise Refusal("sheet-number-format", option=where, where=where, value=cell.value, format=shown) from None


def _too_large() -> Refusal:
    return Refusal("sheet-too-large/cells", most=MOST_ELEMENTS // 3)


def _unreadable() -> Refusal:
    return Refusal("sheet-unreadable/xlsx")


NO_TIME = (1980, 1, 1, 0, 0, 0)  # the first that an archive can state


class _TimelessArchive(ZipFile):
    """Both `write` and `writestr` open the entry here, with the time of the file or of the clock, to two seconds."""

    def open(self, name: str | ZipInfo, mode: Any = "r", *args: Any, **options: Any) -> IO[bytes]:
        if isinstance(name, ZipInfo):
            name.date_time = NO_TIME
        return super().open(name, mode, *args, **options)


def write_cell(cell: Any, value: str | int | float | None, **style: Any) -> Any:
    """Give the cell its value and its style. A text stays a text, even if it begins like a formula."""
    cell.value = escaped(value) if isinstance(value, str) else value
    if isinstance(value, str):
        cell.data_type = "s"
    for name, part in style.items():
        setattr(cell, name, part)
    return cell


def workbook_file(book: Workbook) -> bytes:
    """Return the file's bytes.

    `Workbook.save` would write the present time into it, so that HEAD and GET could differ.
    """
    book.properties.created = book.properties.modified = datetime(*NO_TIME)
    content = io.BytesIO()
    with _TimelessArchive(content, "w", ZIP_DEFLATED, allowZip64=True) as archive:
        ExcelWriter(book, archive).save()
    return content.getvalue()
