"""The security log in a browser: reached, filtered and taken away with the keyboard's controls, wide and narrow."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from submissions.models import AccessRecord, Organization, Person
from submissions.security_log.records import Access, Caller, record_access
from tests.browser.desk import NARROW, Desk, accessible_at_both_widths, open_menu
from tests.browser.test_narrow import MAGNIFIED, reflows
from tests.submissions.accounts.test_members import administrator

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture(autouse=True)
def _without_second_factor(settings: object) -> None:
    settings.SECOND_FACTOR = False


@pytest.fixture
def rows(manager: Person) -> None:
    """Some of each kind."""
    caller = Caller("2001:db8:85a3:8d3:1319:8a2e:370:7348", FIREFOX)
    record_access(caller, Access(AccessRecord.Kind.SIGN_IN, person=manager, details={"with": "password, totp"}))
    subject = f"attachment number=RS-2026-00001 sha256={'0123456789abcdef' * 4}"
    record_access(caller, Access(AccessRecord.Kind.DOWNLOAD, person=manager, object_reference=subject))
    refused = Access(AccessRecord.Kind.KEY_REFUSED, "credential-wrong", credential="rsp_live_3f9a02c417de", count=480)
    record_access(Caller("203.0.113.9", "python-requests/2.32"), refused)


def test_administrator_finds_filters_and_exports(desk: Desk, board: Organization, rows: None) -> None:
    page = desk.sign_in(administrator(board, "Chief Board"), NARROW)
    open_menu(page)
    page.get_by_role("link", name="Users").click()
    page.get_by_role("link", name="Security log").click()
    accessible_at_both_widths(page)
    page.get_by_label("Address or network").fill("203.0.113")
    page.get_by_role("button", name="Filter").press("Enter")
    expect(page.get_by_label("Address or network")).to_have_accessible_description(
        "“203.0.113” is not an address or a network. "
        "Enter an address, such as 203.0.113.7, or a network, such as 203.0.113.0/24 or 2001:db8::/32."
    )
    accessible_at_both_widths(page)
    page.get_by_label("Address or network").fill("203.0.113.0/24")
    page.get_by_role("button", name="Filter").press("Enter")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("API key refused, 480 times")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download results (CSV)").click()
    assert "rsp_live_3f9a02c417de" in download.value.path().read_text(encoding="utf-8")
    page.get_by_role("link", name="Clear").click()
    expect(page.locator("tbody tr")).to_have_count(5)  # the sign-in and the export, too


def test_log_reflows_at_400_percent(desk: Desk, board: Organization, rows: None) -> None:
    page = desk.sign_in(administrator(board, "Chief Board"), MAGNIFIED)
    reflows(page, "/security-log/")
