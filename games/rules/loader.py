"""From a chapter's folder to its `Chapter`, strictly: everything unknown, missing or contradictory is refused.

A folder contains `rules.toml`, `paytables.toml`, `layout.toml`, `text.md` and, where hands are set by a filed
house way, `house_ways.toml`; where text is missing, `missing_text.toml`; later rulemakings are in `changes/*.toml`
(`games.rules.changes`). A row may `use` an entry of `../common.toml` and say only what differs.
Not here: single tables (`loading/records`, `loading/paytables`), agreement (`loading/consistency`), the words of
layouts, signs and guides (`loading/words`), the list of chapters (`registry`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, TypeVar, get_args

from games.rules.changes import ChapterData, RuleChange, read_change
from games.rules.dated import ONE_DAY, change_days, data_on, undated
from games.rules.errors import RuleError
from games.rules.loading import records
from games.rules.loading.consistency import check_consistency
from games.rules.loading.fields import Fields
from games.rules.loading.files import (
    CHANGES,
    COMMON,
    COMMON_WORDS,
    GENERAL,
    HOUSE_WAYS,
    LAYOUT,
    MISSING_TEXT,
    PAYTABLES,
    RULES,
    TEXT,
    data_digest,
    label,
    read_file,
    read_text,
    read_toml,
    shared_file,
)
from games.rules.loading.paytables import read_paytable
from games.rules.loading.words import WordFiles
from games.rules.model import Chapter, Status
from games.rules.sections import read_sections

_NAMED_BY = {"option": "key", "requirement": "id", "element": "key", "reading": "id"}
_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class ChapterFolder:
    """A chapter's files as they are written, for every day, and the changes of `changes/*.toml`."""

    folder: Path
    data: ChapterData
    changes: tuple[RuleChange, ...]


def read_folder(folder: Path) -> ChapterFolder:
    """The files of the folder; `RuleError` where one is missing or is not TOML."""
    data = {name: read_toml(folder / name) for name in (RULES, PAYTABLES, LAYOUT)}
    for name in (HOUSE_WAYS, MISSING_TEXT):
        data[name] = read_toml(folder / name) if (folder / name).exists() else {}
    common = _common(shared_file(folder, COMMON))
    for name in (RULES, LAYOUT):
        data[name] = _with_common(data[name], common, label(folder / name))
    changes = (read_change(read_file(path), label(path)) for path in sorted((folder / CHANGES).glob("*.toml")))
    return ChapterFolder(folder, ChapterData(folder.name, data, read_file(folder / TEXT)), tuple(changes))


def load(folder: Path, on: date | None = None, changes: Iterable[RuleChange] = ()) -> Chapter:
    """The chapter in the folder on that day, with further changes; `RuleError` where its data is not right.

    Without a day: with every change, also those to come.
    """
    return load_from(read_folder(folder), on, changes)


def load_from(source: ChapterFolder, on: date | None, changes: Iterable[RuleChange]) -> Chapter:
    """The same, of files that are read already."""
    all_changes = (*source.changes, *changes)
    number = source.data.files[RULES].get("number")
    for change in all_changes:
        if change.number != number:
            raise RuleError(change.file, "`number`", f"is {change.number}; the chapter is {number}")
    data = data_on(source.data, all_changes, on)
    days = change_days(source.data, all_changes)
    begins = max((day for day in days if on is None or day <= on), default=None)
    next_change = min((day for day in days if on is not None and day > on), default=None)
    chapter = _chapter(source.folder, data)
    return replace(
        chapter,
        begins=begins,
        ends=next_change - ONE_DAY if next_change else None,
        words_from=WordFiles(source.folder, on, all_changes),
    )


def _chapter(folder: Path, data: ChapterData) -> Chapter:
    sections = {**read_text(shared_file(folder, GENERAL)), **read_sections(data.text, label(folder / TEXT))}
    files = data.files
    top = Fields(label(folder / RULES), "top of the file", files[RULES])
    top.number = top.text("number")

    def rows(name: str, key: str, read: Callable[[Fields], _Record]) -> tuple[_Record, ...]:
        return _rows(label(folder / name), files[name], key, read, top.number, sections)

    missing_paytables = top.texts("missing_paytables")
    chapter = Chapter(
        number=top.number,
        title=top.text("title"),
        status=top.one_of("status", get_args(Status)),
        complete=top.flag("complete"),
        missing=top.text("missing", ""),
        source=top.text("source"),
        max_positions=top.number_of("max_positions"),
        options=rows(RULES, "option", records.read_option),
        wagers=rows(RULES, "wager", records.read_wager),
        paytables=rows(PAYTABLES, "paytable", read_paytable),
        requirements=rows(RULES, "requirement", records.read_requirement),
        layout=rows(LAYOUT, "element", records.read_element),
        readings=rows(RULES, "reading", records.read_reading),
        published=rows(RULES, "published", records.read_published),
        house_ways=rows(HOUSE_WAYS, "house_way", records.read_house_way),
        missing_text=rows(MISSING_TEXT, "missing_text", records.read_missing_text),
        sections=sections,
        digest=data_digest(undated({name: files[name] for name in (RULES, PAYTABLES, LAYOUT, HOUSE_WAYS)})),
    )
    top.read_keys |= {"option", "wager", "requirement", "reading", "published"}
    top.refuse_unknown()
    check_consistency(chapter, lambda name: label(folder / name), missing_paytables)
    return chapter


def _rows(
    file: str,
    data: Mapping[str, Any],
    key: str,
    read: Callable[[Fields], _Record],
    number: str,
    sections: dict[str, str],
) -> tuple[_Record, ...]:
    """Every `[[key]]` table of the file, read in full."""
    rows = []
    for index, table in enumerate(_tables(file, data, key), start=1):
        name = table.get("key") or table.get("id") or table.get("name") or index
        where = f"{key} `{table['wager']}/{name}`" if key == "paytable" and "wager" in table else f"{key} `{name}`"
        row = Fields(file, where, table, number, sections)
        rows.append(read(row))
        row.refuse_unknown()
    if not file.endswith(RULES) and data.keys() - {key}:
        raise RuleError(file, "top of the file", f"unknown key `{min(data.keys() - {key})}`; allowed is {key}")
    return tuple(rows)


def _tables(file: str, data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    tables = data.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise RuleError(file, f"`{key}`", f"tables headed [[{key}]] are allowed here")
    return tables


def _common(path: Path) -> dict[str, Any]:
    entries = read_toml(path)
    allowed = (*_NAMED_BY, *COMMON_WORDS)
    if unknown := entries.keys() - set(allowed):
        raise RuleError(COMMON, "top of the file", f"unknown key `{min(unknown)}`; allowed are {', '.join(allowed)}")
    return entries


def _with_common(data: Mapping[str, Any], common: Mapping[str, Any], file: str) -> dict[str, Any]:
    """The data with every `use = "name"` replaced by the common entry and what else the row says."""
    merged = dict(data)
    for kind, name in _NAMED_BY.items():
        if kind in data:
            merged[kind] = [_use(row, common.get(kind, {}), name, kind, file) for row in _tables(file, data, kind)]
    return merged


def _use(row: Mapping[str, Any], entries: Mapping[str, Any], name: str, kind: str, file: str) -> dict[str, Any]:
    if "use" not in row:
        return dict(row)
    used = row["use"]
    if used not in entries:
        raise RuleError(file, f"{kind} with `use`", f"{used!r} is not among {', '.join(entries)} of {COMMON}")
    return {name: used, **entries[used], **{key: value for key, value in row.items() if key != "use"}}
