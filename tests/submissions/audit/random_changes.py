"""Random changes of any sealed row, through SQL and with the triggers lifted.

Every column of every sealed table, deletions, insertions and exchanged rows; files, events and checkpoints.
"""

# ruff: noqa: S608  the names of tables and columns are ours
from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

from django.db import IntegrityError, connection, models, transaction

from submissions.audit.row_seals import SEALED_TABLES, SealedTable
from submissions.audit.row_verification import HistoryReport
from submissions.core.digests import canonical_json, digest
from submissions.models import Checkpoint, Event, Revision, StoredFile
from tests.submissions.audit.undo import sql

OTHER_TEXT = "changed"
Change = tuple[str, str, str]  # the table, key and column that must be named


def any_row(chance: Random, model: type[models.Model]) -> models.Model:
    return chance.choice(list(model._default_manager.order_by("pk")))


def other_value(chance: Random, field: models.Field[Any, Any], row: models.Model) -> object:
    """Another value of the column, as the database takes it."""
    old = getattr(row, field.attname)
    if old is not None and field.null and chance.random() < 0.3:
        return None
    if isinstance(field, models.BooleanField):
        return not old
    if isinstance(field, models.JSONField):
        return json.dumps({"changed": chance.random()})
    if isinstance(field, models.DateTimeField | models.DateField):
        base = old or Event.objects.earliest("sequence").at
        moved = base + timedelta(days=chance.choice([-400, -1, 1, 30]))
        adapt = connection.ops.adapt_datetimefield_value
        is_time = isinstance(field, models.DateTimeField)
        return (
            adapt(moved) if is_time else connection.ops.adapt_datefield_value(getattr(moved, "date", lambda: moved)())
        )
    if isinstance(field, models.CharField | models.TextField):
        return f"{old or ''}{OTHER_TEXT}"[-(field.max_length or 10_000) :]
    return (old or 0) + chance.randint(1, 9) if not isinstance(old, str) else "0" * 64


def any_table(chance: Random) -> SealedTable:
    return SEALED_TABLES[chance.choice(sorted(SEALED_TABLES))]


def sealed_columns(table: SealedTable, row: models.Model) -> list[str]:
    [(_, state)] = table.states(table.model._default_manager.filter(pk=row.pk))
    return sorted(state)


def change_any_cell(chance: Random, table: SealedTable) -> Change:
    row = any_row(chance, table.model)
    return change_cell(chance, table, row, chance.choice(sealed_columns(table, row)))


def change_cell(chance: Random, table: SealedTable, row: models.Model, column: str) -> Change:
    field = next(field for field in table.model._meta.concrete_fields if field.column == column)
    value, key = other_value(chance, field, row), row._meta.pk.column
    sql(f'UPDATE {table.name} SET "{column}" = %s WHERE "{key}" = %s', value, row.pk)
    return table.name, str(row.pk), column


def delete_row(chance: Random, table: SealedTable) -> Change:
    row = any_row(chance, table.model)
    sql(f'DELETE FROM {table.name} WHERE "{row._meta.pk.column}" = %s', row.pk)
    return table.name, str(row.pk), ""


def insert_row(chance: Random, table: SealedTable) -> Change:
    """A copy of a row under another key, different where the database wants it to be."""
    row = any_row(chance, table.model)
    new_key: Any = "f" * 64 if table.model is StoredFile else 1_000_000 + chance.randint(1, 999)
    fields = [field for field in table.model._meta.concrete_fields if not field.primary_key]
    unique = {name for rule in table.model._meta.constraints for name in getattr(rule, "fields", ())}
    values = [
        other_value(chance, field, row) or 1
        if field.unique or (field.name in unique and isinstance(field, models.IntegerField))
        else field.get_db_prep_save(getattr(row, field.attname), connection)
        for field in fields
    ]
    columns = ", ".join(f'"{name}"' for name in (row._meta.pk.column, *(field.column for field in fields)))
    places = ", ".join(["%s"] * (len(fields) + 1))
    sql(f"INSERT INTO {table.name} ({columns}) VALUES ({places})", new_key, *values)
    return table.name, str(new_key), ""


