"""Table groups in a browser: added, changed line by line, told apart, at both widths and without script."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from submissions.filings import table_groups
from submissions.filings.table_groups import GroupDescription
from submissions.models import Person
from tests.browser.desk import NARROW, Desk, accessible
from tests.submissions.web.clients import complete

pytestmark = pytest.mark.browser


def test_group_is_added_and_differs_at_once(desk: Desk, preparer: Person) -> None:
    draft = complete(preparer)
    page = desk.sign_in(preparer, at=f"/submissions/{draft.number}/checklist/")
    page.get_by_role("link", name="Add a table group").click()
    page.get_by_label("Name").fill("High limit")
    page.get_by_label("Tables", exact=True).fill("9-7")
    page.get_by_role("button", name="Add group").click()
    expect(page.locator("#id_tables_error")).to_contain_text("runs backwards")
    accessible(page)
    page.get_by_label("Tables", exact=True).fill("3, 7-9")
    page.get_by_role("button", name="Add group").click()
    expect(page.get_by_role("link", name="High limit tables 3, 7-9")).to_have_attribute("aria-current", "page")
    page.locator("label[for=bonus_wager-2]").click()
    expect(page.locator("#findings-bonus_wager")).to_contain_text("which have: Yes.")
    expect(page.locator("#summary")).to_contain_text("1 line differs from the other tables")
    accessible(page)
    page.locator("#line-bonus_wager").get_by_role("button", name="Use the answer for all tables").click()
    expect(page.locator("#summary")).to_contain_text("No answer differs")
    assert draft.configurations.get(position=1).answers["bonus_wager"] is True


def test_groups_are_told_apart_on_a_phone_without_script(desk: Desk, preparer: Person) -> None:
    draft = complete(preparer)
    table_groups.add_group(preparer, draft, GroupDescription("High limit", "3, 7-9"))
    page = desk.sign_in(
        preparer, NARROW, java_script_enabled=False, at=f"/submissions/{draft.number}/checklist/?group=1"
    )
    page.locator("label[for=bonus_wager-2]").click()
    page.get_by_role("button", name="Review and file").click()
    row = page.locator(".side-by-side tr", has_text="Bonus Wager").first
    expect(row.locator("td")).to_have_text(["Yes", "No"])
