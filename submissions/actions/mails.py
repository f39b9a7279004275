"""What is mailed: a decision at once, the rest in a digest each morning, as its person chose; and the sending.

A mail is a row, made in the transaction of what it tells of, and a job, which asks the server until it takes the mail:
nothing is lost while there is none. It is sent once, under the job's lease; only a worker that dies between the
server's yes and the note of it leaves it to be sent a second time, and then with the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from email.utils import make_msgid
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.dateformat import format as format_date

from submissions.access import notices_visible_to
from submissions.actions import jobs
from submissions.errors import Refusal
from submissions.models import Job, Mail, Mails, Notice, Person

MORNING = time(7)  # Pennsylvania's; no clock is ever set forward or back across it
AWAY = "mail-server-away"
QUIET = 30  # seconds in which nobody asks a server that did not answer
FINAL = 500  # a server that answers so will not change its mind


def at_once(notice: Notice, subject: str) -> Mail:
    """The mail of one decision to one person, inside the transaction that decides."""
    mail = _put_down(notice.person, subject, "mail/decision.txt", [notice])
    Notice.objects.filter(event=notice.event_id, person=notice.person_id).update(mail=mail)
    return mail


def digests(now: datetime) -> int:
    """A digest for everyone whose notices came in before this morning, if it is morning already; how many were made.

    Whoever comes first makes it; made once a day for a person, however often and by whomever this is called.
    """
    local = timezone.localtime(now)
    if local.time() < MORNING:
        return 0
    until = timezone.make_aware(datetime.combine(local.date(), MORNING))
    waiting = Notice.objects.filter(to_mail=True, mail=None, at__lt=until, person__is_active=True)
    people = waiting.exclude(person__mails=Mails.NONE).values_list("person", flat=True).distinct()
    return sum(_digest(pk, local.date(), until) for pk in people.order_by("person"))


def _digest(pk: int, day: date, until: datetime) -> bool:
    with transaction.atomic():
        person = Person.objects.select_for_update(no_key=True).get(pk=pk)
        if Mail.objects.filter(to=person, day=day).exists():
            return False
        seen_by = notices_visible_to(person).filter(to_mail=True, mail=None, at__lt=until)
        notices = list(seen_by.select_related("submission").order_by("submission", "pk"))
        if not notices:
            return False
        number = f"{len(notices)} notice{'s' if len(notices) > 1 else ''}"
        subject = f"Rules Submissions: {number}, {format_date(day, 'F j, Y')}"
        mail = _put_down(person, subject, "mail/digest.txt", notices, day)
        Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(mail=mail)
    return True


def send(lease: jobs.Lease) -> None:
    """Hand the mail to the server, unless it has it; somebody who has left gets nothing."""
    mail = Mail.objects.select_related("to").get(pk=lease.job.subject)
    if mail.sent_at or not mail.to.is_active:
        return
    if cache.get(AWAY):
        raise jobs.TryLater("The mail server did not answer a moment ago.")
    headers = {"Message-ID": mail.message_id, "Auto-Submitted": "auto-generated"}
    lease.beat(0, 1, "Handing it to the mail server")
    try:
        EmailMessage(mail.subject, mail.body, to=[mail.to.email], headers=headers).send()
    except (OSError, SMTPException) as error:
        raise _not_taken(mail, error) from error
    with lease.commit():
        Mail.objects.filter(pk=mail.pk, sent_at=None).update(sent_at=timezone.now())


def _not_taken(mail: Mail, error: Exception) -> Exception:
    """Final where the server refuses this address or this message for good; else it is asked again."""
    if isinstance(error, SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    else:
        codes = [error.smtp_code] if isinstance(error, SMTPDataError) else []
    if codes and min(codes) >= FINAL:
        return Refusal("mail-refused", f"The mail server refuses the mail to {mail.to.email}: {error}")
    if not codes:
        cache.set(AWAY, True, QUIET)
    return jobs.TryLater(f"The mail server did not take it: {error}")


def _put_down(to: Person, subject: str, template: str, notices: Sequence[Notice], day: date | None = None) -> Mail:
    """The mail's row, with the Message-ID that it keeps, and its job."""
    content = {"person": to, "notices": notices, "day": day, "portal": settings.PUBLIC_URL}
    mail = Mail.objects.create(
        to=to,
        subject=subject,
        body=render_to_string(template, content).strip() + "\n",
        message_id=make_msgid(domain=urlsplit(settings.PUBLIC_URL).hostname),
        day=day,
        made_at=timezone.now(),
    )
    jobs.enqueue(Job.Kind.MAIL, mail.pk)
    return mail
