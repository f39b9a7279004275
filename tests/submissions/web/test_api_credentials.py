"""The pages of credentials: the secret once, what was typed is kept, who it is is asked, and every end is told."""

from __future__ import annotations

import json
import logging
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse
from django.utils import timezone
from joserfc.jwk import ECKey

from submissions.accounts import api_credentials
from submissions.models import Credential, Event, Organization, Person
from tests.cast import PASSWORD
from tests.submissions.api.clients import administrator, made, system
from tests.submissions.test_safety_together import all_at_once
from tests.submissions.web.clients import browser

committing = pytest.mark.django_db(transaction=True)
DAY = timezone.localdate() + timedelta(days=60)
FORM = {"name": "Night run", "scopes": ["read", "file"], "reach": "live", "expires": DAY.isoformat()}


@pytest.fixture
def chief(casino: Organization, settings: Any) -> Person:
    settings.SECOND_FACTOR = False
    return administrator(casino)


def shown(person: Person, name: str, *parts: object) -> str:
    return browser(person).get(reverse(name, args=parts)).content.decode()


def deed(person: Person, credential: Credential, what: str, **form: object) -> Any:
    return browser(person).post(reverse("credential-action", args=[credential.pk, what]), form)


def mark_in(page: str) -> str:
    return re.search(r'name="mark" value="([0-9a-f]{32})"', page)[1]


def token_in(page: str) -> str:
    return re.search(r'value="(rsp_(?:live|test)_[0-9a-f]{12}_[0-9a-f]{64})"', page)[1]


def test_secret_stands_on_the_page_that_answers_and_nowhere_else(
    chief: Person, caplog: pytest.LogCaptureFixture
) -> None:
    client = browser(chief)
    with caplog.at_level(logging.DEBUG):
        answer = client.post(reverse("credentials"), FORM)
    token = token_in(answer.content.decode())
    assert (answer.status_code, "no-store" in answer["Cache-Control"]) == (200, True)
    assert system(token).get("/api/v1/submissions/").status_code == 200
    secret = token.rpartition("_")[2]
    pages = [client.get(reverse(name)).content.decode() for name in ("credentials", "home", "people")]
    pages.append(client.get(reverse("credential", args=[Credential.objects.get().pk])).content.decode())
    kept = [
        *Credential.objects.values(),
        *Event.objects.values(),
        *(row.get_decoded() for row in Session.objects.all()),
    ]
    assert secret not in "".join(pages) + json.dumps(kept, default=str) + caplog.text


def test_made_as_it_was_asked_for(chief: Person) -> None:
    networks = "203.0.113.0/24\r\n 2001:db8::/32, 192.0.2.1"
    browser(chief).post(reverse("credentials"), {**FORM, "networks": networks})
    row = Credential.objects.get()
    assert (row.name, row.scopes, row.live, row.by) == ("Night run", ["read", "file"], True, chief)
    assert row.networks == ["203.0.113.0/24", "2001:db8::/32", "192.0.2.1/32"]
    assert timezone.localtime(row.expires_at).strftime("%Y-%m-%d %H:%M:%S") == f"{DAY} 23:59:59"


def test_form_that_is_sent_again_makes_nothing(chief: Person) -> None:
    """As a browser does that reloads the page with the secret: even when it is asked anew who it is."""
    form = {**FORM, "mark": mark_in(shown(chief, "credentials")), "networks": "192.0.2.0/24"}
    token_in(browser(chief).post(reverse("credentials"), form).content.decode())
    for confirmed in (True, False):
        answer = browser(chief, confirmed=confirmed).post(reverse("credentials"), form)
        page = answer.content.decode()
        assert (answer.status_code, "This form was already sent" in page) == (409, True)
        assert "rsp_live_" + Credential.objects.get().prefix in page
        assert f'value="{form["name"]}"' in page
        assert ">\n192.0.2.0/24</textarea>" in page
    another = browser(chief).post(reverse("credentials"), {**form, "mark": mark_in(page)})
    assert (another.status_code, Credential.objects.count()) == (200, 2)


def test_refused_form_can_be_sent_again(chief: Person) -> None:
    form = {**FORM, "mark": mark_in(shown(chief, "credentials"))}
    assert browser(chief).post(reverse("credentials"), {**form, "name": ""}).status_code == 400
    assert browser(chief).post(reverse("credentials"), form).status_code == 200
    assert Credential.objects.count() == 1


