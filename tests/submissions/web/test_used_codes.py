"""A code of the authenticator app is good once: to activate it, to sign in, to confirm; also with an empty cache."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.cache import cache
from django.test import Client

from submissions.accounts.second_factor import mark_code_used
from submissions.models import Person
from tests.submissions.web.clients import browser
from tests.submissions.web.test_attempts import HOME, at, sign_in
from tests.submissions.web.test_confirmation_page import code, confirm

pytestmark = pytest.mark.service("locks")

AUTHENTICATE = "/accounts/2fa/authenticate/"


@pytest.fixture
def clock() -> Iterator[Any]:
    """A time that stands still until it is moved."""
    with time_machine.travel(float(int(time.time())), tick=False) as traveller:
        yield traveller


@pytest.fixture
def secret(manager: Person) -> str:
    secret = generate_totp_secret()
    TOTP.activate(manager, secret)
    return secret


def enter(person: Person, entered: str) -> bool:
    """Sign in with the passphrase and this code."""
    client: Client = at(HOME)
    assert sign_in(client, person)
    return client.post(AUTHENTICATE, {"code": entered}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_code_that_activated_the_app_does_not_sign_in(manager: Person, clock: Any) -> None:
    client = browser(manager)
    client.get("/accounts/2fa/totp/activate/")
    secret = client.session["mfa.totp.secret"]
    activating = code(secret)
    assert client.post("/accounts/2fa/totp/activate/", {"code": activating}).status_code == 302
    cache.clear()
    assert not enter(manager, activating)
    assert not enter(manager, f" {activating[:3]} {activating[3:]}")
    clock.shift(30)
    assert enter(manager, code(secret))


def test_code_that_signed_in_confirms_nothing(manager: Person, secret: str, clock: Any) -> None:
    entered = code(secret)
    assert enter(manager, entered)
    cache.clear()
    assert confirm(browser(manager, confirmed=False), entered) == 403
    clock.shift(30)
    assert confirm(browser(manager, confirmed=False), code(secret)) == 302


def test_code_that_confirmed_does_not_sign_in(manager: Person, secret: str, clock: Any) -> None:
    entered = code(secret)
    assert confirm(browser(manager, confirmed=False), entered) == 302
    cache.clear()
    assert not enter(manager, entered)


def test_code_before_the_last_one_is_not_accepted(manager: Person, secret: str, clock: Any, settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = 1
    earlier = code(secret)
    clock.shift(30)
    app = Authenticator.objects.get()
    assert mark_code_used(app, code(secret))
    assert not mark_code_used(app, earlier)
    assert not enter(manager, earlier)


def test_app_whose_secret_no_key_reads_signs_nobody_in(manager: Person, secret: str, clock: Any, settings: Any) -> None:
    settings.SECRET_KEY = "another one"
    client = at(HOME)
    assert sign_in(client, manager)
    answer = client.post(AUTHENTICATE, {"code": code(secret)})
    assert (answer.status_code, "encrypted with another key of the portal" in answer.content.decode()) == (200, True)
