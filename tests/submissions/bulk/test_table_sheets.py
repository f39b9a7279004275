"""A table list as a spreadsheet: what is read, what is refused by its cell, and that what is written is read again."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import pytest
from openpyxl import Workbook, load_workbook

from games.registry import folders
from submissions.bulk import table_sheets
from submissions.core.errors import Refusal
from submissions.filings.tables.table_lists import TableRow, row_faults
from submissions.models import Person
from tests.submissions.bulk import made
from tests.submissions.bulk.made import saved
from tests.submissions.table_list.lists import enter, table_row

pytestmark = pytest.mark.usefixtures("reads_here")
ROWS = [
    table_row("12", "683a", "2", "open", "row 2"),
    table_row("BJ-4", "Cajun Stud", "", "closed", "row 3"),
    table_row("5", "687a", "Main, left", "open", "row 5"),
]


def workbook(*rows: tuple[object, ...]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    return saved(book)


@pytest.mark.parametrize("divider", [",", ";", "\t"])
def test_csv_with_any_divider_is_read(divider: str) -> None:
    lines = [["number", "pit", "game", "open"], ["12", "2", "683a", "yes"], ["BJ-4", "", "Cajun Stud", "No"]]
    text = "\r\n".join([*(divider.join(cells) for cells in lines), "", divider.join(("5", '"Main, left"', "687a", ""))])
    assert table_sheets.read_pasted_table(text).rows == ROWS


def test_workbook_is_read_with_numbers_as_numbers_and_columns_in_any_order() -> None:
    content = workbook(
        ("Number", "Game", "(note)", "Open"), (12, "683a", "by the door", True), (13, "683a", None, "no")
    )
    assert table_sheets.read_table_sheet(content).rows == [
        TableRow("12", "683a", "open", where="row Sheet!2"), TableRow("13", "683a", "closed", where="row Sheet!3"),
    ]  # fmt: skip


def test_empty_cell_is_sent_and_a_column_that_is_missing_is_not() -> None:
    rows = [
        table_sheets.read_pasted_table(text).rows[0] for text in ("number,game\n1,683a", "number,game,pit,open\n1,683a")
    ]
    assert [(row.state, row.details) for row in rows] == [(None, {}), ("open", {"pit": ""})]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "sheet-header-missing"),
        ("table,game\n1,683a", "sheet-header-missing"),
        ("number,pit\n1,2", "sheet-column-missing"),
        ("number,game,color\n1,683a,red", "sheet-column-unknown"),
        ("number,game,game\n1,683a,683a", "sheet-column-twice"),
        ("number,game", "sheet-empty"),
    ],
)
def test_table_that_cannot_be_read_is_refused(text: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        table_sheets.read_pasted_table(text)
    assert refused.value.code == code


def test_unknown_state_stays_in_the_row_and_is_refused_with_the_others() -> None:
    rows = table_sheets.read_pasted_table("number,game,open\n1,683a,maybe\n2,blackjack,yes\n3,683a,yes").rows
    assert [(fault.code, fault.fix) for fault in row_faults(rows)] == [
        ("table-row", "Write one of: yes, no."),
        ("table-row", f"Write a chapter's number or the game's name. The chapters are: {', '.join(folders())}."),
    ]


HEADER, TABLE = ("number", "pit", "game", "open"), ("12", "2", "683a", "yes")


def read(sheets: Mapping[str, Sequence[Sequence[object]]]) -> list[tuple[str, str, str, str]]:
    rows = table_sheets.read_table_sheet(made.workbook(sheets)).rows
    return [(row.number, row.details["pit"], row.chapter, row.where) for row in rows]


def test_each_sheet_is_read_by_its_own_header() -> None:
    other = {"List": [HEADER, TABLE], "New": [("Number", "Game", "Pit"), ("44", "687a", "9")]}
    assert read(other) == [("12", "2", "683a", "row List!2"), ("44", "9", "687a", "row New!2")]


def test_title_above_the_header_and_a_sheet_of_notes_are_for_people() -> None:
    notes = [("Meeting of May 4",), ("Who", "What"), ("All", "read 683a.7")]
    content = made.workbook({"Notes": notes, "List": [("Tables of Casino East", "in May"), (), HEADER, TABLE]})
    sheet = table_sheets.read_table_sheet(content)
    assert [(row.number, row.where) for row in sheet.rows] == [("12", "row List!4")]
    assert sheet.note == "The sheet “Notes” was left out: it has no header row with “number”."
    assert [row.number for row in table_sheets.read_pasted_table("Our tables\nnumber,game\n12,683a").rows] == ["12"]


@pytest.mark.parametrize(
    "rows",
    [
        [("44", "9", "687a", "yes")],
        [("Cajun Stud", "44")],
        [("Game", "Number"), ("x", "44")],
        [*[("above",)] * 30, HEADER, TABLE],
    ],
)
def test_sheet_that_may_have_tables_is_never_left_out(rows: list[tuple[str, ...]]) -> None:
    """A row without a header was read by the places of another sheet's columns."""
    with pytest.raises(Refusal) as refused:
        read({"List": [HEADER, TABLE], "Old list": rows})
    assert (refused.value.code, refused.value.option) == ("sheet-header-missing", "Old list")
    assert "The sheet “Old list” does not have a header row" in refused.value.message


