"""Spreadsheets as people send them: any case of headings, hidden cells, sheets of notes, decimal commas."""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS

from submissions.bulk import export_workbook, item_sheets
from submissions.bulk.intake import Upload
from submissions.bulk.item_sheets import read_upload
from submissions.core.errors import Refusal
from tests.submissions.bulk.made import HEADER, ITEM, ROW, saved, with_parts, workbook

# Published rulemakings change what a chapter has.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reads_here")]

MONEY = "minimum_wager"


def csv_upload(text: str, **options: Any) -> Upload:
    return read_upload(text.encode(), form="csv", name="", **options)


def xlsx_upload(content: bytes, **options: Any) -> Upload:
    return read_upload(content, form="xlsx", name="", **options)


def refusal_of(content: bytes, form: str = "xlsx", **options: Any) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        read_upload(content, form=form, name="", **options)
    return refusal.value


@pytest.mark.parametrize("divider", [",", ";", "\t"])
def test_case_and_spaces_of_headings_do_not_matter(divider: str) -> None:
    header = [" Action", "SUBMISSION ", "Version", "group", "Answers. Adjacent Boxes", "Discard-Rack  equal"]
    text = "\n".join(divider.join(map(str, row)) for row in (header, ROW))
    assert csv_upload(text).items == [ITEM]


def test_same_heading_in_another_case_is_a_second_column() -> None:
    assert refusal_of(b"action,Chapter,chapter\ncreate,686a,687a\n", "csv").code == "sheet-column-twice"


def test_stamp_heading_in_another_case_is_still_the_stamp() -> None:
    texts = {"action": "update", "submission": "RS-1", "version": "1", "group": "0", "answers.a": "2"}
    header = [*texts, item_sheets.STAMP_COLUMN.upper()]
    rows = [
        header,
        [*texts.values(), item_sheets.stamp_of(texts)],
        ["update", "RS-1", 1, 0, 3, item_sheets.stamp_of(texts)],
    ]
    upload = xlsx_upload(workbook({"1": rows}))
    assert [item["answers"] for item in upload.items] == [{"a": "3"}]


def hiding(*, row: int = 0, column: str = "", state: str = "visible", title: str = "686a") -> bytes:
    book = Workbook()
    book.active.title = title
    for cells in (HEADER, ROW, ROW):
        book.active.append(cells)
    if row:
        book.active.row_dimensions[row].hidden = True
    if column:
        book.active.column_dimensions[column].hidden = True
    book.active.sheet_state = state
    if state != "visible":
        book.create_sheet("Shown").append(["Nothing here"])
        book.active = 1
    return saved(book)


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (hiding(row=2), "row 686a!2"),
        (hiding(column="E"), "column 686a!E"),
        (hiding(row=3, column="C"), "column 686a!C; row 686a!3"),
        (hiding(state="hidden"), "sheet 686a"),
        (hiding(state="veryHidden"), "sheet 686a"),
        (hiding(state="hidden", title="Lists"), "sheet Lists"),
    ],
    ids=["row", "column", "row and column", "sheet", "very hidden sheet", "sheet of lists"],
)
def test_hidden_cells_are_named_before_they_count(content: bytes, names: str) -> None:
    refusal = refusal_of(content)
    assert (refusal.code, refusal.option) == ("sheet-hidden", "include_hidden")
    assert names in refusal.message
    upload = xlsx_upload(content, include_hidden=True)
    assert upload.items == [ITEM, ITEM]
    assert names in upload.note


@pytest.mark.parametrize("attributes", ['ht="0"', 'hidden="true"'])
def test_rows_without_height_are_hidden(attributes: str) -> None:
    part, plain = "xl/worksheets/sheet1.xml", workbook({"686a": [HEADER, ROW]})
    with zipfile.ZipFile(BytesIO(plain)) as archive:
        sheet = archive.read(part).replace(b'<row r="2"', f'<row r="2" {attributes}'.encode())
    assert attributes.encode() in sheet
    assert refusal_of(with_parts(plain, {part: sheet})).code == "sheet-hidden"


def test_hidden_cells_that_do_not_count_are_not_asked_about() -> None:
    book = Workbook()
    for cells in ([*HEADER, "(remarks)", "answers.odd"], [*ROW, "for people", None], [], ["", ""]):
        book.active.append(cells)
    for letter in "GHZ":
        book.active.column_dimensions[letter].hidden = True
    book.active.row_dimensions[1].hidden = True
    book.active.row_dimensions[9].hidden = True
    assert xlsx_upload(saved(book)).note == ""