@committing
def test_form_that_is_sent_twice_at_a_time_makes_one(chief: Person) -> None:
    clients, statuses = [browser(chief) for _ in range(3)], []

    def send() -> None:
        statuses.append(clients.pop().post(reverse("credentials"), FORM).status_code)

    assert all_at_once(send, send, send) == []
    assert (sorted(statuses), Credential.objects.count()) == ([200, 409, 409], 1)


@pytest.mark.parametrize("reach", ["test", ""])
def test_what_is_not_asked_to_be_live_is_a_test(chief: Person, reach: str) -> None:
    browser(chief).post(reverse("credentials"), {**FORM, "reach": reach})
    assert not Credential.objects.get().live


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": " "}, "Name of the system that uses it: Fill in this field."),
        ({"scopes": []}, "Scopes: Choose an option."),
        ({"scopes": ["review"]}, "“review” is not in the list. Choose an option from the list."),
        ({"reach": "everything"}, "“everything” is not in the list."),
        ({"expires": "soon"}, "“soon” is not a valid date."),
        ({"expires": ""}, "Expiration date: Fill in this field."),
        ({"expires": (DAY + timedelta(days=400)).isoformat()}, "within one year"),
        ({"expires": "2026-01-01"}, "An API key must expire after today"),
        ({"networks": "the office"}, "“the” is not a valid network."),
    ],
)
def test_refused_form_keeps_what_was_typed(chief: Person, change: dict[str, Any], words: str) -> None:
    form = {**FORM, "networks": "192.0.2.0/24", **change}
    answer = browser(chief).post(reverse("credentials"), form)
    page = answer.content.decode()
    assert (answer.status_code, words in page) == (400, True)
    assert f'value="{form["name"]}"' in page
    assert entered_in(page, "expires") == form["expires"]
    assert f'max="{credentials_latest()}"' in page
    assert f">\n{form['networks']}</textarea>" in page
    checked = re.findall(r'value="(\w+)"[^>]* checked', page)
    assert checked == [choice for choice in (*form["scopes"], form["reach"]) if choice not in ("review", "everything")]
    assert not Credential.objects.exists()


def entered_in(page: str, name: str) -> str:
    """What an input of the page shows; an empty one has no value."""
    return re.search(rf'name="{name}"(?: value="([^"]*)")?', page)[1] or ""


def credentials_latest() -> str:
    return (timezone.localdate() + timedelta(days=365)).isoformat()


def test_making_rotating_and_revoking_ask_who_it_is(chief: Person, casino: Organization) -> None:
    found = made(casino).credential
    client = browser(chief, confirmed=False)
    attempts = (
        ("credentials", [], FORM),
        ("credential-action", [found.pk, "rotate"], {"expires": DAY.isoformat(), "overlap": "1"}),
        ("credential-action", [found.pk, "revoke"], {}),
    )
    for name, parts, form in attempts:
        answer = client.post(reverse(name, args=parts), form)
        assert (parts, answer.status_code) == (parts, 403)
        assert "Confirm that it is you" in answer.content.decode()
    found.refresh_from_db()
    assert (Credential.objects.count(), found.revoked_at) == (1, None)
    client.post(reverse("credential-action", args=[found.pk, "revoke"]), {"confirm_password": PASSWORD})
    found.refresh_from_db()
    assert found.revoked_at is not None


def test_rotated_shows_the_new_secret_and_both_are_good(chief: Person, casino: Organization) -> None:
    old = made(casino)
    answer = deed(chief, old.credential, "rotate", expires=DAY.isoformat(), overlap="2")
    tokens = (old.token, token_in(answer.content.decode()))
    assert [system(token).get("/api/v1/submissions/").status_code for token in tokens] == [200, 200]
    page = shown(chief, "credentials")
    assert "Replaced, still valid" in page
    again = deed(chief, old.credential, "rotate", expires=DAY.isoformat(), overlap="2")
    assert (again.status_code, "was already replaced by" in again.content.decode()) == (409, True)


@pytest.mark.parametrize("overlap", ["31", "-1", "two", "", "9999"])
def test_overlap_that_is_none_is_refused_and_kept(chief: Person, casino: Organization, overlap: str) -> None:
    answer = deed(chief, made(casino).credential, "rotate", expires=DAY.isoformat(), overlap=overlap)
    assert (answer.status_code, entered_in(answer.content.decode(), "overlap")) == (400, overlap)
    assert Credential.objects.count() == 1


