"""Changes of stored rows that are undone: with the triggers lifted, inside a savepoint that is rolled back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from submissions.core import append_only


class Undo(Exception):
    """Roll the change back."""


@contextmanager
def triggers_lifted() -> Iterator[None]:
    append_only.drop(connection)
    try:
        yield
    finally:
        append_only.create(connection)


@contextmanager
def undone() -> Iterator[None]:
    """Undo what the block changes."""
    try:
        with transaction.atomic():
            yield
            raise Undo
    except Undo:
        pass


def sql(statement: str, *values: object) -> int:
    """Execute it; return the number of rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.rowcount
