"""What is deleted after its time, what never is, and that a legal hold prevents it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from portal.processes.sweeper import DUTIES
from submissions.audit.record import record_event
from submissions.audit.retention import lift_legal_hold, on_hold, place_legal_hold, purge, retention_rules
from submissions.audit.row_verification import begin_sealing, verify_history
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.filings import drafts
from submissions.models import (
    Event,
    Job,
    KeyedCall,
    LegalHold,
    LegalHoldEnd,
    Mail,
    Notice,
    Organization,
    Person,
    Submission,
)

pytestmark = [pytest.mark.django_db, pytest.mark.service("triggers", "time")]


@pytest.fixture
def administrator(analyst: Person) -> Person:
    """Of the Board."""
    Person.objects.filter(pk=analyst.pk).update(administrator=True)
    analyst.refresh_from_db()
    return analyst


def notice(
    person: Person, submission: Submission | None = None, *, read_days_ago: int | None, mailed: bool = True
) -> Notice:
    """A notice of a step, and the mail that contained it, with its finished job."""
    now = timezone.now()
    with transaction.atomic():
        event = record_event(person, submission, "saved")
    at = now - timedelta(days=(read_days_ago or 0) + 1)
    mail = None
    if mailed:
        mail = Mail.objects.create(
            to=person,
            subject="A step",
            body="Words.",
            message_id=str(event.sequence),
            made_at=at,
            sent_at=at,
        )
        Job.objects.create(kind=Job.Kind.MAIL, subject=mail.pk, state=Job.State.DONE, not_before=at, finished_at=at)
    seen = None if read_days_ago is None else now - timedelta(days=read_days_ago)
    return Notice.objects.create(
        person=person, event=event, submission=submission, words="A step.", at=at, seen_at=seen, mail=mail
    )


def remaining() -> tuple[int, int, int]:
    """Notices, mails, jobs of mails."""
    return Notice.objects.count(), Mail.objects.count(), Job.objects.filter(kind=Job.Kind.MAIL).count()


def test_read_notices_and_their_mails_are_deleted_after_their_time(manager: Person, settings: Any) -> None:
    settings.NOTICE_DAYS = settings.MAIL_DAYS = 100
    for days in (99, 101, None):
        notice(manager, read_days_ago=days)
    waiting = notice(manager, read_days_ago=500, mailed=False)
    before = Event.objects.count()
    assert purge(timezone.now()) == 2
    assert remaining() == (3, 2, 2)
    assert Notice.objects.filter(pk=waiting.pk).exists()  # it is still to be mailed
    assert Event.objects.count() == before
    assert purge(timezone.now()) == 0


def test_unread_notice_keeps_its_mail(manager: Person, settings: Any) -> None:
    settings.NOTICE_DAYS = settings.MAIL_DAYS = 100
    row = notice(manager, read_days_ago=None)
    Mail.objects.update(sent_at=timezone.now() - timedelta(days=1_000))
    purge(timezone.now())
    assert remaining() == (1, 1, 1)
    Person.objects.filter(pk=manager.pk).update(is_active=False)  # who left reads nothing any longer
    Notice.objects.filter(pk=row.pk).update(at=timezone.now() - timedelta(days=1_000))
    purge(timezone.now())
    assert remaining() == (0, 0, 0)


def test_ended_sessions_are_deleted(db: None) -> None:
    now = timezone.now()
    for key, hours in (("ended", -1), ("present", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=now + timedelta(hours=hours))
    assert purge(now) == 1
    assert list(Session.objects.values_list("session_key", flat=True)) == ["present"]


SCOPES = ("submission", "licensee", "everything")


@pytest.mark.parametrize("scope", SCOPES)
def test_legal_hold_prevents_deleting_what_is_in_its_scope_until_it_is_lifted(
    scope: str, administrator: Person, manager: Person, stranger: Person
) -> None:
    submission = drafts.start_submission(manager, "687a")
    for person, of in ((manager, submission), (manager, None), (stranger, None)):
        notice(person, of, read_days_ago=2_000)
    Session.objects.create(session_key="ended", session_data="", expire_date=timezone.now() - timedelta(days=1))
    scopes: dict[str, dict[str, Any]] = {
        "submission": {"submission": submission}, "licensee": {"organization": manager.organization}, "everything": {}
    }  # fmt: skip
    row = place_legal_hold(administrator, "A lawsuit.", **scopes[scope])
    purge(timezone.now())
    assert remaining() == {"submission": (1, 1, 1), "licensee": (2, 2, 2), "everything": (3, 3, 3)}[scope]
    assert Session.objects.count() == (scope == "everything")
    lift_legal_hold(administrator, row, "It ended.")
    purge(timezone.now())
    assert (remaining(), Session.objects.count()) == ((0, 0, 0), 0)


def test_any_legal_hold_stops_deletions_that_cannot_be_told_apart(administrator: Person, manager: Person) -> None:
    """Stored answers of the API, deliveries and the security log: the duties do nothing while there is a hold."""
    now = timezone.now()
    given = {"request_sha256": "0" * 64, "holder": "1", "begun_at": now - timedelta(days=1_000)}
    for key in ("first", "second"):
        KeyedCall.objects.create(service_account=manager, key=key, **given)
    row = place_legal_hold(administrator, "A lawsuit.", organization=manager.organization)
    assert [DUTIES[name].do(now) for name in ("keys", "deliveries", "old security log")] == [0, 0, 0]
    assert KeyedCall.objects.count() == 2
    lift_legal_hold(administrator, row, "It ended.")
    assert DUTIES["keys"].do(now) == 2


def test_legal_hold_is_sealed_in_the_history_and_unseen_by_licensees(administrator: Person, manager: Person) -> None:
    begin_sealing()
    submission = drafts.start_submission(manager, "687a")
    row = place_legal_hold(administrator, "A lawsuit.", submission=submission)
    lift_legal_hold(administrator, row, "It ended.")
    placed, lifted = Event.objects.order_by("-sequence")[:2][::-1]
    assert (placed.verb, lifted.verb) == ("legal-hold-placed", "legal-hold-lifted")
    assert placed.after == {"legal_hold": row.number, "scope": submission.number}
    assert placed.submission is None
    assert placed.organization_id == administrator.organization_id
    assert verify_history().good
    with pytest.raises(Exception, match="append-only"), transaction.atomic():
        LegalHold.objects.update(reason="Another.")


def test_only_administrators_of_the_board_place_and_lift_holds_with_a_reason(
    administrator: Person, director: Person, manager: Person
) -> None:
    Person.objects.filter(pk=manager.pk).update(administrator=True)
    manager.refresh_from_db()
    for person in (director, manager):
        with pytest.raises(Forbidden):
            place_legal_hold(person, "A lawsuit.")
    with pytest.raises(Refusal, match="only with a reason"):
        place_legal_hold(administrator, "  ")
    row = place_legal_hold(administrator, "A lawsuit.")
    with pytest.raises(Forbidden):
        lift_legal_hold(director, row, "It ended.")
    lift_legal_hold(administrator, row, "It ended.")
    with pytest.raises(Conflict, match="lifted already"):
        lift_legal_hold(administrator, row, "It ended.")
    assert LegalHoldEnd.objects.count() == 1


def test_command_places_lists_and_lifts_a_hold(
    administrator: Person, casino: Organization, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*arguments: str) -> str:
        call_command("legal_hold", *arguments)
        return capsys.readouterr().out

    assert "There are no legal holds." in said()
    assert "is placed: Casino East" in said("--licensee", "east", "--by", administrator.email, "--reason", "A lawsuit.")
    row = LegalHold.objects.get()
    listed = said()
    assert f"{row.number}  Casino East, since " in listed
    assert all(rule.what in listed for rule in retention_rules())
    for wrong in (["--licensee", "none"], ["--licensee", "east", "--by", "no@one.test"], ["--lift", "LH-1"]):
        with pytest.raises(CommandError) as refused:
            call_command("legal_hold", "--by", administrator.email, *wrong)
        assert refused.value.returncode == 2
    said("--lift", row.number, "--by", administrator.email, "--reason", "It ended.")
    assert "There are no legal holds." in said()


def test_scope_of_no_hold_covers_nothing(manager: Person) -> None:
    notice(manager, read_days_ago=5)
    assert Notice.objects.filter(on_hold("person__organization", "submission")).count() == 0
    assert Notice.objects.exclude(on_hold("person__organization", "submission")).count() == 1
