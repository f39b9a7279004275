"""From a spreadsheet to the items of a batch: one header row, then an item a row.

A sheet's header is its first row that begins with `action` or `submission`; what stands above it is for people. Its
columns are the fields of `shapes.FIELDS`; `answers.<key>`, or the bare key, is the answer to a line. A heading in
parentheses is for people too. An empty cell leaves things as they are, `(empty)` empties them. Several sheets are read
in their order; those that the portal puts into its workbook besides (`OWN`) need no header.

A row that was downloaded (`workbook`) tells what its cells said then: it is an item only if one of them was changed,
with the answers that were; a cell that was cleared empties its line. What is approved is amended once: of several rows
that say `amend` for its groups, the first begins the draft, and the others go on with it.

Not here: whether an item can be done. What makes no sense stays as it was typed, and its item is answered with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import groupby
from typing import Any

from submissions.actions.bulk import csv_rows, stamps, xlsx_guard, xlsx_rows
from submissions.actions.bulk.columns import Column, alike, columns_of
from submissions.actions.bulk.lines import Line
from submissions.actions.bulk.shapes import FIELDS, VERBS
from submissions.actions.bulk.taking import Parcel
from submissions.errors import Refusal

LARGEST = 20 << 20  # bytes of a file
FIRST = ("action", "submission")  # how a header begins
ABOVE = 20  # rows that may stand above a header
EMPTY = "(empty)"
GUIDE, LISTS = "How it works", "Lists"
OWN = (GUIDE, LISTS)
IDENTITY = ("action", "submission", "version", "group")  # what a downloaded row is about
_WHOLE = re.compile(r"[0-9]{1,9}")


def parcel(content: bytes, *, form: str, name: str) -> Parcel:
    """The items of a CSV file or an Excel workbook; a `Refusal` names the cell that cannot be understood."""
    if len(content) > LARGEST:
        raise Refusal(
            "sheet-too-large", f"The file has {len(content):,} bytes; {LARGEST:,} are read.", fix="Send it in parts."
        )
    lines = csv_rows.read(content, FIRST) if form == "csv" else xlsx_rows.read(content)
    items: list[dict[str, Any]] = []
    rows: list[str] = []
    unchanged = 0
    for line, columns in _rows(lines):
        item = _item(line, columns)
        if item is None:
            unchanged += 1
            continue
        items.append(item)
        rows.append(line.row)
    if not items:
        raise _nothing(unchanged)
    note = f"{unchanged:,} row{' was' if unchanged == 1 else 's were'} left out: nothing was changed there."
    return Parcel(
        items=_continued(items),
        form=form,
        sha256=sha256(content).hexdigest(),
        rows=rows,
        name=name,
        note=note if unchanged else "",
    )


def form_of(content: bytes) -> str:
    """What a file that was uploaded is: a workbook, or else taken for CSV."""
    return "xlsx" if content.startswith((b"PK", xlsx_guard.OLD)) else "csv"


def _rows(lines: Iterable[Line]) -> Iterator[tuple[Line, list[Column]]]:
    """The rows below the headers, with their columns."""
    for sheet, of_sheet in groupby(lines, key=lambda line: line.sheet):
        columns: list[Column] = []
        above = 0
        for line in of_sheet:
            if line.is_empty:
                continue
            if columns:
                yield line, columns
            elif line.cells[0] in FIRST:
                columns = columns_of(line)
            else:
                above += 1
                if above > ABOVE:
                    break
        if above and not columns and sheet not in OWN:
            raise _no_header(sheet)


def _item(line: Line, columns: list[Column]) -> dict[str, Any] | None:
    """The item that the row is; None for one that was downloaded and not changed."""
    _refuse_homeless(line, columns)
    _refuse_merged(line)
    texts = {column.name: _cell(line, column) for column in columns if column.part in ("field", "answer")}
    answers = {column.name: column.key for column in columns if column.part == "answer"}
    said = {name: text for name, text in texts.items() if text and name in answers}
    changed = _changed(line, columns, texts)
    if changed is not None:
        if not changed:
            return None
        said = {name: text or EMPTY for name, text in changed.items() if name in answers}
    fields = {name: text for name, text in texts.items() if text and name not in answers}
    item: dict[str, Any] = {name: _field(name, text) for name, text in fields.items()}
    verb = VERBS.get(item.get("action", ""))
    if said or (verb and "answers" in verb.needs):
        item["answers"] = {answers[name]: None if text == EMPTY else text for name, text in said.items()}
    return item


def _changed(line: Line, columns: list[Column], texts: dict[str, str]) -> dict[str, str] | None:
    """What was changed since the row was downloaded; None if it was not, or was made into a row about another thing."""
    column = next((column for column in columns if column.part == "stamp"), None)
    stamped = _cell(line, column) if column else ""
    if not column or not stamped:
        return None
    try:
        changed = {name: texts[name] for name in stamps.changed(stamped, alike(texts))}
    except (ValueError, RecursionError) as error:
        where = line.cell(column.index)
        raise Refusal(
            "sheet-stamp-damaged", f"Cell {where}, which the portal keeps for itself, was changed.",
            fix="Empty it, and every cell that is filled counts as changed; or download the workbook anew.",
            option=where,
        ) from error  # fmt: skip
    return None if changed.keys() & set(IDENTITY) else changed


def _cell(line: Line, column: Column) -> str:
    return line.cells[column.index] if column.index < len(line.cells) else ""


def _field(name: str, text: str) -> str | int | None:
    if text == EMPTY:
        return None
    is_number = name in FIELDS and FIELDS[name].kind == "number"
    return int(text) if is_number and _WHOLE.fullmatch(text) else text


def _refuse_homeless(line: Line, columns: list[Column]) -> None:
    """A cell that is filled, in a column that the header does not name."""
    named = {column.index for column in columns}
    for index, text in enumerate(line.cells):
        if text and index not in named:
            raise Refusal(
                "sheet-column-missing", f"Cell {line.cell(index)} says “{text[:40]}”, but its column has no heading.",
                fix="Give the column its heading, or clear the cell.", option=line.cell(index),
            )  # fmt: skip


def _refuse_merged(line: Line) -> None:
    """Of merged cells only the first one says something, and it seems to be said of all."""
    if line.merged:
        raise Refusal(
            "sheet-merged", f"Cells {line.merged} are merged: what is said there would count for the first one only.",
            fix="Undo the merging, and fill each cell.", option=line.merged,
        )  # fmt: skip


def _continued(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """An approved submission is amended once: the rows of its other groups go on with the draft that the first made."""
    first: dict[tuple[object, object], int] = {}
    taken: set[tuple[object, object, object]] = set()
    for place, item in enumerate(items, 1):
        if item.get("action") != "amend":
            continue
        about = item.get("submission"), item.get("version")
        group = item.get("group", 0)
        if about in first and (*about, group) not in taken:
            item |= {"action": "update", "submission": f"#{first[about]}", "version": 1}
            item.setdefault("answers", {})
        first.setdefault(about, place)
        taken.add((*about, group))
    return items


def _no_header(sheet: str) -> Refusal:
    where = f"The sheet “{sheet[:40]}”" if sheet else "The file"
    return Refusal(
        "sheet-header-missing", f"{where} has no header: no row begins with “action” or “submission”.",
        fix="Begin the header row with “action”; remove sheets that are not meant.", option=sheet[:60],
    )  # fmt: skip


def _nothing(unchanged: int) -> Refusal:
    if unchanged:
        return Refusal(
            "sheet-unchanged", f"Nothing was changed in the {unchanged:,} rows since they were downloaded.",
            fix="Change the cells that shall be answered otherwise, save the workbook, and upload it again.",
        )  # fmt: skip
    return Refusal(
        "sheet-empty", "The file has no rows of items.", fix="Write a row for each item below the header, and send it."
    )
