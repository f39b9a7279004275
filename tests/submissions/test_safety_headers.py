"""Headers that lie: none of them ends in our fault, nor leads away from the portal; nothing private is kept."""

from __future__ import annotations

import pytest
from django.test import Client, RequestFactory

from submissions.models import Person, Submission
from submissions.web.template_context import portal
from tests.submissions.web.conftest import browser, draft  # noqa: F401  a fixture

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
