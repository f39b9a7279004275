"""Storing very many rows, or fields of them: one statement, built once and executed for each row.

`bulk_create` and `bulk_update` build long statements, and take longer to build them than the database to run them;
saving row by row builds a statement for each.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection, connections, models
from django.db.models import Field, Model

_STORED_AS_THEY_ARE = (  # values of this type, in fields of these kinds
    (str, (models.CharField, models.TextField)),
    (int, (models.IntegerField, models.ForeignKey)),
)


def update_rows(rows: Sequence[Model], names: Sequence[str]) -> None:
    """Store these fields of the rows, which are of one model, as they are. Signals and `auto_now` have no effect."""
    if not rows:
        return
    meta, quote = type(rows[0])._meta, connection.ops.quote_name
    fields = {field.name: field for field in meta.concrete_fields}
    columns = [fields[name] for name in names]
    changes = ", ".join(f"{quote(str(field.column))} = %s" for field in columns)
    key = quote(next(str(field.column) for field in fields.values() if field.primary_key))
    statement = f"UPDATE {quote(meta.db_table)} SET {changes} WHERE {key} = %s"  # noqa: S608  names of our own models
    prepared = [_preparer(field) for field in columns]
    values = [[*(value(row) for value in prepared), row.pk] for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


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
    prepared = [_preparer(field) for field in meta.concrete_fields]
    values = [[value(row) for value in prepared] for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias


def reserve_keys(rows: Sequence[Model]) -> None:
    """Give rows of one model, which are inserted in this transaction, the next primary keys of their table."""
    if not rows:
        return
    meta = type(rows[0])._meta
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            statement = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
            cursor.execute(statement, [meta.db_table, len(rows)])
            keys = [key for (key,) in cursor.fetchall()]
        else:  # nobody else writes within the transaction
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [meta.db_table])
            last = (cursor.fetchone() or (0,))[0]
            keys = list(range(last + 1, last + 1 + len(rows)))
    for row, key in zip(rows, keys, strict=True):
        row.pk = key


def _preparer(field: "Field[Any, Any]") -> Callable[[Model], Any]:
    """What the database gets of a row for this field. Most values are stored as they are."""
    name, prepare, database = field.attname, field.get_db_prep_save, connections[connection.alias]
    plain = next((kind for kind, fields in _STORED_AS_THEY_ARE if isinstance(field, fields)), None)

    def value(row: Model) -> Any:
        given = getattr(row, name)
        return given if type(given) is plain else prepare(given, database)

    return value