def test_many_hidden_rows_are_counted() -> None:
    book = Workbook()
    for cells in (HEADER, *[ROW] * 40):
        book.active.append(cells)
    for number in range(2, 42):
        book.active.row_dimensions[number].hidden = True
    assert "Sheet!11 and 30 more" in refusal_of(saved(book)).message


def test_sheet_of_notes_is_left_out_with_a_word() -> None:
    notes = [["Meeting of May 4"], ["Who", "What"], ["Text"], *[["line"]] * 40]
    upload = xlsx_upload(workbook({"Notes": notes, "686a": [HEADER, ROW]}))
    assert upload.items == [ITEM]
    assert upload.note == "The sheet “Notes” was left out: it has no header row with “action”."


@pytest.mark.parametrize(
    "rows",
    [
        [["chapter", "action"], ["686a", "create"]],
        [["Submission number", "Version", "Group"], ["RS-1", 1, 0]],
        [["actions", "Version", "adjacent_boxes"], ["update", 1, 2]],
        [*[["above"]] * 30, HEADER, ROW],
    ],
)
def test_sheet_that_may_have_items_is_never_left_out(rows: list[list[object]]) -> None:
    refusal = refusal_of(workbook({"686a": [HEADER, ROW], "Other": rows}))
    assert (refusal.code, refusal.option) == ("sheet-header-missing", "Other")


def with_number(text: object, divider: str = ",") -> str:
    return f'action{divider}chapter{divider}answers.{MONEY}\ncreate{divider}678a{divider}"{text}"\n'


@pytest.mark.parametrize(
    ("text", "decimal", "answer"),
    [
        ("1,000", "", "1,000"),
        ("$1,234,567.50", "", "$1,234,567.50"),
        ("25.00", "", "25.00"),
        ("1,000", "point", "1,000"),
        ("2,5", "comma", "2.5"),
        ("1.234,56", "comma", "1234.56"),
        ("1,000", "comma", "1.000"),
        ("1.000", "comma", "1000"),
        ("1 234,50 $", "comma", "1234.50"),
        ("two, or 3", "", "two, or 3"),
    ],
)
def test_numbers_without_doubt_are_read(text: str, decimal: Any, answer: str) -> None:
    assert csv_upload(with_number(text), decimal=decimal).items[0]["answers"] == {MONEY: answer}


@pytest.mark.parametrize(
    ("text", "divider", "decimal", "variant"),
    [
        ("2,5", ",", "", "Is the comma"),
        ("1,00", ",", "", "Is the comma"),
        ("0,500", ",", "", "Is the comma"),
        ("1.234,56", ",", "", "Is the comma"),
        ("1,000", ";", "", "Is the comma"),
        ("2,5", ";", "", "Is the comma"),
        ("2,5", ",", "point", "with a decimal point"),
        ("2.5", ",", "comma", "with a decimal comma"),
        ("1,234.56", ",", "comma", "with a decimal comma"),
    ],
)
def test_decimal_comma_is_asked_about_and_never_guessed(text: str, divider: str, decimal: Any, variant: str) -> None:
    refusal = refusal_of(with_number(text, divider).encode(), "csv", decimal=decimal)
    assert (refusal.code, refusal.option) == ("sheet-decimal-sign", "C2")
    assert variant in refusal.message


def test_cells_that_are_numbers_have_no_sign_in_doubt() -> None:
    content = workbook({"678a": [["action", "chapter", MONEY], ["create", "678a", 1234.5], ["create", "678a", "2,5"]]})
    assert refusal_of(content).option == "678a!C3"
    read = [item["answers"][MONEY] for item in xlsx_upload(content, decimal="comma").items]
    assert read == ["1234.5", "2.5"]


def test_comma_in_a_downloaded_row_is_a_change() -> None:
    """Without its comma it would be the 25 that was downloaded."""
    texts = {"action": "update", "submission": "RS-1", "version": "1", "group": "0", f"answers.{MONEY}": "25"}
    now = {**texts, f"answers.{MONEY}": "2,5"}
    content = workbook({"1": [[*texts, item_sheets.STAMP_COLUMN], [*now.values(), item_sheets.stamp_of(texts)]]})
    assert refusal_of(content).code == "sheet-decimal-sign"
    assert xlsx_upload(content, decimal="comma").items[0]["answers"] == {MONEY: "2.5"}


PERCENT = [["action", "chapter", "answers.progressive_rate"], ["create", "678a", 0.5]]


