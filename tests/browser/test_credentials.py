"""Credentials, webhooks and the error codes in a browser: wide, narrow, with the keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from submissions.models import Credential, Organization, Webhook
from tests.browser.desk import (
    NARROW,
    Desk,
    accessible_at_both_widths,
    open_menu,
    overflow,
    work_apart,
)
from tests.browser.test_narrow import MAGNIFIED, reflows
from tests.cast import PASSWORD
from tests.submissions.accounts.test_members import administrator
from tests.submissions.api.clients import system
from tests.submissions.notifications.receiver import receiving

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LEAVE_TEN = "rows => rows.slice(10).forEach((row) => row.remove())"  # all are made alike, and axe takes long for each
TOKEN = re.compile(r"rsp_live_[0-9a-f]{12}_[0-9a-f]{64}")


@pytest.fixture(autouse=True)
def _here(settings: object) -> None:
    settings.SECOND_FACTOR = False
    settings.WEBHOOK_PRIVATE = True


def test_from_the_making_to_the_revocation(desk: Desk, casino: Organization) -> None:
    page = desk.sign_in(administrator(casino, "Chief East"), NARROW)
    open_menu(page)
    page.get_by_role("link", name="Users").click()
    page.get_by_role("link", name="API keys", exact=True).click()
    token = make(page)
    page.reload()  # which sends the form again
    expect(page.get_by_role("alert").first).to_contain_text("This form was already sent")
    expect(page.get_by_label("Name of the system that uses it")).to_have_value("Night run")
    expect(page.get_by_role("link", name="Night run")).to_have_count(1)
    assert system(token).get("/api/v1/submissions/").status_code == 200
    page.get_by_role("main").get_by_role("link", name="API keys").last.click()
    expect(page.locator("body")).not_to_contain_text(token[30:])
    accessible_at_both_widths(page)
    later = rotate(page)
    revoke(page)
    statuses = [system(one).get("/api/v1/submissions/").status_code for one in (token, later)]
    assert statuses == [401, 200]


def make(page: Page) -> str:
    page.get_by_label("Name of the system that uses it").fill("Night run")
    page.locator("[value=read] + label").click()
    page.locator("[value=live] + label").click()
    page.get_by_label("Allowed networks").fill("127.0.0.0/8")
    page.get_by_label("Your passphrase").fill("not it")
    page.get_by_role("button", name="Create API key").click()
    expect(page.get_by_label("Your passphrase")).to_have_accessible_description(
        "Required to create an API key. Incorrect passphrase. Try again."
    )
    expect(page.get_by_label("Name of the system that uses it")).to_have_value("Night run")
    expect(page.locator("[value=read]")).to_be_checked()
    expect(page.locator("[value=live]")).to_be_checked()
    accessible_at_both_widths(page)
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="Create API key").click()
    return shown_once(page, "API key")


def shown_once(page: Page, label: str) -> str:
    """The secret, which the button copies where the browser lets it."""
    secret = page.get_by_label(f"{label} (shown only once)").input_value()
    page.context.grant_permissions(["clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert pasted(page) == secret
    accessible_at_both_widths(page)
    return secret


def pasted(page: Page) -> str:
    """What a person would paste elsewhere: no page of the portal may read the clipboard."""
    elsewhere = page.context.new_page()
    elsewhere.set_content("<textarea></textarea>")
    elsewhere.locator("textarea").press("Control+V")
    text = elsewhere.locator("textarea").input_value()
    elsewhere.close()
    return text


def rotate(page: Page) -> str:
    page.get_by_role("link", name="Night run").click()
    page.get_by_label("Days for which both keys are valid").fill("40")
    page.get_by_role("button", name="Rotate").click()
    expect(page.get_by_role("alert").first).to_contain_text("The limit is 30 days")
    expect(page.get_by_label("Days for which both keys are valid")).to_have_value("40")
    accessible_at_both_widths(page)
    page.get_by_label("Days for which both keys are valid").fill("3")
    page.get_by_role("button", name="Rotate").click()
    token = shown_once(page, "API key")
    assert TOKEN.fullmatch(token)
    return token


def revoke(page: Page) -> None:
    page.goto(f"/organization/credentials/{Credential.objects.earliest('pk').pk}/")
    expect(page.get_by_text("both are valid until")).to_be_visible()
    page.get_by_label("Why").fill("It stood in a mail.")
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("is revoked: calls with it are refused.")).to_be_visible()
    expect(page.get_by_role("region", name="Recent changes")).to_contain_text("It stood in a mail.")
    accessible_at_both_widths(page)


def test_webhook_is_made_tried_replayed_and_ended(desk: Desk, casino: Organization) -> None:
    page = desk.sign_in(administrator(casino, "Chief East"), NARROW, at="/organization/webhooks/")
    with receiving() as receiver:
        receiver.statuses = [503, 204]
        page.get_by_label("Address of your system").fill("hooks.example.test")
        page.get_by_text("Choose kinds of events").click()
        page.locator("[value=approved] + label").click()
        page.get_by_label("Your passphrase").fill(PASSWORD)
        page.get_by_role("button", name="Create webhook").click()
        expect(page.get_by_role("alert").first).to_contain_text("is not an address that the portal can call.")
        expect(page.locator("[value=approved]")).to_be_checked()
        accessible_at_both_widths(page)
        page.get_by_label("Address of your system").fill(receiver.url())
        page.get_by_role("button", name="Create webhook").click()
        shown_once(page, "Secret")
        page.get_by_role("link", name="Open and send test").click()
        page.get_by_role("button", name="Send test").click()
        for answered, state in (("It answered 503.", "Waiting"), ("It answered 204.", "Delivered")):
            work_apart()
            page.reload()
            deliveries = page.get_by_role("region", name="Deliveries")
            expect(deliveries).to_contain_text(answered)
            expect(deliveries).to_contain_text(state)
            page.get_by_role("button", name="Send again").click()
    accessible_at_both_widths(page)
    page.get_by_role("button", name="End webhook").click()
    expect(page.get_by_text("The portal no longer sends events to")).to_be_visible()
    expect(page.get_by_role("button", name="Send again")).to_have_count(0)
    page.goto("/organization/webhooks/")
    expect(page.get_by_role("region", name="Endpoints")).to_contain_text("Ended")
    accessible_at_both_widths(page)


def test_credential_is_made_with_the_keyboard_alone(desk: Desk, casino: Organization) -> None:
    page = desk.sign_in(administrator(casino, "Chief East"), at="/organization/credentials/")
    page.get_by_label("Name of the system that uses it").focus()
    page.keyboard.type("Night run")
    for key in ("Tab", "Space", "Tab", "Tab", "Tab", "ArrowDown"):  # read; past prepare and file; from test to live
        page.keyboard.press(key)
    expect(page.locator("[value=live]")).to_be_focused()
    page.get_by_label("Your passphrase").focus()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("API key “Night run” created")
    row = Credential.objects.get()
    assert (row.name, row.scopes, row.live) == ("Night run", ["read"], True)


def test_catalogue_leads_to_each_code(desk: Desk, casino: Organization) -> None:
    page = desk.window(NARROW)
    page.goto("/")
    page.get_by_role("link", name="Error codes").click()
    page.get_by_role("link", name="webhook-ended", exact=True).click()
    expect(page).to_have_url(re.compile("#webhook-ended$"))
    expect(page.locator("tr:target")).to_be_in_viewport()
    page.locator("tr:not(:target)").evaluate_all(LEAVE_TEN)
    accessible_at_both_widths(page)
    page.locator("tr:target").get_by_role("link", name="409").click()
    expect(page.locator("body")).to_contain_text('"code":"webhook-ended"')


def test_pages_reflow_at_400_percent(desk: Desk, casino: Organization) -> None:
    page = desk.sign_in(administrator(casino, "Chief East"), MAGNIFIED)
    for address in ("credentials/", "webhooks/"):
        reflows(page, f"/organization/{address}")
    reflows(page, "/errors/")
    page.goto("/organization/webhooks/")
    page.get_by_label("Address of your system").fill("https://hooks.example.test/a-rather-long-path/that/does/not/end")
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="Create webhook").click()
    expect(page.get_by_label("Secret (shown only once)")).to_be_visible()
    assert overflow(page) == 0
    reflows(page, f"/organization/webhooks/{Webhook.objects.get().pk}/")
