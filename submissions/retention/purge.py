"""Deletes notices, mails and sessions after their time, except what a legal hold covers. Once a day.

How long each is stored is in `rules`. Rows are deleted in batches, so that no one waits for a long transaction.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Model, Q, QuerySet

from submissions.models import Job, Mail, Notice
from submissions.retention.legal_holds import on_hold, present_legal_holds

BATCH = 500


def purge(now: datetime) -> int:
    """Delete what is older than its rule allows; how many rows."""
    return sum((_sessions(now), _notices(now), _mails(now)))


def _sessions(now: datetime) -> int:
    """Those that have ended. They name no licensee: a hold on everything covers all of them, any other none."""
    if present_legal_holds().filter(organization=None, submission=None).exists():
        return 0
    return _delete(Session.objects.filter(expire_date__lt=now))


def _notices(now: datetime) -> int:
    """Notices that were read long ago, and those of people who left; not those that are still to be mailed."""
    before = now - timedelta(days=settings.NOTICE_DAYS)
    old = Q(seen_at__lt=before) | Q(person__is_active=False, at__lt=before)
    rows = Notice.objects.filter(old).exclude(to_mail=True, mail=None)
    return _delete(rows.exclude(on_hold("person__organization", "submission")))


def _mails(now: datetime) -> int:
    """Mails that were sent long ago and that no notice names any longer, with their jobs."""
    before = now - timedelta(days=settings.MAIL_DAYS)
    rows = Mail.objects.filter(sent_at__lt=before, notices=None).exclude(on_hold("to__organization"))
    count = 0
    for keys in _batches(rows):
        with transaction.atomic():
            Job.objects.filter(kind=Job.Kind.MAIL, state=Job.State.DONE, subject__in=keys).delete()
            count += Mail.objects.filter(pk__in=keys).delete()[1].get("submissions.Mail", 0)
    return count


def _delete(rows: QuerySet[Model]) -> int:
    return sum(rows.model._default_manager.filter(pk__in=keys).delete()[0] for keys in _batches(rows))


def _batches(rows: QuerySet[Model]) -> Iterator[list[int | str]]:
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        yield keys
