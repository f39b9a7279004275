"""Magnified to 400 percent, a page is 320 CSS pixels wide (WCAG 1.4.10): only labelled regions scroll sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from submissions.filings import drafts, filing
from submissions.models import Person
from tests.browser.conftest import Desk, work_apart
from tests.submissions.web.conftest import complete

pytestmark = pytest.mark.browser

MAGNIFIED = 1280 // 4
SCROLLERS = """() => [...document.querySelectorAll("main *, header *, footer *")].filter((one) => {
    const sideways = one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX);
    return sideways && !one.matches("[role=region][tabindex='0']:is([aria-label], [aria-labelledby])");
}).map((one) => one.outerHTML.slice(0, 80))"""


def reflows(page: Page, address: str) -> None:
    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert (address, overflow, page.evaluate(SCROLLERS)) == (address, 0, [])


def test_every_kind_of_page_reflows_at_400_percent(desk: Desk, manager: Person, analyst: Person) -> None:
    filed, draft = complete(manager), drafts.start_submission(manager, "688a").number
    filing.file_submission(manager, filed, version=filed.version, attested=True)
    work_apart()
    anyone, ours, board = (desk.window(MAGNIFIED), *(desk.sign_in(who, MAGNIFIED) for who in (manager, analyst)))
    for address in ("/", "/games/", "/games/688a/", "/register/", "/verify/", "/log/", "/accounts/login/", "/nowhere/"):
        reflows(anyone, address)
    reflows(anyone, "/sections/688a.7(a)/")
    for place in ("checklist/", "file/", ""):
        reflows(ours, f"/submissions/{draft}/{place}")
    for address in ("/", f"/submissions/{filed.number}/receipt/", "/accounts/2fa/", "/accounts/sessions/"):
        reflows(ours, address)
    for address in ("/", f"/submissions/{filed.number}/", f"/submissions/{filed.number}/rounds/?round=7"):
        reflows(board, address)
