"""Digests at seven in the morning of Pennsylvania, once; mails to a server that comes and goes."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from threading import Barrier, Thread
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope
from django.core import mail as outbox
from django.core.cache import cache
from django.db import connection, transaction
from django.utils import timezone

from submissions.audit.record import record_event
from submissions.filings import drafts, filing
from submissions.models import Job, Mail, MailPreference, Notice, Person, Submission
from submissions.notifications import email as mails
from submissions.notifications import notices
from submissions.tasks import run_task

pytestmark = [pytest.mark.usefixtures("jobs_travel"), pytest.mark.service("locks")]

EAST = ZoneInfo("America/New_York")


@pytest.fixture(autouse=True)
def _memory_cache(settings: Any) -> Iterator[None]:
    settings.CACHES = settings.CACHES | {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()
    yield
    cache.clear()


def at(*when: int) -> datetime:
    return datetime(*when, tzinfo=EAST)  # type: ignore[arg-type]


def withdrawn(preparer: Person, manager: Person, when: datetime) -> Submission:
    """Something that is told to the preparer, no decision."""
    with time_machine.travel(when, tick=False):
        submission = drafts.start_submission(preparer, "686a")
        filing.withdraw_submission(manager, submission, version=submission.version, reason="A mistake.")
    return submission


def decided(preparer: Person, analyst: Person) -> Mail:
    """The mail of a decision, made as `notices.tell` makes it."""
    submission = drafts.start_submission(preparer, "686a")
    with transaction.atomic():
        event = record_event(analyst, submission, "remarked")
        notice = Notice.objects.create(
            person=preparer, event=event, submission=submission, decides=True, words="Returned.", at=event.at
        )
        return mails.mail_now(notice, "Returned")


def run(job: Job) -> Job:
    run_task(job)
    job.refresh_from_db()
    return job


def test_digest_is_made_once_a_day_at_seven(preparer: Person, manager: Person) -> None:
    submission = withdrawn(preparer, manager, at(2026, 3, 2, 15))
    assert mails.mail_digests(at(2026, 3, 3, 6, 59)) == 0
    assert mails.mail_digests(at(2026, 3, 3, 7)) == 1
    assert mails.mail_digests(at(2026, 3, 3, 7, 1)) == 0
    mail = Mail.objects.get()
    assert (mail.to, str(mail.day)) == (preparer, "2026-03-03")
    assert mail.subject == "Rules Submissions: 1 notice, March 3, 2026"
    assert f"March 2, 3:00 p.m.: Manager East withdrew {submission.number} (Over/Under)." in mail.body
    assert Notice.objects.get().mail == mail


def test_what_comes_after_seven_waits_for_the_next_morning(preparer: Person, manager: Person) -> None:
    withdrawn(preparer, manager, at(2026, 3, 3, 8))
    assert mails.mail_digests(at(2026, 3, 3, 9)) == 0
    assert mails.mail_digests(at(2026, 3, 4, 7)) == 1


def test_digest_after_two_nights_of_downtime_holds_everything_once(preparer: Person, manager: Person) -> None:
    for day in (1, 2, 3):
        withdrawn(preparer, manager, at(2026, 3, day, 15))
    assert mails.mail_digests(at(2026, 3, 4, 23)) == 1
    assert mails.mail_digests(at(2026, 3, 5, 7)) == 0
    assert Mail.objects.get().body.count("withdrew") == 3


@pytest.mark.parametrize("day", [(2026, 3, 8), (2026, 11, 1)])
def test_digest_on_the_day_on_which_the_clocks_change(
    preparer: Person, manager: Person, day: tuple[int, int, int]
) -> None:
    before = datetime(*day, tzinfo=EAST) - timedelta(hours=4)
    withdrawn(preparer, manager, before)
    seven = datetime(*day, 7, tzinfo=EAST)
    assert mails.mail_digests(seven.astimezone(UTC) - timedelta(minutes=1)) == 0
    assert mails.mail_digests(seven.astimezone(UTC)) == 1
    assert mails.mail_digests(seven.astimezone(UTC) + timedelta(hours=12)) == 0


@pytest.mark.django_db(transaction=True)
def test_digest_by_three_sweepers_at_once_is_one(preparer: Person, manager: Person) -> None:
    withdrawn(preparer, manager, at(2026, 3, 2, 15))
    ready, made = Barrier(3), []

    def sweep() -> None:
        ready.wait()
        made.append(mails.mail_digests(at(2026, 3, 3, 7)))
        connection.close()

    threads = [Thread(target=sweep) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sorted(made), Mail.objects.count()) == ([0, 0, 1], 1)


@pytest.mark.parametrize("why", ["none", "gone"])
def test_no_digest_for_who_wants_none_or_has_left(preparer: Person, manager: Person, why: str) -> None:
    changes = {"none": {"mails": MailPreference.NONE}, "gone": {"is_active": False}}[why]
    withdrawn(preparer, manager, at(2026, 3, 2, 15))
    Person.objects.filter(pk=preparer.pk).update(**changes)
    assert mails.mail_digests(at(2026, 3, 3, 7)) == 0


def test_digest_does_not_tell_later_what_was_not_wanted(preparer: Person, manager: Person) -> None:
    withdrawn(preparer, manager, at(2026, 3, 2, 15))
    notices.choose_mail_preference(preparer, MailPreference.NONE)
    withdrawn(preparer, manager, at(2026, 3, 2, 16))
    notices.choose_mail_preference(preparer, MailPreference.DIGEST)
    latest = withdrawn(preparer, manager, at(2026, 3, 2, 17))
    assert mails.mail_digests(at(2026, 3, 3, 7)) == 1
    assert [notice.submission for notice in Mail.objects.get().notices.all()] == [latest]


def test_mail_is_sent_once_with_its_own_message_id(preparer: Person, analyst: Person) -> None:
    mail = decided(preparer, analyst)
    job = run(Job.objects.get(kind=Job.Kind.MAIL, subject=mail.pk))
    mail.refresh_from_db()
    assert (job.state, mail.sent_at is not None) == (Job.State.DONE, True)
    Job.objects.update(state=Job.State.DUE)  # the message came twice
    run(job)
    assert [one.extra_headers["Message-ID"] for one in outbox.outbox] == [mail.message_id]


def test_mail_to_who_has_left_is_not_sent(preparer: Person, analyst: Person) -> None:
    decided(preparer, analyst)
    Person.objects.filter(pk=preparer.pk).update(is_active=False)
    assert run(Job.objects.get()).state == Job.State.DONE
    assert outbox.outbox == []


class Box:
    """What a mail server keeps; it may refuse."""

    def __init__(self, answer: str = "250 Taken") -> None:
        self.answer, self.taken = answer, []

    async def handle_RCPT(self, server: Any, session: Any, envelope: Envelope, address: str, options: Any) -> str:  # noqa: N802
        envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:  # noqa: N802
        self.taken.append(envelope)
        return "250 Taken"


@contextmanager
def mail_server(box: Box, port: int) -> Iterator[None]:
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield
    finally:
        controller.stop()


@pytest.fixture
def port(settings: Any) -> int:
    """A port on which nobody listens: the mail server is down."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = int(probe.getsockname()[1])
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free
    return free


