"""From a chapter's folder to its `Chapter`, strictly: everything unknown, missing or contradictory is refused.

A folder contains `rules.toml`, `paytables.toml`, `layout.toml`, `text.md` and, where hands are set by a filed house
way, `house_ways.toml`; where text is missing, `missing_text.toml`; later rulemakings are in `changes/*.toml`
(`changes`). A row may `use` an entry of `../common.toml` and say only what differs. The records must agree with each
other: names that are used exist, and none is used twice. Not here: single tables (`records`), the words of layouts,
signs and guides (`words`), the list of chapters (`registry`).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, get_args

from games.rules import records
from games.rules.changes import ONE_DAY, ChapterData, RuleChange, change_days, data_on, read_change, undated
from games.rules.checks import CHECKS
from games.rules.errors import RuleError
from games.rules.files import (
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
    TOP,
    Fields,
    data_digest,
    ensure_known,
    label,
    read_file,
    read_text,
    read_toml,
    shared_file,
)
from games.rules.model import ALWAYS, Chapter, Condition, LayoutElement, Limits, Option, Reading, Requirement, Status
from games.rules.sections import read_sections
from games.rules.words import WordFiles

_NAMED_BY = {"option": "key", "requirement": "id", "element": "key", "reading": "id"}


@dataclass(frozen=True, slots=True)
class ChapterFolder:
    """A chapter's files as they are written, for every day, and the changes of `changes/*.toml`."""

    folder: Path
    data: ChapterData
    changes: tuple[RuleChange, ...]


def read_folder(folder: Path) -> ChapterFolder:
    """Return the files of the folder; `RuleError` where one is missing or is not TOML."""
    data = {name: read_toml(folder / name) for name in (RULES, PAYTABLES, LAYOUT)}
    for name in (HOUSE_WAYS, MISSING_TEXT):
        data[name] = read_toml(folder / name) if (folder / name).exists() else {}
    common = _common(shared_file(folder, COMMON))
    for name in (RULES, LAYOUT):
        data[name] = _with_common(data[name], common, label(folder / name))
    changes = (read_change(read_file(path), label(path)) for path in sorted((folder / CHANGES).glob("*.toml")))
    return ChapterFolder(folder, ChapterData(folder.name, data, read_file(folder / TEXT)), tuple(changes))


def load(folder: Path, on: date | None = None, changes: Iterable[RuleChange] = ()) -> Chapter:
    """Return the chapter in the folder on that day, with further changes; `RuleError` where its data is not right.

    Without a day: with every change, also those to come.
    """
    return load_from(read_folder(folder), on, changes)


def load_from(source: ChapterFolder, on: date | None, changes: Iterable[RuleChange]) -> Chapter:
    """Return the chapter on that day, from files that are already read."""
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
    number = Fields(label(folder / RULES), TOP, files[RULES]).text("number")
    top, *further = (
        Fields(label(folder / name), TOP, files[name], number, sections)
        for name in (RULES, PAYTABLES, LAYOUT, HOUSE_WAYS, MISSING_TEXT)
    )
    paytables, layout, house_ways, missing_text = further
    missing_paytables = top.texts("missing_paytables")
    chapter = Chapter(
        number=top.text("number"),
        title=top.text("title"),
        status=top.one_of("status", get_args(Status)),
        complete=top.flag("complete"),
        missing=top.text("missing", ""),
        source=top.text("source"),
        max_positions=top.take("max_positions", int),
        options=top.each("option", records.read_option),
        wagers=top.each("wager", records.read_wager),
        paytables=paytables.each("paytable", records.read_paytable),
        requirements=top.each("requirement", records.read_requirement),
        layout=layout.each("element", lambda row: row.record(LayoutElement)),
        readings=top.each("reading", lambda row: row.record(Reading)),
        published=top.each("published", records.read_published),
        house_ways=house_ways.each("house_way", records.read_house_way),
        missing_text=missing_text.each("missing_text", records.read_missing_text),
        sections=sections,
        digest=data_digest(undated({name: files[name] for name in (RULES, PAYTABLES, LAYOUT, HOUSE_WAYS)})),
    )
    for file in (top, *further):
        file.refuse_unknown()
    check_consistency(chapter, lambda name: label(folder / name), missing_paytables)
    return chapter


def _common(path: Path) -> dict[str, Any]:
    entries = read_toml(path)
    Fields(COMMON, TOP, entries, read_keys={*_NAMED_BY, *COMMON_WORDS}).refuse_unknown()
    return entries


