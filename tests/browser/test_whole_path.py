"""Simulation → recommendation → approval → signed PDF → verification on a phone, as each role.

Filling in and filing on a phone: `test_chapters` and `test_handover`. All of it on a wide screen: `test_whole_life`.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from submissions.filings import filing
from submissions.models import Document, Person, Submission
from tests.browser.desk import NARROW, Desk, accessible, work_apart
from tests.cast import PASSWORD
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_filing_is_decided_and_verified_on_a_phone(
    desk: Desk, manager: Person, analyst: Person, director: Person
) -> None:
    submission = complete(manager)
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    recommend(desk.sign_in(analyst, NARROW))
    approve(desk.sign_in(director, NARROW))
    verify(desk.window(NARROW))


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
