"""A page on a phone shows what the workers did as soon as it is done: the evidence, the signed PDF, its verification.

Filling in and filing on a phone: `test_chapters` and `test_handover`. All of it on a wide screen: `test_whole_life`.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from submissions.filings import filing
from submissions.filings.review import decisions
from submissions.models import Document, Person, Submission
from tests.browser.desk import NARROW, Desk, accessible, work_apart
from tests.cast import PASSWORD
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_workers_results_appear_on_a_phone(desk: Desk, manager: Person, analyst: Person, director: Person) -> None:
    submission = complete(manager)
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    see_evidence(desk.sign_in(analyst, NARROW, at=f"/submissions/{submission.number}/"))
    submission.refresh_from_db()
    decisions.recommend_approval(analyst, submission, version=submission.version, reason="The figures agree.")
    approve(desk.sign_in(director, NARROW, at=f"/submissions/{submission.number}/"))
    verify(desk.window(NARROW))


def see_evidence(page: Page) -> None:
    expect(page.locator("#verdict")).to_contain_text("Waiting for a worker.")
    expect(page.get_by_role("button", name="Recommend approval")).to_be_disabled()
    page.get_by_label("Reason", exact=True).fill("The figures agree.")
    work_apart()
    expect(page.locator("#verdict")).to_contain_text("The simulation agrees with the exact figures")
    expect(page.get_by_label("Reason", exact=True)).to_have_value("The figures agree.")
    expect(page.get_by_role("button", name="Recommend approval")).to_be_enabled()
    accessible(page)


def approve(page: Page) -> None:
    page.locator("label[for=confirmed]").click()
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="Approve").click()
    expect(page.locator("#document")).to_contain_text("Waiting for a worker.")
    work_apart()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download PDF").click()
    assert download.value.path().read_bytes() == bytes(Document.objects.get().signed.content)
    assert Submission.objects.get().status == "approved"
    accessible(page)


def verify(page: Page) -> None:
    page.goto("/")
    accessible(page)
    page.goto("/register/")
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
