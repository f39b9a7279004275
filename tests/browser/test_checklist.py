"""The checklist in a browser: at once, by keyboard, without script, with two people, and when the sign-in is gone."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from playwright.sync_api import Page, expect

from games.registry import chapter
from submissions.filings import drafts
from submissions.models import Person, Submission
from tests.browser.desk import NARROW, Desk, accessible, fill_sign_in
from tests.cast import PASSWORD
from tests.submissions.web.clients import complete

pytestmark = pytest.mark.browser


@pytest.fixture
def draft(preparer: Person) -> Submission:
    return drafts.start_submission(preparer, "686a")


def open_draft(desk: Desk, person: Person, draft: Submission, **options: object) -> Page:
    return desk.sign_in(person, at=f"/submissions/{draft.number}/checklist/", **options)


def choose(page: Page, key: str, place: int) -> None:
    with page.expect_response(lambda response: response.url.endswith("/checklist/")):
        page.locator(f"label[for={key}-{place}]").click()


def stored(draft: Submission) -> dict[str, object]:
    return draft.configurations.get().answers


def test_seven_boxes_are_told_at_once_and_kept(desk: Desk, preparer: Person, draft: Submission) -> None:
    page = open_draft(desk, preparer, draft)
    expect(page.locator("#line-adjacent_boxes")).to_be_hidden()
    choose(page, "adjacent_boxes_allowed", 1)
    boxes = page.get_by_label("What is the total number of boxes")
    boxes.click()  # waits until the line is shown; keys sent to a hidden box go nowhere
    boxes.press_sequentially("7")
    expect(page.locator("#findings-adjacent_boxes")).to_contain_text("Enter a number from 1 to 6.")
    expect(boxes).to_be_focused()
    expect(boxes).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#summary")).to_contain_text("1 to resolve before filing")
    accessible(page)
    boxes.fill("3")
    expect(page.locator("#findings-adjacent_boxes .finding")).to_have_count(0)
    page.reload()
    expect(boxes).to_have_value("3")


def test_section_opens_over_the_page_and_escape_closes_it(desk: Desk, preparer: Person, draft: Submission) -> None:
    page = open_draft(desk, preparer, draft)
    badge = page.get_by_role("link", name="§ 686a.6(e)")
    badge.click()
    expect(page.locator("#section-dialog")).to_contain_text("Bonus Wager")
    accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator("#section-dialog")).to_be_hidden()
    expect(badge).to_be_focused()


def test_two_browsers_on_one_line_choose(desk: Desk, preparer: Person, manager: Person, draft: Submission) -> None:
    first, second = open_draft(desk, preparer, draft), open_draft(desk, manager, draft)
    choose(first, "verbal_wagers", 1)
    choose(second, "verbal_wagers", 2)
    clash = second.locator("#line-verbal_wagers .clash")
    expect(clash).to_contain_text("Preparer East changed this line")
    accessible(second)
    choose(second, "bonus_wager", 1)
    assert stored(draft) == {"verbal_wagers": True, "bonus_wager": True}
    clash.get_by_role("button", name="Keep my answer").click()
    expect(second.locator("#verbal_wagers-2")).to_be_checked()
    assert stored(draft) == {"verbal_wagers": False, "bonus_wager": True}


@pytest.mark.parametrize("service", [False, True])
def test_expired_session_loses_nothing(
    desk: Desk, preparer: Person, draft: Submission, settings: LazySettings, service: bool
) -> None:
    """The page takes the token of the new sign-in from its cookie, which has another name in service."""
    if service:
        settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
        settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    page = desk.window()
    page.goto("/accounts/login/")
    fill_sign_in(page, preparer)
    page.goto(f"/submissions/{draft.number}/checklist/")
    choose(page, "verbal_wagers", 1)
    page.context.clear_cookies()
    page.locator("label[for=bonus_wager-1]").click()
    expect(page.locator("#signed-out")).to_be_visible()
    accessible(page)
    assert stored(draft) == {"verbal_wagers": True}
    with page.context.expect_page() as other:
        page.get_by_role("link", name="Sign in again in a new tab").click()
    fill_sign_in(other.value, preparer)
    expect(other.value.get_by_text("You are signed in again")).to_be_visible()
    page.get_by_role("button", name="Save again").click()
    expect(page.locator("#signed-out")).to_be_hidden()
    assert stored(draft) == {"verbal_wagers": True, "bonus_wager": True}


def test_ready_to_file_is_hidden_until_the_change_is_saved(desk: Desk, preparer: Person) -> None:
    page = open_draft(desk, preparer, complete(preparer))
    ready, saved = page.get_by_text("Ready to file."), page.locator("#saved")
    expect(ready).to_be_visible()
    expect(saved).to_have_text("The portal saves each change as you make it.")
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.get_by_label("What is the total number of boxes").fill("2")
    expect(page.locator("#signed-out")).to_be_visible()
    expect(ready).to_be_hidden()
    page.context.add_cookies(cookies)
    page.get_by_role("button", name="Save again").click()
    expect(saved).to_contain_text("Saved")
    expect(ready).to_be_visible()


def test_works_without_script(desk: Desk, preparer: Person, draft: Submission) -> None:
    page = open_draft(desk, preparer, draft, java_script_enabled=False)
    expect(page.locator("#saved")).to_have_text("Select Save to save your changes.")
    page.locator("label[for=adjacent_boxes_allowed-1]").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_label("What is the total number of boxes").fill("3")
    page.get_by_role("button", name="Review and file").click()
    assert stored(draft) == {"adjacent_boxes_allowed": True, "adjacent_boxes": 3}
    page.get_by_role("link", name="§ 686a.6(f)").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("§ 686a.6(f)")


def test_two_windows_file_once(desk: Desk, manager: Person) -> None:
    submission = complete(manager)
    windows = [desk.sign_in(manager, at=f"/submissions/{submission.number}/file/") for _ in range(2)]
    for page in windows:
        page.locator("label[for=attested]").click()
        page.get_by_label("Your passphrase").fill(PASSWORD)
    for page in windows:
        page.get_by_role("button", name="File", exact=True).click()
    expect(windows[0].get_by_text("Receipt RS-").first).to_be_visible()
    expect(windows[1].get_by_role("heading", level=1)).to_have_text("Changed by another user")
    accessible(windows[1])
    assert submission.revisions.count() == 1


def test_casino_next_door_finds_nothing(desk: Desk, stranger: Person, draft: Submission) -> None:
    page = desk.sign_in(stranger, NARROW)
    assert page.goto(f"/submissions/{draft.number}/checklist/").status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    accessible(page)


def test_game_page_reads_at_360_pixels(desk: Desk) -> None:
    page = desk.window(NARROW)
    page.goto("/games/687a/")
    expect(page.get_by_role("heading", level=1)).to_have_text(chapter("687a").title)
    accessible(page)
