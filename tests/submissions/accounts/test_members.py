"""People come by invitation, change, and leave: always two administrators, and the history keeps every name."""

from __future__ import annotations

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from submissions import permissions
from submissions.accounts import invitations, members
from submissions.accounts.invitations import IssuedInvitation
from submissions.audit.chain import verify_chain
from submissions.core.errors import Forbidden, Refusal
from submissions.filings import drafts
from submissions.models import Event, Invitation, Organization, Person, Role
from tests.cast import PASSWORD, person

pytestmark = pytest.mark.service("locks")

NEW = {"email": "New.Analyst@Board.example.test", "name": "New Analyst", "role": "analyst"}
BOTH = ("--administrator=Ann@north.example.test", "--administrator=bob@north.example.test")


@pytest.fixture(autouse=True)
def _memory_cache(settings: Any) -> None:
    settings.CACHES = settings.CACHES | {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()  # nobody starts with the attempts of the test before


@pytest.fixture
def chief(board: Organization) -> Person:
    return administrator(board, "Chief One")


@pytest.fixture
def deputy(board: Organization) -> Person:
    return administrator(board, "Chief Two")


@pytest.fixture
def invited(chief: Person) -> IssuedInvitation:
    return invitations.invite(chief, **NEW)


def administrator(organization: Organization, name: str) -> Person:
    one = person(organization, Role.READER, name)
    Person.objects.filter(pk=one.pk).update(administrator=True)
    one.refresh_from_db()
    return one


def signed_in(one: Person) -> Client:
    """Through the form, so that the session is listed."""
    window = Client()
    window.post("/accounts/login/", {"login": one.email, "password": PASSWORD})
    return window


def refused(code: str) -> Any:
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)


def secret_of(invited: IssuedInvitation) -> str:
    return invited.link.rstrip("/").rsplit("/", 1)[1]


def test_invitation_is_mailed_and_accepted_once(
    invited: IssuedInvitation, chief: Person, mailoutbox: list[Any]
) -> None:
    found = invitations.invitation_of(secret_of(invited))
    assert found == invited.invitation
    joined = invitations.accept_invitation(found, name="  Ann  Analyst ", passphrase=PASSWORD)
    assert (joined.email, joined.name, joined.role) == ("new.analyst@board.example.test", "Ann Analyst", "analyst")
    assert joined.organization == chief.organization
    assert joined.check_password(PASSWORD)
    assert [mail.to for mail in mailoutbox] == [["new.analyst@board.example.test"]]
    assert invited.link in mailoutbox[0].body
    with refused("invitation-used"):
        invitations.accept_invitation(found, name="Ann", passphrase=PASSWORD)
    assert [(event.verb, event.actor) for event in Event.objects.all()] == [("invited", chief), ("joined", joined)]


def test_secret_is_neither_stored_nor_logged(
    chief: Person, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # nothing listens there
    with caplog.at_level(logging.DEBUG):
        invited = invitations.invite(chief, **NEW)
    secret = secret_of(invited)
    assert not invited.mailed
    assert secret not in caplog.text
    assert "could not be mailed" in caplog.text
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM submissions_invitation")
        kept = str(cursor.fetchall())
        cursor.execute("SELECT * FROM submissions_event")
        assert secret not in kept + str(cursor.fetchall())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"email": ""}, "email-wrong"),
        ({"email": "nobody"}, "email-wrong"),
        ({"email": f"{'a' * 250}@board.example.test"}, "email-wrong"),
        ({"email": "CHIEF.two@board.example.test"}, "email-taken"),
        ({"name": " "}, "name-missing"),
        ({"name": "x" * 10_000}, "name-too-long"),
        ({"name": "x" * 100_000}, "text-too-long"),
        ({"name": "Ann \u202enalanA"}, "control-characters"),
        ({"role": "table_games_manager"}, "role-elsewhere"),
        ({"role": "emperor"}, "role-elsewhere"),
        ({"role": ""}, "role-elsewhere"),
    ],
)
def test_bad_invitation_is_refused_with_its_reason(
    chief: Person, deputy: Person, change: dict[str, str], code: str
) -> None:
    with refused(code):
        invitations.invite(chief, **{**NEW, **change})
    assert not Invitation.objects.exists()


def test_second_invitation_of_one_address_is_sent_anew_instead(invited: IssuedInvitation, chief: Person) -> None:
    with refused("invited-already"):
        invitations.invite(chief, **NEW)
    sent_again = invitations.send_again(chief, invited.invitation)
    old = invitations.invitation_of(secret_of(invited))
    with refused("invitation-withdrawn"):
        invitations.accept_invitation(old, name="Ann", passphrase=PASSWORD)
    assert invitations.accept_invitation(sent_again.invitation, name="Ann", passphrase=PASSWORD).role == "analyst"


