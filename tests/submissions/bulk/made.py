"""Workbooks as a person would save them, and as nobody should."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Mapping, Sequence

import pytest
from openpyxl import Workbook

from submissions.bulk.item_sheets import form_of, read_upload
from submissions.core.errors import Refusal

HEADER = ["action", "submission", "version", "group", "answers.adjacent_boxes", "discard_rack_equal"]
ROW = ["update", "RS-2026-00001", 3, 0, 2, "yes"]
ITEM = {
    "action": "update",
    "submission": "RS-2026-00001",
    "version": 3,
    "group": 0,
    "answers": {"adjacent_boxes": "2", "discard_rack_equal": "yes"},
}


def workbook(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    return saved(book)


def saved(book: Workbook) -> bytes:
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def with_parts(content: bytes, parts: Mapping[str, bytes]) -> bytes:
    """The archive with these files in it, in the place of those that it had."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, text in parts.items():
            new.writestr(name, text)
    return made.getvalue()


def refused(content: bytes | str) -> Refusal:
    """The refusal, which has to come without much work of this process."""
    content = content.encode() if isinstance(content, str) else content
    begun = time.process_time()
    with pytest.raises(Refusal) as refusal:
        read_upload(content, form=form_of(content), name="")
    assert time.process_time() - begun < 2
    assert refusal.value.fix.endswith(".")
    return refusal.value
