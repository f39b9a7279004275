"""Rulemakings as drafts: start one, write and remove its changes, withdraw it.

Each action is one transaction that locks the rulemaking, checks its version and records one event. Not here: what a
text may say (`change_text`), the form that writes one (`change_form`), trying and publishing (`trial_job`,
`publication`).
"""

import uuid
from datetime import date

from django.db import transaction
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import record_event
from submissions.audit.row_seals import RowReference
from submissions.core.errors import Conflict, NotFound, Refusal
from submissions.core.text_cleaning import clean_text
from submissions.models import Person, Rulemaking, RulemakingChange
from submissions.rulemakings.change_text import read_text, refuse_past, refuse_unfit
from submissions.rules.effective_rules import rule_change

LONGEST_TITLE = 200


@transaction.atomic
def start_rulemaking(actor: Person, *, title: str, source: str) -> Rulemaking:
    """A new draft. `source`: the document that adopts it."""
    permissions.require_allowed(permissions.may_write(actor))
    title, source = _line(title, "title"), _line(source, "source")
    now = timezone.now()
    row = Rulemaking.objects.create(
        number=uuid.uuid4().hex[:20],  # replaced below, once the row has a primary key
        title=title,
        source=source,
        created_by=actor,
        created_at=now,
        written_by=actor,
        written_at=now,
    )
    row.number = f"RM-{timezone.localdate().year}-{row.pk:05d}"
    row.save(update_fields=["number"])
    after = {"rulemaking": row.number, "title": title, "source": source}
    record_event(actor, None, "rulemaking-started", after=after, seals=(row,))
    return row


@transaction.atomic
def write_change(actor: Person, rulemaking: Rulemaking, text: str, *, version: int) -> RulemakingChange:
    """Store the change; one of the same chapter and day is replaced. Raises `Refusal` where it does not fit."""
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
    """The draft as it is now, locked until the transaction ends; refused at another version or state than seen."""
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
