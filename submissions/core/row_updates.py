"""Storing fields of very many rows: one UPDATE statement, built once and executed for each row.

`bulk_update` builds one long statement with a case for each row, and takes longer to build it than the database to run
it; saving row by row builds a statement for each.
"""

from collections.abc import Sequence

from django.db import connection
from django.db.models import Model


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
    values = [
        [*(field.get_db_prep_save(getattr(row, field.attname), connection) for field in columns), row.pk]
        for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)
