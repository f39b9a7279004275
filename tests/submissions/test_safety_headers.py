"""Headers that lie: none of them ends in our fault, nor leads away from the portal; nothing private is kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client, RequestFactory
from django.urls import reverse

from submissions.models import Person, Submission
from submissions.web.middleware import FEATURES_USED
from submissions.web.template_context import portal
from tests.cast import PASSWORD
from tests.submissions.web.clients import browser
from tests.submissions.web.conftest import draft  # noqa: F401  a fixture

pytestmark = pytest.mark.django_db


def stranger(**options: object) -> Client:
    return Client(raise_request_exception=False, **options)


@pytest.mark.parametrize("referer", ["http://[::1", "http://testserver:x/", "\u00ff\u00fe", "javascript:alert(1)"])
def test_referer_that_is_no_address(referer: str) -> None:
    assert stranger().get("/", headers={"Referer": referer}).status_code == 200


def test_way_back_stays_on_the_portal() -> None:
    request = RequestFactory().get("/here/", headers={"Referer": "http://testserver//elsewhere.example/login"})
    assert portal(request)["back"] == "/elsewhere.example/login"


@pytest.mark.parametrize("origin", ["http://[", "null", "https://elsewhere.example"])
def test_form_of_a_foreign_origin_is_refused_and_not_shown_again(origin: str) -> None:
    client = stranger(enforce_csrf_checks=True)
    answer = client.post("/verify/", {"note": "planted"}, headers={"Origin": origin})
    assert (answer.status_code, b"planted" in answer.content) == (403, False)


def test_passphrase_is_never_shown_again() -> None:
    client = stranger(enforce_csrf_checks=True)
    form = {"login": "a@b.example.test", "password": "very secret words"}
    answer = client.post("/accounts/login/", form, headers={"Origin": "http://testserver"})
    assert (answer.status_code, b"very secret words" in answer.content) == (403, False)


def test_foreign_host_is_not_understood() -> None:
    assert stranger().get("/", headers={"Host": "elsewhere.example"}).status_code == 400


def test_pages_of_signed_in_people_are_not_kept_by_browser_or_proxy(preparer: Person, draft: Submission) -> None:  # noqa: F811
    kept = browser(preparer).get(f"/submissions/{draft.number}/")["Cache-Control"]
    assert "no-store" in kept
    assert "private" in kept


PRIVATE = {"private", "no-store"}


def kept_by(answer: object) -> set[str]:
    """The directives of Cache-Control."""
    return set(filter(None, answer.headers.get("Cache-Control", "").split(", ")))


@pytest.mark.parametrize(
    "address",
    [
        "mfa_index", "mfa_activate_totp", "mfa_deactivate_totp", "mfa_view_recovery_codes",
        "mfa_generate_recovery_codes", "mfa_reauthenticate", "usersessions_list", "account_change_password",
        "account_reauthenticate",
    ],
)  # fmt: skip
def test_pages_of_the_sign_in_are_not_kept(preparer: Person, address: str) -> None:
    """They show the secret of the authenticator app, the recovery codes, the sessions."""
    assert kept_by(browser(preparer).get(reverse(address))) >= PRIVATE


@pytest.mark.parametrize("address", ["account_login", "account_reset_password"])
def test_pages_before_the_sign_in_are_not_kept(address: str) -> None:
    answer = stranger().get(reverse(address))
    assert (answer.status_code, kept_by(answer) >= PRIVATE) == (200, True)


@pytest.mark.parametrize("address", ["/", "/register/", "/verify/", "/games/", "/no/such/page/"])
def test_answer_that_names_who_is_signed_in_is_not_kept(preparer: Person, address: str) -> None:
    """Public pages too, and what is not found: their head has the person's name."""
    answer = browser(preparer).get(address)
    assert b"Preparer East" in answer.content
    assert kept_by(answer) >= PRIVATE


@pytest.mark.parametrize("address", ["/", "/register/", "/verify/", "/games/"])
def test_public_page_may_be_kept(address: str) -> None:
    assert "no-store" not in kept_by(stranger().get(address))


