"""Agency staff sign in through an OpenID Connect provider, which runs on this machine; nobody else does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from portal import env
from submissions.accounts.pages import agency_sign_in
from submissions.models import Organization, Person
from tests.cast import PASSWORD, Role, person
from tests.submissions.identity_provider import IGNORE_ITS_WARNINGS, User, run_server_in_thread
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.filterwarnings(IGNORE_ITS_WARNINGS)
PEOPLE = {
    "director": {"email": "director.one@board.example.test", "email_verified": True},
    "unverified": {"email": "analyst.one@board.example.test", "email_verified": False},
    "casino": {"email": "manager.east@east.example.test", "email_verified": True},
    "unknown": {"email": "nobody@board.example.test", "email_verified": True},
    "successor": {"email": "director.one@board.example.test", "email_verified": True},
}


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """The address of a provider that knows these people."""
    users = [User(sub=sub, claims=claims) for sub, claims in PEOPLE.items()]
    with run_server_in_thread(user_claims=users) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture
def configured(provider: str, settings: Any, tmp_path: Any) -> Any:
    secret = tmp_path / "client-secret"
    secret.write_text("a client secret\n")
    settings.OIDC_ISSUER = provider
    settings.SOCIALACCOUNT_PROVIDERS = env.agency_provider(provider, "portal", str(secret))
    return settings


def come_back(client: Client, sub: str) -> str:
    """The way back from the provider, where this person signed in."""
    away = client.get("/accounts/agency/")
    assert away.status_code == 302
    answer = requests.post(away["Location"], data={"sub": sub}, allow_redirects=False, timeout=10)
    return answer.headers["Location"].removeprefix("http://testserver")


def sign_in(sub: str) -> tuple[Client, Any]:
    client = browser()
    return client, client.get(come_back(client, sub))


def is_signed_in(client: Client) -> bool:
    return client.get("/people/").status_code == 200


def test_sign_in_page_offers_it_only_where_configured(configured: Any, director: Person) -> None:
    link = '<a class="usa-button usa-button--outline" href="/accounts/agency/'
    assert link in browser().get("/accounts/login/").content.decode()
    configured.OIDC_ISSUER = ""
    assert link not in browser().get("/accounts/login/").content.decode()
    assert browser().get("/accounts/agency/").status_code == 404


def test_sign_in_leads_back_to_the_page(configured: Any, director: Person) -> None:
    client = browser()
    page = client.get("/accounts/login/?next=/people/").content.decode()
    assert 'href="/accounts/agency/?next=/people/"' in page
    away = client.get("/accounts/agency/?next=/people/")
    answer = requests.post(away["Location"], data={"sub": "director"}, allow_redirects=False, timeout=10)
    assert client.get(answer.headers["Location"].removeprefix("http://testserver"))["Location"] == "/people/"


@pytest.mark.parametrize("site", ["cross-site", "same-site", "made-up"])
def test_link_of_another_site_starts_no_sign_in(configured: Any, site: str) -> None:
    for start in (browser(), Client()):
        answer = start.get("/accounts/agency/", headers={"Sec-Fetch-Site": site})
        assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/")


@pytest.mark.parametrize("site", ["same-origin", "none", ""])
def test_link_of_the_portal_starts_the_sign_in(configured: Any, provider: str, director: Person, site: str) -> None:
    answer = browser().get("/accounts/agency/", headers={"Sec-Fetch-Site": site} if site else {})
    assert answer["Location"].startswith(provider)


def test_invited_person_is_found_by_verified_address_and_then_by_subject(configured: Any, director: Person) -> None:
    client, answer = sign_in("director")
    assert (answer.status_code, is_signed_in(client)) == (302, True)
    account = SocialAccount.objects.get()
    assert (account.user, account.uid, account.extra_data) == (director, "director", {})
    Person.objects.filter(pk=director.pk).update(email="new.name@board.example.test")
    assert is_signed_in(sign_in("director")[0])


@pytest.mark.parametrize("sub", ["unverified", "casino", "unknown"])
def test_nobody_else_comes_in(configured: Any, sub: str, analyst: Person, manager: Person, director: Person) -> None:
    client, answer = sign_in(sub)
    assert (answer.status_code, is_signed_in(client)) == (403, False)
    assert "Your agency account has no account in this portal." in answer.content.decode()
    assert (SocialAccount.objects.count(), Person.objects.count()) == (0, 3)


def test_address_given_to_somebody_else_opens_nothing(configured: Any, director: Person) -> None:
    assert is_signed_in(sign_in("director")[0])
    client, answer = sign_in("successor")
    assert (answer.status_code, is_signed_in(client)) == (403, False)


def test_deactivated_or_moved_person_stays_out(configured: Any, director: Person, casino: Organization) -> None:
    assert is_signed_in(sign_in("director")[0])
    for changed in ({"is_active": False}, {"is_active": True, "organization": casino}):
        Person.objects.filter(pk=director.pk).update(**changed)
        client, answer = sign_in("director")
        assert (answer.status_code, is_signed_in(client)) == (403, False)


def test_own_second_factor_is_asked_for_as_well(configured: Any, director: Person) -> None:
    TOTP.activate(director, generate_totp_secret())
    client, answer = sign_in("director")
    assert (answer["Location"], is_signed_in(client)) == (reverse("mfa_authenticate"), False)


def test_way_back_is_good_once_and_in_the_browser_that_left(configured: Any, director: Person) -> None:
    client, other = browser(), browser()
    back = come_back(client, "director")
    assert other.get(back).status_code == 403
    assert not is_signed_in(other)
    assert client.get(back).status_code == 302
    again = browser()
    again.cookies = client.cookies
    client.post("/accounts/logout/")
    assert again.get(back).status_code == 403
    assert browser().get(re.sub("code=[^&]+", "code=made-up", back)).status_code == 403


def test_cancelled_sign_in_is_told_so(configured: Any, director: Person) -> None:
    client = browser()
    away = client.get("/accounts/agency/")
    denied = requests.post(away["Location"], data={"action": "deny"}, allow_redirects=False, timeout=10)
    answer = client.get(denied.headers["Location"].removeprefix("http://testserver"))
    assert (answer.status_code, is_signed_in(client)) == (403, False)


def test_provider_that_is_away_is_told_so(configured: Any, director: Person, provider: str) -> None:
    configured.OIDC_ISSUER = "http://localhost:1"
    app = configured.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
    app["settings"]["server_url"] = "http://localhost:1"
    answer = browser().get("/accounts/agency/")
    assert (answer.status_code, "agency account failed" in answer.content.decode()) == (403, True)


def test_provider_under_another_name_is_not_believed(configured: Any, director: Person) -> None:
    """The token was issued by another provider than the one that is configured."""
    client = browser()
    back = come_back(client, "director")
    configured.OIDC_ISSUER = configured.OIDC_ISSUER + "/tenant"
    answer = client.get(back)
    assert (answer.status_code, is_signed_in(client)) == (403, False)


def test_token_that_another_key_signed_is_not_believed(configured: Any, director: Person) -> None:
    """The provider answers as always, but the keys that it publishes did not sign the token."""
    with run_server_in_thread() as other:
        app = configured.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
        keys = {"jwks_uri": f"http://localhost:{other.server_port}/jwks"}
        configured.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {"APPS": [app | {"settings": app["settings"] | {"openid_configuration_overrides": keys}}]}
        }
        configured.OIDC_ISSUER = app["settings"]["server_url"]
        client, answer = sign_in("director")
    assert (answer.status_code, is_signed_in(client)) == (403, False)


def test_provider_is_called_over_https_only(configured: Any) -> None:
    configured.OIDC_ISSUER = "https://sign-in.example.test"
    session = agency_sign_in.AgencyAdapter().get_requests_session()
    with pytest.raises(requests.exceptions.InvalidSchema):
        session.get("http://127.0.0.1:1/.well-known/openid-configuration")
    for issuer in ("http://sign-in.example.test", "ftp://localhost", "sign-in.example.test"):
        with pytest.raises(ImproperlyConfigured, match="PORTAL_OIDC_ISSUER"):
            env.agency_provider(issuer, "portal", __file__)
    for client, secret in (("", __file__), ("portal", ""), ("portal", "no-such-file")):
        with pytest.raises(ImproperlyConfigured, match="PORTAL_OIDC_CLIENT_ID"):
            env.agency_provider("https://sign-in.example.test", client, secret)


def test_passphrases_of_agency_staff_do_not_sign_in_where_the_provider_is_required(
    configured: Any, director: Person, manager: Person
) -> None:
    def enter(one: Person) -> Any:
        return browser().post("/accounts/login/", {"login": one.email, "password": PASSWORD})

    assert enter(director).status_code == 302
    configured.OIDC_REQUIRED = True
    answer = enter(director)
    assert (answer.status_code, "sign in with their agency account" in answer.content.decode()) == (200, True)
    assert enter(manager).status_code == 302
    assert is_signed_in(sign_in("director")[0])


def test_sign_out_leads_to_the_provider(configured: Any, director: Person, provider: str) -> None:
    client, _ = sign_in("director")
    page = client.get(client.post("/accounts/logout/")["Location"]).content.decode()
    assert not is_signed_in(client)
    assert f'href="{provider}/oauth2/end_session?client_id=portal&amp;' in page
    assert client.get("/accounts/agency/signed-out/?at=https://elsewhere.example").status_code == 404


def test_two_people_of_the_board_have_two_accounts(configured: Any, director: Person, board: Organization) -> None:
    person(board, Role.ANALYST, "Nobody")
    assert is_signed_in(sign_in("director")[0])
    assert is_signed_in(sign_in("unknown")[0])
    assert SocialAccount.objects.count() == 2