def _with_common(data: Mapping[str, Any], common: Mapping[str, Any], file: str) -> dict[str, Any]:
    """Return the data with every `use = "name"` replaced by the common entry, merged with the row's other keys."""
    top, merged = Fields(file, TOP, data), dict(data)
    for kind, name in _NAMED_BY.items():
        if kind in data:
            merged[kind] = [_use(row, common.get(kind, {}), name, kind, file) for row in top.tables(kind)]
    return merged


def _use(row: Mapping[str, Any], entries: Mapping[str, Any], name: str, kind: str, file: str) -> dict[str, Any]:
    if "use" not in row:
        return dict(row)
    used = row["use"]
    ensure_known(file, f"{kind} with `use`", f"in {COMMON}, the {kind}", [used], entries)
    return {name: used, **entries[used], **{key: value for key, value in row.items() if key != "use"}}


_NUMBERS = ("count", "money", "percent")
TECHNICAL_LIMIT = "technical-limit"
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def check_consistency(chapter: Chapter, file: Callable[[str], str], missing_paytables: Iterable[str] = ()) -> None:
    """Raise `RuleError` where two parts of the chapter disagree; `file` gives a data file's name for messages."""
    for look in (_limits, _wagers, _paytable_options, _requirements, _layout):
        look(chapter, file)
    _conditions(chapter, file)
    _readings(chapter, file(RULES))
    _published(chapter, file(RULES), frozenset(missing_paytables))


def _limits(chapter: Chapter, file: Callable[[str], str]) -> None:
    """Refuse limits that no answer has; numbers without a largest value that no note on a technical limit names."""
    said = {key for reading in chapter.readings if reading.id.endswith(TECHNICAL_LIMIT) for key in reading.touches}
    for option in chapter.options:
        where, limits, default = f"option `{option.key}`", option.limits, Limits()
        numeric = limits.at_least is not None or limits.at_most is not None
        textual = limits.format or limits.longest != default.longest
        if (numeric and option.kind not in _NUMBERS) or (textual and option.kind != "text"):
            raise RuleError(file(RULES), where, f"`limits` do not fit a {option.kind} option")
        if option.kind in _NUMBERS and limits.at_most is None and option.key not in said:
            problem = f"`at_most` is missing from `limits`: give it, or name the option in reading `{TECHNICAL_LIMIT}`"
            raise RuleError(file(RULES), where, problem)


def _wagers(chapter: Chapter, file: Callable[[str], str]) -> None:
    options = {option.key: option for option in chapter.options}
    for wager in chapter.wagers:
        where = f"wager `{wager.key}`"
        for key, kind in ((wager.offered_by, "yes_no"), (wager.paytable_option, "paytable"), (wager.minimum, "money")):
            ensure_known(file(RULES), where, "the option", [key], options)
            if key and options[key].kind != kind:
                raise RuleError(file(RULES), where, f"`{key}` is a {options[key].kind} option; {kind} is allowed")
        ensure_known(file(RULES), where, "the wager", [wager.part_of], chapter.wager_keys)
        if len({table.name for table in chapter.tables_of(wager.key)}) > 1 and not wager.paytable_option:
            raise RuleError(file(RULES), where, "has several paytables, but no `paytable_option` to choose one")
    for table in chapter.paytables:
        where = f"paytable `{table.key}`"
        ensure_known(file(PAYTABLES), where, "the wager", [table.wager], chapter.wager_keys)


def _paytable_options(chapter: Chapter, file: Callable[[str], str]) -> None:
    chosen_by = {wager.key: wager.paytable_option for wager in chapter.wagers}
    for option in chapter.options:
        where = f"option `{option.key}`"
        if option.kind == "paytable":
            ensure_known(file(RULES), where, "the wager", [option.wager], chosen_by)
            if chosen_by[option.wager] != option.key:
                raise RuleError(file(RULES), where, f"the wager `{option.wager}` does not name it as `paytable_option`")
            if not chapter.tables_of(option.wager):
                raise RuleError(file(PAYTABLES), where, f"there is no paytable of the wager `{option.wager}`")


def _requirements(chapter: Chapter, file: Callable[[str], str]) -> None:
    options = chapter.option_keys
    for requirement in chapter.requirements:
        where = f"requirement `{requirement.id}`"
        if not requirement.options:
            raise RuleError(file(RULES), where, "`options` is empty; it names the lines that the finding stands on")
        ensure_known(file(RULES), where, "the option", requirement.options, options)
        ensure_known(file(RULES), where, "the check", [requirement.check], CHECKS)
        if not requirement.check:
            braces = _PLACEHOLDER.findall(requirement.message + requirement.fix)
            ensure_known(file(RULES), where, "the option in braces", braces, options)
        _covers(chapter, requirement, file(RULES))


