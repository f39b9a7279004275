"""A chapter's files as they are in effect on one day: rows whose dates cover it, and the changes of rulemakings.

Here: which rows and changes count, from which day on they do, and the days on which something changes. Not here: what a
change consists of (`changes`), the records (`loader`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations
from typing import Any

from games.rules.changes import FILE_OF, NAMED_BY, ChapterData, RuleChange, apply_change
from games.rules.errors import RuleError

Row = Mapping[str, Any]
ONE_DAY = timedelta(days=1)
ALWAYS = (date.min, date.max)


def data_on(data: ChapterData, changes: Iterable[RuleChange], on: date | None) -> ChapterData:
    """The files on that day, without the rows and changes of other days; without a day, the last of each row.

    `RuleError` if two rows of the same name are in effect on the same day, whichever it is.
    """
    for change in ordered(changes):
        if on is None or change.effective <= on:
            data = apply_change(data, change)
    files = {file: dict(tables) for file, tables in data.files.items()}
    for kind, file in FILE_OF.items():
        if kind in files.get(file, {}):
            files[file][kind] = _rows_on(files[file][kind], kind, f"{data.folder}/{file}", on)
    return replace(data, files=files)


def change_days(data: ChapterData, changes: Iterable[RuleChange]) -> tuple[date, ...]:
    """The days on which a row begins, the days after its last one, and the first days of the changes, in order."""
    days = {change.effective for change in changes}
    for row in _all_rows(data.files):
        days |= {row["effective"]} if isinstance(row.get("effective"), date) else set()
        days |= {row["expires"] + ONE_DAY} if isinstance(row.get("expires"), date) else set()
    return tuple(sorted(days))


def ordered(changes: Iterable[RuleChange]) -> list[RuleChange]:
    """The changes in the order in which they apply."""
    return sorted(changes, key=lambda change: (change.effective, change.source, change.title, change.text))


def undated(files: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What the files say, without the dates of rows: a rule is the same rule on each of its days."""
    return {
        file: {key: _without_dates(value) if key in NAMED_BY else value for key, value in tables.items()}
        for file, tables in files.items()
    }


def _without_dates(rows: list[Any]) -> list[Any]:
    return [{key: value for key, value in row.items() if key not in ("effective", "expires")} for row in rows]


def _rows_on(rows: list[Any], kind: str, file: str, on: date | None) -> list[Any]:
    if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
        return rows  # the loader says what is wrong
    _refuse_overlaps(rows, kind, file)
    if on is not None:
        return [row for row in rows if _covers(row, on)]
    last = {_name(row, kind): place for place, row in enumerate(rows)}
    return [row for place, row in enumerate(rows) if last[_name(row, kind)] == place or _period(row) == ALWAYS]


def _refuse_overlaps(rows: list[Row], kind: str, file: str) -> None:
    """No two dated rows of one name are in effect on the same day."""
    by_name: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        by_name.setdefault(_name(row, kind), []).append(row)
    for name, same in by_name.items():
        if any(
            _period(first)[0] <= _period(second)[1] and _period(second)[0] <= _period(first)[1]
            for first, second in combinations(same, 2)
        ):
            raise RuleError(file, f"{kind} `{'/'.join(name)}`", "is there twice, for periods that overlap")


def _name(row: Row, kind: str) -> tuple[str, ...]:
    return tuple(str(row.get(key, "?")) for key in NAMED_BY[kind])


def _covers(row: Row, on: date) -> bool:
    first, last = _period(row)
    return first <= on <= last


def _period(row: Row) -> tuple[date, date]:
    """The first and the last day of the row. What is no date is left to the loader, which refuses it."""
    first, last = row.get("effective"), row.get("expires")
    return (first if type(first) is date else date.min, last if type(last) is date else date.max)


def _all_rows(files: Mapping[str, Mapping[str, Any]]) -> Iterator[Row]:
    for kind, file in FILE_OF.items():
        rows = files.get(file, {}).get(kind, [])
        yield from (row for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()
