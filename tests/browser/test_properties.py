"""Two properties in one browser: switched by keyboard, a form of the other tab, a copy; wide, narrow and magnified."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from submissions.filings import drafts, table_groups
from submissions.filings.table_groups import GroupDescription
from submissions.models import Event, Organization, Person, Role, Submission
from tests.browser.desk import NARROW, Desk, accessible, accessible_at_both_widths, open_menu
from tests.browser.test_narrow import MAGNIFIED, reflows
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.properties import membership

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def away(manager: Person, other_casino: Organization) -> Person:
    return membership(manager, other_casino, Role.PREPARER)


def test_switched_and_copied_by_keyboard(desk: Desk, manager: Person, away: Person, stranger: Person) -> None:
    drafts.start_submission(stranger, "687a")
    source = ready_to_file(manager, "686a")
    table_groups.add_group(manager, source, GroupDescription("High limit", "3, 5"))
    page = desk.sign_in(manager, NARROW, at=f"/submissions/{source.number}/")
    page.get_by_role("link", name="Copy to another property").click()
    accessible_at_both_widths(page)
    page.get_by_role("button", name="Copy", exact=True).press("Enter")
    draft = Submission.objects.latest("pk")
    expect(page.get_by_role("main")).to_contain_text(f"{draft.number} is a draft of Casino West.")
    open_menu(page)
    choice = page.get_by_label("You act for")
    expect(choice.get_by_role("option", selected=True)).to_have_text("Casino East")
    choice.focus()
    choice.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("You now act for Casino West, as Preparer.")
    accessible_at_both_widths(page)
    page.goto(f"/submissions/{draft.number}/checklist/")
    expect(page.get_by_role("main")).to_contain_text("tables to be entered")
    accessible_at_both_widths(page)


def test_form_of_the_other_tab_is_kept_and_sent_to_its_property(desk: Desk, manager: Person, away: Person) -> None:
    group_of = drafts.start_submission(manager, "686a")
    page = desk.sign_in(manager, NARROW, at=f"/submissions/{group_of.number}/groups/")
    page.get_by_label("Name", exact=False).first.fill("High limit")
    page.get_by_label("Tables", exact=False).first.fill("3, 5")
    _switch_in_another_tab(page, "Casino West")
    page.get_by_role("button", name="Add group").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("You opened this page for another property")
    accessible_at_both_widths(page)
    assert group_of.configurations.count() == 1
    page.get_by_role("button", name="Act for Casino East and send again").click()
    expect(page.get_by_role("main")).to_contain_text("“High limit” was added.")
    assert group_of.configurations.get(position=1).tables == "3, 5"


def test_answer_of_the_other_tab_is_saved_after_switching_back(desk: Desk, manager: Person, away: Person) -> None:
    draft = drafts.start_submission(manager, "686a")
    page = desk.sign_in(manager, at=f"/submissions/{draft.number}/checklist/")
    _switch_in_another_tab(page, "Casino West")
    page.locator("#checklist label.usa-radio__label").first.click()
    banner = page.locator("#other-property")
    expect(banner).to_be_visible()
    accessible(page)
    assert not Event.objects.filter(verb="saved").exists()
    with page.context.expect_page() as opened:
        banner.get_by_role("button", name="Act for Casino East (in a new tab)").click()
    expect(opened.value.get_by_role("main")).to_contain_text("You now act for Casino East")
    banner.get_by_role("button", name="Save again").click()
    expect(banner).to_be_hidden()
    assert Event.objects.get(verb="saved").organization == manager.organization


def test_pages_of_two_properties_reflow_at_400_percent(desk: Desk, manager: Person, away: Person) -> None:
    Organization.objects.filter(pk=away.organization.pk).update(
        name="The Casino Resort of the Western Mountains and Lakes"
    )
    draft = drafts.start_submission(manager, "686a").number
    page = desk.sign_in(manager, MAGNIFIED)
    for address in ("/", f"/submissions/{draft}/", f"/submissions/{draft}/copy/", "/people/", "/accounts/2fa/"):
        reflows(page, address)


def _switch_in_another_tab(page: Page, name: str) -> None:
    other = page.context.new_page()
    other.goto("/")
    open_menu(other)
    other.get_by_label("You act for").select_option(
        label=next(
            text
            for text in other.get_by_label("You act for").locator("option").all_inner_texts()
            if text.startswith(name)
        )
    )
    other.get_by_role("button", name="Switch").click()
    expect(other.get_by_role("main")).to_contain_text(f"You now act for {name}")
    other.close()