def _covers(chapter: Chapter, requirement: Requirement, file: str) -> None:
    """Refuse a payout limit that covers unknown wagers or leaves out unknown rows of their paytables."""
    where = f"requirement `{requirement.id}`"
    limits_payouts = requirement.check.startswith("payout_limit")
    if limits_payouts != bool(requirement.covers) or (limits_payouts and len(requirement.options) < 2):
        raise RuleError(
            file, where, "`covers` goes with a check of a payout limit, whose `options` begin with limit and minimum"
        )
    ensure_known(file, where, "the covered wager", requirement.covers, chapter.wager_keys)
    rows = {row.outcome for key in requirement.covers for table in chapter.tables_of(key) for row in table.rows}
    ensure_known(file, where, "the outcome left out", requirement.leaves_out, sorted(rows))


def _layout(chapter: Chapter, file: Callable[[str], str]) -> None:
    for element in chapter.layout:
        where = f"element `{element.key}`"
        ensure_known(file(LAYOUT), where, "the wager", [element.wager], chapter.wager_keys)
        if element.wording and element.kind not in ("inscription", "sign"):
            raise RuleError(file(LAYOUT), where, f"`wording` is for an inscription or a sign, not for a {element.kind}")


def _conditions(chapter: Chapter, file: Callable[[str], str]) -> None:
    above: dict[str, Option] = {}
    for option in chapter.options:
        _tests(chapter, file(RULES), f"option `{option.key}`, `asked_if`", option.asked_if, above)
        above[option.key] = option
    for option in chapter.options:
        _tests(chapter, file(RULES), f"option `{option.key}`, `consistent_if`", option.consistent_if or ALWAYS, above)
    for requirement in chapter.requirements:
        where = f"requirement `{requirement.id}`"
        _tests(chapter, file(RULES), f"{where}, `when`", requirement.when, above)
        _tests(chapter, file(RULES), f"{where}, `must`", requirement.must or Condition(), above)
    for element in chapter.layout:
        _tests(chapter, file(LAYOUT), f"element `{element.key}`, `condition`", element.condition, above)


def _tests(chapter: Chapter, file: str, where: str, condition: Condition, options: dict[str, Option]) -> None:
    """Refuse a test on an unknown option (for `asked_if`: on one not above it), or with an unfit value."""
    for alternative in condition.alternatives:
        for key, test in alternative:
            ensure_known(file, where, "the option", [key], options)
            option = options[key]
            if not test.values and option.kind not in _NUMBERS:
                raise RuleError(file, where, f"`{key}` is a {option.kind} option; a range is for {', '.join(_NUMBERS)}")
            for value in test.values:
                if not _can_be(chapter, option, value):
                    raise RuleError(file, where, f"`{key}` is tested for {value!r}, which no {option.kind} answer is")


def _can_be(chapter: Chapter, option: Option, value: bool | str | int) -> bool:
    """Return True if the option can be answered so; `True == 1` in Python, hence the types."""
    if option.kind == "yes_no":
        return isinstance(value, bool)
    if option.kind == "count":
        return isinstance(value, int) and not isinstance(value, bool)
    allowed = [choice.value for choice in option.choices]
    if option.kind == "paytable":
        allowed = [table.name for table in chapter.tables_of(option.wager)]
    return isinstance(value, str) and value in allowed


def _readings(chapter: Chapter, file: str) -> None:
    touchable = [*chapter.option_keys, *chapter.wager_keys]
    touchable += [table.key for table in chapter.paytables]
    touchable += [element.key for element in chapter.layout]
    for reading in chapter.readings:
        ensure_known(file, f"reading `{reading.id}`, `touches`", "the name", reading.touches, touchable)


def _published(chapter: Chapter, file: str, missing: frozenset[str]) -> None:
    whole = {wager.key: wager.part_of for wager in chapter.wagers if wager.part_of}
    tables = {table.key for table in chapter.paytables} | missing
    tables |= {f"{whole[table.wager]}/{table.name}" for table in chapter.paytables if table.wager in whole}
    for figure in chapter.published:
        where = f"published `{figure.id}`"
        ensure_known(file, where, "the wager", [figure.wager], chapter.wager_keys)
        if figure.paytable:
            ensure_known(file, where, "the paytable", [f"{figure.wager}/{figure.paytable}"], sorted(tables))
