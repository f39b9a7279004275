"""The downloaded workbook: what is in it, how its cells are guarded, and that its changes come back as changes."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from games.registry import chapter, folders
from submissions.bulk.export_workbook import download
from submissions.bulk.intake import accept_upload
from submissions.bulk.item_sheets import read_upload
from submissions.core.errors import Forbidden, Refusal
from submissions.filings import copies, drafts
from submissions.filings.review import comments, decisions
from submissions.models import Batch, Person, Submission
from tests.submissions.approved import Cast, change, set_apart
from tests.submissions.bulk.batches import confirmed, item, outcomes, work
from tests.submissions.bulk.made import saved
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.usefixtures("reads_here", "works_alone")
ADDRESS = "http://127.0.0.1:8000/bulk/"
KEYS = 3  # the row of the header


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def downloaded(person: Person) -> Workbook:
    return load_workbook(BytesIO(download(person, ADDRESS)[0]))


def at(book: Workbook, chapter: str, key: str, row: int = 1) -> Any:
    """The cell of the line in the configuration's row (1, 2, …)."""
    header = [cell.value for cell in book[chapter][KEYS]]
    return book[chapter].cell(KEYS + row, header.index(key) + 1)


def uploaded(person: Person, book: Workbook) -> Batch:
    """Taken in as the page does, and checked."""
    found = read_upload(saved(book), form="xlsx", name="changed.xlsx")
    return work(accept_upload(person, found, mode="live", atomic=False, needs_confirmation=True))


def test_draft_and_what_is_approved_are_rows_and_what_was_filed_is_named(cast: Cast, preparer: Person) -> None:
    approved = cast.version("687a").submission
    approved.refresh_from_db()
    draft = ready_to_file(preparer, "686a")
    set_apart(draft, "High limit", "3, 7-9")
    filed = ready_to_file(preparer, "585")
    cast.file(filed)
    book = downloaded(preparer)
    assert book.sheetnames == ["How it works", "686a", "687a", "Lists"]
    rows = {
        name: [[cell.value for cell in row[:5]] for row in book[name].iter_rows(min_row=4)] for name in ("686a", "687a")
    }
    assert rows == {
        "686a": [
            ["update", draft.number, draft.configurations.get(position=0).version, 0, "All other tables"],
            ["update", draft.number, 1, 1, "High limit (3, 7-9)"],
        ],
        "687a": [["amend", approved.number, approved.version, 0, "All tables"]],
    }
    guide = {row[0].value: row[1].value for row in book["How it works"].iter_rows()}
    assert guide[f"Not here: {filed.number}"] == "Filed: withdraw it, or wait for the Board."


def test_what_is_amended_already_is_there_as_its_amendment(cast: Cast, preparer: Person) -> None:
    approved = cast.version("687a").submission
    amendment = copies.start_amendment(preparer, approved)
    book = downloaded(preparer)
    assert [cell.value for cell in book["687a"][4][:4]] == ["update", amendment.number, 1, 0]
    guide = {row[0].value: row[1].value for row in book["How it works"].iter_rows()}
    assert (
        guide[f"Not here: {approved.number}"]
        == f"Approved, and amended by {amendment.number} already: change that one."
    )


def test_cells_offer_what_may_be_answered(preparer: Person) -> None:
    ready_to_file(preparer, "687a")
    book = downloaded(preparer)
    sheet = book["687a"]
    rules = {str(rule.sqref): rule for rule in sheet.data_validations.dataValidation}
    rule = rules[at(book, "687a", "trips_paytable").coordinate]
    place = rule.formula1.removeprefix("Lists!").replace("$", "")
    game = chapter("687a")
    names = [table.name for table in game.tables_of(game.option("trips_paytable").wager)]
    assert [cell.value for (cell,) in book["Lists"][place]] == names
    rule = rules[at(book, "687a", "adjacent_boxes").coordinate]
    assert (rule.type, rule.formula1, rule.formula2, rule.showErrorMessage) == ("whole", "1", "6", True)
    note = sheet.cell(KEYS, at(book, "687a", "adjacent_boxes").column).comment.text
    assert note.startswith("§ 687a.7(e)\nWhat is the total number of boxes")
    assert "Allowed: 1 to 6" in note


