"""Storing very many rows, or fields of them: one statement, built once and executed for each row.

`bulk_create` and `bulk_update` build long statements, and take longer to build them than the database to run them
(decision 0020).
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, connections
from django.db.models import Field, Model


def update_rows(rows: Sequence[Model], names: Sequence[str]) -> None:
    """Store these fields of the rows, which are of one model, as they are. Signals and `auto_now` have no effect."""
    if not rows:
        return
    meta, quote = type(rows[0])._meta, connection.ops.quote_name
    changed = [field for name in names for field in meta.concrete_fields if field.name == name]
    (key,) = (field for field in meta.concrete_fields if field.primary_key)
    changes = ", ".join(f"{quote(str(field.column))} = %s" for field in changed)
    statement = f"UPDATE {quote(meta.db_table)} SET {changes} WHERE {quote(str(key.column))} = %s"  # noqa: S608  our own
    _execute_for_each(statement, rows, [*changed, key])


def insert_rows(rows: Sequence[Model]) -> None:
    """Insert the rows, which are of one model and have their primary keys (`reserve_keys`). No signals are sent."""
    if not rows:
        return
    meta, quote = type(rows[0])._meta, connection.ops.quote_name
    for field in meta.concrete_fields:
        if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
            for row in rows:
                field.pre_save(row, True)
    columns = ", ".join(quote(str(field.column)) for field in meta.concrete_fields)
    places = ", ".join(["%s"] * len(meta.concrete_fields))
    statement = f"INSERT INTO {quote(meta.db_table)} ({columns}) VALUES ({places})"  # noqa: S608  our own models
    _execute_for_each(statement, rows, meta.concrete_fields)
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias


def _execute_for_each(statement: str, rows: Sequence[Model], fields: Iterable["Field[Any, Any]"]) -> None:
    prepared, database = [(field.attname, field.get_db_prep_save) for field in fields], connections[connection.alias]
    values = [[prepare(getattr(row, name), database) for name, prepare in prepared] for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


def reserve_keys(rows: Sequence[Model]) -> None:
    """Give rows of one model, which are inserted in this transaction, the next primary keys of their table."""
    if not rows:
        return
    table = type(rows[0])._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            statement = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
            cursor.execute(statement, [table, len(rows)])
            keys = [key for (key,) in cursor.fetchall()]
        else:  # nobody else writes within the transaction
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
            last = (cursor.fetchone() or (0,))[0]
            keys = list(range(last + 1, last + 1 + len(rows)))
    for row, key in zip(rows, keys, strict=True):
        row.pk = key
