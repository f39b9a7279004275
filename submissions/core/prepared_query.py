"""A query of every page: its SQL is put together once, and afterwards only asked with other values.

Putting a query with conditions on conditions together takes Django about ten times as long as the database takes to
answer it.
"""

from collections.abc import Iterable
from copy import copy
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import BigIntegerField, Expression, QuerySet

KEY = "key"


class GivenValue(Expression):
    """In the place of a value that is given by this name when the query is asked: a key, unless a field is named."""

    def __init__(self, name: str = KEY, output_field: Any = None) -> None:
        super().__init__(output_field=output_field or BigIntegerField())
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", (self,)


def given_keys(most: int) -> list[Any]:
    """In the place of a list of keys, of up to so many."""
    return [GivenValue(f"{KEY}_{place}") for place in range(most)]


def keys_given(keys: Iterable[int], most: int) -> dict[str, int]:
    """These keys as `ask` wants them; 0, which no row has, in the place of those that are missing."""
    listed = list(keys)
    if len(listed) > most:
        raise ValueError(f"{len(listed)} keys for a query that has room for {most}.")
    return {f"{KEY}_{place}": listed[place] if place < len(listed) else 0 for place in range(most)}


class PreparedQuery:
    """The SQL of `rows`, whose conditions have a `GivenValue` wherever they differ from one question to the next."""

    def __init__(self, rows: QuerySet[Any, Any]) -> None:
        self.rows, self.compiler = rows, rows.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self.values = self.compiler.as_sql()

    def ask(self, key: object = None, **given: object) -> list[Any]:
        """The rows for these values, as the queryset has them: objects with what is selected beside them, or tuples."""
        connection, given = connections[DEFAULT_DB_ALIAS], {KEY: key, **given}
        values = tuple(
            value.output_field.get_db_prep_value(given[value.name], connection)
            if isinstance(value, GivenValue)
            else value
            for value in self.values
        )
        compiler: Any = copy(self.compiler)  # knows the columns; the connection is that of this thread
        compiler.connection, compiler.as_sql = connection, lambda *_, **__: (self.sql, values)
        rows: Any = self.rows.all()
        rows.query.get_compiler = lambda *_, **__: compiler
        return list(rows)
