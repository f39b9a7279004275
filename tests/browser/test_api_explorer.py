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
# The groups that axe need not see: all are made alike, and a hundred calls take it a minute.
ALIKE = ".opblock-tag-section:not(:has(.opblock.is-open))"
WEBHOOKS = 2  # an event, and a test delivery
# To open an operation, Swagger UI reads the whole description again (its issue 10748): five seconds, where two cores do
# nothing else.
OPENING = 60_000  # ms


def opened(desk: Desk) -> tuple[Page, list[str]]:
    """The page once it lists everything, and what the browser's console says from now on, too."""
    page, said = desk.window(WIDE), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto("/api/")
    expect(page.locator("#explorer .opblock")).to_have_count(len(examples()) + WEBHOOKS)
    return page, said


def test_every_operation_is_listed_without_an_error_in_the_console(desk: Desk) -> None:
    page, said = opened(desk)
    call = page.locator("[id$=uploadAttachment]").first
    call.locator(".opblock-summary-control").click(timeout=OPENING)
    call.get_by_role("button", name="Try it out").click()
    call.get_by_label("Request content type").select_option("multipart/form-data")
    expect(call.locator("input[type=file]")).to_have_attribute("aria-label", "file")  # as the field is called
    assert (said, overflow(page)) == ([], 0)
    accessible_in_part(page)
    page.set_viewport_size({"width": PHONE, "height": 900})
    accessible(page)
    page.get_by_role("button", name="Authorize").first.click()
    expect(page.locator(".dialog-ux")).to_be_visible()
    accessible(page)


def test_call_is_sent_with_the_key_that_was_pasted(desk: Desk, casino: Organization) -> None:
    token = made(casino, live=False).token
    page, said = opened(desk)
    page.get_by_role("button", name="Authorize").first.click()
    dialog = page.locator(".dialog-ux")
    expect(dialog.locator("input")).to_have_count(1)  # no client secret is asked for: no client has one
    dialog.locator("input").first.fill(token)
    dialog.get_by_role("button", name="Authorize with this key").click()
    dialog.get_by_role("button", name="Close").first.click()
    call = page.locator("#operations-me-readMe")
    call.locator(".opblock-summary-control").click(timeout=OPENING)
    call.get_by_role("button", name="Try it out").click()
    call.get_by_role("button", name="Execute").click()
    expect(call.locator(".live-responses-table")).to_contain_text(casino.name)
    assert said == []
    accessible_in_part(page)


def accessible_in_part(page: Page) -> None:
    page.locator(ALIKE).evaluate_all("groups => groups.forEach((one) => one.remove())")
    accessible(page)
