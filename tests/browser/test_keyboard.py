"""Without a mouse: signing in, answering, filing, recommending, approving; and the focus can always be seen.

What the workers do for it, and that the page shows it without being asked for: `test_whole_path`.
"""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from submissions.filings import drafts
from submissions.models import Document, Person, Simulation, StoredFile, Submission
from tests.browser.desk import Desk
from tests.cast import PASSWORD
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OPEN = {"verbal_wagers": None, "adjacent_boxes": None}
SEEN = """selector => {
    const one = document.activeElement;
    if (!one.matches(selector)) return "elsewhere";
    const shown = one.matches(".usa-radio__input, .usa-checkbox__input") ? one.nextElementSibling : one;
    const marks = [shown, one].map((each) => getComputedStyle(each)).concat(getComputedStyle(shown, "::before"));
    const box = shown.getBoundingClientRect();
    if (box.bottom <= 0 || box.top >= innerHeight) return "out of sight";
    return marks.some((style) => style.outlineStyle !== "none") ? "seen" : "not marked";
}"""


def reach(page: Page, selector: str) -> None:
    """Tab until the element has the focus, and the focus can be seen."""
    for _ in range(150):
        page.keyboard.press("Tab")
        found = page.evaluate(SEEN, selector)
        if found != "elsewhere":
            assert (selector, found) == (selector, "seen")
            return
    raise AssertionError(f"{selector} cannot be reached by Tab on {page.url}")


def press(page: Page, selector: str) -> None:
    reach(page, selector)
    page.keyboard.press("Enter")


def sign(page: Page) -> None:
    reach(page, "#confirm")
    page.keyboard.type(PASSWORD)


def sign_in(desk: Desk, person: Person) -> Page:
    page = desk.window()
    page.goto("/accounts/login/")
    reach(page, "#id_login")
    page.keyboard.type(person.email)
    reach(page, "#id_password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return page


def test_filing_from_answers_to_approval_by_keyboard_alone(
    desk: Desk, manager: Person, analyst: Person, director: Person
) -> None:
    draft = complete(manager)
    drafts.save_answers(manager, draft, OPEN, seen=draft.configurations.get().answers)
    file(sign_in(desk, manager), draft)
    Simulation.objects.update(passed=True, finished_at=timezone.now())
    address = f"/submissions/{draft.number}/"
    recommend(desk.sign_in(analyst, at=address))
    approve(desk.sign_in(director, at=address), draft)


def file(page: Page, draft: Submission) -> None:
    press(page, f"a[href^='/submissions/{draft.number}/']")
    page.wait_for_url(f"**/submissions/{draft.number}/**")
    if page.locator("#checklist").count() == 0:
        press(page, "a[href$='/checklist/']")
    page.wait_for_url("**/checklist/")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to main content")).to_be_focused()
    page.keyboard.press("Enter")
    reach(page, "#verbal_wagers-1")
    with page.expect_response(lambda response: response.url.endswith("/checklist/")):
        page.keyboard.press("Space")
    reach(page, "#input-adjacent_boxes")
    page.keyboard.type("3")
    expect(page.locator("#summary")).to_contain_text("Ready to file.")
    page.reload()
    press(page, "button[formaction$='/checklist/review/']")
    page.wait_for_url("**/file/")
    reach(page, "#attested")
    page.keyboard.press("Space")
    sign(page)
    press(page, "form[action$='/file/'] button")
    expect(page.get_by_text("Receipt RS-").first).to_be_visible()
    assert draft.revisions.get().content["configurations"][0]["answers"]["adjacent_boxes"] == 3


def recommend(page: Page) -> None:
    reach(page, "#reason")
    page.keyboard.type("The figures agree.")
    sign(page)
    press(page, "button[formaction$='/recommend/']")
    expect(page.get_by_text("You recommended approval.")).to_be_visible()


def approve(page: Page, submission: Submission) -> None:
    reach(page, "#confirmed")
    page.keyboard.press("Space")
    sign(page)
    press(page, "button[formaction$='/approve/']")
    expect(page.locator("#document")).to_contain_text("Waiting for a worker.")
    sealed = {"unsigned_sha256": "1" * 64, "signer": "Demo Seal", "verification": {}, "pages": 1, "demo": True}
    signed = StoredFile.keep(b"%PDF-", "application/pdf")
    Document.objects.create(revision=submission.revisions.get(), signed=signed, signed_at=timezone.now(), **sealed)
    page.reload()
    reach(page, "a[href$='/document/']")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.path().read_bytes() == bytes(Document.objects.get().signed.content)
