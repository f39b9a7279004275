"""Deletion after a time, by stated rules, and the legal holds that prevent it.

Never deleted: submissions, filings, decisions, events, checkpoints, signed documents, attachments, simulations with
their blocks, orders, people. A licensee does not see that its filings are on hold. Rows are deleted once a day, in
batches, so that no one waits for a long transaction.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.core.errors import Conflict, Refusal
from submissions.core.text import clean_text
from submissions.models import Job, LegalHold, LegalHoldEnd, Mail, Notice, Organization, Person, Submission

PLACED, LIFTED = "legal-hold-placed", "legal-hold-lifted"  # verbs of events
PERMISSION = "place-legal-hold"


def place_legal_hold(
    actor: Person, reason: str, *, organization: Organization | None = None, submission: Submission | None = None
) -> LegalHold:
    """Hold a submission, a licensee or everything. Errors: `Forbidden`; `Refusal` without a reason."""
    permissions.require(actor, PERMISSION)
    reason = _required(reason)
    with transaction.atomic():
        lock_history()  # one after the other: the number is counted
        row = LegalHold.objects.create(
            number=f"LH-{timezone.localdate().year}-{LegalHold.objects.count() + 1:05d}",
            organization=organization,
            submission=submission,
            reason=reason,
            by=actor,
            at=timezone.now(),
        )
        after = {"legal_hold": row.number, "scope": row.scope}
        record_event(actor, None, PLACED, reason=reason, after=after, seals=(row,))
    return row


def lift_legal_hold(actor: Person, row: LegalHold, reason: str) -> LegalHoldEnd:
    """Lift a legal hold. Errors: `Forbidden`; `Refusal` without a reason; `Conflict` if it was lifted already."""
    permissions.require(actor, PERMISSION)
    reason = _required(reason)
    with transaction.atomic():
        lock_history()
        if LegalHoldEnd.objects.filter(legal_hold=row).exists():
            raise Conflict("legal-hold-lifted", number=row.number)
        end = LegalHoldEnd.objects.create(legal_hold=row, reason=reason, by=actor, at=timezone.now())
        after = {"legal_hold": row.number, "scope": row.scope}
        record_event(actor, None, LIFTED, reason=reason, after=after, seals=(end,))
    return end


def present_legal_holds() -> QuerySet[LegalHold]:
    """Return the legal holds that were not lifted."""
    return LegalHold.objects.filter(end=None).select_related("organization", "submission", "by")


def on_hold(organization: str, submission: str = "") -> Q:
    """Return the rows that a present hold covers, by the lookups from a row to its organization and submission."""
    covered = Q()
    for row in present_legal_holds():
        if row.submission_id is None and row.organization_id is None:
            return ~Q(pk=None)  # every row
        if row.organization_id is not None:
            covered |= Q(**{organization: row.organization_id})
            covered |= Q(**{f"{submission}__organization": row.organization_id}) if submission else Q()
        elif submission:
            covered |= Q(**{submission: row.submission_id})
    return covered or Q(pk=None)


def unless_on_hold(delete: Callable[[datetime], int]) -> Callable[[datetime], int]:
    """Return `delete`, without effect during any legal hold: for rows that cannot be distinguished by licensee."""

    def delete_unless_on_hold(now: datetime) -> int:
        return 0 if present_legal_holds().exists() else delete(now)

    return delete_unless_on_hold


def _required(reason: str) -> str:
    reason = clean_text(reason, "The reason", option="reason")
    if not reason:
        raise Refusal("reason-missing/legal-hold", option="reason")
    return reason


BATCH = 500


def purge(now: datetime) -> int:
    """Delete what is older than its rule allows; how many rows."""
    return _sessions(now) + _notices(now) + _mails(now)


def _sessions(now: datetime) -> int:
    """Delete sessions that have ended; they name no licensee, so only a hold on everything covers them."""
    if present_legal_holds().filter(organization=None, submission=None).exists():
        return 0
    return _delete(Session.objects.filter(expire_date__lt=now))


def _notices(now: datetime) -> int:
    """Delete notices read long ago, and those of people who left; not those that are still to be mailed."""
    before = now - timedelta(days=settings.NOTICE_DAYS)
    old = Q(seen_at__lt=before) | Q(person__is_active=False, at__lt=before)
    rows = Notice.objects.filter(old).exclude(to_mail=True, mail=None)
    return _delete(rows.exclude(on_hold("person__organization", "submission")))


def _mails(now: datetime) -> int:
    """Delete mails that were sent long ago and that no notice names any longer, with their jobs."""
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


class RetentionRule(NamedTuple):
    """`days` are counted from the `moment`; `setting` is "" where the time is fixed."""

    what: str
    moment: str
    days: int
    setting: str = ""


def retention_rules() -> tuple[RetentionRule, ...]:
    return (
        # They identify a browser and serve nothing afterwards.
        RetentionRule("sessions", "their end", 0),
        # The history has the event that each is about, and the recipient the message.
        RetentionRule("notices", "they were read", settings.NOTICE_DAYS, "PORTAL_NOTICE_DAYS"),
        RetentionRule("mails", "they were sent", settings.MAIL_DAYS, "PORTAL_MAIL_DAYS"),
        # With the mail. Jobs of filings and documents stay, because pages show them.
        RetentionRule("jobs of mails", "their end", settings.MAIL_DAYS, "PORTAL_MAIL_DAYS"),
        RetentionRule("deliveries of webhooks", "their end", 90),  # for replaying them
        RetentionRule("idempotency keys with their answers", "the call", 7),  # for repeating a call
        RetentionRule("used assertions of clients", "they expire", 0),  # each gets one access token
        RetentionRule("replayed rounds and drafts (PDF)", "they were made", 1),  # they can be made again
        # The file itself is deleted with its result.
        RetentionRule("results of files that the public sent", "they were verified", 1),
        # Its seals stay in the history.
        RetentionRule("security log", "the day is sealed", settings.SECURITY_LOG_DAYS, "PORTAL_SECURITY_LOG_DAYS"),
    )
