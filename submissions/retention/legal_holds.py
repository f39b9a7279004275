"""Placing and lifting a legal hold, and what the present ones cover. Administrators of the Board act.

The events belong to the Board alone: a licensee does not see that its filings are on hold. Not here: what is deleted
(`purge`).
"""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.core.errors import Conflict, Refusal
from submissions.core.text_cleaning import clean_text
from submissions.models import LegalHold, LegalHoldEnd, Organization, Person, Submission

PLACED, LIFTED = "legal-hold-placed", "legal-hold-lifted"  # verbs of events
PERMISSION = "place-legal-hold"


def place_legal_hold(
    actor: Person, reason: str, *, organization: Organization | None = None, submission: Submission | None = None
) -> LegalHold:
    """From now on nothing in its scope is deleted: a submission, a licensee, or (neither is given) everything.

    Errors: `Forbidden`; `Refusal` without a reason.
    """
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
    """Errors: `Forbidden`; `Refusal` without a reason; `Conflict` if it was lifted already."""
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
    """Those that were not lifted."""
    return LegalHold.objects.filter(end=None).select_related("organization", "submission", "by")


def on_hold(organization: str, submission: str = "") -> Q:
    """The rows that a present hold covers. `organization`, `submission`: the lookups from a row to their keys.

    A hold of a submission covers rows that name it; a hold of a licensee its people's rows and its submissions' rows.
    """
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
    """`delete`, but without effect while there is a legal hold: for rows that cannot be distinguished by licensee."""

    def delete_unless_on_hold(now: datetime) -> int:
        return 0 if present_legal_holds().exists() else delete(now)

    return delete_unless_on_hold


def _required(reason: str) -> str:
    reason = clean_text(reason, "The reason", option="reason")
    if not reason:
        raise Refusal("reason-missing/legal-hold", option="reason")
    return reason