def test_cells_are_locked_grey_and_kept_in_sight(preparer: Person) -> None:
    draft = ready_to_file(preparer, "686a")
    change(preparer, draft, {"adjacent_boxes_allowed": False})
    book = downloaded(preparer)
    sheet = book["686a"]
    assert (sheet.protection.sheet, sheet.freeze_panes, sheet.column_dimensions["F"].hidden) == (True, "G4", True)
    assert (sheet.print_title_rows, sheet.page_setup.orientation) == ("$2:$3", "landscape")
    assert [at(book, "686a", key).protection.locked for key in ("action", "version", "(name)", "odds_posted")] == [
        True, True, True, False,
    ]  # fmt: skip
    fills = [at(book, "686a", key).fill.fgColor.rgb for key in ("action", "odds_posted", "adjacent_boxes")]
    assert fills == ["00C6CACE", "00000000", "00F0F0F0"]
    assert (book["Lists"].sheet_state, book["How it works"].sheet_state) == ("hidden", "visible")


def test_lines_that_a_return_left_closed_are_locked(cast: Cast, preparer: Person) -> None:
    filed = ready_to_file(preparer, "686a")
    cast.file(filed)
    filed.refresh_from_db()
    returned_with_one_question(cast, filed)
    book = downloaded(preparer)
    assert [at(book, "686a", key).protection.locked for key in ("adjacent_boxes", "odds_posted")] == [False, True]


def returned_with_one_question(cast: Cast, filed: Submission) -> None:
    """Returned with one question, about the number of boxes."""
    comments.write_comment(
        cast.analyst,
        filed,
        revision=1,
        text="Why three?",
        audience="licensee",
        option="adjacent_boxes",
        configuration=0,
    )
    decisions.return_to_licensee(cast.analyst, filed, version=filed.version, reason="")


def test_text_that_begins_like_a_formula_stays_a_text(preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "686a")
    change(preparer, draft, {"automated_shuffler_tables": "=1+1"})
    book = downloaded(preparer)
    assert (
        at(book, "686a", "automated_shuffler_tables").value,
        at(book, "686a", "automated_shuffler_tables").data_type,
    ) == (
        "=1+1",
        "s",
    )
    at(book, "686a", "odds_posted").value = "On a sign at the table"
    at(book, "686a", "automated_shuffler_tables").data_type = "s"
    assert "automated_shuffler_tables" not in read_upload(saved(book), form="xlsx", name="").items[0]["answers"]


@pytest.mark.parametrize("number", folders())
def test_workbook_of_each_chapter_comes_back_unchanged(preparer: Person, number: str) -> None:
    ready_to_file(preparer, number)
    for book in (download(preparer, ADDRESS)[0], saved(downloaded(preparer))):
        with pytest.raises(Refusal) as refusal:
            read_upload(book, form="xlsx", name="")
        assert refusal.value.code == "sheet-unchanged"


def test_changed_cells_are_the_only_differences(preparer: Person) -> None:
    draft = ready_to_file(preparer, "637a")
    before = dict(draft.configurations.get().answers)
    book = downloaded(preparer)
    changed = {"payout_limit_amount": 75000} if "payout_limit_amount" in before else {}
    yes = next(key for key, answer in before.items() if answer is False)
    at(book, "637a", yes).value = "Yes"
    for key, value in changed.items():
        at(book, "637a", key).value = value
    found = read_upload(saved(book), form="xlsx", name="").items
    assert [set(one["answers"]) for one in found] == [{yes, *changed}]