def test_invitation_that_is_withdrawn_or_too_old_is_not_accepted(invited: IssuedInvitation, chief: Person) -> None:
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with refused("invitation-expired"):
        invitations.accept_invitation(invited.invitation, name="Ann", passphrase=PASSWORD)
    invitations.withdraw_invitation(chief, invited.invitation)
    with refused("invitation-withdrawn"):
        invitations.accept_invitation(invited.invitation, name="Ann", passphrase=PASSWORD)
    with refused("invitation-over"):
        invitations.withdraw_invitation(chief, invited.invitation)
    assert not Person.objects.filter(name="Ann").exists()


def test_weak_passphrase_is_refused_and_the_link_stays_open(invited: IssuedInvitation) -> None:
    for weak in ("short", "qwerty123456", "new.analyst@board.example.test"):
        with refused("passphrase-weak"):
            invitations.accept_invitation(invited.invitation, name="Ann", passphrase=weak)
    assert invitations.accept_invitation(invited.invitation, name="Ann", passphrase=PASSWORD)


def test_address_that_was_taken_meanwhile_is_told(invited: IssuedInvitation, casino: Organization) -> None:
    Person.objects.create_user("new.analyst@board.example.test", PASSWORD, name="Else", organization=casino)
    with refused("email-taken"):
        invitations.accept_invitation(invited.invitation, name="Ann", passphrase=PASSWORD)


@pytest.mark.django_db(transaction=True)
def test_two_who_accept_at_once_are_one_person(invited: IssuedInvitation) -> None:
    def accept(name: str) -> str:
        try:
            return invitations.accept_invitation(invited.invitation, name=name, passphrase=PASSWORD).name
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(accept, ("First", "Second")))
    assert sorted(outcomes)[1] == "invitation-used"
    assert Person.objects.filter(email="new.analyst@board.example.test").count() == 1


def test_only_an_administrator_of_the_same_organization_changes_people(
    analyst: Person, chief: Person, deputy: Person, preparer: Person, invited: IssuedInvitation, casino: Organization
) -> None:
    elsewhere = administrator(casino, "Chief East")
    for actor in (analyst, elsewhere):
        for change in (members.deactivate_member, members.reactivate_member, members.remove_second_factor):
            with pytest.raises(Forbidden):
                change(actor, deputy)
        for change in (invitations.withdraw_invitation, invitations.send_again):
            with pytest.raises(Forbidden):
                change(actor, invited.invitation)
        with pytest.raises(Forbidden):
            members.assign_role(actor, deputy, role="reader", administrator=False)
    with pytest.raises(Forbidden):
        invitations.invite(analyst, **NEW)
    with refused("own-account"):
        members.assign_role(chief, chief, role="director", administrator=True)


def test_two_administrators_stay_whatever_happens(chief: Person, deputy: Person, board: Organization) -> None:
    third = administrator(board, "Chief Three")
    members.deactivate_member(chief, third)
    for change in (
        members.deactivate_member,
        lambda by, one: members.assign_role(by, one, role="reader", administrator=False),
    ):
        with refused("too-few-administrators"):
            change(chief, deputy)
    members.reactivate_member(chief, third)
    members.assign_role(chief, third, role="director", administrator=False)
    with refused("too-few-administrators"):
        members.deactivate_member(chief, deputy)
    assert not members.too_few_administrators(board)


@pytest.mark.django_db(transaction=True)
def test_two_administrators_who_deactivate_each_other_do_not_both_go(
    chief: Person, deputy: Person, board: Organization
) -> None:
    administrator(board, "Chief Three")

    def deactivate(pair: tuple[Person, Person]) -> str:
        try:
            members.deactivate_member(*pair)
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(2) as pool:
        outcomes = sorted(pool.map(deactivate, ((chief, deputy), (deputy, chief))))
    assert outcomes[0] == "done"
    assert outcomes[1] in ("too-few-administrators", "not-allowed")
    assert permissions.people_visible_to(Person.objects.get(name="Chief Three")).filter(is_active=True).count() == 2


def test_role_changes_what_may_be_done_and_is_told(analyst: Person, chief: Person) -> None:
    members.assign_role(chief, analyst, role="director", administrator=True)
    analyst.refresh_from_db()
    event = Event.objects.get()
    assert (analyst.role, analyst.administrator) == ("director", True)
    assert event.before == {"role": "analyst", "administrator": False}
    assert (event.after["name"], event.after["role"]) == (analyst.name, "director")
    members.assign_role(chief, analyst, role="director", administrator=True)
    assert Event.objects.count() == 1
    with refused("role-elsewhere"):
        members.assign_role(chief, analyst, role="preparer", administrator=True)