def exchange_rows(chance: Random, table: SealedTable) -> Change:
    """Two rows of a table exchange a value: what the one said is said by the other."""
    column = chance.choice(sorted(table.columns))
    sealed = [key for key, state in table.all_states() if column in state]  # of what is unfinished, some is not yet
    rows = list(table.model._default_manager.filter(pk__in=sealed).order_by("pk"))
    field = next(field for field in table.model._meta.concrete_fields if field.column == column)
    if len(rows) < 2:
        raise StopIteration  # nothing of this column is sealed twice: another change is drawn
    first, *others = chance.sample(rows, len(rows))
    second = next(row for row in others if getattr(row, field.attname) != getattr(first, field.attname))
    key = row_key = first._meta.pk.column
    for row, source in ((first, second), (second, first)):
        value = field.get_db_prep_save(getattr(source, field.attname), connection)
        sql(f'UPDATE {table.name} SET "{column}" = %s WHERE "{key}" = %s', value, row.pk)
    return table.name, str(first.pk), column if row_key else ""


def replace_content(chance: Random) -> Change:
    row = any_row(chance, StoredFile)
    sql("UPDATE submissions_storedfile SET content = %s WHERE sha256 = %s", b"\0", row.pk)
    return "submissions_storedfile", str(row.pk), "content"


def change_answers_with_digest(chance: Random) -> Change:
    """The answers of a filing, and its digest with them."""
    row = chance.choice(list(Revision.objects.all()))
    content = {**row.content, "changed": chance.random()}
    statement = "UPDATE submissions_revision SET snapshot = %s, sha256 = %s WHERE id = %s"
    sql(statement, canonical_json(content), digest(content), row.pk)
    return "submissions_revision", str(row.pk), "snapshot"


def change_event(chance: Random) -> Change:
    row = chance.choice(list(Event.objects.all()))
    column = chance.choice(["verb", "reason", "rows", "digest", "previous"])
    sql(f'UPDATE submissions_event SET "{column}" = %s WHERE sequence = %s', OTHER_TEXT, row.pk)
    return "event", str(row.pk), ""


def change_checkpoint(chance: Random) -> Change:
    """One deleted, or with the seal of another."""
    first, second = chance.sample(list(Checkpoint.objects.order_by("pk")), 2)
    if chance.random() < 0.5:
        sql("DELETE FROM submissions_checkpoint WHERE sequence = %s", first.pk)
    else:
        sql("UPDATE submissions_checkpoint SET seal = %s WHERE sequence = %s", second.seal, first.pk)
    return "submissions_checkpoint", str(first.pk), "seal"


KINDS: tuple[Callable[[Random], Change], ...] = (
    *[lambda chance: change_any_cell(chance, any_table(chance))] * 8,
    *[lambda chance: delete_row(chance, any_table(chance))] * 3,
    *[lambda chance: insert_row(chance, any_table(chance))] * 3,
    *[lambda chance: exchange_rows(chance, any_table(chance))] * 3,
    replace_content, change_answers_with_digest, change_event, change_checkpoint,
)  # fmt: skip


def made_changes(*changes: Callable[[], Change]) -> list[Change]:
    """Make those that the database does not refuse itself, and return what must be named."""
    made = []
    for change in changes:
        with suppress(IntegrityError, StopIteration), transaction.atomic():
            made.append(change())
    return made


def names(report: HistoryReport, change: Change) -> bool:
    """Whether the report names what was changed."""
    table, key, column = change
    if table == "event":
        return bool(report.broken and str(report.broken.sequence) == key)
    return any((row.table, row.key) == (table, key) and row.column in (column, "") for row in report.differences)
