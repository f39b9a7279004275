"""The steps of a rulemaking: start a draft, write and remove its changes, withdraw it, publish it.

Each action is one transaction that locks the rulemaking, checks its version and records one event. A director other
than the writer of its last change confirms the result of a trial of exactly what is published. Not here: texts and the
form (`rule_changes`), the trial (`trials`), the notices (`notifications`), who has filed again (`refiling`).
"""

import uuid
from datetime import date

from django.db import transaction
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.audit.row_seals import RowReference
from submissions.core.errors import Conflict, Forbidden, NotFound, Refusal
from submissions.core.text import clean_text
from submissions.models import ChangeEffect, Person, Rulemaking, RulemakingChange
from submissions.rulemakings.rule_changes import read_text, refuse_past, refuse_unfit
from submissions.rulemakings.trials import ChangeTrial, changes_of, result_digest, trial_digest
from submissions.rulemakings.trials import trial_of as stored_trial_of
from submissions.rules import read_published_changes_again, rule_change

LONGEST_TITLE = 200


@transaction.atomic
def start_rulemaking(actor: Person, *, title: str, source: str) -> Rulemaking:
    """Create a new draft. `source`: the document that adopts it."""
    permissions.require_allowed(permissions.may_write(actor))
    title, source = _line(title, "title"), _line(source, "source")
    now, number = timezone.now(), uuid.uuid4().hex[:20]  # replaced below, once the row has a primary key
    created = {"created_by": actor, "created_at": now, "written_by": actor, "written_at": now}
    row = Rulemaking.objects.create(number=number, title=title, source=source, **created)
    row.number = f"RM-{timezone.localdate().year}-{row.pk:05d}"
    row.save(update_fields=["number"])
    after = {"rulemaking": row.number, "title": title, "source": source}
    record_event(actor, None, "rulemaking-started", after=after, seals=(row,))
    return row


@transaction.atomic
def write_change(actor: Person, rulemaking: Rulemaking, text: str, *, version: int) -> RulemakingChange:
    """Store the change, in place of one of the same chapter and day; raise `Refusal` where it does not fit."""
    row = lock_draft(actor, rulemaking, version)
    change = read_text(row.number, text)
    refuse_past(change, timezone.localdate())
    same = row.changes.filter(chapter=change.number, effective=change.effective)
    same_draft = row.changes.exclude(pk__in=same.values("pk"))
    also = tuple(rule_change(row.number, stored.text) for stored in same_draft)
    refuse_unfit(change, also)
    stored, _ = RulemakingChange.objects.update_or_create(
        rulemaking=row, chapter=change.number, effective=change.effective, defaults={"text": change.text}
    )
    _written(row, actor)
    after = {"rulemaking": row.number, "chapter": change.number, "effective": change.effective.isoformat()}
    record_event(actor, None, "rulemaking-changed", after=after, seals=(row, stored))
    return stored


@transaction.atomic
def remove_change(actor: Person, rulemaking: Rulemaking, chapter: str, effective: date, *, version: int) -> None:
    """Take the change of this chapter and day out of the draft."""
    row = lock_draft(actor, rulemaking, version)
    change = row.changes.filter(chapter=chapter, effective=effective).first()
    if change is None:
        raise NotFound("rule-change-missing", number=row.number, chapter=chapter, effective=effective.isoformat())
    reference = RowReference(RulemakingChange, change.pk)
    change.delete()
    _written(row, actor)
    before = {"rulemaking": row.number, "chapter": chapter, "effective": effective.isoformat()}
    record_event(actor, None, "rulemaking-change-removed", before=before, seals=(row, reference))


@transaction.atomic
def withdraw_rulemaking(actor: Person, rulemaking: Rulemaking, *, version: int, reason: str) -> Rulemaking:
    """End a draft. A published rulemaking is not withdrawn: a later one corrects it."""
    row = lock_draft(actor, rulemaking, version)
    reason = clean_text(reason, "The reason")
    if not reason:
        raise Refusal("reason-missing/rulemaking", option="reason")
    row.state, row.version = Rulemaking.State.WITHDRAWN, row.version + 1
    row.save(update_fields=["state", "version"])
    record_event(actor, None, "rulemaking-withdrawn", reason=reason, after={"rulemaking": row.number}, seals=(row,))
    return row


def lock_draft(actor: Person, rulemaking: Rulemaking, version: int) -> Rulemaking:
    """Return the draft as it is now, locked until the transaction ends; refused at a version or state not seen."""
    permissions.require_allowed(permissions.may_write(actor))
    row = Rulemaking.objects.select_for_update(no_key=True).get(pk=rulemaking.pk)
    if not row.is_draft:
        raise Conflict("rulemaking-ended", theirs=row.state, number=row.number, state=row.get_state_display().lower())
    if row.version != version:
        raise Conflict("rulemaking-changed", theirs=row.version, number=row.number, who=row.written_by.name)
    return row


def _written(row: Rulemaking, actor: Person) -> None:
    row.written_by, row.written_at, row.version = actor, timezone.now(), row.version + 1
    row.save(update_fields=["written_by", "written_at", "version"])


def _line(text: str, name: str) -> str:
    clean = " ".join(clean_text(text, f"The {name}", option=name).split())
    if not clean:
        raise Refusal("rulemaking-incomplete", option=name, name=name)
    if len(clean) > LONGEST_TITLE:
        raise Refusal("name-too-long", option=name, count=len(clean), longest_name=LONGEST_TITLE)
    return clean


PUBLISHED = "rulemaking-published"


@transaction.atomic
def publish_rulemaking(actor: Person, rulemaking: Rulemaking, *, version: int, confirmed: bool = False) -> Rulemaking:
    """Publish the draft; raise `Refusal` unless its trial is there and its result is `confirmed`."""
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
    by_key = {(change.chapter, change.effective.isoformat()): change for change in changes}
    affected = ChangeEffect.objects.bulk_create(
        ChangeEffect(
            change=by_key[result.chapter, result.effective], version_id=version, effects=effects, notified_at=now
        )
        for result in trial.changes
        for version, effects in _effects(result).items()
    )
    read_published_changes_again()
    after = {
        "rulemaking": row.number,
        "changes": [[change.chapter, change.effective.isoformat()] for change in changes],
        "trial": result_digest(row, sha256),
    }
    record_event(actor, None, PUBLISHED, after=after, seals=(row, *changes, *affected))
    return row


def refusal_before_signing(actor: Person, rulemaking: Rulemaking) -> Refusal | None:
    """Return why this person cannot publish the draft even with a signature: not allowed, or there is no trial."""
    if not (verdict := permissions.may_publish(actor, rulemaking)):
        return Forbidden(verdict.code, verdict.reason)
    return None if stored_trial_of(rulemaking) else Refusal("trial-missing", number=rulemaking.number)


def missing_confirmation(rulemaking: Rulemaking) -> Refusal:
    """Return the refusal of a publication whose box is not checked."""
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


def _effects(result: ChangeTrial) -> dict[int, list[str]]:
    """Return the kinds of effect on any table group, by version."""
    effects: dict[int, list[str]] = {}
    for row in result.rows:
        present = effects.setdefault(row.version, [])
        present += [kind for kind in row.effects if kind not in present]
    return effects
