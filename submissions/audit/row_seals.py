"""The rows that events seal: which tables and columns, and the text in which an event keeps them.

An event seals whole rows as they are at its end: `{table: {primary key: {column: value}}}`, or `null` for a deleted
row. A long value is sealed by its digest. Not here: writing events (`record`), comparing the rows with what was
sealed (`row_verification`).
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from submissions import models
from submissions.core.digests import canonical_json

LONGEST = 120  # characters of a value that is sealed as it is
DIGEST = "sha256:"
BATCH = 500  # rows of one query
Value = str | int | bool | None
RowState = dict[str, Value]


@dataclass(frozen=True)
class SealedTable:
    """A table whose rows are sealed, with every column that is not named here."""

    model: type[Model]
    unsealed: tuple[str, ...] = ()  # columns that change without an event
    later: tuple[str, str] | None = None  # a column, and the one that must have a value before that column is sealed
    not_yet: Q | None = None  # rows that no event has sealed yet
    digested: tuple[str, ...] = ()  # columns that are sealed by a digest only, so that no event repeats a secret
    added: tuple[str, ...] = ()  # columns newer than the first seals: sealed only where they have a value

    @property
    def name(self) -> str:
        return self.model._meta.db_table

    @cached_property
    def columns(self) -> dict[str, str]:
        """Column → the field's attribute; without the primary key."""
        fields = [field for field in self.model._meta.concrete_fields if not field.primary_key]
        return {str(field.column): field.attname for field in fields if field.column not in self.unsealed}

    def states(self, rows: QuerySet[Model]) -> Iterator[tuple[str, RowState]]:
        """Yield (primary key, state) of these rows, in the order of the keys."""
        for key, *values in rows.order_by("pk").values_list("pk", *self.columns.values()).iterator():
            state = {
                column: sealed_value(value, digest_only=column in self.digested)
                for column, value in zip(self.columns, values, strict=True)
            }
            if self.later and state[self.later[1]] is None:
                del state[self.later[0]]
            for column in self.added:
                if state[column] is None:
                    del state[column]
            yield str(key), state

    def all_states(self) -> Iterator[tuple[str, RowState]]:
        return self.states(self.model._default_manager.all())

    def missing_seals(self, keys: Iterable[str]) -> list[str]:
        """Return the keys of the rows that should have been sealed."""
        rows = self.model._default_manager.filter(pk__in=list(keys))
        return [str(key) for key in (rows.exclude(self.not_yet) if self.not_yet else rows).values_list("pk", flat=True)]


_PAPER_JOBS = models.Job.objects.filter(kind=models.Job.Kind.PAPERS).exclude(state=models.Job.State.DONE)
_UNFINISHED = models.Paper.objects.filter(  # of a filing whose other papers are still being made
    Exists(_PAPER_JOBS.filter(subject=OuterRef("layout_revision__filing")))
)
SEALED_TABLES = {
    table.name: table
    for table in (
        SealedTable(models.Organization),
        SealedTable(models.Person, ("password", "last_login", "mails")),
        SealedTable(models.Invitation, digested=("secret_sha256",)),
        SealedTable(models.Credential, ("last_used_at",), digested=("secret_sha256",), added=("public_key",)),
        SealedTable(models.Webhook, ("secret", "failures", "rests_until"), digested=("url",)),
        SealedTable(models.Submission, ("changed_at",), added=("takes_effect",)),
        SealedTable(models.Configuration, ("changed_at",)),
        SealedTable(models.Attachment),
        SealedTable(  # the primary key is the digest of the content
            models.StoredFile, ("content", "packing"), not_yet=Q(Exists(_UNFINISHED.filter(signed=OuterRef("pk"))))
        ),
        SealedTable(models.Revision),
        SealedTable(models.IndexedAnswer),
        SealedTable(models.Simulation, later=("analysis", "finished_at"), added=("retest_rounds",)),
        SealedTable(models.Block, not_yet=Q(simulation__finished_at=None)),
        SealedTable(models.Remark),
        SealedTable(models.Reply),
        SealedTable(models.Decision),
        SealedTable(models.Version),
        SealedTable(models.Document),
        SealedTable(models.LayoutFiling, ("changed_at",), added=("rules_on",)),
        SealedTable(models.LayoutDrawing),
        SealedTable(models.LayoutInspection),
        SealedTable(models.LayoutRevision),
        SealedTable(models.LayoutJudgment),
        SealedTable(models.LayoutDecision),
        SealedTable(models.Paper, not_yet=Q(Exists(_PAPER_JOBS.filter(subject=OuterRef("layout_revision__filing"))))),
        SealedTable(models.SealCertificate),
        SealedTable(models.Checkpoint),
        SealedTable(models.Order),
        SealedTable(models.Assignment),
        SealedTable(models.OrderEnd),
        SealedTable(models.Handover),
        SealedTable(models.LineComment),
        SealedTable(models.StandIn),
        SealedTable(models.StandInEnd),
        SealedTable(models.Rulemaking),
        SealedTable(models.RulemakingChange),
        SealedTable(models.ChangeEffect),
        SealedTable(models.TableEntry),
        SealedTable(models.LegalHold),
        SealedTable(models.LegalHoldEnd),
        SealedTable(models.Batch, ("state", "note", "finished_at"), not_yet=Q(signer=None)),
    )
}


@dataclass(frozen=True, slots=True)
class RowReference:
    """A row by its primary key: one that the event's change deleted, for example."""

    model: type[Model]
    key: object


ChangedRow = Model | RowReference


def seal_each(changes: Iterable[Iterable[ChangedRow]]) -> list[str]:
    """Return the text of the rows of each change, read again from the database, all rows of a table at once."""
    sets = [[_key(row) for row in rows] for rows in changes]
    wanted: dict[type[Model], dict[str, object]] = defaultdict(dict)
    for model, key in (pair for pairs in sets for pair in pairs):
        wanted[model][str(key)] = key
    current = {model: _current(model, list(keys.values())) for model, keys in wanted.items()}
    return [_text(pairs, current) for pairs in sets]


def _key(row: ChangedRow) -> tuple[type[Model], object]:
    return (row.model, row.key) if isinstance(row, RowReference) else (type(row), row.pk)


def _text(
    pairs: Iterable[tuple[type[Model], object]], current: Mapping[type[Model], Mapping[str, RowState | None]]
) -> str:
    content: dict[str, dict[str, RowState | None]] = defaultdict(dict)
    for model, key in pairs:
        content[model._meta.db_table][str(key)] = current[model][str(key)]
    return canonical_json(content) if content else ""


def rows_in(text: str) -> Mapping[str, Mapping[str, RowState | None]]:
    """Return the rows that an event seals, by table and primary key."""
    content: Mapping[str, Mapping[str, RowState | None]] = json.loads(text) if text else {}
    return content


def sealed_value(value: Any, *, digest_only: bool = False) -> Value:
    """Return a value of a column as it is sealed. A text that looks like a digest is sealed by its own digest."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    text = value if isinstance(value, str) else canonical_json(value)
    if len(text) <= LONGEST and not text.startswith(DIGEST) and not digest_only:
        return text
    return DIGEST + hashlib.sha256(text.encode()).hexdigest()


def _current(model: type[Model], keys: list[object]) -> dict[str, RowState | None]:
    table = SEALED_TABLES[model._meta.db_table]
    states: dict[str, RowState | None] = {str(key): None for key in keys}
    for start in range(0, len(keys), BATCH):
        states |= table.states(model._default_manager.filter(pk__in=keys[start : start + BATCH]))
    return states
