"""Spreadsheets become items: what a cell means and what is refused by its cell."""

from __future__ import annotations

import time
from datetime import date
from hashlib import sha256

import pytest
from openpyxl import Workbook

from submissions.bulk import item_sheets
from submissions.bulk.intake import Upload
from submissions.bulk.item_sheets import read_upload
from tests.submissions.bulk.made import HEADER, ITEM, ROW, refused, saved, workbook

# Published rulemakings change what a chapter has.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reads_here")]


def from_csv(text: str) -> Upload:
    return read_upload(text.encode(), form="csv", name="rows.csv")


def from_xlsx(content: bytes) -> Upload:
    return read_upload(content, form="xlsx", name="rows.xlsx")


@pytest.mark.parametrize("divider", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_csv_of_each_kind_gives_the_item(divider: str, mark: str) -> None:
    text = mark + "\r\n".join(divider.join(map(str, row)) for row in (HEADER, ROW))
    found = from_csv(text)
    assert (found.items, found.rows) == ([ITEM], ["2"])
    assert (found.form, found.name, found.note) == ("csv", "rows.csv", "")
    assert found.sha256 == sha256(text.encode()).hexdigest()


def test_csv_cells_hold_line_breaks_dividers_and_quotation_marks() -> None:
    found = from_csv('action,submission,version,reason\nwithdraw,RS-1,2,"one; two,\n""three"""\n')
    assert found.items == [{"action": "withdraw", "submission": "RS-1", "version": 2, "reason": 'one; two,\n"three"'}]


def test_workbook_gives_the_item_with_its_sheet_and_row() -> None:
    found = from_xlsx(workbook({"686a": [["Change what you like."], [], HEADER, ROW], "687a": [HEADER, [], ROW]}))
    assert (found.items, found.rows) == ([ITEM, ITEM], ["686a!4", "687a!3"])


def test_sheets_of_the_portal_itself_and_empty_ones_are_no_items() -> None:
    found = from_xlsx(
        workbook({"How it works": [["Read me"]], "686a": [HEADER, ROW], "Lists": [["yes"]], "Sheet2": []})
    )
    assert found.items == [ITEM]


def test_items_on_a_sheet_named_as_one_of_the_portal_are_read_all_the_same() -> None:
    assert from_xlsx(workbook({"Lists": [HEADER, ROW]})).items == [ITEM]


def test_cells_become_what_a_person_would_type() -> None:
    header = ["action", "answers.a", "answers.b", "answers.c", "answers.d", "answers.e", "answers.f", "answers.g"]
    book = Workbook()
    book.active.append(header)
    book.active.append(["create", True, False, 50000.0, 0.1 + 0.2, date(2026, 3, 7), 0.025, "  =1+1 "])
    book.active["G2"].number_format = "0.0%"
    book.active["H2"].data_type = "s"
    answers = {"a": "yes", "b": "no", "c": "50000", "d": "0.3", "e": "2026-03-07", "f": "2.5", "g": "=1+1"}
    assert from_xlsx(saved(book)).items == [{"action": "create", "answers": answers}]


def test_empty_cell_leaves_and_the_word_empties() -> None:
    found = from_csv("action,submission,version,answers.a,answers.b,pit\nupdate,RS-1,1,,(empty),(empty)\n")
    assert found.items == [
        {"action": "update", "submission": "RS-1", "version": 1, "answers": {"b": None}, "pit": None}
    ]


def test_steps_have_no_answers_though_the_columns_are_there() -> None:
    found = from_csv("action,submission,version,answers.a\nfile,RS-1,1,\nupdate,RS-1,1,\n")
    assert found.items == [
        {"action": "file", "submission": "RS-1", "version": 1},
        {"action": "update", "submission": "RS-1", "version": 1, "answers": {}},
    ]


def test_number_that_is_none_stays_for_its_item() -> None:
    assert from_csv("action,submission,version\nfile,RS-1,two\n").items[0]["version"] == "two"


def test_very_long_cell_stays_for_its_item() -> None:
    found = from_csv(f"action,submission,version,answers.a\nupdate,RS-1,1,{'x' * 2_000_000}\nupdate,RS-2,1,y\n")
    assert [len(item["answers"]["a"]) for item in found.items] == [2_000_000, 1]


STAMPED = {"action": "update", "submission": "RS-1", "version": "3", "group": "0", "a": "2", "b": "yes", "c": "12"}
DOWNLOADED = [
    "action",
    "submission",
    "version",
    "group",
    "answers.a",
    "answers.b",
    "answers.c",
    item_sheets.STAMP_COLUMN,
]


def downloaded(**now: object) -> list[object]:
    was = {name if name in HEADER else f"answers.{name}": text for name, text in STAMPED.items()}
    return [*({**STAMPED, **now}.values()), item_sheets.stamp_of(was)]


def test_downloaded_row_gives_what_was_changed() -> None:
    found = from_xlsx(
        workbook({"1": [DOWNLOADED, downloaded(version=3, a=2.0), downloaded(a=3, c=None), downloaded()]})
    )
    same = {"action": "update", "submission": "RS-1", "version": 3, "group": 0}
    assert found.items == [{**same, "answers": {"a": "3", "c": None}}]
    assert (found.rows, found.note) == (["1!3"], "2 rows were left out: nothing was changed there.")


def test_downloaded_row_made_into_another_gives_all_of_it() -> None:
    found = from_xlsx(workbook({"1": [DOWNLOADED, downloaded(submission="RS-2")]}))
    assert found.items[0]["answers"] == {"a": "2", "b": "yes", "c": "12"}


def test_workbook_that_was_not_changed_is_told() -> None:
    refusal = refused(workbook({"1": [DOWNLOADED, downloaded(), downloaded()]}))
    assert (refusal.code, refusal.message) == (
        "sheet-unchanged",
        "None of the 2 rows was changed after the download.",
    )


def test_groups_of_what_is_amended_go_on_with_its_draft() -> None:
    text = "action,submission,version,group,answers.a\n"
    text += "amend,RS-1,5,0,1\namend,RS-2,5,0,1\namend,RS-1,5,2,1\namend,RS-1,5,2,1\namend,RS-1,4,1,1\n"
    found = [(item["action"], item["submission"], item["version"], item["group"]) for item in from_csv(text).items]
    assert found == [
        ("amend", "RS-1", 5, 0), ("amend", "RS-2", 5, 0), ("update", "#1", 1, 2), ("amend", "RS-1", 5, 2),
        ("amend", "RS-1", 4, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("", "sheet-empty", ""),
        ("chapter,action\n686a,create\n", "sheet-header-missing", ""),
        ("submission,version\nRS-1,1\n", "sheet-header-missing", "1"),
        ("action,chapter\n", "sheet-empty", ""),
        ("action,chaptre\ncreate,686a\n", "sheet-column-unknown", "B1"),
        ("action,answers\ncreate,x\n", "sheet-column-unknown", "B1"),
        ("action,answers.\ncreate,x\n", "sheet-column-unknown", "B1"),
        ("action,chapter,chapter\ncreate,686a,686a\n", "sheet-column-twice", "C1"),
        ("action,adjacent_boxes,answers.adjacent_boxes\ncreate,1,1\n", "sheet-column-twice", "C1"),
        ("action,chapter\ncreate,686a,x\n", "sheet-column-missing", "C2"),
        (f'action,{item_sheets.STAMP_COLUMN}\ncreate,"[1]"\n', "sheet-stamp-damaged", "B2"),
        (f'action,{item_sheets.STAMP_COLUMN}\ncreate,"{"[" * 100_000}"\n', "sheet-stamp-damaged", "B2"),
        ('action,chapter\ncreate,"686a\n', "sheet-unreadable", "2"),
        ('action,chapter\ncreate,"68"6a\n', "sheet-unreadable", "2"),
        ("action" + ",x" * 300 + "\n", "sheet-too-large", "1"),
        ("action\n" + "\n" * 20_000 + "create\n", "sheet-too-large", "20001"),
        ("action\n" + "x" * (20 << 20), "sheet-too-large", ""),
    ],
)
def test_csv_that_makes_no_sense_is_refused_by_its_cell(text: str, code: str, where: str) -> None:
    refusal = refused(text)
    assert (refusal.code, refusal.option) == (code, where)


def test_csv_in_another_encoding_is_refused_by_its_line() -> None:
    refusal = refused("action,reason\nfile,ok\nfile,Café\n".encode("latin-1"))
    assert (refusal.code, refusal.message) == ("sheet-encoding", "Line 3 of the file is not in UTF-8.")


@pytest.mark.parametrize(
    ("rows", "code", "where"),
    [
        ([HEADER, [*ROW[:4], "=1+1"]], "sheet-formula", "686a!E2"),
        ([HEADER, ['=HYPERLINK("http://example.test")', *ROW[1:]]], "sheet-formula", "686a!A2"),
        ([HEADER, [*ROW[:4], "#REF!"]], "sheet-formula", "686a!E2"),
        ([[*HEADER, "nonsense"], ROW], "sheet-column-unknown", "686a!G1"),
        ([HEADER, [*ROW, None, "?"]], "sheet-column-missing", "686a!H2"),
        ([["Notes of the meeting"]], "sheet-header-missing", "686a"),
        ([HEADER, *[[]] * 20_000, ROW], "sheet-too-large", "686a!20002"),
        ([HEADER, [*ROW, *[None] * 16_000, "x"]], "sheet-too-large", "686a!2"),
    ],
)
def test_workbook_that_makes_no_sense_is_refused_by_its_cell(rows: list[list[object]], code: str, where: str) -> None:
    refusal = refused(workbook({"686a": rows}))
    assert (refusal.code, refusal.option) == (code, where)


def merged(*where: str) -> bytes:
    book = Workbook()
    book.active.title = "686a"
    for row in (["Change what you like."], [], HEADER, ROW, ROW):
        book.active.append(row)
    for one in where:
        book.active.merge_cells(one)
    return saved(book)


@pytest.mark.parametrize("where", ["E4:E5", "E5:F5", "A3:A4"])
def test_merged_cells_of_an_item_are_refused(where: str) -> None:
    refusal = refused(merged("A1:F2", where))
    assert (refusal.code, refusal.option) == ("sheet-merged", f"686a!{where}")


def test_merged_cells_outside_the_items_are_none_of_it() -> None:
    assert from_xlsx(merged("A1:F2", "C10:F40")).items == [ITEM, ITEM]


def test_another_file_is_refused_as_none() -> None:
    assert refused(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n").code == "sheet-encoding"


def test_five_thousand_rows_are_read_soon() -> None:
    content = workbook({"686a": [HEADER, *[ROW] * 5000]})
    begun = time.process_time()
    assert len(from_xlsx(content).items) == 5000
    assert time.process_time() - begun < 10