def test_who_is_deactivated_gets_nothing_more_and_stays_in_the_history(casino: Organization, manager: Person) -> None:
    chief = administrator(casino, "Chief East")
    submission = drafts.start_submission(manager, "686a")
    window = signed_in(manager)
    address = f"/submissions/{submission.number}/"
    assert window.get(address).status_code == 200
    members.deactivate_member(chief, manager)
    manager.refresh_from_db()
    assert window.get(address).status_code == 302
    assert not Session.objects.exists()
    assert not permissions.visible_to(manager).exists()
    assert not permissions.may(manager, "start")
    assert submission.events.get(verb="started").actor.name == manager.name
    assert verify_chain()[1] is None


def test_lost_second_factor_is_removed_by_another_administrator(chief: Person, analyst: Person) -> None:
    window = signed_in(analyst)
    TOTP.activate(analyst, generate_totp_secret())
    RecoveryCodes.activate(analyst)
    members.remove_second_factor(chief, analyst)
    assert not permissions.has_second_factor(analyst)
    assert not analyst.authenticator_set.exists()
    assert window.get("/people/").status_code == 302
    assert Event.objects.get().verb == "second-factor-removed"
    members.remove_second_factor(chief, analyst)
    assert Event.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_second_factor_set_up_signs_out_everywhere_else(manager: Person) -> None:
    here, there = signed_in(manager), signed_in(manager)
    here.post("/accounts/reauthenticate/", {"confirm_password": PASSWORD})
    here.get("/accounts/2fa/totp/activate/")
    secret = here.session["mfa.totp.secret"]
    here.post("/accounts/2fa/totp/activate/", {"code": format_hotp_value(hotp_value(secret, int(time.time()) // 30))})
    assert [window.get("/people/").status_code for window in (here, there)] == [200, 302]
    assert Event.objects.get().verb == "second-factor-set-up"
    here.post("/accounts/2fa/totp/deactivate/")
    assert Event.objects.latest("sequence").verb == "second-factor-given-up"


def test_second_factor_is_demanded_of_who_decides_or_administers(
    settings: Any, chief: Person, manager: Person, preparer: Person
) -> None:
    submission = drafts.start_submission(preparer, "686a")
    settings.SECOND_FACTOR = True
    for person_, verb in ((manager, "file"), (manager, "withdraw")):
        verdict = permissions.may(person_, verb, submission)
        assert (bool(verdict), verdict.code) == (False, "second-factor-missing")
    assert permissions.may(chief, "administer").code == "second-factor-missing"
    assert permissions.may(preparer, "edit", submission)
    assert permissions.may(preparer, "start")
    RecoveryCodes.activate(manager)
    assert not permissions.may(manager, "file", submission)
    TOTP.activate(manager, generate_totp_secret())
    assert permissions.may(manager, "file", submission)
    with refused("second-factor-missing"):
        invitations.invite(chief, **NEW)


def test_organization_is_founded_with_two_administrators(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_organization", "Casino North", "--kind=licensee", "--slug=north", *BOTH)
    told = capsys.readouterr().out
    links = [line.split()[-1].rstrip("/").rsplit("/", 1)[1] for line in told.splitlines()]
    first = invitations.accept_invitation(invitations.invitation_of(links[0]), name="Ann", passphrase=PASSWORD)
    second = invitations.accept_invitation(invitations.invitation_of(links[1]), name="Bob", passphrase=PASSWORD)
    members.assign_role(first, second, role="table_games_manager", administrator=True)
    assert [one.administrator for one in (first, second)] == [True, True]
    assert first.organization.name == "Casino North"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("Casino North", "--kind=licensee", "--slug=north", "--administrator=a@b.example"), "2 administrators"),
        (
            ("Casino North", "--kind=licensee", "--slug=n th", "--administrator=a@b.ex", "--administrator=c@d.ex"),
            "n th",
        ),
        (("Casino East", "--kind=licensee", "--slug=x", *BOTH), "already"),
        (("Casino North", "--kind=licensee", "--slug=x", "--administrator=a", "--administrator=c@d.ex"), "“a” is not"),
    ],
)
def test_organization_that_cannot_be_is_not_founded(
    casino: Organization, arguments: tuple[str, ...], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("create_organization", *arguments)
    assert Organization.objects.count() == 1
    assert not Invitation.objects.exists()