@pytest.mark.parametrize(
    "address", ["/", "/no/such/page/", "/accounts/login/", "/api/v1/chapters/", "/static/portal/icon.svg"]
)
def test_every_answer_limits_what_a_page_may_use_and_who_embeds_it(address: str) -> None:
    answer = stranger().get(address)
    policy = dict(rule.split("=") for rule in answer.headers["Permissions-Policy"].split(", "))
    assert {policy[name] for name in ("camera", "geolocation", "microphone", "payment", "usb", "sync-xhr")} == {"()"}
    assert {name for name, allowed in policy.items() if allowed != "()"} == set(FEATURES_USED)
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize("method", ["TRACE", "OPTIONS", "PUT", "PATCH", "DELETE", "LINK"])
def test_page_knows_no_other_methods(preparer: Person, method: str) -> None:
    client = browser(preparer)
    answers = {path: client.generic(method, path).status_code for path in ("/", "/register/", "/people/", "/verify/")}
    assert set(answers.values()) == {405}


@pytest.mark.parametrize("address", ["/", "/api/v1/chapters/", "/static/portal/icon.svg", "/no/such/page/"])
def test_every_answer_says_what_a_page_may_load_and_that_nobody_guesses_types(address: str) -> None:
    answer = stranger().get(address)
    policy = dict(rule.strip().split(" ", 1) for rule in answer.headers["Content-Security-Policy"].split(";"))
    assert [policy[name] for name in ("default-src", "object-src", "base-uri", "frame-ancestors")] == ["'none'"] * 4
    assert not any("unsafe" in sources or "*" in sources for sources in policy.values())
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_service_asks_browsers_for_https_alone(in_service: LazySettings) -> None:
    answer = stranger(headers={"X-Forwarded-Proto": "https"}).get("/")
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert stranger(headers={"X-Forwarded-Proto": "http"}).get("/")["Location"].startswith("https://")


def test_foreign_host_gets_the_headers_too() -> None:
    answer = stranger().get("/", headers={"Host": "elsewhere.example"})
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


COOKIES = (
    "SESSION_COOKIE_NAME", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_NAME", "CSRF_COOKIE_SECURE", "MESSAGE_STORAGE",
    "KNOWN_DEVICES_COOKIE_NAME", "SECURE_SSL_REDIRECT", "SECURE_PROXY_SSL_HEADER", "SECURE_HSTS_SECONDS",
    "SECURE_HSTS_INCLUDE_SUBDOMAINS",
)  # fmt: skip


@pytest.fixture
def in_service(settings: LazySettings, tmp_path: Path) -> LazySettings:
    """What the portal's settings say of cookies with PORTAL_SERVICE=1."""
    say = f"from django.conf import settings; import json; print(json.dumps([getattr(settings, n) for n in {COOKIES}]))"
    environment = {**os.environ, "PORTAL_SERVICE": "1", "PORTAL_VAR": str(tmp_path)}
    said = subprocess.run([sys.executable, "-c", say], env=environment, capture_output=True, check=True, text=True)
    for name, value in zip(COOKIES, json.loads(said.stdout), strict=True):
        setattr(settings, name, value)
    return settings


def test_cookies_of_a_service_cannot_come_from_another_host(in_service: LazySettings, preparer: Person) -> None:
    """Of the sign-in, of a form, of a message: each has the prefix, and with it Secure, Path=/ and no Domain."""
    client = stranger(headers={"X-Forwarded-Proto": "https"})
    client.get("/accounts/login/")
    client.post("/accounts/login/", {"login": preparer.email, "password": PASSWORD})
    assert client.get("/").wsgi_request.user == preparer
    client.post(reverse("notices"), {"mails": "none"})  # answers with a message
    message = client.get(reverse("notices")).content
    assert b"From now on:" in message
    assert {name for name in client.cookies if not name.startswith("__Host-")} == set()
    assert len(client.cookies) == 3
    assert {(cookie["secure"], cookie["path"], cookie["domain"]) for cookie in client.cookies.values()} == {
        (True, "/", "")
    }
