"""Asking for a signed errata report: who may, of which chapters, its number, its event, its job.

Not here: what the report says (`errata_record`), making it (`errata_signing_job`).
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.runs.errata import collect, notes_of, numbers
from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.core.errors import Refusal
from submissions.jobs.leases import ENDED, enqueue
from submissions.models import ErrataRequest, Job, Person

REQUESTED = "errata-requested"  # the event's verb


def request_errata(actor: Person, chapters: Sequence[str] = ()) -> ErrataRequest:
    """Ask for a report of these chapters, or of all: a person of the Board, one report at a time.

    Raises:
        Forbidden: another person than an analyst or a director.
        Refusal: an unknown chapter, a chapter without errata, or a report that is still being made.
    """
    permissions.require(actor, "report-errata")
    wanted = _wanted(chapters)
    with transaction.atomic():
        lock_history()  # numbers are given in order
        if pending := pending_requests().first():
            raise Refusal("errata-pending", number=pending.number)
        now = timezone.now()
        number = f"ER-{timezone.localdate(now).year}-{ErrataRequest.objects.count() + 1:05d}"
        row = ErrataRequest.objects.create(number=number, chapters=wanted, by=actor, at=now)
        record_event(actor, None, REQUESTED, after={"number": number, "chapters": wanted}, seals=(row,))
        enqueue(Job.Kind.ERRATA, row.pk)
    return row


def pending_requests() -> QuerySet[ErrataRequest]:
    """The requests whose reports are still being made."""
    jobs = Job.objects.filter(kind=Job.Kind.ERRATA).exclude(state__in=ENDED)
    return ErrataRequest.objects.filter(pk__in=jobs.values("subject"))


def _wanted(chapters: Sequence[str]) -> list[str]:
    """In the Code's order; each must have its errata."""
    if unknown := [number for number in chapters if number not in numbers()]:
        raise Refusal("unknown-chapter/errata", number=unknown[0][:20], known=", ".join(numbers()))
    wanted = [number for number in numbers() if not chapters or number in chapters]
    _, refused = collect(wanted, notes_of)
    if refused:
        number, problem = next(iter(refused.items()))
        raise Refusal("errata-missing", number=number, problem=problem)
    return wanted
