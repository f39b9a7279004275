"""Rulemakings: a change of one chapter from a day on, in the same tables as the chapter's files.

Here are also the files as they are in effect on one day, and the tables of a change as TOML.

    number = "687a"
    effective = 2027-01-01
    title = "Trips Bonus Wager"
    source = "the document that adopted it"

    [chapter]                  # what changes of the chapter itself
    status = "final"

    [[paytable]]               # a row that exists: only what differs
    wager = "trips"
    name = "DJWT-05"
    changed_rows = [["Three-of-a-Kind", [5, 1], [1, 1]]]

    [[option]]                 # a new row: all of it, at the end or `after` another
    [[element]]
    key = "odds"
    removed = true

    [[section]]                # the words of the law from that day on; `removed = true` takes them out
    citation = ".12(d)"
    text = "- (d) …"

    [labels.labels]            # each entry replaces one of `labels.toml`
    [guide]                    # each key replaces the whole of `guide.toml`'s

On a day, those rows and changes count whose dates cover it. The form for rulemakings writes its change with
`toml_text`, which `tomllib` reads back equal. Not here: which changes there are (`registry`), the records (`loader`).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import combinations
from typing import Any

from games.rules.errors import RuleError
from games.rules.files import GUIDE, HOUSE_WAYS, LABELS, LAYOUT, PAYTABLES, RULES, TOP, Fields, parse_toml
from games.rules.sections import cite, replace_section

Row = Mapping[str, Any]
FILE_OF = {
    "option": RULES,
    "wager": RULES,
    "requirement": RULES,
    "reading": RULES,
    "published": RULES,
    "paytable": PAYTABLES,
    "element": LAYOUT,
    "house_way": HOUSE_WAYS,
}
NAMED_BY = dict.fromkeys(FILE_OF, ("key",)) | {
    **dict.fromkeys(("requirement", "reading", "published"), ("id",)),
    "paytable": ("wager", "name"),
}
CHAPTER_KEYS = ("title", "status", "complete", "missing", "source", "max_positions", "missing_paytables")
_TABLES = (*FILE_OF, "chapter", "section", "labels", "guide")


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One rulemaking's changes of one chapter; `text` is its TOML, `file` names it in messages."""

    number: str
    effective: date
    title: str
    source: str
    text: str
    file: str

    @property
    def tables(self) -> Mapping[str, Any]:
        return parse_toml(self.text, self.file)


@dataclass(frozen=True, slots=True)
class ChapterData:
    """A chapter's files as they are written: file → its tables, and the regulation's text. `folder`: for messages."""

    folder: str
    files: Mapping[str, Mapping[str, Any]]
    text: str


def read_change(text: str, file: str) -> RuleChange:
    """Return the change that the TOML states; `RuleError` names what is unknown, missing or of the wrong kind."""
    top = Fields(file, TOP, parse_toml(text, file))
    change = top.record(RuleChange, text=text, file=file)
    top.read_keys.update(_TABLES)
    top.refuse_unknown()
    if not any(change.tables.get(name) for name in _TABLES):
        top.refuse(f"it changes nothing; a table of {', '.join(_TABLES)} is allowed here")
    for name in (*FILE_OF, "section"):
        top.tables(name)
    for name in ("chapter", "labels", "guide"):
        top.take(name, dict, {})
    return change


def apply_change(data: ChapterData, change: RuleChange) -> ChapterData:
    """Return the chapter's files as they read from the change's first day on; `RuleError` if it does not fit."""
    files = dict(data.files)
    for kind, file in FILE_OF.items():
        rows = list(files.get(file, {}).get(kind, []))
        for changed in change.tables.get(kind, []):
            rows = _changed_rows(rows, changed, kind, change)
        if rows or kind in files.get(file, {}):
            files[file] = {**files.get(file, {}), kind: rows}
    files[RULES] = {**files[RULES], **_chapter_keys(change)}
    return replace(data, files=files, text=_changed_text(data.text, change))


def changed_words(files: Mapping[str, Row], change: RuleChange) -> dict[str, Row]:
    """Return `labels.toml` and `guide.toml` as they read from the change's first day on."""
    return {
        LABELS: _with_labels(files[LABELS], change),
        GUIDE: {**files[GUIDE], **change.tables.get("guide", {})},
    }


def _chapter_keys(change: RuleChange) -> Row:
    top = Fields(change.file, "[chapter]", change.tables.get("chapter", {}), read_keys=set(CHAPTER_KEYS))
    top.refuse_unknown()
    return top.table


def _with_labels(labels: Row, change: RuleChange) -> Row:
    """Return each table of `labels.toml` with the entries of the change."""
    changed = Fields(change.file, "[labels]", change.tables.get("labels", {}))
    return {**labels, **{name: {**labels.get(name, {}), **changed.take(name, dict)} for name in changed.table}}


def _changed_rows(rows: list[Row], changed: Row, kind: str, change: RuleChange) -> list[Row]:
    keys = NAMED_BY[kind]
    where = f"{kind} `{'/'.join(str(changed.get(key, '?')) for key in keys)}`"
    line = Fields(change.file, where, changed)
    name = [line.text(key) for key in keys]
    # A row that expires is followed by another of the same name, which the change is of.
    places = [
        place for place, row in enumerate(rows) if [row.get(key) for key in keys] == name and "expires" not in row
    ]
    if len(places) > 1:
        line.refuse(f"there are {len(places)} rows of this name on {change.effective}; the change must name one")
    if line.flag("removed"):
        if not places:
            line.refuse("is to be removed, but does not exist")
        return [*rows[: places[0]], *rows[places[0] + 1 :]]
    new = {key: value for key, value in changed.items() if key not in ("after", "changed_rows", "removed")}
    if places:
        row = {**rows[places[0]], **new}
        if "changed_rows" in changed:
            row["rows"] = _with_cells(row, line)
        return [*rows[: places[0]], row, *rows[places[0] + 1 :]]
    return _inserted(rows, new, kind, line)


