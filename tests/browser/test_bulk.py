"""Bulk updates as a person makes them: workbook down, cells changed, workbook up, differences read, confirmed, done."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect

from submissions.models import Batch, Person, Status, Submission
from tests.browser.desk import NARROW, Desk, accessible, accessible_at_both_widths, open_menu, work_apart
from tests.browser.test_keyboard import press, reach
from tests.browser.test_narrow import MAGNIFIED, reflows
from tests.cast import PASSWORD
from tests.submissions.bulk.made import saved
from tests.submissions.bulk.test_export_workbook import at
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(autouse=True)
def _passphrase_is_enough(settings: Any) -> None:
    settings.SECOND_FACTOR = False


def changed(page: Page, directory: Path, cells: dict[tuple[str, str], object]) -> Path:
    """The workbook from behind the button, with these cells changed and saved."""
    with page.expect_download() as download:
        page.get_by_role("link", name="Download workbook").click()
    book = load_workbook(BytesIO(download.value.path().read_bytes()))
    for (chapter, key), value in cells.items():
        at(book, chapter, key).value = value
    path = directory / download.value.suggested_filename
    path.write_bytes(saved(book))
    return path


def test_cells_are_changed_in_the_workbook_and_done_after_the_confirmation(
    desk: Desk, preparer: Person, tmp_path: Path
) -> None:
    first, second = complete(preparer, "686a"), complete(preparer, "687a")
    page = desk.sign_in(preparer, NARROW)
    open_menu(page)
    page.get_by_role("link", name="Bulk updates").click()
    accessible_at_both_widths(page)
    path = changed(page, tmp_path, {("686a", "adjacent_boxes"): 2, ("687a", "adjacent_boxes"): 99})
    page.get_by_label("Workbook or CSV file").set_input_files(path)
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("heading", name="Being checked")).to_be_visible()
    accessible_at_both_widths(page)
    work_apart()
    expect(page.get_by_role("heading", name="No changes yet")).to_be_visible()  # without a reload
    item = page.get_by_role("article", name=first.number)
    assert [item.locator(one).inner_text() for one in ("del", "ins")] == ["3", "2"]
    refused = page.get_by_role("article", name=second.number)
    expect(refused).to_contain_text("Number of adjacent boxes is 99")
    expect(refused).to_contain_text("§ 687a.2(a)")
    accessible_at_both_widths(page)
    page.get_by_role("link", name="Refused (1)").click()
    expect(page.get_by_role("article")).to_have_count(1)
    assert first.configurations.get().answers["adjacent_boxes"] == 3
    page.get_by_role("button", name="Confirm and apply 1 item").click()
    expect(page.get_by_role("heading", name="In progress")).to_be_visible()
    work_apart()
    expect(page.get_by_role("heading", name="Done, except for rejected items")).to_be_visible()
    accessible_at_both_widths(page)
    answers = [one.configurations.get().answers["adjacent_boxes"] for one in (first, second)]
    assert answers == [2, 2]  # the second one's was 2, and stays


def test_formula_is_refused_by_its_cell_and_what_was_chosen_stays(desk: Desk, preparer: Person, tmp_path: Path) -> None:
    complete(preparer, "686a")
    page = desk.sign_in(preparer, at="/bulk/")
    path = changed(page, tmp_path, {("686a", "adjacent_boxes"): "=1+1"})
    page.get_by_label("Workbook or CSV file").set_input_files(path)
    page.get_by_text("All or nothing").click()
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("alert")).to_contain_text("contains a formula. Enter the value itself")
    expect(page.get_by_label("All or nothing")).to_be_checked()
    accessible(page)
    assert not Batch.objects.exists()


def test_filing_is_attested_and_confirmed_by_keyboard(desk: Desk, manager: Person, tmp_path: Path) -> None:
    drafts = [complete(manager, number) for number in ("686a", "687a")]
    rows = "".join(f"file,{one.number},{one.version}\n" for one in drafts)
    path = tmp_path / "file.csv"
    path.write_text(f"action,submission,version\n{rows}")
    page = desk.sign_in(manager, at="/bulk/")
    page.get_by_label("Workbook or CSV file").set_input_files(path)
    reach(page, "form[action='/bulk/'] button")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Being checked")).to_be_visible()
    work_apart()
    expect(page.get_by_role("heading", name="Attest and confirm")).to_be_visible()
    press(page, "main a[href='#confirm-batch']")
    reach(page, "#attested")
    page.keyboard.press("Space")
    reach(page, "#confirm")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="In progress")).to_be_visible()
    work_apart()
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    assert set(Submission.objects.values_list("status", flat=True)) == {Status.FILED}
    expect(page.get_by_text("Confirmed by Manager East")).to_be_visible()


def test_pages_reflow_at_400_percent(desk: Desk, preparer: Person, tmp_path: Path) -> None:
    complete(preparer, "688a")
    page = desk.sign_in(preparer, MAGNIFIED, at="/bulk/")
    path = changed(page, tmp_path, {("688a", "odds_posted"): None})
    page.get_by_label("Workbook or CSV file").set_input_files(path)
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("heading", name="Being checked")).to_be_visible()
    number = Batch.objects.get().number
    reflows(page, f"/bulk/{number}/")
    work_apart()
    for address in ("/", "/bulk/", f"/bulk/{number}/"):
        reflows(page, address)
