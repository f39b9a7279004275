"""E-mail: a decision at once, other notices in a digest each morning, as each person chose; and the sending.

A mail is a row, created in the transaction of its event, and a job that tries until the server accepts it: nothing is
lost while there is no server. It is sent once, under the job's lease. Only if a worker dies between the server's answer
and the note of it, the mail is sent a second time, with the same Message-ID.
"""

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

from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.core.text import counted
from submissions.jobs import leases
from submissions.models import Job, Mail, MailPreference, Notice, Person
from submissions.permissions import notices_visible_to

MORNING = time(7)  # Eastern Time; clocks are never set forward or back across it
SERVER_AWAY = "mail-server-away"  # in the cache
SERVER_PAUSE = 30  # seconds without an attempt after a server did not answer
LONGEST_SUBJECT = 200  # characters, as in the database
FINAL = 500  # SMTP codes from here on are final


def mail_now(notice: Notice, subject: str) -> Mail:
    """Create the mail of one decision to one person, inside the transaction that decides."""
    mail = _create_mail(notice.person, subject, "mail/decision.txt", [notice])
    Notice.objects.filter(event=notice.event_id, person=notice.person_id).update(mail=mail)
    return mail


def mail_digests(now: datetime) -> int:
    """Create a digest for everyone with notices from before this morning, one a day; return how many."""
    local = timezone.localtime(now)
    if local.time() < MORNING:
        return 0
    until = timezone.make_aware(datetime.combine(local.date(), MORNING))
    unmailed = Notice.objects.filter(to_mail=True, mail=None, at__lt=until, person__is_active=True)
    people = unmailed.exclude(person__mails=MailPreference.NONE).values_list("person", flat=True).distinct()
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
        subject = f"Rules Submissions: {counted(len(notices), 'notice')}, {date_text(day)}"
        mail = _create_mail(person, subject, "mail/digest.txt", notices, day)
        Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(mail=mail)
    return True


def send_mail_job(lease: leases.Lease) -> None:
    """Send the mail to the person's account, unless it was sent or the person has left."""
    mail = Mail.objects.select_related("to__account").get(pk=lease.job.subject)
    if mail.sent_at or not (mail.to.is_active and mail.to.sign_in_account.is_active):
        return
    if cache.get(SERVER_AWAY):
        raise leases.TryLater("The mail server did not answer a moment ago.")
    headers = {"Message-ID": mail.message_id, "Auto-Submitted": "auto-generated"}
    lease.beat(0, 1, "Sending it to the mail server")
    try:
        EmailMessage(mail.subject, mail.body, to=[mail.to.address], headers=headers).send()
    except (OSError, SMTPException) as error:
        raise _delivery_failure(mail, error) from error
    with lease.commit():
        Mail.objects.filter(pk=mail.pk, sent_at=None).update(sent_at=timezone.now())


def _delivery_failure(mail: Mail, error: Exception) -> Exception:
    """Return a `Refusal` if the server rejects the address or the message for good; else `TryLater`."""
    codes = [error.smtp_code] if isinstance(error, SMTPDataError) else []
    if isinstance(error, SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    if codes and min(codes) >= FINAL:
        return Refusal("mail-refused", email=mail.to.address, error=error)
    if not codes:
        cache.set(SERVER_AWAY, True, SERVER_PAUSE)
    return leases.TryLater(f"The mail server did not accept it: {error}")


def _create_mail(to: Person, subject: str, template: str, notices: Sequence[Notice], day: date | None = None) -> Mail:
    """Create the mail's row and its job. To a person of several properties, the subject names that of the mail."""
    if to.account_id is not None or to.memberships.filter(is_active=True).exists():
        subject = f"{to.organization}: {subject}"[:LONGEST_SUBJECT]
    content = {"person": to, "notices": notices, "day": day, "portal": settings.PUBLIC_URL}
    mail = Mail.objects.create(
        to=to,
        subject=subject,
        body=render_to_string(template, content).strip() + "\n",
        message_id=make_msgid(domain=urlsplit(settings.PUBLIC_URL).hostname),
        day=day,
        made_at=timezone.now(),
    )
    leases.enqueue(Job.Kind.MAIL, mail.pk)
    return mail
