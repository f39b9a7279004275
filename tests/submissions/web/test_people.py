"""The pages of an organization's people: who sees what, what is typed is kept, and the invitation's own page."""

from __future__ import annotations

import logging
import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.urls import reverse
from django.utils import timezone

from submissions.accounts import invitations
from submissions.accounts.pages.sessions import browser_of
from submissions.models import Invitation, Organization, Person
from tests.cast import PASSWORD
from tests.submissions.accounts.test_members import administrator, signed_in
from tests.submissions.web.clients import browser

FORM = {"email": "ann@board.example.test", "name": "Ann Analyst", "role": "analyst"}
JOIN = {"name": "Ann", "password": PASSWORD, "password_again": PASSWORD}


@pytest.fixture
def chief(board: Organization) -> Person:
    return administrator(board, "Chief One")


@pytest.fixture
def deputy(board: Organization) -> Person:
    return administrator(board, "Chief Two")


@pytest.fixture
def link(chief: Person) -> str:
    return invitations.invite(chief, **FORM).link.removeprefix("http://127.0.0.1:8000")


def shown(person: Person, name: str, *parts: object) -> str:
    return browser(person).get(reverse(name, args=parts)).content.decode()


def test_people_of_other_organizations_are_nowhere(chief: Person, preparer: Person, analyst: Person) -> None:
    page = shown(chief, "people")
    assert analyst.email in page
    assert preparer.name not in page
    assert browser(chief).get(reverse("person", args=[preparer.pk])).status_code == 404
    assert browser(chief).post(reverse("person-action", args=[preparer.pk, "deactivate"])).status_code == 404
    preparer.refresh_from_db()
    assert preparer.is_active


def test_invitation_of_another_organization_is_not_found(link: str, casino: Organization) -> None:
    elsewhere = administrator(casino, "Chief East")
    for deed in ("withdraw", "again"):
        address = reverse("invitation", args=[Invitation.objects.get().pk, deed])
        assert browser(elsewhere).post(address).status_code == 404
    assert Invitation.objects.get().withdrawn_at is None


def test_colleague_sees_who_belongs_here_but_no_addresses(chief: Person, analyst: Person) -> None:
    page = shown(analyst, "people")
    assert chief.name in page
    assert chief.email not in page
    assert "Invite a user" not in page


def test_invitation_shows_its_link_once(chief: Person, mailoutbox: list[Any]) -> None:
    answer = browser(chief).post(reverse("people"), FORM)
    link = re.search(r'value="(http[^"]+/invitations/[^"]+)"', answer.content.decode())
    assert link[1] in mailoutbox[0].body
    assert "/invitations/" not in shown(chief, "people").replace("/people/invitations/", "")
    assert "invited ann@board.example.test as Analyst" in shown(chief, "people")


