"""The notices as they are met: the count in the head, a new one, the choice of mails by keyboard, on a phone too."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from submissions.filings.review import decisions
from submissions.models import Notice, Person
from tests.browser.desk import NARROW, Desk, accessible_at_both_widths, open_menu
from tests.submissions.web.clients import file_complete

pytestmark = pytest.mark.browser


def test_notices_and_the_choice_of_mails(desk: Desk, preparer: Person, manager: Person, analyst: Person) -> None:
    submission = file_complete(preparer, manager)
    decisions.return_to_licensee(analyst, submission, version=submission.version, reason="Which rack?")
    page = desk.sign_in(manager, NARROW)
    open_menu(page)
    page.get_by_role("link", name="Notices 1 new").click()
    expect(page.get_by_role("main")).to_contain_text(f"Analyst One returned {submission.number} (Over/Under)")
    open_menu(page)
    expect(page.get_by_role("link", name="Notices", exact=True)).to_be_visible()
    accessible_at_both_widths(page)
    page.get_by_role("radio", name="Each decision at once").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_text("From now on: Everything together, once a day.")).to_be_visible()
    expect(page.get_by_role("radio", name="Everything together")).to_be_checked()
    assert not Notice.objects.filter(person=manager, seen_at=None).exists()
