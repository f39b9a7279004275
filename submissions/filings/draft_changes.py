"""Changes of drafts, each with its event: decided in memory, and then stored, one of a page or thousands of a batch."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any

from django.utils import timezone

from submissions.audit.record import NewEvent, record_events
from submissions.audit.row_seals import BATCH
from submissions.core.row_updates import insert_rows, reserve_keys, update_rows
from submissions.models import Configuration, Submission


@dataclass(frozen=True, slots=True)
class DraftChange:
    """Fields of a submission or of one of its configurations. No `fields`: a new draft with this configuration."""

    event: NewEvent
    row: Submission | Configuration
    fields: Mapping[str, Any]


def store_changes(changes_of: Iterable[Sequence[DraftChange]], between: Callable[[], None] = lambda: None) -> None:
    """Store the changes of each submission in their order, each with its event. The caller has locked the submissions.

    An event seals rows as they are after it. So the first change of every submission is stored, then the second one of
    every submission that has two, and so on. `between` is called between two parts, and may stop it by an exception.
    """
    for wave in zip_longest(*changes_of):
        changes = [change for change in wave if change]
        for start in range(0, len(changes), BATCH):
            between()
            part = changes[start : start + BATCH]
            _insert([change.row for change in part if isinstance(change.row, Configuration) and not change.fields])
            _update([change for change in part if change.fields])
            record_events([change.event for change in part])


def insert_drafts(drafts: Sequence[Submission]) -> None:
    """Insert the drafts, in the caller's transaction, with their numbers: RS-2026-00001."""
    reserve_keys(drafts)
    year = timezone.localdate().year
    for draft in drafts:
        draft.number = f"RS-{year}-{draft.pk:05d}"
    insert_rows(drafts)


def _insert(rows: Sequence[Configuration]) -> None:
    """Insert configurations and their new drafts as they are started: later changes follow."""
    if not rows:
        return
    for row in rows:
        row.submission.takes_effect, row.answers, row.version = None, {}, 1
    insert_drafts([row.submission for row in rows])
    for row in rows:
        row.submission = row.submission  # again, for its key
    reserve_keys(rows)
    insert_rows(rows)


def _update(changes: Sequence[DraftChange]) -> None:
    if not changes:
        return
    now = timezone.now()
    for change in changes:
        for name, value in {**change.fields, "changed_at": now}.items():
            setattr(change.row, name, value)
    for names, same in groupby(sorted(changes, key=_names), key=_names):
        update_rows([change.row for change in same], (*names, "changed_at"))
    saved = {change.row.submission_id for change in changes if isinstance(change.row, Configuration)}
    Submission.objects.filter(pk__in=saved).update(changed_at=now)


def _names(change: DraftChange) -> tuple[str, ...]:
    """Return the fields, which also imply the table."""
    return tuple(sorted(change.fields))
