"""The sign-in's own pages: passphrase, second factor, recovery codes, sessions; each looked at by axe."""

from __future__ import annotations

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from playwright.sync_api import Page, expect

from submissions.models import Person
from tests.browser.desk import NARROW, Desk, accessible_at_both_widths, fill_sign_in, open_menu
from tests.cast import PASSWORD

pytestmark = pytest.mark.browser
CODE = "Code of your authenticator app"
NEW = "another long demo passphrase"


def code(secret: str, step: int = 0) -> str:
    """What the app shows: now, or at the time step after it, as no code is taken twice."""
    counters = list(yield_hotp_counters_from_time())
    return format_hotp_value(hotp_value(secret, counters[len(counters) // 2] + step))


def by_form(desk: Desk, person: Person) -> Page:
    page = desk.window(NARROW)
    page.goto("/accounts/login/")
    fill_sign_in(page, person)
    return page


def heading(page: Page, words: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(words)


def confirm(page: Page, question: str = "Your passphrase", answer: str = PASSWORD) -> None:
    heading(page, "Confirm your identity")
    page.get_by_label(question).fill(answer)
    page.get_by_role("button", name="Confirm").click()


def test_second_factor_is_set_up_and_asked_for(desk: Desk, preparer: Person) -> None:
    page = by_form(desk, preparer)
    open_menu(page)
    page.get_by_role("link", name="Account settings").click()
    heading(page, "Second factor")
    page.get_by_role("link", name="Set up app").click()
    confirm(page)
    heading(page, "Set up an authenticator app")
    secret = page.get_by_label("Secret").input_value()
    page.get_by_label("Authenticator code").fill("000000")
    page.get_by_role("button", name="Turn on").click()
    expect(page.locator(".usa-error-message")).to_be_visible()
    accessible_at_both_widths(page)
    page.get_by_label("Authenticator code").fill(code(secret))
    page.get_by_role("button", name="Turn on").click()
    heading(page, "Recovery codes")
    accessible_at_both_widths(page)
    spare = page.locator(".account-codes li").first.inner_text()
    page.get_by_role("link", name="Second factor").click()
    expect(page.get_by_text("10 left.")).to_be_visible()
    accessible_at_both_widths(page)

    other = by_form(desk, preparer)
    heading(other, "Second factor")
    accessible_at_both_widths(other)
    other.get_by_label("Code").fill(code(secret, 1))
    other.get_by_role("button", name="Sign in").click()
    open_menu(other)
    expect(other.get_by_role("button", name="Sign out")).to_be_visible()
    other.goto("/accounts/2fa/totp/deactivate/")
    confirm(other, CODE, PASSWORD)
    expect(other.locator(".usa-error-message")).to_be_visible()
    accessible_at_both_widths(other)
    confirm(other, CODE, spare)
    heading(other, "Remove authenticator app")
    accessible_at_both_widths(other)
    other.get_by_role("button", name="Remove app").click()
    expect(other.get_by_text("Not set up.")).to_be_visible()


def test_passphrase_is_changed_and_other_places_are_signed_out(desk: Desk, preparer: Person) -> None:
    here, there = by_form(desk, preparer), by_form(desk, preparer)
    here.goto("/accounts/sessions/")
    heading(here, "Where you are signed in")
    accessible_at_both_widths(here)
    expect(here.locator("tbody tr")).to_have_count(2)
    here.get_by_role("link", name="Passphrase").click()
    confirm(here)
    heading(here, "Change your passphrase")
    here.get_by_label("Current Passphrase").fill("not it")
    here.get_by_label("New Passphrase", exact=True).fill(NEW)
    here.get_by_label("New Passphrase (again)").fill(NEW)
    here.get_by_role("button", name="Change passphrase").click()
    expect(here.locator(".usa-error-message")).to_be_visible()
    accessible_at_both_widths(here)
    for label, words in (("Current Passphrase", PASSWORD), ("New Passphrase", NEW), ("New Passphrase (again)", NEW)):
        here.get_by_label(label, exact=True).fill(words)
    here.get_by_role("button", name="Change passphrase").click()
    expect(here.get_by_role("alert").or_(here.get_by_role("status")).first).to_be_visible()
    preparer.refresh_from_db()
    assert preparer.check_password(NEW)
    there.goto("/accounts/sessions/")
    heading(there, "Sign in")


def test_pages_of_the_sign_in_are_accessible(desk: Desk, preparer: Person) -> None:
    page = desk.window(NARROW)
    for place in (
        "login",
        "signup",
        "password/reset",
        "password/reset/done",
        "password/reset/key/1-un-known",
        "inactive",
    ):
        page.goto(f"/accounts/{place}/")
        accessible_at_both_widths(page)
    page = by_form(desk, preparer)
    for place in ("reauthenticate", "logout", "2fa"):
        page.goto(f"/accounts/{place}/")
        accessible_at_both_widths(page)
    page.goto("/accounts/2fa/recovery-codes/generate/")
    confirm(page)
    heading(page, "Create new recovery codes")
    accessible_at_both_widths(page)
    page.goto("/accounts/2fa/webauthn/add/")
    heading(page, "Add a passkey")
    accessible_at_both_widths(page)
