"""Magnified to 400 percent, a page is 320 CSS pixels wide (WCAG 1.4.10): only labelled regions scroll sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from submissions.filings import drafts, filing
from submissions.models import Person
from tests.browser.desk import Desk, accessible, overflow, work_apart
from tests.submissions.web.clients import complete

pytestmark = pytest.mark.browser

MAGNIFIED = 1280 // 4
PHONE, ROW = 375, 72  # pixels: the width of a phone, the height of one row with a title of two lines
SCROLLERS = """() => [...document.querySelectorAll("main *, header *, footer *")].filter((one) => {
    const sideways = one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX);
    return sideways && !one.matches("[role=region][tabindex='0']:is([aria-label], [aria-labelledby])");
}).map((one) => one.outerHTML.slice(0, 80))"""


def reflows(page: Page, address: str) -> None:
    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert (address, overflow(page), page.evaluate(SCROLLERS)) == (address, 0, [])


def test_every_kind_of_page_reflows_at_400_percent(desk: Desk, manager: Person, analyst: Person) -> None:
    filed, draft = complete(manager), drafts.start_submission(manager, "688a").number
    filing.file_submission(manager, filed, version=filed.version, attested=True)
    work_apart()
    anyone, ours, board = (desk.window(MAGNIFIED), *(desk.sign_in(who, MAGNIFIED) for who in (manager, analyst)))
    for address in ("/", "/games/", "/games/688a/", "/register/", "/verify/", "/accounts/login/", "/nowhere/"):
        reflows(anyone, address)
    reflows(anyone, "/sections/688a.7(a)/")
    for place in ("checklist/", "file/", ""):
        reflows(ours, f"/submissions/{draft}/{place}")
    for address in ("/", f"/submissions/{filed.number}/receipt/", "/accounts/2fa/", "/accounts/sessions/"):
        reflows(ours, address)
    for address in ("/", f"/submissions/{filed.number}/", f"/submissions/{filed.number}/rounds/?round=7"):
        reflows(board, address)


@pytest.mark.parametrize("script", [True, False])
def test_menu_is_one_row_on_a_phone_and_opens_by_keyboard(desk: Desk, analyst: Person, script: bool) -> None:
    page = desk.sign_in(analyst, PHONE, java_script_enabled=script, at="/search/")
    header, button = page.get_by_role("banner"), page.get_by_role("button", name="Menu", exact=True)
    menu, here = page.get_by_role("navigation", name="Main"), page.get_by_role("link", name="Search", exact=True)
    expect(menu).to_be_hidden()
    box, title, control = header.bounding_box(), page.locator(".site-title").bounding_box(), button.bounding_box()
    assert box
    assert title
    assert control
    assert title["x"] + title["width"] <= control["x"]  # side by side
    assert box["height"] <= ROW
    button.focus()
    page.keyboard.press("Enter")
    expect(menu).to_be_visible()
    expect(here).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    if script:
        accessible(page)
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()


def test_menu_is_in_the_page_on_a_wide_screen(desk: Desk, analyst: Person) -> None:
    page = desk.sign_in(analyst)
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(page.get_by_role("button", name="Menu", exact=True)).to_be_hidden()
