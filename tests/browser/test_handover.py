"""From preparer to manager in a browser, wide and narrow: every new page is accessible and fits."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from submissions.accounts import stand_ins
from submissions.filings import drafts
from submissions.models import Handover, Person, Submission
from tests.browser.desk import NARROW, Desk, accessible_at_both_widths
from tests.submissions.example_drafts import ready_to_file

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_draft_is_sent_and_sent_back(desk: Desk, preparer: Person, manager: Person) -> None:
    draft = ready_to_file(preparer, "593")
    page = desk.sign_in(preparer, NARROW, at=f"/submissions/{draft.number}/")
    page.get_by_role("link", name="Review and send to manager").press("Enter")
    expect(page.get_by_role("button", name="File", exact=True)).to_have_count(0)
    page.get_by_label("Note for your manager").fill("Please check the shaker.")
    accessible_at_both_widths(page)
    page.get_by_role("button", name="Send to manager").press("Enter")
    expect(page.get_by_role("main")).to_contain_text("Sent to manager by Preparer East")
    accessible_at_both_widths(page)
    other = desk.sign_in(manager, NARROW)
    expect(other.get_by_role("main")).to_contain_text("Please check the shaker.")
    accessible_at_both_widths(other)
    other.goto(f"/submissions/{draft.number}/file/")
    accessible_at_both_widths(other)
    other.get_by_label("Note for the preparer").fill("Which shaker?")
    other.get_by_role("button", name="Send back to preparer").press("Enter")
    expect(other.get_by_role("main")).to_contain_text("Sent back to preparer, with your note.")
    assert Handover.objects.latest("pk").note == "Which shaker?"


def test_second_draft_is_asked_for_and_a_draft_is_deleted(desk: Desk, preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "593")
    page = desk.sign_in(preparer, NARROW)
    page.locator('form[action="/submissions/start/593/"] button').press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("You have a draft for")
    accessible_at_both_widths(page)
    page.get_by_role("link", name="Start from an earlier filing").press("Enter")
    accessible_at_both_widths(page)
    page.get_by_role("button", name="Start draft").press("Enter")
    expect(page.get_by_role("main")).to_contain_text(f"starts with the answers of {draft.number}")
    page.goto(f"/submissions/{draft.number}/delete/")
    accessible_at_both_widths(page)
    page.get_by_role("button", name="Delete draft").press("Enter")
    expect(page.get_by_role("main")).to_contain_text(f"{draft.number} is deleted.")
    assert Submission.objects.get(pk=draft.pk).status == "deleted"


def test_stand_in_and_comments_are_readable(desk: Desk, preparer: Person, manager: Person) -> None:
    today = timezone.localdate()
    stand_ins.name_stand_in(
        manager, preparer, first_day=today, last_day=today + timedelta(days=5), reason="Vacation of the manager."
    )
    draft = drafts.start_submission(manager, "593")
    drafts.save_answers(manager, draft, {"millionaire_row_bet": True})
    page = desk.sign_in(manager, NARROW, at="/people/")
    accessible_at_both_widths(page)
    page.goto("/people/stand-ins/")
    expect(page.get_by_role("main")).to_contain_text("Acts now")
    accessible_at_both_widths(page)
    page.goto(f"/submissions/{draft.number}/checklist/")
    page.locator("#line-millionaire_row_bet summary", has_text="Comment").click()
    page.locator("#comment-millionaire_row_bet").fill("Do we offer it?")
    page.locator("#line-millionaire_row_bet").get_by_role("button", name="Save comment").press("Enter")
    expect(page.locator("#line-millionaire_row_bet")).to_contain_text("Do we offer it?")
    expect(page.locator("#line-millionaire_row_bet")).to_contain_text("Last change: Manager East")
    accessible_at_both_widths(page)
