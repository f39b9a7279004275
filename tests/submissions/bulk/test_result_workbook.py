"""The results as a workbook: each error in its cell, and the corrected workbook does what was meant, once."""

from __future__ import annotations

import io
import time
from typing import Any

import pytest
from openpyxl import load_workbook

from submissions.bulk.batch_results import (
    APPLIED,
    LONGEST_CELL,
    MADE,
    NO_ANSWERS,
    NO_FIELDS,
    NO_LINES,
    NOT_APPLIED,
    REMARKS,
    RESULT_NAMES,
    result_workbook,
)
from submissions.bulk.item_sheets import read_upload
from submissions.models import Batch, Item, Person, Submission
from tests.submissions.bulk.batches import outcomes, send, sent
from tests.submissions.bulk.made import saved

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reads_here", "works_alone")]

BOXES = "adjacent_boxes"
WRONG = {"action": "create", "chapter": "686a", "answers": {"adjacent_boxes_allowed": True, BOXES: 7}}
RIGHT = {"action": "create", "chapter": "687a"}


def opened(batch: Batch) -> Any:
    return load_workbook(io.BytesIO(result_workbook(batch)))


def cells_of(sheet: Any, row: int) -> dict[str, Any]:
    """Heading → cell of the row; headings are in row 2."""
    return {heading.value: cell for heading, cell in zip(sheet[2], sheet[row], strict=True)}


def marked(sheet: Any, row: int) -> dict[str, str]:
    """Heading → note of each marked cell."""
    return {name: cell.comment.text for name, cell in cells_of(sheet, row).items() if cell.comment}


def sent_again(by: Person, book: Any) -> Batch:
    upload = read_upload(saved(book), form="xlsx", name="")
    return sent(by, *upload.items, form="xlsx")


def test_error_is_in_its_cell_and_in_words(preparer: Person) -> None:
    sheet = opened(sent(preparer, RIGHT, WRONG))[NOT_APPLIED]
    [note] = [text for name, text in marked(sheet, 3).items() if name == f"answers.{BOXES}"]
    assert "Enter a number from 1 to 6." in note
    cells = cells_of(sheet, 3)
    assert cells[f"answers.{BOXES}"].border.left.style == "medium"
    assert "Enter a number from 1 to 6." in cells["(what to do)"].value
    assert (cells["(row)"].value, cells["(result)"].value) == ("2", "Refused")
    assert "§ 687a" not in cells["(section)"].value
    assert "§ 686a" in cells["(section)"].value


def test_corrected_workbook_does_only_what_was_not_applied(preparer: Person) -> None:
    batch = sent(preparer, RIGHT, WRONG)
    book = opened(batch)
    cells_of(book[NOT_APPLIED], 3)[f"answers.{BOXES}"].value = 3
    again = sent_again(preparer, book)
    assert outcomes(again) == [("done", "")]
    assert sorted(Submission.objects.values_list("chapter", flat=True)) == ["686a", "687a"]
    draft = Submission.objects.get(chapter="686a")
    assert draft.configurations.get().answers[BOXES] == 3
    assert [cell.value for cell in book[APPLIED][2]][2] == "create"


def test_second_sheet_has_every_result() -> None:
    assert tuple(MADE) == RESULT_NAMES


def test_reference_to_another_item_is_kept_or_resolved(preparer: Person) -> None:
    of_right = {"action": "update", "submission": "#1", "version": 1, "answers": {"no_such_line": 1}}
    of_wrong = {"action": "update", "submission": "#3", "version": 1, "answers": {"verbal_wagers": True}}
    batch = sent(preparer, RIGHT, of_right, WRONG, of_wrong)
    sheet = opened(batch)[NOT_APPLIED]
    created = Submission.objects.get(chapter="687a").number
    assert [cells_of(sheet, row)["submission"].value for row in (3, 4, 5)] == [created, None, "#2"]
    assert NO_LINES in marked(sheet, 3)


@pytest.mark.parametrize(
    ("item", "column"),
    [
        ({"action": "dance"}, "action"),
        ({"chapter": "686a"}, "action"),
        ({"action": "create"}, "chapter"),
        ({"action": "create", "chapter": "999"}, "chapter"),
        ({"action": "create", "chapter": "686a", "color": "red"}, NO_FIELDS),
        ({"action": "create", "chapter": "686a", "answers": "none"}, NO_ANSWERS),
        ({"action": "create", "chapter": "686a", "answers": {"no_such_line": 1}}, NO_LINES),
        ({"action": "update", "submission": "RS-2020-00001", "version": 1, "answers": {}}, "submission"),
    ],
)
def test_refusal_is_at_the_cell_that_it_is_about(preparer: Person, item: dict[str, Any], column: str) -> None:
    batch = sent(preparer, item)
    assert list(marked(opened(batch)[NOT_APPLIED], 3)) == [column], batch.items.get().option


def test_checked_items_can_be_sent_again_whole(preparer: Person) -> None:
    """Of a preview nothing was applied; answers of JSON mean the same in cells."""
    answers = {"adjacent_boxes_allowed": True, BOXES: 3, "verbal_wagers": False, "discard_rack_equal": None}
    batch = sent(preparer, {"action": "create", "chapter": "686a", "answers": answers}, mode="validate")
    assert outcomes(batch) == [("passed", "")]
    book = opened(batch)
    assert book[APPLIED].max_row == 1
    again = sent_again(preparer, book)
    assert outcomes(again) == [("done", "")]
    stored = Submission.objects.get(chapter="686a").configurations.get().answers
    assert {key: value for key, value in stored.items() if value is not None} == {
        key: value for key, value in answers.items() if value is not None
    }


def test_text_stays_a_text_and_fits_its_cell(preparer: Person) -> None:
    texts = ["=1+1", "a\x0bb", "x" * (LONGEST_CELL + 1)]
    items = [{"action": "create", "chapter": text} for text in texts]
    sheet = opened(send(preparer, *items))[NOT_APPLIED]
    cells = [cells_of(sheet, row)["chapter"] for row in (3, 4, 5)]
    assert [cell.data_type for cell in cells] == ["s", "s", "s"]
    assert [cell.value for cell in cells] == ["=1+1", "a\ufffdb", "x" * LONGEST_CELL]


def test_workbook_of_5000_items_is_made_in_seconds(preparer: Person) -> None:
    """Some 1.4 s of processor time; it was 120 while each item looked up the lines of all chapters."""
    batch = send(preparer, *[WRONG] * 5000)
    batch.items.update(state=Item.State.REFUSED, option="elsewhere", message="It is wrong.", fix="Correct it.")
    begun = time.process_time()
    result_workbook(batch)
    assert time.process_time() - begun < 15


def test_names_that_do_not_exist_make_no_columns(preparer: Person) -> None:
    """A spreadsheet has at most 16,384 columns, and the portal reads 300 of them."""
    items = [
        {"action": "create", "chapter": "686a", f"f{n}": n, "answers": {f"a{n}-{m}": m for m in range(200)}}
        for n in range(100)
    ]
    sheet = opened(sent(preparer, *items))[NOT_APPLIED]
    assert [cell.value for cell in sheet[2]] == ["action", "chapter", NO_LINES, NO_FIELDS, *REMARKS]
    assert '"a7-199": 199' in cells_of(sheet, 10)[NO_LINES].value
