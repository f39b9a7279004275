"""A query of every page: its SQL is put together once, and afterwards only asked with other values.

Putting a query with conditions on conditions together takes Django about ten times as long as the database takes to
answer it. For keys, numbers and texts only: nothing that is given or found is converted.
"""

from typing import Any

from django.db import connection
from django.db.models import BigIntegerField, Expression, QuerySet

Row = tuple[Any, ...]


class GivenKey(Expression):
    """In the place of a key that is given when the query is asked."""

    def __init__(self) -> None:
        super().__init__(output_field=BigIntegerField())

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", (self,)


class PreparedQuery:
    """The SQL of `rows`, a `values_list` with one `GivenKey` or without one."""

    def __init__(self, rows: QuerySet[Any, Any]) -> None:
        self.sql, self.values = rows.query.sql_with_params()

    def ask(self, key: int | None = None) -> list[Row]:
        """The rows for this key."""
        values = [key if isinstance(value, GivenKey) else value for value in self.values]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, values)
            return list(cursor.fetchall())
