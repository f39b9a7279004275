"""A passkey of Chromium's virtual authenticator: added, used to sign in and to sign, and what is no answer refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import Page, expect

from submissions.accounts.pages import reauthentication
from submissions.models import Person, Submission
from tests.browser.desk import NARROW, WIDE, Desk, accessible_at_both_widths, fill_sign_in, open_menu
from tests.browser.test_people import minutes_pass
from tests.browser.test_sign_in import confirm, heading
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


@pytest.fixture(autouse=True)
def _public_address(settings: Any, desk: Desk) -> None:
    """A passkey belongs to the portal's public address."""
    settings.PUBLIC_URL = desk.server.url


def window_with_authenticator(desk: Desk, person: Person, width: int) -> Page:
    page = desk.window(width)
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    page.goto("/accounts/login/")
    fill_sign_in(page, person)
    return page


def add_passkey(page: Page) -> None:
    page.goto("/accounts/2fa/")
    page.get_by_role("link", name="Add passkey").click()
    confirm(page)
    heading(page, "Add a passkey")
    page.get_by_label("Name").fill("Office computer")
    page.get_by_role("button", name="Add passkey").click()
    heading(page, "Recovery codes")


def test_passkey_signs_in_and_signs(desk: Desk, manager: Person) -> None:
    draft: Submission = complete(manager)
    page = window_with_authenticator(desk, manager, NARROW)
    add_passkey(page)
    page.goto("/accounts/2fa/webauthn/")
    heading(page, "Your passkeys")
    accessible_at_both_widths(page)
    expect(page.get_by_role("row", name="Office computer")).to_be_visible()
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    page.goto("/accounts/login/")
    fill_sign_in(page, manager)
    heading(page, "Second factor")
    accessible_at_both_widths(page)
    page.get_by_role("button", name="Use passkey").click()
    heading(page, str(manager.organization))
    open_menu(page)
    expect(page.get_by_role("link", name="Account settings")).to_be_visible()
    page.goto(f"/submissions/{draft.number}/file/")
    page.locator("label[for=attested]").click()
    page.get_by_role("button", name="Use passkey").click()
    expect(page.get_by_text("Passkey accepted.")).to_be_visible()
    accessible_at_both_widths(page)
    page.get_by_role("button", name="File", exact=True).click()
    expect(page.get_by_text("Receipt RS-").first).to_be_visible()


def test_passkey_is_renamed_and_removed_with_the_passkey(desk: Desk, manager: Person) -> None:
    page = window_with_authenticator(desk, manager, NARROW)
    add_passkey(page)
    minutes_pass(manager)
    page.goto("/accounts/2fa/webauthn/")
    heading(page, "Confirm your identity")
    page.get_by_role("button", name="Use passkey").click()
    expect(page.get_by_text("Passkey accepted.")).to_be_visible()
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("link", name="Rename Office computer").click()
    heading(page, "Rename passkey")
    accessible_at_both_widths(page)
    page.get_by_label("Name").fill("Home computer")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Remove Home computer").click()
    heading(page, "Remove passkey Home computer")
    accessible_at_both_widths(page)
    page.get_by_role("button", name="Remove passkey").click()
    expect(page.get_by_text("You have no passkeys.")).to_be_visible()
    assert not manager.authenticator_set.exists()


def test_answer_is_good_once_in_its_session_and_from_the_portals_own_pages(
    desk: Desk, manager: Person, other_director: Person, settings: Any
) -> None:
    page = window_with_authenticator(desk, manager, WIDE)
    add_passkey(page)
    minutes_pass(manager)

    def answer() -> str:
        page.goto("/accounts/reauthenticate/")
        page.get_by_role("button", name="Use passkey").click()
        expect(page.get_by_text("Passkey accepted.")).to_be_visible()
        return page.locator("#confirm-passkey").input_value()

    def confirms(client: Client, credential: str) -> bool:
        sent = {reauthentication.PASSKEY_FIELD: credential}
        return client.post("/accounts/reauthenticate/", sent).status_code == 302

    same = Client()
    same.cookies["sessionid"] = next(one["value"] for one in page.context.cookies() if one["name"] == "sessionid")
    elsewhere, stranger = Client(), Client()
    elsewhere.force_login(manager)
    stranger.force_login(other_director)
    credential = answer()
    for client in (elsewhere, stranger):  # no challenge of these sessions
        client.get("/accounts/passkey-options/")
        assert not confirms(client, credential)
    settings.PUBLIC_URL = "http://localhost:1"  # the same host, another page
    assert not confirms(same, credential)
    settings.PUBLIC_URL = desk.server.url
    for broken in ("", "1", "[]", "{}", json.dumps({**json.loads(credential), "response": {}})):
        assert not confirms(same, broken)
    cache.clear()  # so many wrong answers would make the right one wait
    credential = answer()
    assert confirms(same, credential)
    minutes_pass(manager)
    assert not confirms(same, credential)