def test_refused_invitation_keeps_what_was_typed(chief: Person) -> None:
    answer = browser(chief).post(reverse("people"), {**FORM, "email": "ann at board", "administrator": "yes"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "“ann at board” is not an e-mail address." in page
    for kept in (
        'value="ann at board"',
        'value="Ann Analyst"',
        'value="analyst" selected',
        'id="id_administrator" checked',
    ):
        assert kept in page


def test_changing_people_asks_for_the_passphrase(chief: Person, analyst: Person) -> None:
    client = browser(chief, confirmed=False)
    attempts = (
        ("people", [], FORM),
        ("person", [analyst.pk], {"role": "director"}),
        ("person-action", [analyst.pk, "deactivate"], {}),
    )
    for name, parts, form in attempts:
        answer = client.post(reverse(name, args=parts), form)
        assert (name, answer.status_code) == (name, 403)
        assert "Confirm that it is you" in answer.content.decode()
    analyst.refresh_from_db()
    assert (analyst.role, analyst.is_active, Invitation.objects.count()) == ("analyst", True, 0)
    client.post(reverse("person", args=[analyst.pk]), {"role": "director", "confirm_password": PASSWORD})
    analyst.refresh_from_db()
    assert analyst.role == "director"


def test_last_administrators_are_told_why_they_stay(chief: Person, deputy: Person) -> None:
    answer = browser(chief).post(reverse("person-action", args=[deputy.pk, "deactivate"]))
    assert answer.status_code == 400
    assert "would have fewer than 2 administrators" in answer.content.decode()


def test_deed_that_is_none_is_not_found(chief: Person, analyst: Person, link: str) -> None:
    client = browser(chief)
    assert client.post(reverse("person-action", args=[analyst.pk, "promote"])).status_code == 404
    assert client.post(reverse("invitation", args=[Invitation.objects.get().pk, "resend"])).status_code == 404


def test_missing_administrator_is_asked_for_until_there_are_two(chief: Person, board: Organization) -> None:
    assert "has fewer than two administrators" in shown(chief, "home")
    administrator(board, "Chief Two")
    assert "has fewer than two administrators" not in shown(chief, "home")


def test_second_factor_is_asked_for_where_it_is_required(
    settings: Any, manager: Person, preparer: Person, reader: Person
) -> None:
    words = "Until you set one up, you can read and prepare, but not decide"
    assert "does not require a second factor" in shown(manager, "home")
    assert words not in shown(manager, "home")
    settings.SECOND_FACTOR = True
    assert "without a second factor" not in shown(manager, "home")
    assert [words in shown(one, "home") for one in (manager, preparer, reader)] == [True, False, False]
    assert words not in shown(manager, "mfa_index")


def test_joining_leads_to_the_sign_in(link: str) -> None:
    client = browser()
    assert "no-store" in client.get(link)["Cache-Control"]
    answer = client.post(link, JOIN, follow=True)
    assert answer.redirect_chain == [(reverse("account_login"), 302)]
    assert "Sign in with ann@board.example.test" in answer.content.decode()
    client.post(reverse("account_login"), {"login": "Ann@board.example.test", "password": PASSWORD})
    assert client.get(reverse("people")).status_code == 200


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"password_again": "another one entirely"}, "The two passphrases differ."),
        ({"password": "short", "password_again": "short"}, "This passphrase is too short."),
        ({"name": ""}, "The name is missing."),
        ({"name": "x" * 10_000}, "The name has 10,000 characters. The limit is 120."),
    ],
)
def test_refused_joining_says_why_and_leaves_the_link_open(link: str, change: dict[str, str], words: str) -> None:
    client = browser()
    answer = client.post(link, {**JOIN, **change})
    assert (answer.status_code, words in answer.content.decode()) == (400, True)
    assert client.post(link, JOIN).status_code == 302


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"expires_at": timezone.now() - timedelta(days=1)}, "This invitation expired on"),
        ({"withdrawn_at": timezone.now()}, "This invitation was withdrawn"),
    ],
)
def test_link_that_is_over_says_so(link: str, change: dict[str, Any], words: str) -> None:
    Invitation.objects.update(**change)
    for answer in (browser().get(link), browser().post(link, JOIN)):
        assert (answer.status_code, words in answer.content.decode()) == (410, True)


def test_link_that_was_used_or_cut_short_says_so(link: str) -> None:
    browser().post(link, JOIN)
    again = browser().get(link)
    assert (again.status_code, "was already accepted" in again.content.decode()) == (410, True)
    cut = browser().get(f"{link[:-5]}/")
    assert (cut.status_code, "It may be incomplete" in cut.content.decode()) == (404, True)


def test_who_is_signed_in_does_not_join_by_mistake(link: str, chief: Person) -> None:
    answer = browser(chief).post(link, JOIN)
    assert (answer.status_code, "You are signed in as" in answer.content.decode()) == (200, True)
    assert not Person.objects.filter(email=FORM["email"]).exists()


def test_joining_is_not_tried_endlessly(link: str) -> None:
    client = browser()
    for _ in range(20):
        client.post(link, {**JOIN, "name": ""})
    assert client.post(link, JOIN).status_code == 429


def test_secrets_of_links_are_not_in_the_log(link: str) -> None:
    secret = link.strip("/").split("/")[-1]
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    logger = logging.getLogger("django.request")
    logger.addHandler(handler)
    try:
        browser().post(link, {**JOIN, "name": ""})
        browser().get(f"{link[:-5]}/")
    finally:
        logger.removeHandler(handler)
    assert [line.split("…")[0] for line in lines] == ["Bad Request: /invitations/", "Not Found: /invitations/"]
    assert secret[:-5] not in "".join(lines)


def test_session_is_ended_by_its_person_alone(chief: Person, deputy: Person) -> None:
    here, there, stranger = signed_in(chief), signed_in(chief), signed_in(deputy)
    other = UserSession.objects.get(session_key=there.session.session_key)
    address = reverse("end-session", args=[other.pk])
    assert address in here.get(reverse("usersessions_list")).content.decode()
    assert stranger.post(address).status_code == 404
    assert there.get(reverse("people")).status_code == 200
    here.post(address)
    assert [window.get(reverse("people")).status_code for window in (here, there)] == [200, 302]


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1", "Safari on iOS"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", "Unknown"),
    ],
)
def test_browser_is_named_in_two_words(agent: str, words: str) -> None:
    assert browser_of(agent) == words


def test_list_costs_the_same_however_many(
    chief: Person, board: Organization, django_assert_max_num_queries: Any, link: str
) -> None:
    for number in range(8):
        administrator(board, f"Chief {number}")
        invitations.invite(chief, email=f"new{number}@board.example.test", name="New", role="reader")
    client = browser(chief)
    with django_assert_max_num_queries(8):
        client.get(reverse("people"))
