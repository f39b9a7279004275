"""Who forgot the passphrase gets a link by mail; nobody learns from the pages who has an account."""

from __future__ import annotations

import re
import time
from datetime import timedelta

import time_machine
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.urls import reverse

from submissions.models import Person
from tests.submissions.web.clients import browser

NEW = "another long demo passphrase"
RESET = "/accounts/password/reset/"


def ask(email: str) -> tuple[int, str, str]:
    """What the browser gets: status, where it is led, and the page there."""
    client = browser()
    answer = client.post(RESET, {"email": email})
    return answer.status_code, answer["Location"], client.get(answer["Location"]).content.decode()


def link() -> str:
    found = re.search(r"https?://[^/]+(/accounts/password/reset/key/\S+)", mail.outbox[-1].body)
    assert found
    return found[1]


def test_sign_in_leads_to_a_new_passphrase(manager: Person) -> None:
    assert f'<a href="{RESET}">Forgot your passphrase?</a>' in browser().get("/accounts/login/").content.decode()
    ask(manager.email)
    client = browser()
    form = client.get(link())["Location"]
    client.post(form, {"password1": NEW, "password2": NEW})
    manager.refresh_from_db()
    assert manager.check_password(NEW)
    assert "This link has expired" in browser().get(link(), follow=True).content.decode()


def test_pages_do_not_tell_who_has_an_account(manager: Person, preparer: Person) -> None:
    """Each address gets one message, so that the time does not tell either; what it says, only its reader knows."""
    Person.objects.filter(pk=preparer.pk).update(is_active=False)
    answers = [ask(email) for email in (manager.email, "nobody@east.example.test", preparer.email)]
    assert answers[0] == answers[1] == answers[2]
    assert [message.to for message in mail.outbox] == [
        [manager.email], ["nobody@east.example.test"], [preparer.email],
    ]  # fmt: skip
    assert ["password/reset/key" in message.body for message in mail.outbox] == [True, False, False]
    words = "\n".join(message.subject + message.body for message in mail.outbox)
    assert not re.search("password(?!/reset)|sign up|signup", words)


def test_link_ends_after_an_hour(manager: Person) -> None:
    ask(manager.email)
    with time_machine.travel(time.time() + timedelta(minutes=61).total_seconds()):
        assert "This link has expired" in browser().get(link(), follow=True).content.decode()


def test_new_passphrase_does_not_replace_the_second_factor(manager: Person) -> None:
    TOTP.activate(manager, generate_totp_secret())
    ask(manager.email)
    client = browser()
    client.post(client.get(link())["Location"], {"password1": NEW, "password2": NEW})
    answer = client.post("/accounts/login/", {"login": manager.email, "password": NEW})
    assert answer["Location"] == reverse("mfa_authenticate")
    assert client.get("/people/").status_code == 302
