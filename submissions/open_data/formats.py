"""A table as CSV and as JSON, written row by row."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from submissions.core.csv_export import csv_lines
from submissions.open_data.data_dictionary import OpenTable

Row = Mapping[str, Any]
MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
AT_ONCE = 200  # rows that are sent together


def as_csv(table: OpenTable, rows: Iterable[Row]) -> Iterator[str]:
    """A heading, and a line for each row. What begins like a formula and is no number gets an apostrophe."""
    names = [column.name for column in table.columns]
    return _together(csv_lines(names, ([_cell(row[name]) for name in names] for row in rows)))


def as_json(table: OpenTable, rows: Iterable[Row], about: Mapping[str, object]) -> Iterator[str]:
    """`{…about, "rows": [{…}, …]}`, a line for each row."""
    return _together(_json_lines(table, rows, about))


def _json_lines(table: OpenTable, rows: Iterable[Row], about: Mapping[str, object]) -> Iterator[str]:
    names, separator = [column.name for column in table.columns], "\n"
    yield f'{json.dumps(about, ensure_ascii=False, default=_plain)[:-1]}, "rows": ['
    for row in rows:
        yield separator + json.dumps({name: row[name] for name in names}, ensure_ascii=False, default=_plain)
        separator = ",\n"
    yield "\n]}\n"


def _together(lines: Iterable[str]) -> Iterator[str]:
    """The same text in larger pieces: each piece that is sent costs a call of the web server."""
    pieces: list[str] = []
    for line in lines:
        pieces.append(line)
        if len(pieces) >= AT_ONCE:
            yield "".join(pieces)
            pieces.clear()
    yield "".join(pieces)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{Decimal(repr(value)):f}"  # 0.000001, never 1e-06
    return str(_plain(value)) if isinstance(value, date) else str(value)


def _plain(value: object) -> str:
    """A time to the second, a day as year, month and day."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in a table")
