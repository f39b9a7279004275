"""Invited, joined, second factor set up, signed with its code, deactivated: as a browser sees it, wide and narrow."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import Page, expect

from submissions.accounts.pages import reauthentication
from submissions.models import Organization, Person, Submission
from tests.browser.desk import NARROW, Desk, accessible_at_both_widths
from tests.browser.test_sign_in import code, confirm
from tests.cast import PASSWORD
from tests.submissions.accounts.test_members import administrator
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_from_the_invitation_to_a_signature_and_out(
    desk: Desk, casino: Organization, preparer: Person, settings: object
) -> None:
    chief, draft = administrator(casino, "Chief East"), complete(preparer)
    inviting = desk.sign_in(chief, NARROW)
    link = invite(inviting)
    settings.SECOND_FACTOR = True
    joined = desk.window(NARROW)
    join(joined, link)
    refused(joined, draft)
    secret = set_up(joined)
    minutes_pass(Person.objects.get(email="new.manager@east.example.test"))
    sign(joined, draft, code(secret, 1))
    settings.SECOND_FACTOR = False
    leave(inviting, joined)


def invite(page: Page) -> str:
    expect(page.get_by_role("complementary", name="Reminder")).to_contain_text("fewer than two administrators")
    page.get_by_role("link", name="Invite another administrator").click()
    page.get_by_label("E-mail address").fill("new.manager@east.example.test")
    page.get_by_label("Name", exact=True).fill("New Manager")
    page.get_by_label("Role", exact=True).select_option("Table Games Manager")
    page.get_by_label("Your passphrase").fill("not it")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_label("Your passphrase")).to_have_accessible_description(
        "Required to invite a user or to send an invitation again. Incorrect passphrase. Try again."
    )
    expect(page.get_by_label("Name", exact=True)).to_have_value("New Manager")
    accessible_at_both_widths(page)
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="Invite").click()
    accessible_at_both_widths(page)
    return page.get_by_label("Link (shown only once, works once)").input_value().removeprefix("http://127.0.0.1:8000")


def join(page: Page, link: str) -> None:
    page.goto(link)
    accessible_at_both_widths(page)
    for label in ("Passphrase", "Passphrase, again"):
        page.get_by_label(label, exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("Sign in with new.manager@east.example.test")).to_be_visible()
    page.get_by_label("E-mail address").fill("new.manager@east.example.test")
    page.get_by_label("Passphrase").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("complementary", name="Reminder")).to_contain_text("second factor")


def refused(page: Page, draft: Submission) -> None:
    page.goto(f"/submissions/{draft.number}/file/")
    button = page.get_by_role("button", name="File", exact=True)
    expect(button).to_be_disabled()
    expect(button).to_have_accessible_description("Set up a second factor first, under “Account settings”.")
    accessible_at_both_widths(page)


def set_up(page: Page) -> str:
    page.get_by_role("link", name="Set up a second factor").click()
    page.get_by_role("link", name="Set up app").click()
    confirm(page)
    secret = page.get_by_label("Secret").input_value()
    page.get_by_label("Authenticator code").fill(code(secret))
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    return secret


def minutes_pass(person: Person) -> None:
    """The last confirmation in this person's session is too old."""
    for row in UserSession.objects.filter(user=person):
        session = SessionStore(row.session_key)
        session.pop(reauthentication.CONFIRMED, None)
        session.save()


def sign(page: Page, draft: Submission, words: str) -> None:
    page.goto(f"/submissions/{draft.number}/file/")
    page.locator("label[for=attested]").click()
    page.get_by_label("Code of your authenticator app").fill("000000")
    page.get_by_role("button", name="File", exact=True).click()
    expect(page.get_by_label("Code of your authenticator app")).to_have_accessible_description(
        "This is your electronic signature. You can also use a recovery code."
        " Incorrect code, or it was already used."
        " Wait for the next code in the app, then enter it."
    )
    expect(page.locator("#attested")).to_be_checked()
    accessible_at_both_widths(page)
    page.get_by_label("Code of your authenticator app").fill(words)
    page.get_by_role("button", name="File", exact=True).click()
    expect(page.get_by_text("Receipt RS-").first).to_be_visible()


def leave(page: Page, left: Page) -> None:
    page.goto("/people/")
    page.get_by_role("link", name="New Manager").click()
    page.get_by_role("button", name="Deactivate").click()
    expect(page.get_by_text("New Manager no longer has access.")).to_be_visible()
    accessible_at_both_widths(page)
    left.goto("/people/")
    expect(left.get_by_role("heading", level=1)).to_have_text("Sign in")
    left.get_by_label("E-mail address").fill("new.manager@east.example.test")
    left.get_by_label("Passphrase").fill(PASSWORD)
    left.locator("main").get_by_role("button", name="Sign in").click()
    expect(left.get_by_role("button", name="Sign out")).to_have_count(0)
