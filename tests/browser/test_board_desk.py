"""The Board's desk in a browser: queue, equal filings, workload, calendar; wide, narrow, and by keyboard alone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from submissions.filings import filing
from submissions.models import Decision, LayoutStatus, Organization, Part, Person, Role, Simulation, Status, Submission
from tests.browser.desk import NARROW, Desk, accessible_at_both_widths
from tests.cast import PASSWORD, person
from tests.submissions import filing_rows
from tests.submissions.layout_rows import layout_row
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def three(manager: Person, stranger: Person) -> list[Submission]:
    """Equal filings of three licensees, simulated; and decided ones for the turnaround."""
    north = person(
        Organization.objects.create(kind="licensee", name="Casino North", slug="north"), Role.MANAGER, "North"
    )
    rows = []
    for by in (manager, stranger, north):
        submission = complete(by)
        filing.file_submission(by, submission, version=submission.version, attested=True)
        rows.append(submission)
    Simulation.objects.update(passed=True)
    for place, by in enumerate((manager, stranger, north)):
        at = timezone.localtime() - timedelta(days=40 + 5 * place)
        decided = filing_rows.filing(by, "687a", at=f"{at:%Y-%m-%dT%H:%M}", status=Status.APPROVED)
        Decision.objects.create(revision=decided, kind="approve", by=by, at=at + timedelta(days=3 + 4 * place))
    layout_row(
        decided, at=f"{timezone.localdate() - timedelta(1)}T12:00", status=LayoutStatus.FILED, parts=(Part.SIGN,)
    )
    return rows


def test_pages_of_the_desk_are_accessible(desk: Desk, three: list[Submission], analyst: Person) -> None:
    page = desk.sign_in(analyst, NARROW, at="/?by=licensee")
    accessible_at_both_widths(page)
    page.get_by_role("link", name="3 equal filings").click()
    accessible_at_both_widths(page)
    for name in ("workload", "calendar"):
        page.goto(f"/{name}/")
        accessible_at_both_widths(page)


def press_to(page: Page, target: Locator, most: int = 80) -> int:
    """Press Tab until the focus is on this control; how often that was."""
    for count in range(1, most):
        page.keyboard.press("Tab")
        if target.evaluate("node => node === document.activeElement"):
            return count
    raise AssertionError(f"{target} is not reached with {most} tabs")


def test_three_equal_filings_recommended_by_keyboard_alone(
    desk: Desk, three: list[Submission], analyst: Person
) -> None:
    page = desk.sign_in(analyst, at="/")
    steps = [press_to(page, page.get_by_role("link", name="3 equal filings"))]
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("3 equal filings")
    steps.append(press_to(page, page.locator("#confirm")))
    page.keyboard.type(PASSWORD)
    steps.append(press_to(page, page.get_by_role("button", name="Recommend approval")))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Recommended 3 filings")).to_be_visible()
    assert {Submission.objects.get(pk=row.pk).status for row in three} == {Status.RECOMMENDED}
    assert sum(steps) < 80, steps


def test_assigned_by_keyboard_from_the_queue(desk: Desk, three: list[Submission], analyst: Person) -> None:
    page = desk.sign_in(analyst, at="/?by=licensee")
    press_to(page, page.locator(f"form[action='/submissions/{three[0].number}/assign/'] button"))
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"{three[0].number} is assigned to you.")).to_be_visible()
    assert page.url.endswith("/?by=licensee")
