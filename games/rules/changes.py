"""A rulemaking's change of one chapter from a day on, in the same tables as the chapter's files.

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

Here: reading one change and applying it to a chapter's files. Not here: which changes there are (`registry`), what is
in effect on a day (`dated`), what the tables mean (`loader`).
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any

from games.rules.citations import cite
from games.rules.errors import RuleError
from games.rules.loading.fields import Fields
from games.rules.loading.files import GUIDE, HOUSE_WAYS, LABELS, LAYOUT, PAYTABLES, RULES
from games.rules.sections import replace_section

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
NAMED_BY = {
    "option": ("key",),
    "wager": ("key",),
    "requirement": ("id",),
    "reading": ("id",),
    "published": ("id",),
    "paytable": ("wager", "name"),
    "element": ("key",),
    "house_way": ("key",),
}
CHAPTER_KEYS = ("title", "status", "complete", "missing", "source", "max_positions", "missing_paytables")
_TABLES = (*FILE_OF, "chapter", "section", "labels", "guide")


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What one rulemaking changes of one chapter. `text` is its TOML; `file` names it in messages."""

    number: str
    effective: date
    title: str
    source: str
    text: str
    file: str

    @property
    def tables(self) -> Mapping[str, Any]:
        return _parsed(self.text)


@dataclass(frozen=True, slots=True)
class ChapterData:
    """A chapter's files as they are written: file → its tables, and the regulation's text. `folder`: for messages."""

    folder: str
    files: Mapping[str, Mapping[str, Any]]
    text: str


def read_change(text: str, file: str) -> RuleChange:
    """The change that the TOML states; `RuleError` names what is unknown, missing or of the wrong kind."""
    try:
        top = Fields(file, "top of the file", _parsed(text))
    except tomllib.TOMLDecodeError as error:
        raise RuleError(file, "syntax", str(error)) from None
    change = RuleChange(
        number=top.text("number"),
        effective=top.take("effective", date),
        title=top.text("title"),
        source=top.text("source"),
        text=text,
        file=file,
    )
    top.read_keys.update(_TABLES)
    top.refuse_unknown()
    if not any(change.tables.get(name) for name in _TABLES):
        top.refuse(f"it changes nothing; a table of {', '.join(_TABLES)} is allowed here")
    for name in (*FILE_OF, "section"):
        if not all(isinstance(row, dict) for row in top.take(name, list, [])):
            top.refuse(f"`{name}`: tables headed [[{name}]] are allowed here")
    for name in ("chapter", "labels", "guide"):
        top.take(name, dict, {})
    return change


def apply_change(data: ChapterData, change: RuleChange) -> ChapterData:
    """The chapter's files as they read from the change's first day on; `RuleError` where the change does not fit."""
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
    """`labels.toml` and `guide.toml` as they read from the change's first day on."""
    return {
        LABELS: _with_labels(files[LABELS], change),
        GUIDE: {**files[GUIDE], **change.tables.get("guide", {})},
    }


def _chapter_keys(change: RuleChange) -> Row:
    top = Fields(change.file, "[chapter]", change.tables.get("chapter", {}), read_keys=set(CHAPTER_KEYS))
    top.refuse_unknown()
    return top.table


def _with_labels(labels: Row, change: RuleChange) -> Row:
    """Each table of `labels.toml` with the entries of the change."""
    changed = change.tables.get("labels", {})
    for name, entries in changed.items():
        if not isinstance(entries, dict):
            raise RuleError(change.file, f"[labels.{name}]", "a table is allowed here")
    return {**labels, **{name: {**labels.get(name, {}), **entries} for name, entries in changed.items()}}


def _changed_rows(rows: list[Row], changed: Row, kind: str, change: RuleChange) -> list[Row]:
    keys = NAMED_BY[kind]
    where = f"{kind} `{'/'.join(str(changed.get(key, '?')) for key in keys)}`"
    line = Fields(change.file, where, changed)
    name = [line.text(key) for key in keys]
    places = [place for place, row in enumerate(rows) if [row.get(key) for key in keys] == name and _is_open(row)]
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


def _is_open(row: Row) -> bool:
    """Whether a change can be of this row: one that expires is followed by another of the same name."""
    return "expires" not in row


def _with_cells(row: Row, line: Fields) -> list[list[Any]]:
    """The paytable's rows with those of `changed_rows` in place of the rows of the same outcome."""
    changed = line.take("changed_rows", list)
    if not all(isinstance(cells, list) and cells and isinstance(cells[0], str) for cells in changed):
        line.refuse(f"`changed_rows` is {changed!r}; a list of [outcome, payout …] is allowed here")
    by_outcome = {cells[0]: cells for cells in changed}
    outcomes = [cells[0] for cells in row.get("rows", [])]
    if unknown := [outcome for outcome in by_outcome if outcome not in outcomes]:
        line.refuse(f"`changed_rows` names {unknown[0]!r}; the rows are {', '.join(outcomes)}")
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


_parsed = lru_cache(maxsize=64)(tomllib.loads)