def test_cell_in_a_column_without_a_heading_is_refused() -> None:
    """Else a table would be open, though “no” stands beside it."""
    with pytest.raises(Refusal) as refused:
        read({"List": [("number", "game"), ("12", "683a", "no")]})
    assert (refused.value.code, refused.value.option) == ("sheet-column-missing", "List!C2")


@pytest.mark.parametrize("pit", ['a "b", _x000D_c', "=2", "'=2", "''-a", "'tis", "-2", "@x"])
def test_what_is_written_is_read_again(preparer: Person, pit: str) -> None:
    """An apostrophe before what may be a formula is for spreadsheets only."""
    entries = enter(preparer, ("12", "683a", "2"), ("BJ-4", "683a", pit, "closed"))
    expected = [("12", "683a", "2", "open"), ("BJ-4", "683a", pit, "closed")]
    texts = (
        "".join(table_sheets.table_sheet_csv(entries)).encode(),
        table_sheets.table_workbook(entries),
        table_sheets.rows_as_text(entries).encode(),
    )
    for content in texts:
        rows = table_sheets.read_table_sheet(content).rows
        assert [(row.number, row.chapter, row.details["pit"], row.state) for row in rows] == expected


@pytest.mark.parametrize(
    ("row", "column", "names"),
    [(3, "", "row Sheet!3"), (0, "B", "column Sheet!B"), (0, "C", ""), (1, "", "")],
    ids=["row", "column", "column that is for people", "row of headings"],
)
def test_hidden_cells_are_named_before_they_count(row: int, column: str, names: str) -> None:
    book = load_workbook(
        io.BytesIO(workbook(("Number", "Game", "(note)"), ("12", "683a", "new"), ("13", "687a", "new")))
    )
    if row:
        book.active.row_dimensions[row].hidden = True
    if column:
        book.active.column_dimensions[column].hidden = True
    content = saved(book)
    if names:
        with pytest.raises(Refusal) as refused:
            table_sheets.read_table_sheet(content)
        assert (refused.value.code, refused.value.option) == ("sheet-hidden", "include_hidden")
    sheet = table_sheets.read_table_sheet(content, include_hidden=True)
    assert [row.number for row in sheet.rows] == ["12", "13"]
    assert sheet.note == (f"The file hides cells that count: {names}." if names else "")


def test_workbook_offers_the_games_and_holds_no_formula(preparer: Person) -> None:
    entries = enter(preparer, ("12", "683a", "=1+1"))
    sheet = load_workbook(io.BytesIO(table_sheets.table_workbook(entries))).active
    assert (sheet["B2"].value, sheet["B2"].data_type) == ("=1+1", "s")
    rules = {str(rule.sqref)[0]: rule.formula1 for rule in sheet.data_validations.dataValidation}
    assert rules == {"C": f'"{",".join(folders())}"', "D": '"yes,no"'}