def _with_cells(row: Row, line: Fields) -> list[list[Any]]:
    """Return the paytable's rows with those of `changed_rows` in place of the rows of the same outcome."""
    changed = line.take("changed_rows", list)
    if not all(isinstance(cells, list) and cells and isinstance(cells[0], str) for cells in changed):
        line.refuse(f"`changed_rows` is {changed!r}; a list of [outcome, payout …] is allowed here")
    by_outcome = {cells[0]: cells for cells in changed}
    outcomes = [cells[0] for cells in row.get("rows", [])]
    line.names("in `changed_rows`, the row", by_outcome, outcomes)
    return [by_outcome.get(cells[0], cells) for cells in row["rows"]]


def _inserted(rows: list[Row], new: Row, kind: str, line: Fields) -> list[Row]:
    if line.has("changed_rows"):
        line.refuse("`changed_rows` is for a paytable that exists; a new one has `rows`")
    if not line.has("after"):
        return [*rows, new]
    after, key = line.text("after"), NAMED_BY[kind][-1]
    place = next((place for place, row in enumerate(rows) if row.get(key) == after), None)
    if place is None:
        line.refuse(f"is to follow `{after}`, but the chapter has no such {kind}")
    return [*rows[: place + 1], new, *rows[place + 1 :]]


def _changed_text(text: str, change: RuleChange) -> str:
    for changed in change.tables.get("section", []):
        row = Fields(change.file, f"section `{changed.get('citation', '?')}`", changed)
        citation, removed = cite(row.text("citation"), change.number), row.flag("removed")
        text = replace_section(text, citation, "" if removed else row.text("text"), change.file)
        row.refuse_unknown()
    return text


ONE_DAY = timedelta(days=1)
ALWAYS = (date.min, date.max)


def data_on(data: ChapterData, changes: Iterable[RuleChange], on: date | None) -> ChapterData:
    """Return the files on that day, without the rows and changes of other days; without a day, the last of each row.

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
    """Return the days on which a row begins, the days after its last, and the first days of changes, in order."""
    days = {change.effective for change in changes}
    for row in _all_rows(data.files):
        days |= {row["effective"]} if isinstance(row.get("effective"), date) else set()
        days |= {row["expires"] + ONE_DAY} if isinstance(row.get("expires"), date) else set()
    return tuple(sorted(days))


def ordered(changes: Iterable[RuleChange]) -> list[RuleChange]:
    """Return the changes in the order in which they apply."""
    return sorted(changes, key=lambda change: (change.effective, change.source, change.title, change.text))


def undated(files: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the content of the files without the dates of rows: a rule is the same rule on each of its days."""
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
        return [row for row in rows if _period(row)[0] <= on <= _period(row)[1]]
    last = {_name(row, kind): place for place, row in enumerate(rows)}
    return [row for place, row in enumerate(rows) if last[_name(row, kind)] == place or _period(row) == ALWAYS]


def _refuse_overlaps(rows: list[Row], kind: str, file: str) -> None:
    """Refuse two dated rows of one name that are in effect on the same day."""
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


def _period(row: Row) -> tuple[date, date]:
    """Return the first and the last day of the row; the loader refuses values that are not dates."""
    first, last = row.get("effective"), row.get("expires")
    return (first if type(first) is date else date.min, last if type(last) is date else date.max)


def _all_rows(files: Mapping[str, Mapping[str, Any]]) -> Iterator[Row]:
    for kind, file in FILE_OF.items():
        rows = files.get(file, {}).get(kind, [])
        yield from (row for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()


_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED = {ord("\\"): "\\\\", ord('"'): '\\"'}
_LINES = re.compile(r"[^\x00-\x09\x0b-\x1f\x7f]*")  # text that may be written over several lines


def toml_text(tables: Mapping[str, Any]) -> str:
    """Return a whole file: single values first, then tables, then lists of tables."""
    single = [f"{_key(key)} = {toml_value(value)}" for key, value in tables.items() if not _is_tables(value)]
    parts = ["\n".join(single)]
    for key, value in tables.items():
        if isinstance(value, dict):
            parts += _table(_key(key), value)
        elif _is_tables(value):
            parts += [f"[[{_key(key)}]]\n{_rows(row)}" for row in value]
    return "\n\n".join(part for part in parts if part) + "\n"


def toml_value(value: Any) -> str:
    """Return one value, as it stands behind `=`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, dict):
        entries = ", ".join(f"{_key(key)} = {toml_value(inner)}" for key, inner in value.items())
        return f"{{ {entries} }}" if entries else "{}"
    return repr(value)


def _table(name: str, table: Mapping[str, Any]) -> list[str]:
    """Return the table, and each of its tables under its own heading."""
    single = {key: value for key, value in table.items() if not isinstance(value, dict)}
    inner = [
        part for key, value in table.items() if isinstance(value, dict) for part in _table(f"{name}.{_key(key)}", value)
    ]
    return [f"[{name}]\n{_rows(single)}".rstrip(), *inner] if single or not inner else inner


def _rows(table: Mapping[str, Any]) -> str:
    return "\n".join(f"{_key(key)} = {toml_value(value)}" for key, value in table.items())


def _is_tables(value: Any) -> bool:
    """Return True if the value has headings of its own."""
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)
    )


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _one_line(key)


def _string(text: str) -> str:
    if "\n" in text and _LINES.fullmatch(text):
        return f'"""\n{text.translate(_ESCAPED)}"""'
    return _one_line(text)


def _one_line(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