def test_revoked_says_so_and_why_stays_in_the_history(chief: Person, casino: Organization) -> None:
    found = made(casino)
    assert deed(chief, found.credential, "revoke", reason="It stood in a mail.").status_code == 302
    assert system(found.token).get("/api/v1/submissions/").json()["code"] == "credential-revoked"
    page = shown(chief, "credentials")
    for words in ("Revoked", f"revoked “Nightly”, {found.credential.key_id}", "It stood in a mail."):
        assert words in page
    assert "Rotate" not in shown(chief, "credential", found.credential.pk)
    again = deed(chief, found.credential, "revoke", reason="Again.")
    assert again.status_code == 409


def test_every_end_is_told(chief: Person, casino: Organization) -> None:
    now = timezone.now()
    ends: dict[str, dict[str, object]] = {
        "Expired": {"expires_at": now - timedelta(days=1)},
        "Ends soon": {"expires_at": now + timedelta(days=3)},
        "Good": {},
        "Replaced": {"overlap_until": now - timedelta(days=1)},
    }
    for state, fields in ends.items():
        found = made(casino, name=state).credential
        Credential.objects.filter(pk=found.pk).update(**fields)
    page = shown(chief, "credentials")
    rows = re.findall(r'<th scope="row"><a [^>]+>([^<]+)</a>.*?<span class="state [^>]+>([^<]+)<', page, re.DOTALL)
    assert dict(rows) == {state: state for state in ends}


def test_credentials_of_others_are_not_there(
    chief: Person, casino: Organization, other_casino: Organization, manager: Person
) -> None:
    found = made(other_casino).credential
    assert found.key_id not in shown(chief, "credentials")
    assert browser(chief).get(reverse("credential", args=[found.pk])).status_code == 404
    assert deed(chief, found, "revoke").status_code == 404
    assert deed(chief, made(casino).credential, "forget").status_code == 404
    assert browser(manager).get(reverse("credentials")).status_code == 403
    found.refresh_from_db()
    assert found.revoked_at is None


def test_list_costs_the_same_however_many(
    chief: Person, casino: Organization, django_assert_max_num_queries: Any
) -> None:
    for _ in range(6):
        old = made(casino).credential
        api_credentials.rotate_credential(chief, old, expires_at=timezone.now() + timedelta(days=9))
    client = browser(chief)
    with django_assert_max_num_queries(8):
        client.get(reverse("credentials"))


def test_page_takes_a_public_key_and_shows_no_secret(chief: Person) -> None:
    key = ECKey.generate_key("P-256", private=True)
    form = {**FORM, "public_key": key.as_pem(private=False).decode()}
    page = browser(chief).post(reverse("credentials"), form).content.decode()
    row = Credential.objects.get()
    assert [text in page for text in (row.key_id, key.thumbprint(), "/api/v1/oauth/token/")] == [True] * 3
    assert "shown only once" not in page
    assert key.thumbprint() in shown(chief, "credential", row.pk)


@pytest.mark.parametrize("form_of_key", ["PEM", "JWK", "JWK that is cut off"])
def test_page_refuses_a_private_key_and_does_not_show_it_again(chief: Person, form_of_key: str) -> None:
    key = ECKey.generate_key("P-256", private=True)
    private = key.as_dict(private=True)
    pem, jwk = key.as_pem(private=True).decode(), json.dumps({"d": private["d"], **private})
    text = {"PEM": pem, "JWK": jwk, "JWK that is cut off": jwk[:-1]}[form_of_key]
    answer = browser(chief).post(reverse("credentials"), {**FORM, "public_key": text})
    page = answer.content.decode()
    assert (answer.status_code, "contains a private key" in page) == (400, True)
    assert not any(secret in page for secret in (private["d"], *pem.splitlines()[1:-1]))
    assert f'value="{FORM["name"]}"' in page  # everything else is
    assert not Credential.objects.exists()


def test_page_shows_a_public_key_that_is_refused_again(chief: Person) -> None:
    page = browser(chief).post(reverse("credentials"), {**FORM, "public_key": "my key"}).content.decode()
    assert ">\nmy key</textarea>" in page