def test_mail_server_down_for_a_day_loses_nothing_and_then_gets_each_mail_once(
    preparer: Person, analyst: Person, port: int
) -> None:
    made = [decided(preparer, analyst) for _ in range(2)]
    start = timezone.now()
    for minutes in range(0, 24 * 60, 20):
        with time_machine.travel(start + timedelta(minutes=minutes), tick=False):
            for job in Job.objects.order_by("pk"):
                assert run(job).state == Job.State.DUE
    assert not Mail.objects.filter(sent_at__isnull=False).exists()
    box = Box()
    with mail_server(box, port), time_machine.travel(start + timedelta(days=1), tick=False):
        for job in Job.objects.order_by("pk"):
            assert (run(job).state, job.attempts) == (Job.State.DONE, 1)
            run(job)
    assert [message_from_bytes(one.content)["Message-ID"] for one in box.taken] == [mail.message_id for mail in made]
    assert box.taken[0].rcpt_tos == [preparer.email]
    assert Mail.objects.filter(sent_at__isnull=False).count() == 2


def test_mail_is_put_off_and_the_next_does_not_wait_for_the_same_silence(
    preparer: Person, analyst: Person, port: int
) -> None:
    first, second = (Job.objects.get(subject=decided(preparer, analyst).pk) for _ in range(2))
    assert "Connection refused" in run(first).message
    assert first.not_before - timezone.now() > timedelta(seconds=50)
    assert run(second).message == "The mail server did not answer a moment ago."


@pytest.mark.parametrize(
    ("answer", "state"),
    [("550 No such user", Job.State.FAILED), ("451 Greylisted, come again", Job.State.DUE)],
)
def test_mail_that_the_server_does_not_take(
    preparer: Person, analyst: Person, port: int, answer: str, state: Job.State
) -> None:
    decided(preparer, analyst)
    with mail_server(Box(answer), port):
        job = run(Job.objects.get())
    assert (job.state, answer[4:] in job.message) == (state, True)
    assert Mail.objects.get().sent_at is None
