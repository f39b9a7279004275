"""A workbook's bytes depend on nothing but its content."""

from __future__ import annotations

import io
from zipfile import ZipFile

import pytest
import time_machine
from openpyxl import Workbook, load_workbook

from submissions.bulk.sheet_files import NO_TIME, workbook_file


def written(*, write_only: bool, text: str = "Pit 3") -> bytes:
    """The sheets of a book that is only written go through files, which have a time of their own."""
    book = Workbook(write_only=write_only)
    sheet = book.create_sheet("Tables", 0)
    sheet.append(["12", text])
    return workbook_file(book)


@pytest.mark.parametrize("write_only", [False, True])
def test_same_content_is_the_same_file_at_any_time(write_only: bool) -> None:
    files = []
    for moment in ("2026-03-01T23:59:58-05:00", "2027-07-09T12:00:03-04:00"):
        with time_machine.travel(moment, tick=False):
            files.append(written(write_only=write_only))
    assert files[0] == files[1]
    with ZipFile(io.BytesIO(files[0])) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {NO_TIME}
    assert written(write_only=write_only, text="Pit 4") != files[0]
    assert [cell.value for cell in load_workbook(io.BytesIO(files[0]))["Tables"][1]] == ["12", "Pit 3"]