def test_sheet_that_was_saved_as_csv_says_the_same(preparer: Person) -> None:
    """As a spreadsheet saves the sheet that is open: amounts in the digits that it shows."""
    draft = ready_to_file(preparer, "637a")
    answers = draft.configurations.get().answers
    key = next(one.key for one in chapter("637a").options if one.kind == "money" and answers.get(one.key))
    sheet = downloaded(preparer)["637a"]
    rows = [["" if cell.value is None else str(cell.value) for cell in row] for row in sheet.iter_rows()]
    place = rows[KEYS - 1].index(key)
    rows[KEYS][place] = f"{Decimal(answers[key]):,.2f}"
    content = io.StringIO()
    csv.writer(content, delimiter=";").writerows(rows)
    with pytest.raises(Refusal) as refusal:
        read_upload(content.getvalue().encode(), form="csv", name="")
    assert refusal.value.code == "sheet-unchanged"


def test_amount_in_other_digits_is_no_difference(preparer: Person) -> None:
    draft = ready_to_file(preparer, "637a")
    row = draft.configurations.get()
    key = next(one.key for one in chapter("637a").options if one.kind == "money" and row.answers.get(one.key))
    text = f"action,submission,version,{key}\nupdate,{draft.number},{row.version},{Decimal(row.answers[key]):.1f}\n"
    found = read_upload(text.encode(), form="csv", name="")
    batch = work(accept_upload(preparer, found, mode="validate", atomic=False))
    assert (outcomes(batch), item(batch).changes) == ([("passed", "")], [])


def test_changes_are_shown_before_and_done_after_the_confirmation(cast: Cast, preparer: Person) -> None:
    draft = ready_to_file(preparer, "686a")
    approved = cast.version("687a").submission
    book = downloaded(preparer)
    at(book, "686a", "adjacent_boxes").value = 2
    at(book, "687a", "adjacent_boxes").value = None
    batch = uploaded(preparer, book)
    assert (batch.state, batch.note, outcomes(batch)) == ("waiting", "", [("passed", ""), ("passed", "")])
    assert [(one["option"], one["before"], one["after"]) for one in item(batch).changes] == [
        ("adjacent_boxes", "3", "2")
    ]
    assert [one["after"] for one in item(batch, 2).changes] == ["not answered"]
    assert draft.configurations.get().answers["adjacent_boxes"] == 3
    batch = confirmed(preparer, batch)
    assert (batch.state, outcomes(batch)) == ("done", [("done", ""), ("done", "")])
    assert draft.configurations.get().answers["adjacent_boxes"] == 2
    amendment = Submission.objects.get(amends=approved)
    assert amendment.configurations.get().answers["adjacent_boxes"] is None


def test_groups_of_what_is_approved_are_amended_together(cast: Cast, preparer: Person) -> None:
    draft = ready_to_file(cast.manager, "686a")
    set_apart(draft, "High limit", "3, 7-9", adjacent_boxes=2)
    set_apart(draft, "Pit 2", "12", adjacent_boxes=2)
    approved = cast.approve(draft).submission
    book = downloaded(preparer)
    for row in (1, 2, 3):
        at(book, "686a", "adjacent_boxes", row).value = 4
    batch = confirmed(preparer, uploaded(preparer, book))
    assert outcomes(batch) == [("done", "")] * 3
    amendment = Submission.objects.get(amends=approved)
    assert [row.answers["adjacent_boxes"] for row in amendment.configurations.all()] == [4, 4, 4]


def test_row_that_somebody_else_changed_is_refused_alone(preparer: Person, manager: Person) -> None:
    first, second = ready_to_file(preparer, "686a"), ready_to_file(preparer, "686a")
    book = downloaded(preparer)
    for row in (1, 2):
        at(book, "686a", "adjacent_boxes", row).value = 2
    change(manager, first, {"odds_posted": "sign"})
    batch = uploaded(preparer, book)
    assert outcomes(batch) == [("refused", "configuration-changed-meanwhile"), ("passed", "")]
    assert (item(batch).row, item(batch, 2).row) == ("686a!4", "686a!5")
    assert second.number == item(batch, 2).submission


def test_nothing_to_change_and_nobody_who_may_are_told(preparer: Person, reader: Person, analyst: Person) -> None:
    with pytest.raises(Forbidden):
        download(reader, ADDRESS)
    for person in (preparer, analyst):
        with pytest.raises(Refusal) as refusal:
            download(person, ADDRESS)
        assert refusal.value.code == "nothing-to-download"
