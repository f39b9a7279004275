"""Checklist → filing → simulation → recommendation → approval → signed PDF → verification, as each role.

On a phone; `make soak` does it on a wide screen, too, where `test_whole_life` goes the same way and further.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.registry import chapter
from submissions.models import Document, Person, Submission
from tests.browser.desk import NARROW, WIDE, Desk, accessible, work_apart
from tests.browser.filling import fill
from tests.cast import PASSWORD
from tests.soak import SOAK

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PATHS = [("686a", NARROW)] + [("688a", WIDE)] * bool(SOAK)


@pytest.mark.parametrize(("number", "width"), PATHS)
def test_filing_from_the_checklist_to_the_verified_document(
    desk: Desk, preparer: Person, manager: Person, analyst: Person, director: Person, number: str, width: int
) -> None:
    prepare(desk.sign_in(preparer, width), number)
    file(desk.sign_in(manager, width), number)
    recommend(desk.sign_in(analyst, width))
    approve(desk.sign_in(director, width))
    verify(desk.window(width))


def prepare(page: Page, number: str) -> None:
    game = chapter(number)
    accessible(page)
    page.get_by_role("button", name=f"Start {game.title}").click()
    accessible(page)
    fill(page, game)
    expect(page.locator("#summary")).to_contain_text("Ready to file.")
    accessible(page)
    page.get_by_role("button", name="Review and file").click()
    expect(page.get_by_role("button", name="File", exact=True)).to_have_count(0)
    accessible(page)
    page.get_by_role("button", name="Send to manager").click()
    expect(page.get_by_role("main")).to_contain_text("Sent to manager by")


def file(page: Page, number: str) -> None:
    page.get_by_role("link", name=chapter(number).title).first.click()
    page.get_by_role("link", name="Open the checklist").click()
    page.get_by_role("button", name="Review and file").click()
    page.locator("label[for=attested]").click()
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="File", exact=True).click()
    expect(page.get_by_text("Receipt RS-").first).to_be_visible()
    accessible(page)


def recommend(page: Page) -> None:
    accessible(page)
    page.get_by_role("link", name="RS-").first.click()
    expect(page.locator("#verdict")).to_contain_text("Waiting for a worker.")
    expect(page.get_by_role("button", name="Recommend approval")).to_be_disabled()
    page.get_by_label("Reason", exact=True).fill("The figures agree.")
    accessible(page)
    work_apart()
    expect(page.locator("#verdict")).to_contain_text("The simulation agrees with the exact figures")
    expect(page.get_by_label("Reason", exact=True)).to_have_value("The figures agree.")
    accessible(page)
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="Recommend approval").click()
    expect(page.get_by_text("You recommended approval.")).to_be_visible()


def approve(page: Page) -> None:
    page.get_by_role("link", name="RS-").first.click()
    accessible(page)
    page.locator("label[for=confirmed]").click()
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="Approve").click()
    expect(page.locator("#document")).to_contain_text("Waiting for a worker.")
    accessible(page)
    work_apart()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download PDF").click()
    assert download.value.path().read_bytes() == bytes(Document.objects.get().signed.content)
    assert Submission.objects.get().status == "approved"


def verify(page: Page) -> None:
    for address in ("/", "/games/", "/register/"):
        page.goto(address)
        accessible(page)
    page.get_by_role("link", name="Open and verify").click()
    accessible(page)
    page.goto("/verify/")
    sealed = bytes(Document.objects.get().signed.content)
    page.locator("input[type=file]").set_input_files(
        {"name": "document.pdf", "mimeType": "application/pdf", "buffer": sealed}
    )
    page.locator("main form button[type=submit]").click()
    expect(page.locator("h1")).to_contain_text("Genuine and unchanged")
    accessible(page)