def with_format(number_format: str, value: float = 0.5) -> bytes:
    book = Workbook()
    for row in PERCENT:
        book.active.append(row)
    book.active["C2"].value, book.active["C2"].number_format = value, number_format
    return saved(book)


def test_only_a_percent_sign_that_is_an_instruction_multiplies_by_100(subtests: pytest.Subtests) -> None:
    """ECMA-376, part 1, § 18.8.31; each number as Excel shows it."""
    shown = {
        "0.0%": "50",
        '0.0" of;100%"': "0.5",
        "[Red]0%;[Blue]-0%;0": "50",
        "0.0\\%": "0.5",
        '0.0"%"': "0.5",
        '0.0" % of hands"': "0.5",
        "0.0[$%]": "0.5",
        "0.0[$%-409]": "0.5",
        "0.0_%": "0.5",
        "0.0*%": "0.5",
        "0.0;-0.0%": "0.5",
        "0.0%;-0.0": "50",
        '0.0;-0.0;0;@"%"': "0.5",
        "0.0;-0.0;0;@%": "0.5",
    }
    for number_format, text in shown.items():
        with subtests.test(number_format):
            upload = xlsx_upload(with_format(number_format))
            assert upload.items[0]["answers"] == {"progressive_rate": text}
    below = {"0.0;-0.0%": "-50", "0.0%;-0.0": "-0.5", "0.0%": "-50"}
    for number_format, text in below.items():
        with subtests.test(number_format, below=True):
            assert xlsx_upload(with_format(number_format, -0.5)).items[0]["answers"]["progressive_rate"] == text


@pytest.mark.parametrize("number_format", ["[<1]0.0%;0.0", "0.0%%", '0.0"%', "0.0!%", "0%;0%;0%;@;0%", "0.0%\\"])
def test_number_that_may_be_a_percentage_or_not_is_asked_about(number_format: str) -> None:
    refusal = refusal_of(with_format(number_format))
    assert (refusal.code, refusal.option) == ("sheet-number-format", "Sheet!C2")
    assert f"the number 0.5 in the format {number_format}" in refusal.message


def test_characters_that_a_workbook_stores_as_escapes_are_read_as_they_are_shown(subtests: pytest.Subtests) -> None:
    """ECMA-376, part 1, § 22.9.2.19. Both where cells share their texts and where they have them themselves."""
    texts = {
        "two_x000D_\nlines": "two\r\nlines",
        "_x000d__x0041_": "A",
        "_xD83C__xDCA1_": "\N{PLAYING CARD ACE OF SPADES}",
        "half _xD83C_": "half \N{REPLACEMENT CHARACTER}",
        "escaped _x005F_x000D_": "escaped _x000D_",
        "a file x005F_name and _x00_": "a file x005F_name and _x00_",
    }
    for stored, text in texts.items():
        own = workbook({"686a": [["action", "answers.a"], ["create", stored]]})
        for kind, content in (("own", own), ("shared", with_shared_string(own, "B2", stored))):
            with subtests.test(stored, kind=kind):
                assert xlsx_upload(content).items[0]["answers"] == {"a": text}


def with_shared_string(content: bytes, cell: str, text: str) -> bytes:
    """The workbook, whose cell has the text itself, with the text in the list to which cells refer, as Excel does."""
    sheet, types, strings = "xl/worksheets/sheet1.xml", "[Content_Types].xml", "xl/sharedStrings.xml"
    with zipfile.ZipFile(BytesIO(content)) as archive:
        own, known = archive.read(sheet).decode(), archive.read(types).decode()
    inline, end = f'<c r="{cell}" t="inlineStr"><is><t>{text}</t></is></c>', "</Types>"
    assert inline in own
    part = f'<Override PartName="/{strings}" ContentType="{SHARED_STRINGS}"/>{end}'
    parts = {
        sheet: own.replace(inline, f'<c r="{cell}" t="s"><v>0</v></c>'),
        types: known.replace(end, part),
        strings: f'<sst xmlns="{SHEET_MAIN_NS}"><si><r><t>{text}</t></r></si></sst>',
    }
    return with_parts(content, {name: xml.encode() for name, xml in parts.items()})


def test_text_like_an_escape_is_the_same_after_a_download() -> None:
    text = "_x000D_ and _x005F_x0041_"
    book = Workbook()
    export_workbook.write_guide(book.active, "686a", [("action", "answers.a"), ("create", text)])
    assert xlsx_upload(saved(book)).items[0]["answers"] == {"a": text}
