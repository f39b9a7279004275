"""Wrong attempts slow who makes them: from their network, on their device, in their session; never the owner."""

from __future__ import annotations

import time
from typing import Any

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings as live
from django.test import Client

from submissions.accounts.pages import attempts
from submissions.accounts.pages.attempts import network_of
from submissions.models import Person
from tests.cast import PASSWORD
from tests.submissions.web.clients import CompactClient, browser
from tests.submissions.web.test_confirmation_page import code, confirm

pytestmark = pytest.mark.service("locks", "constraints")

HOME, ELSEWHERE = "192.0.2.10", "198.51.100.7"
SIGN_IN = "/accounts/login/"


def at(network: str) -> Client:
    return CompactClient(REMOTE_ADDR=network)


def sign_in(client: Client, person: Person, passphrase: str = PASSWORD) -> bool:
    """Whether the passphrase was accepted."""
    return client.post(SIGN_IN, {"login": person.email, "password": passphrase}).status_code == 302


def guess(client: Client, person: Person, times: int) -> None:
    for number in range(times):
        assert not sign_in(client, person, f"guess {number}")


def test_strangers_guesses_slow_the_stranger_and_nobody_else(manager: Person) -> None:
    stranger = at(ELSEWHERE)
    guess(stranger, manager, 10)
    assert not sign_in(stranger, manager)  # not even with the right one
    assert sign_in(at(HOME), manager)


def test_strangers_guesses_do_not_interrupt_a_signature(manager: Person) -> None:
    signing = browser(manager, confirmed=False)
    guess(at(ELSEWHERE), manager, 10)
    guess(Client(), manager, 10)  # in the signer's own network
    assert confirm(signing, PASSWORD) == 302


def test_wait_grows_with_further_guesses(rf: Any) -> None:
    """One guess a minute, for a day: fewer and fewer are looked at."""
    looked_at = []
    with time_machine.travel(0.0, tick=False) as clock:
        for minute in range(24 * 60):
            clock.move_to(1_800_000_000.0 + 60.5 * minute)
            request = rf.post(SIGN_IN, REMOTE_ADDR=ELSEWHERE)
            looked_at.append(attempts.may_try_passphrase(request, "manager@east.example.test"))
    first, hour, day = sum(looked_at[:10]), sum(looked_at[:60]), sum(looked_at)
    assert first == 10
    assert first < hour <= 2 * first
    assert hour < day <= 5 * first


def test_known_device_is_not_slowed_in_the_strangers_network(manager: Person, other_director: Person) -> None:
    own = at(HOME)
    assert sign_in(own, manager)
    own.post("/accounts/logout/")
    for person in (manager, other_director):
        guess(at(HOME), person, 40)
    assert not sign_in(at(HOME), manager)
    assert sign_in(own, manager)


def test_guesses_from_many_networks_stop_at_last_but_not_on_the_known_device(manager: Person, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"sign_in_account": "6/h/key"}
    own = at(HOME)
    assert sign_in(own, manager)
    own.post("/accounts/logout/")
    for number in range(1, 6):
        guess(at(f"198.51.100.{number}"), manager, 1)
    assert not sign_in(at("198.51.100.200"), manager)
    assert sign_in(own, manager)


def test_guesses_at_many_accounts_stop_at_the_network(manager: Person, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"sign_in_network": "6/h/key"}
    stranger = at(ELSEWHERE)
    for number in range(6):
        stranger.post(SIGN_IN, {"login": f"person{number}@east.example.test", "password": "a guess"})
    assert not sign_in(stranger, manager)
    assert sign_in(at(HOME), manager)


def test_known_device_is_slowed_by_its_own_guesses(manager: Person) -> None:
    own = at(HOME)
    assert sign_in(own, manager)
    own.post("/accounts/logout/")
    guess(own, manager, 5)
    assert not sign_in(own, manager)


def test_device_of_one_person_is_not_known_for_another(manager: Person, preparer: Person) -> None:
    own = at(HOME)
    assert sign_in(own, preparer)
    own.post("/accounts/logout/")
    guess(at(HOME), manager, 5)
    assert not sign_in(own, manager)


def test_altered_cookie_is_no_known_device(manager: Person) -> None:
    own = at(HOME)
    assert sign_in(own, manager)
    cookie = own.cookies[live.KNOWN_DEVICES_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert manager.email not in cookie.value
    forged = at(HOME)
    forged.cookies[live.KNOWN_DEVICES_COOKIE_NAME] = cookie.value[:-1] + ("A" if cookie.value[-1] != "A" else "B")
    guess(at(HOME), manager, 5)
    assert not sign_in(forged, manager)


def test_wrong_codes_of_a_thief_interrupt_neither_signature_nor_sign_in(manager: Person) -> None:
    """The thief has the passphrase and guesses the codes."""
    secret = generate_totp_secret()
    signing = browser(manager, confirmed=False)
    own = at(HOME)
    assert sign_in(own, manager)
    own.post("/accounts/logout/")
    TOTP.activate(manager, secret)
    thief = at(ELSEWHERE)
    assert sign_in(thief, manager)
    for number in range(12):
        page = thief.post("/accounts/2fa/authenticate/", {"code": f"00000{number % 10}"})
        assert (b"Too many failed sign-ins" in page.content) == (number >= 5)
    with time_machine.travel(float(int(time.time())), tick=False) as clock:
        assert confirm(signing, code(secret)) == 302
        clock.shift(31)
        assert sign_in(own, manager)
        assert own.post("/accounts/2fa/authenticate/", {"code": code(secret)})["Location"] == "/"


def test_network_of_an_ipv6_address_is_that_of_one_customer(rf: Any) -> None:
    networks = {
        network_of(rf.get("/", REMOTE_ADDR=one))
        for one in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1")
    }
    assert networks == {"2001:db8:1:2::/64", "2001:db8:1:3::/64"}
