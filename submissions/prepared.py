"""Queries that are asked all the time: put together once, for Django takes longer to write their SQL than the database
to answer.

On SQLite one is asked after the other: its driver lets go of the interpreter at every row, so that threads that read
at once would change places row by row, and each list take twice as long. Nobody waits long for a turn: a search that
takes its time holds up no others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from copy import copy
from threading import Lock
from typing import Any, Generic, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import QuerySet

Row = TypeVar("Row")
PATIENCE = 0.1  # seconds to wait for one's turn
_one_by_one = Lock()


class Prepared(Generic[Row]):
    """The query set's SQL. Each of its parameters that is a mark's value is what `ask` gives under the mark's name.

    A mark is a value that the query would never contain; `ValueError` if it is not there just once.
    """

    def __init__(self, rows: QuerySet[Any, Row], **marks: object) -> None:
        self._rows = rows
        self._compiler = rows.query.get_compiler(rows.db)
        try:
            self._sql, self._parameters = self._compiler.as_sql()
        except EmptyResultSet:  # whatever is asked, nothing is found
            self._sql = ""
            return
        fields = [column[0] for column in self._compiler.select[: self._compiler.col_count]]
        self._converters = self._compiler.get_converters(fields)
        self._places = {name: _place(mark, self._parameters) for name, mark in marks.items()}

    def ask(self, **given: object) -> list[Row]:
        """What is found now."""
        if not self._sql:
            return []
        compiler = copy(self._compiler)
        compiler.connection = connections[self._rows.db]  # each thread has its own
        compiler.as_sql = lambda *_, **__: (self._sql, self._with(given))
        compiler.get_converters = lambda _: self._converters
        asked = self._rows.all()
        asked.query.get_compiler = lambda *_, **__: compiler  # type: ignore[method-assign]
        with _in_turn() if compiler.connection.vendor == "sqlite" else nullcontext():
            return list(asked)

    def _with(self, given: Mapping[str, object]) -> tuple[Any, ...]:
        parameters = list(self._parameters)
        for name, place in self._places.items():
            parameters[place] = given[name]
        return tuple(parameters)


@contextmanager
def _in_turn() -> Iterator[None]:
    waited = _one_by_one.acquire(timeout=PATIENCE)
    try:
        yield
    finally:
        if waited:
            _one_by_one.release()


def _place(mark: object, parameters: Any) -> int:
    places = [place for place, value in enumerate(parameters) if value == mark]
    if len(places) != 1:
        raise ValueError(f"{mark!r} stands {len(places)} times in {parameters!r}")
    return places[0]
