"""The API explorer in a browser: every operation is listed under the portal's own policy, and a call is sent; axe finds
nothing, before and after it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from submissions.api.framework.openapi import examples
from submissions.models import Organization
from tests.browser.desk import WIDE, Desk, accessible, overflow
from tests.submissions.api.clients import made

pytestmark = pytest.mark.browser

PHONE = 375
WEBHOOKS = 2  # an event, and a test delivery


def opened(desk: Desk, width: int) -> tuple[Page, list[str]]:
    """The page once it lists everything, and what the browser's console says from now on, too."""
    page, said = desk.window(width), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto("/api/")
    expect(page.locator("#explorer .opblock")).to_have_count(len(examples()) + WEBHOOKS)
    return page, said


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_every_operation_is_listed_without_an_error_in_the_console(desk: Desk, width: int) -> None:
    page, said = opened(desk, width)
    page.locator(".opblock-summary-control").first.click()
    page.get_by_role("button", name="Try it out").click()
    accessible(page)
    assert (said, overflow(page)) == ([], 0)


def test_call_is_sent_with_the_key_that_was_pasted(desk: Desk, casino: Organization) -> None:
    token = made(casino, live=False).token
    page, said = opened(desk, WIDE)
    page.get_by_role("button", name="Authorize").first.click()
    dialog = page.locator(".dialog-ux")
    expect(dialog.locator("input")).to_have_count(1)  # no client secret is asked for: no client has one
    dialog.locator("input").first.fill(token)
    accessible(page)
    dialog.get_by_role("button", name="Authorize with this key").click()
    dialog.get_by_role("button", name="Close").first.click()
    call = page.locator("#operations-me-readMe")
    call.locator(".opblock-summary-control").click()
    call.get_by_role("button", name="Try it out").click()
    call.get_by_role("button", name="Execute").click()
    expect(call.locator(".live-responses-table")).to_contain_text(casino.name)
    accessible(page)
    assert said == []


def test_every_field_of_an_upload_has_its_own_name(desk: Desk) -> None:
    page, _ = opened(desk, WIDE)
    call = page.locator("[id$=uploadAttachment]").first
    call.locator(".opblock-summary-control").click()
    call.get_by_role("button", name="Try it out").click()
    call.get_by_label("Request content type").select_option("multipart/form-data")
    expect(call.locator("input[type=file]")).to_have_attribute("aria-label", "file")
    accessible(page)
