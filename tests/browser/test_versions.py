"""What holds when, on a desk and on a phone; what an amendment changes; how a game is discontinued."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from submissions.filings import copies
from submissions.models import Person, Revision
from tests.browser.desk import NARROW, Desk, accessible, accessible_at_both_widths
from tests.cast import PASSWORD
from tests.submissions.approved import Cast, change, set_apart
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.browser


@pytest.fixture
def cast(transactional_db: None, manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


@pytest.fixture
def versions(cast: Cast) -> tuple[Revision, Revision]:
    """Cajun Stud, in force and to be replaced: another Pocket Bonus paytable at four tables."""
    draft = ready_to_file(cast.manager, "683a")
    set_apart(draft, "High limit", "3, 7-9", pocket_bonus_paytable="Paytable A")
    first = cast.approve(draft)
    amendment = copies.start_amendment(cast.manager, first.submission)
    change(cast.manager, amendment, {"pocket_bonus_paytable": "Paytable C"}, group=1)
    return first, cast.approve(amendment, timezone.localdate() + timedelta(days=9))


def test_what_holds_is_read_by_anyone(desk: Desk, versions: tuple[Revision, Revision]) -> None:
    first, second = versions
    page = desk.window(NARROW)
    for address in ("/register/?standing=gone", "/in-force/?on=soon"):
        page.goto(address)
        accessible(page)
    for address in ("/register/", "/in-force/"):
        page.goto(address)
        accessible_at_both_widths(page)
    page.get_by_role("link", name="Cajun Stud").click()
    expect(page.get_by_role("heading", name=f"{first.receipt} is in effect on")).to_be_visible()
    accessible_at_both_widths(page)
    page.get_by_label("Table (optional)").fill("8")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("The table belongs to the group High limit (3, 7-9).")).to_be_visible()
    expect(page.get_by_role("table", name="Pocket Bonus Wager: Paytable A")).to_be_visible()
    accessible_at_both_widths(page)
    page.get_by_label("Date", exact=True).fill((timezone.localdate() + timedelta(days=9)).isoformat())
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("table", name="Pocket Bonus Wager: Paytable C")).to_be_visible()
    expect(page.get_by_text(second.receipt)).to_be_visible()


def test_amendment_is_read_beside_what_it_changes(
    desk: Desk, versions: tuple[Revision, Revision], manager: Person
) -> None:
    page = desk.sign_in(manager, NARROW, at=f"/submissions/{versions[1].submission.number}/changes/")
    expect(page.get_by_role("heading", name="1 line differs: Tables 3, 7-9")).to_be_visible()
    hold = page.locator("tr", has=page.locator("th", has_text=re.compile("^Pocket Bonus Wager$")))
    expect(hold).to_have_text("Pocket Bonus Wager Paytable A → Paytable C 4.5249 % 9.9548 % +5.4299 points")
    accessible_at_both_widths(page)
    page.goto(f"/submissions/{versions[1].submission.number}/")
    page.get_by_role("link", name="Discontinue game").click()
    page.get_by_label("Not offered from").fill("2020-01-01")
    page.get_by_label("Reason").fill("The pit is rebuilt.")
    page.locator("form.group-form").evaluate("form => form.noValidate = true")
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="Discontinue game").click()
    expect(page.get_by_label("Reason")).to_have_value("The pit is rebuilt.")
    accessible_at_both_widths(page)
    page.goto("/rules/changes/")
    complies = "All checked versions of your organization comply"
    expect(page.get_by_role("heading", name=complies)).to_be_visible()
    accessible_at_both_widths(page)
