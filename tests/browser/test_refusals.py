"""What must not work, tried through the pages: wrong files, one's own recommendation; each with its reason."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from playwright.sync_api import Page, expect

from submissions.filings import drafts
from submissions.filings.review import decisions
from submissions.models import Person, Submission
from tests.browser.desk import NARROW, Desk, accessible
from tests.cast import PASSWORD
from tests.submissions.approved import Cast
from tests.submissions.web.clients import complete, pdf

pytestmark = pytest.mark.browser


def pdf_with_script() -> bytes:
    content = io.BytesIO()
    with pikepdf.new() as paper:
        paper.add_blank_page()
        paper.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert('hello')"))
        paper.save(content)
    return content.getvalue()


def upload(page: Page, file: Path, content: bytes) -> None:
    file.write_bytes(content)
    page.locator("#file-house_rules").set_input_files(file)
    page.locator("#line-house_rules").get_by_role("button", name="Upload").click()
    page.wait_for_load_state()


def test_files_that_are_not_accepted_are_refused_at_their_line(desk: Desk, preparer: Person, tmp_path: Path) -> None:
    draft = drafts.start_submission(preparer, "688a")
    page = desk.sign_in(preparer, NARROW, at=f"/submissions/{draft.number}/checklist/")
    page.locator("label[for=abandoned_wagers-1]").click()
    findings = page.locator("#findings-house_rules")

    upload(page, tmp_path / "script.pdf", pdf_with_script())
    expect(findings).to_contain_text("“script.pdf” contains active content")
    accessible(page)
    upload(page, tmp_path / "large.pdf", b"%PDF-1.7" + b"0" * 30_000_000)
    expect(findings).to_contain_text("“large.pdf” has 30.0 MB. The limit is 20 MB.")
    accessible(page)
    upload(page, tmp_path / "picture.png", b"GIF89a")
    expect(findings).to_contain_text("none of PDF, PNG, JPEG")
    assert (draft.configurations.get().answers, draft.attachments.count()) == ({"abandoned_wagers": True}, 0)

    upload(page, tmp_path / "house rules.pdf", pdf())
    expect(page.get_by_text("was checked and stored")).to_be_visible()
    assert draft.attachments.get().name == "house rules.pdf"


@pytest.fixture
def recommended(manager: Person, director: Person) -> Submission:
    submission = complete(manager)
    Cast(manager, director, director, computes=False).file(submission)
    submission.refresh_from_db()
    decisions.recommend_approval(director, submission, version=submission.version, reason="The figures agree.")
    submission.refresh_from_db()
    return submission


def test_own_recommendation_is_not_approved_by_button_or_by_force(
    desk: Desk, director: Person, recommended: Submission
) -> None:
    page = desk.sign_in(director, at=f"/submissions/{recommended.number}/")
    button = page.get_by_role("button", name="Approve")
    expect(button).to_be_disabled()
    expect(button).to_have_accessible_description("You recommended this submission. Another person must approve it.")
    accessible(page)
    page.get_by_label("Your passphrase").fill(PASSWORD)
    button.evaluate("button => { button.disabled = false; }")
    button.click()
    expect(page.get_by_role("alert").first).to_contain_text("Not allowed")
    expect(page.get_by_role("alert").first).to_contain_text("Another person must approve it.")
    accessible(page)
    recommended.refresh_from_db()
    assert recommended.status == "recommended"
