"""How you sign in is changed only after the present factor: by every address of the sign-in, not by the passphrase."""

from __future__ import annotations

import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.test import Client
from django.urls import URLResolver, get_resolver, resolve, reverse

from submissions.accounts.pages import reauthentication
from submissions.accounts.pages.reauthentication import OPEN_PAGES
from submissions.models import Person
from tests.cast import PASSWORD
from tests.submissions.web.clients import browser

CONFIRM = "/accounts/reauthenticate/"
NEW = "another long demo passphrase"
CHANGES = (  # what each address would do if it were open
    ("account_change_password", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}),
    ("account_set_password", {"password1": NEW, "password2": NEW}),
    ("mfa_activate_totp", {"code": "000000"}),
    ("mfa_deactivate_totp", {}),
    ("mfa_view_recovery_codes", {}),
    ("mfa_generate_recovery_codes", {}),
    ("mfa_download_recovery_codes", {}),
)


@pytest.fixture
def secret(manager: Person) -> str:
    """The secret of the manager's authenticator app; recovery codes belong to it."""
    secret = generate_totp_secret()
    TOTP.activate(manager, secret)
    RecoveryCodes.activate(manager)
    return secret


def code(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def confirm(client: Client, entered: str, field: str = reauthentication.FIELD) -> int:
    return client.post(CONFIRM, {field: entered, "next": "/accounts/2fa/"}).status_code


def outcome(client: Client, person: Person) -> tuple[list[str], bool, set[tuple[int, str]]]:
    """The factors and whether the passphrase is the old one, after every change was tried; where that led."""
    answers = set()
    for name, form in CHANGES:
        address = reverse(name)
        for answer in (client.get(address), client.post(address, form)):
            answers.add((answer.status_code, answer.headers.get("Location", "").partition("?")[0]))
    person.refresh_from_db()
    kinds = sorted(Authenticator.objects.filter(user=person).values_list("type", flat=True))
    return kinds, person.check_password(PASSWORD), answers


def test_passphrase_alone_changes_nothing_of_who_has_a_second_factor(manager: Person, secret: str) -> None:
    client = browser(manager, confirmed=False)
    seed = Authenticator.objects.get(type="recovery_codes").data["seed"]
    for field in (reauthentication.FIELD, "password"):
        assert confirm(client, PASSWORD, field) == 403
    client.post("/accounts/2fa/reauthenticate/", {"code": "000000"})  # allauth's own page, which is not there
    assert outcome(client, manager) == (["recovery_codes", "totp"], True, {(302, CONFIRM)})
    assert Authenticator.objects.get(type="recovery_codes").data["seed"] == seed


def test_code_opens_the_page_that_asked_for_it(manager: Person, secret: str) -> None:
    client = browser(manager, confirmed=False)
    asked = client.get("/accounts/2fa/recovery-codes/")
    page = client.get(asked["Location"]).content.decode()
    assert "Code of your authenticator app" in page
    assert 'name="next" value="/accounts/2fa/recovery-codes/"' in page
    answer = client.post(asked["Location"], {reauthentication.FIELD: code(secret)})
    assert answer["Location"] == "/accounts/2fa/recovery-codes/"
    assert client.get(answer["Location"]).status_code == 200
    assert client.get(CONFIRM)["Location"] == "/accounts/2fa/"  # for a few minutes nothing is asked


def test_code_confirms_the_removal_of_its_own_app(manager: Person, secret: str) -> None:
    client = browser(manager, confirmed=False)
    assert confirm(client, code(secret)) == 302
    client.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()


def test_without_a_second_factor_the_passphrase_confirms(manager: Person) -> None:
    client = browser(manager, confirmed=False)
    assert client.get("/accounts/2fa/totp/activate/")["Location"].startswith(CONFIRM)
    assert confirm(client, "not it") == 403
    assert confirm(client, PASSWORD) == 302
    assert client.get("/accounts/2fa/totp/activate/").status_code == 200


@pytest.mark.parametrize("address", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_confirmation_leads_to_pages_of_the_portal_only(manager: Person, address: str) -> None:
    client = browser(manager, confirmed=False)
    answer = client.post(CONFIRM, {reauthentication.FIELD: PASSWORD, "next": address})
    assert answer["Location"] == "/accounts/2fa/"


def test_every_page_of_the_sign_in_asks_or_is_named_as_open(manager: Person, secret: str) -> None:
    """Also those that a later release of django-allauth may add."""
    found = {name for name in _names(get_resolver()) if name} - OPEN_PAGES
    assert found >= {name for name, _ in CHANGES}
    client = browser(manager, confirmed=False)
    for name in sorted(found):
        address = reverse(name, args=[1] if name.endswith(("remove_webauthn", "edit_webauthn")) else [])
        assert (name, client.get(address).headers.get("Location", "").partition("?")[0]) == (name, CONFIRM)
        assert resolve(address).url_name == name


def _names(patterns: URLResolver, prefix: str = "") -> list[str]:
    """The names of all addresses below accounts/."""
    found: list[str] = []
    for one in patterns.url_patterns:
        route = prefix + str(one.pattern)
        if isinstance(one, URLResolver):
            found += _names(one, route)
        elif route.startswith("accounts/"):
            found.append(one.name)
    return found
