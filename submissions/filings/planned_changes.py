"""Storing the planned changes of very many submissions together: drafts that are started, planned days, saved answers.

A change is one event, and what is written with it. The answers are planned by `drafts.plan_answers`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, zip_longest
from typing import Any

from django.utils import timezone

from submissions.audit.record import NewEvent, record_events
from submissions.audit.row_seals import BATCH
from submissions.core.row_updates import insert_rows, reserve_keys, update_rows
from submissions.filings.drafts import SaveResult, draft_number, new_draft, saved_event, start_event, startable_chapter
from submissions.filings.planned_day import set_effective_day
from submissions.models import Configuration, Person, Submission


@dataclass(frozen=True, slots=True)
class PlannedDraft:
    """A draft that is not stored yet: it has neither a primary key nor its number."""

    event: NewEvent
    submission: Submission
    row: Configuration


@dataclass(frozen=True, slots=True)
class PlannedFields:
    """Fields of a row that are not stored yet: of the submission, or of one of its configurations."""

    event: NewEvent
    submission: Submission
    row: Submission | Configuration
    fields: Mapping[str, Any]


PlannedChange = PlannedDraft | PlannedFields


def plan_draft(actor: Person, chapter_number: str) -> PlannedDraft:
    """What `drafts.start_submission` would store."""
    submission = new_draft(actor, startable_chapter(actor, chapter_number).number)
    row = Configuration(submission=submission)
    return PlannedDraft(start_event(submission, (submission, row)), submission, row)


def plan_day(actor: Person, submission: Submission, day: date | None) -> list[PlannedFields]:
    """What `planned_day.plan_effective_day` would store; nothing for the day that is planned already."""
    event = set_effective_day(actor, submission, day)
    return [PlannedFields(event, submission, submission, {"takes_effect": day})] if event else []


def planned_save(actor: Person, submission: Submission, result: SaveResult) -> list[PlannedFields]:
    """What stores these answers; nothing for answers that are stored already."""
    fields = {"answers": result.row.answers, "version": result.row.version}
    event = saved_event(actor, submission, result)
    return [PlannedFields(event, submission, result.row, fields)] if result.changed else []


def store_changes(changes_of: Iterable[Sequence[PlannedChange]], between: Callable[[], None]) -> None:
    """Store the changes of each submission in their order, each with its event. The caller has locked the submissions,
    and they are as planned. `between` is called between two parts, and may stop it by an exception.

    An event seals rows as they are after it. So the first change of every submission is stored, then the second one of
    every submission that has two, and so on.
    """
    for wave in zip_longest(*changes_of):
        changes = [change for change in wave if change]
        for start in range(0, len(changes), BATCH):
            between()
            _store(changes[start : start + BATCH])


def _store(changes: Sequence[PlannedChange]) -> None:
    _insert_drafts([change for change in changes if isinstance(change, PlannedDraft)])
    _update_rows([change for change in changes if isinstance(change, PlannedFields)])
    record_events([change.event for change in changes])


def _insert_drafts(drafts: Sequence[PlannedDraft]) -> None:
    """As they are started: what later changes write follows with those."""
    if not drafts:
        return
    for draft in drafts:
        draft.submission.takes_effect, draft.row.answers, draft.row.version = None, {}, 1
    submissions, rows = [draft.submission for draft in drafts], [draft.row for draft in drafts]
    reserve_keys(submissions)
    for submission, row in zip(submissions, rows, strict=True):
        submission.number = draft_number(submission)
        row.submission = submission  # again, for its key
    insert_rows(submissions)
    reserve_keys(rows)
    insert_rows(rows)


def _update_rows(changes: Sequence[PlannedFields]) -> None:
    if not changes:
        return
    now = timezone.now()
    for change in changes:
        for name, value in {**change.fields, "changed_at": now}.items():
            setattr(change.row, name, value)
    for names, same in groupby(sorted(changes, key=_names), key=_names):
        update_rows([change.row for change in same], (*names, "changed_at"))
    saved = {change.submission.pk for change in changes if change.row is not change.submission}
    Submission.objects.filter(pk__in=saved).update(changed_at=now)


def _names(change: PlannedFields) -> tuple[str, ...]:
    """The fields, which also say of which table."""
    return tuple(sorted(change.fields))
