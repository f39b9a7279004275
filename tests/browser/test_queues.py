"""What waits for a worker, in the browser: a file to be verified and a draft, with and without script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from submissions.filings import drafts
from submissions.models import Person
from tests.browser.desk import NARROW, WIDE, Desk, work_apart

pytestmark = pytest.mark.browser
UNKNOWN = {"name": "rules.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7\nnothing that can be read"}


def send(page: Page) -> None:
    page.goto("/verify/")
    page.get_by_label("Signed PDF").set_input_files([UNKNOWN])
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The portal is verifying your file")
    expect(page.get_by_role("status")).to_contain_text("“rules.pdf” is waiting for verification. It is next in line.")


def test_result_appears_by_itself(desk: Desk, manager: Person) -> None:
    page = desk.window(WIDE)
    send(page)
    work_apart()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not a document of this portal")


def test_result_appears_without_script(desk: Desk, manager: Person) -> None:
    page = desk.window(NARROW, java_script_enabled=False)
    send(page)
    work_apart()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not a document of this portal")


def test_draft_is_offered_when_it_is_made(desk: Desk, manager: Person) -> None:
    submission = drafts.start_submission(manager, "686a")
    page = desk.sign_in(manager, NARROW, at=f"/submissions/{submission.number}/draft/")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Draft of {submission.number}")
    expect(page.get_by_role("status")).to_contain_text("The portal is preparing the draft. It is next in line.")
    work_apart()
    link = page.get_by_role("link", name="Download draft (PDF)")
    with page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == f"{submission.number}-draft.pdf"
