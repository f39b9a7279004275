"""Storing the planned saves of very many submissions together. A plan is made by `drafts.plan_answers`."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from submissions.audit.record import record_events
from submissions.core.row_updates import update_rows
from submissions.filings.drafts import SaveResult, saved_event
from submissions.models import Person, Submission


@dataclass(frozen=True, slots=True)
class PlannedSave:
    """A save that is not stored yet."""

    actor: Person
    submission: Submission
    result: SaveResult


def store_plans(plans: Sequence[PlannedSave]) -> None:
    """Store the answers, each with its event. The caller has locked the submissions, and they are as planned."""
    changed = [plan for plan in plans if plan.result.changed]
    if not changed:
        return
    rows, now = [plan.result.row for plan in changed], timezone.now()
    for row in rows:
        row.changed_at = now
    update_rows(rows, ("answers", "version", "changed_at"))
    Submission.objects.filter(pk__in=[plan.submission.pk for plan in changed]).update(changed_at=now)
    record_events([saved_event(plan.actor, plan.submission, plan.result) for plan in changed])
