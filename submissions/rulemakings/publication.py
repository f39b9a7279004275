"""Publishing a rulemaking: from then on its changes are in effect from their days on, and nobody edits them.

A director other than the writer of its last change confirms the result of a trial of exactly what is published, on the
versions as they are. Which versions that affects is stored with it. Not here: the notices (`notifications`), who has
filed again (`refiling`).
"""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.core.errors import Forbidden, Refusal
from submissions.models import ChangeEffect, Person, Rulemaking, RulemakingChange
from submissions.rulemakings.change_text import read_text, refuse_past, refuse_unfit
from submissions.rulemakings.drafting import lock_draft
from submissions.rulemakings.trial_job import changes_of, result_digest, trial_digest
from submissions.rulemakings.trial_job import trial_of as stored_trial_of
from submissions.rulemakings.trial_result import ChangeTrial, Trial
from submissions.rules.effective_rules import read_published_changes_again

PUBLISHED = "rulemaking-published"


@transaction.atomic
def publish_rulemaking(actor: Person, rulemaking: Rulemaking, *, version: int, confirmed: bool = False) -> Rulemaking:
    """Publish the draft. Raises `Refusal` unless its trial is there and its result is `confirmed`."""
    row = lock_draft(actor, rulemaking, version)
    permissions.require_allowed(permissions.may_publish(actor, row))
    lock_history()  # no version and no other rulemaking is added until this one is published
    _refuse_unpublishable(row)
    trial = stored_trial_of(row)
    if trial is None:
        raise Refusal("trial-missing", number=row.number)
    if not confirmed:
        raise missing_confirmation(row)
    now = timezone.now()
    sha256 = trial_digest(row)
    row.state, row.version, row.trial_sha256 = Rulemaking.State.PUBLISHED, row.version + 1, sha256
    row.published_by, row.published_at = actor, now
    changes = list(row.changes.all())
    RulemakingChange.objects.filter(rulemaking=row).update(published_at=now)
    row.save()
    affected = _affected(changes, trial, now)
    read_published_changes_again()
    after = {
        "rulemaking": row.number,
        "changes": [[change.chapter, change.effective.isoformat()] for change in changes],
        "trial": result_digest(row, sha256),
    }
    record_event(actor, None, PUBLISHED, after=after, seals=(row, *changes, *affected))
    return row


def refusal_before_signing(actor: Person, rulemaking: Rulemaking) -> Refusal | None:
    """Why this person cannot publish the draft even with a signature: not allowed, or there is no trial."""
    if not (verdict := permissions.may_publish(actor, rulemaking)):
        return Forbidden(verdict.code, verdict.reason)
    return None if stored_trial_of(rulemaking) else Refusal("trial-missing", number=rulemaking.number)


def missing_confirmation(rulemaking: Rulemaking) -> Refusal:
    """The refusal of a publication whose box is not checked."""
    return Refusal("rulemaking-not-confirmed", option="confirmed", number=rulemaking.number)


def _refuse_unpublishable(rulemaking: Rulemaking) -> None:
    """Check every change again: days pass, and other rulemakings are published in between."""
    changes = changes_of(rulemaking)
    if not changes:
        raise Refusal("rulemaking-empty", number=rulemaking.number)
    for change in changes:
        refuse_past(change, timezone.localdate())
        refuse_unfit(read_text(rulemaking.number, change.text), tuple(row for row in changes if row != change))
        later = RulemakingChange.objects.filter(
            chapter=change.number,
            effective=change.effective,
            published_at__isnull=False,
            rulemaking__pk__gt=rulemaking.pk,
        )
        if number := later.values_list("rulemaking__number", flat=True).first():
            raise Refusal("rulemaking-overtaken", number=rulemaking.number, later=number, chapter=change.number)


def _affected(changes: list[RulemakingChange], trial: Trial, now: datetime) -> list[ChangeEffect]:
    by_key = {(change.chapter, change.effective.isoformat()): change for change in changes}
    rows = [
        ChangeEffect(
            change=by_key[result.chapter, result.effective], version_id=version, effects=effects, notified_at=now
        )
        for result in trial.changes
        for version, effects in _effects(result).items()
    ]
    return ChangeEffect.objects.bulk_create(rows)


def _effects(result: ChangeTrial) -> dict[int, list[str]]:
    """Version → the kinds of effect on any of its table groups."""
    effects: dict[int, list[str]] = {}
    for row in result.rows:
        present = effects.setdefault(row.version, [])
        present += [kind for kind in row.effects if kind not in present]
    return effects
