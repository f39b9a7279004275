"""Notices and mails of a person of two properties: for each row, to the account's address, naming the property."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from submissions.filings import filing
from submissions.filings.review import decisions
from submissions.models import Job, Mail, MailPreference, Notice, Organization, Person, Role
from submissions.notifications import email, notices
from submissions.tasks import run_task
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.properties import membership

pytestmark = pytest.mark.usefixtures("jobs_travel")

EASTERN = ZoneInfo("America/New_York")


@pytest.fixture
def away(manager: Person, other_casino: Organization) -> Person:
    return membership(manager, other_casino, Role.PREPARER)


def returned_at_west(stranger: Person, analyst: Person) -> None:
    """A decision of the Board on a submission of Casino West."""
    submission = ready_to_file(stranger, "686a")
    filing.file_submission(stranger, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    decisions.return_to_licensee(analyst, submission, version=submission.version, reason="Which shuffler?")


def send_mails() -> None:
    for job in Job.objects.filter(kind=Job.Kind.MAIL, state=Job.State.DUE):
        run_task(job)


def test_decision_is_mailed_to_the_account_and_names_the_property(
    manager: Person, away: Person, stranger: Person, analyst: Person, mailoutbox: list[Any]
) -> None:
    returned_at_west(stranger, analyst)
    send_mails()
    [mail] = [mail for mail in mailoutbox if mail.to == [manager.email]]
    assert mail.subject.startswith("Casino West: RS-")
    assert not any("memberships.invalid" in address for each in mailoutbox for address in each.to)
    assert Notice.objects.filter(person=away).exists()
    assert not Notice.objects.filter(person=manager).exists()


def test_mail_to_a_person_of_one_property_is_as_before(
    stranger: Person, analyst: Person, mailoutbox: list[Any]
) -> None:
    returned_at_west(stranger, analyst)
    send_mails()
    [mail] = [mail for mail in mailoutbox if mail.to == [stranger.email]]
    assert mail.subject.startswith("RS-")


def test_each_property_has_its_own_preference(
    manager: Person, away: Person, stranger: Person, analyst: Person, mailoutbox: list[Any]
) -> None:
    notices.choose_mail_preference(away, MailPreference.NONE)
    returned_at_west(stranger, analyst)
    send_mails()
    assert [mail for mail in mailoutbox if mail.to == [manager.email]] == []
    manager.refresh_from_db()
    assert manager.mails == MailPreference.EACH


def test_digest_is_made_for_each_property(
    manager: Person, away: Person, preparer: Person, stranger: Person, analyst: Person, mailoutbox: list[Any]
) -> None:
    for row in (manager, away):
        notices.choose_mail_preference(row, MailPreference.DIGEST)
    with time_machine.travel(datetime(2026, 3, 3, 12, tzinfo=EASTERN), tick=True):
        returned_at_west(stranger, analyst)
        own = ready_to_file(manager, "686a")
        filing.file_submission(manager, own, version=own.version, attested=True)
        own.refresh_from_db()
        decisions.return_to_licensee(analyst, own, version=own.version, reason="Which shuffler?")
    with time_machine.travel(datetime(2026, 3, 4, 8, tzinfo=EASTERN), tick=True):
        email.mail_digests(timezone.now())
        send_mails()
    subjects = sorted(mail.subject for mail in mailoutbox if mail.to == [manager.email])
    assert [subject.split(":")[0] for subject in subjects] == ["Casino East", "Casino West"]


@pytest.mark.parametrize("which", ["account", "membership"])
def test_nothing_is_mailed_after_deactivation(
    manager: Person, away: Person, stranger: Person, analyst: Person, mailoutbox: list[Any], which: str
) -> None:
    returned_at_west(stranger, analyst)
    assert Mail.objects.filter(to=away).exists()
    Person.objects.filter(pk=manager.pk if which == "account" else away.pk).update(is_active=False)
    send_mails()
    assert [mail for mail in mailoutbox if mail.to == [manager.email]] == []


def test_subject_fits_its_column(manager: Person, away: Person, stranger: Person, analyst: Person) -> None:
    Organization.objects.filter(slug="west").update(name="W" * 120)
    returned_at_west(stranger, analyst)
    assert all(len(mail.subject) <= 200 for mail in Mail.objects.all())
