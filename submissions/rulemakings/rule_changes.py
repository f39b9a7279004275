"""The text of a change: read strictly, tried on the chapter for every day from its first on; its form.

The loader's refusals become `Refusal`s that name the table, the value and what is allowed. The form writes a row of the
change with only what differs, merged with what the change has already. Not here: storing the text (`drafting`), its
effect on approved versions (`trials`), the page.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from games import registry
from games.rules.changes import CHAPTER_KEYS, FILE_OF, NAMED_BY, ChapterData, RuleChange, toml_text, toml_value
from games.rules.differences import RuleDifference, chapter_differences, word_differences
from games.rules.errors import RuleError
from games.rules.files import LABELS, RULES
from games.rules.model import Chapter
from submissions import rules
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.rules import rule_change

LONGEST_TEXT = 200_000  # characters
REORDERING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # shown in another order than they are stored


def read_text(number: str, text: str) -> RuleChange:
    """Return the change that this text of the rulemaking `number` states, by itself."""
    if len(text) > LONGEST_TEXT:
        raise Refusal("rule-change-too-long", option="text", count=len(text), longest=LONGEST_TEXT)
    if mark := next((sign for sign in text if sign in REORDERING), ""):
        raise Refusal("control-characters/text", option="text", where="The change", code_point=ord(mark))
    try:
        change = rule_change(number, text.replace("\r\n", "\n"))
    except RuleError as error:
        raise _refusal(error) from None
    if change.number not in registry.folders():
        known = ", ".join(registry.folders())
        raise Refusal("rule-change-unknown-chapter", option="text", chapter=change.number, known=known)
    return change


def refuse_past(change: RuleChange, today: date) -> None:
    """Refuse a change that begins on a day that has passed: what was played by is not rewritten."""
    if change.effective < today:
        raise Refusal("rule-change-past", option="text", effective=date_text(change.effective), today=date_text(today))


def refuse_unfit(change: RuleChange, also: Sequence[RuleChange] = ()) -> None:
    """Refuse a change that does not fit or alters nothing; `also`: the other changes of the draft."""
    same_chapter = tuple(row for row in also if row.number == change.number)
    changes = (*rules.published_changes(change.number), *same_chapter, change)
    for each in registry.days_of_change(change.number, changes):
        if each >= change.effective:
            load(change.number, each, changes)
    if not differences(change, same_chapter):
        day = date_text(change.effective)
        raise Refusal("rule-change-without-effect", option="text", chapter=change.number, effective=day)


def differences(change: RuleChange, also: Sequence[RuleChange] = ()) -> tuple[RuleDifference, ...]:
    """Return the differences of the chapter's first day under the change from the same day without it."""
    before, after = before_and_after(change, also)
    return (*chapter_differences(before, after), *word_differences(registry.words(before), registry.words(after)))


def before_and_after(change: RuleChange, also: Sequence[RuleChange] = ()) -> tuple[Chapter, Chapter]:
    """Return the chapter on the change's first day without the change and with it; `also`: of the same draft."""
    published = tuple(row for row in rules.published_changes(change.number) if row != change)
    changes = (*published, *(row for row in also if row.number == change.number and row != change))
    day = change.effective
    return load(change.number, day, changes), load(change.number, day, (*changes, change))


def load(number: str, day: date, changes: tuple[RuleChange, ...]) -> Chapter:
    """Return the chapter with its words; what does not fit is refused with the file, the table and what is allowed."""
    try:
        chapter = rules.chapter_with(number, day, changes)
        registry.words(chapter)
    except registry.UnknownChapter as error:
        raise _refusal(error.__cause__ if isinstance(error.__cause__, RuleError) else error) from None
    except RuleError as error:
        raise _refusal(error) from None
    return chapter


def _refusal(error: BaseException) -> Refusal:
    if isinstance(error, RuleError):
        return Refusal("rule-change-unfit", option="text", file=error.file, where=error.where, problem=error.problem)
    return Refusal("rule-change-unfit/chapter", option="text", problem=str(error))


Tables = Mapping[str, Any]
KINDS: Mapping[str, str] = {
    "paytable": "Paytable: a cell, the meter, the rate",
    "option": "Line of the checklist",
    "wager": "Wager",
    "requirement": "Requirement: a minimum, a maximum",
    "element": "Layout element, inscription or sign",
    "reading": "Interpretation note",
    "label": "Label of an area on the layout",
    "chapter": "The chapter itself: status, title",
    "section": "Text of a section",
}
NOT_ADDED = ("chapter", "section", "label")
"""Kinds of which the form adds no record."""
NEW, THE_CHAPTER, LABEL = "+", "chapter", "label"
CELL = "cell:"  # begins the key of a field that is a cell of a paytable
_ODDS = re.compile(r"(\d[\d,]*) (to|for) (\d[\d,]*)", re.IGNORECASE)
_WORDS = {"push": "push", "n/a": "n/a"}


@dataclass(frozen=True, slots=True)
class FormField:
    """One value of the record. `present`: as it is entered again; `is_text`: words, not a value of TOML."""

    key: str
    label: str
    present: str
    is_text: bool
    value: Any

    @property
    def rows(self) -> int:
        """Return the lines that its input needs."""
        return min(24, self.present.count("\n") + len(self.present) // 90 + 1)


def record_choices(data: ChapterData, sections: Mapping[str, str], kind: str) -> list[tuple[str, str]]:
    """Return (name in the change ("trips/DJWT-05"), label) of the records of the kind that there are on the day."""
    if kind == "chapter":
        return [(THE_CHAPTER, "The chapter")]
    if kind == "section":
        number = data.files[RULES]["number"]
        return [(citation, citation) for citation in sections if citation.startswith(f"§ {number}.")]
    if kind == LABEL:
        labels = [(key, ", ".join(words) or "nothing is read on it") for key, words in _labels(data).items()]
        return [(key, f"{key}: {words}") for key, words in labels]
    return [(_name(kind, row), _label(kind, row)) for row in _rows(data, kind)]


def record_fields(data: ChapterData, sections: Mapping[str, str], kind: str, name: str) -> tuple[FormField, ...]:
    """Return the values of the record on the day; `Refusal` where no record has this name."""
    if kind == "section":
        if name not in sections:
            raise _no_record(kind, name)
        return (FormField("text", f"Text of {name}", sections[name], True, sections[name]),)
    if kind == "chapter":
        top = data.files[RULES]
        return tuple(_field(key, top[key]) for key in CHAPTER_KEYS if key in top)
    if kind == LABEL:
        if name not in _labels(data):
            raise _no_record(kind, name)
        present = _labels(data)[name]
        return (FormField(LABEL, "Its labels, one for each area", toml_value(present), False, present),)
    row = next((row for row in _rows(data, kind) if _name(kind, row) == name), None)
    if row is None:
        raise _no_record(kind, name)
    fields = [_field(key, value) for key, value in row.items() if key not in (*NAMED_BY[kind], "rows")]
    return (*_cells(row), *fields) if kind == "paytable" else tuple(fields)


def changed_row(fields: Sequence[FormField], entered: Mapping[str, str]) -> dict[str, Any]:
    """Return the values entered in place of the present ones, as the keys of a row; `Refusal` where none was."""
    row: dict[str, Any] = {}
    changed: dict[str, Any] = {}
    for field in fields:
        text = entered.get(field.key, field.present).replace("\r\n", "\n").strip()
        if text == field.present.strip():
            continue
        value = text if field.is_text else read_value(field.label, text, field.key)
        (changed if field.key.startswith(CELL) else row)[field.key] = value
    if changed:
        touched = {_outcome(key) for key in changed}
        rows: dict[str, list[Any]] = {}  # each outcome with a changed cell, whole
        for field in fields:
            if field.key.startswith(CELL) and (outcome := _outcome(field.key)) in touched:
                rows.setdefault(outcome, [outcome]).append(changed.get(field.key, field.value))
        row["changed_rows"] = list(rows.values())
    if not row:
        raise Refusal("rule-change-unfit/form")
    return row


def read_value(name: str, text: str, key: str = "") -> Any:
    """Return a value as it is written in the chapter's files, or odds in words: "5 to 1", "25 for 1"."""
    if match := _ODDS.fullmatch(text):
        odds = [int(match[1].replace(",", "")), int(match[3].replace(",", ""))]
        return {"for": odds} if match[2].lower() == "for" else odds
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError as error:
        raise Refusal("rule-change-unfit/value", option=key, name=name, value=text[:80], problem=error) from None


def with_row(text: str, head: Tables, kind: str, name: str, row: Mapping[str, Any]) -> str:
    """Return the text of a change with this row of the record, merged with the row that it has of it.

    `text`: of the change of this chapter and day, or ""; `head`: number, effective, title and source of a new one.
    """
    tables = dict(tomllib.loads(text)) if text else dict(head)
    if kind == "chapter":
        tables["chapter"] = {**tables.get("chapter", {}), **row}
        return toml_text(tables)
    if kind == LABEL:
        words = tables.get("labels", {})
        tables["labels"] = {**words, "labels": {**words.get("labels", {}), name: row[LABEL]}}
        return toml_text(tables)
    named = {"citation": name} if kind == "section" else _named(kind, name)
    rows = list(tables.get(kind, []))
    place = next((at for at, present in enumerate(rows) if _is_named(present, named)), len(rows))
    before = rows[place] if place < len(rows) else {}
    rows[place : place + 1] = [{**named, **_merged(before, row)}]
    tables[kind] = rows
    return toml_text(tables)


def with_new_row(text: str, head: Tables, kind: str, body: str) -> str:
    """Return the text of a change with a new record, whose keys are TOML."""
    try:
        row = tomllib.loads(body.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        name = "The new record"
        raise Refusal("rule-change-unfit/value", option="text", name=name, value=body[:80], problem=error) from None
    tables = dict(tomllib.loads(text)) if text else dict(head)
    tables[kind] = [*tables.get(kind, []), row]
    return toml_text(tables)


def _merged(before: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the later row over the earlier one; of a paytable, its changed outcomes over those of before."""
    outcomes = {cells[0]: cells for cells in before.get("changed_rows", [])}
    outcomes |= {cells[0]: cells for cells in row.get("changed_rows", [])}
    merged = {key: value for key, value in {**before, **row}.items() if key != "removed" or "removed" in row}
    return {**merged, "changed_rows": list(outcomes.values())} if outcomes else merged


def _outcome(key: str) -> str:
    return key.removeprefix(CELL).rpartition(":")[0]


def _cells(row: Mapping[str, Any]) -> Iterator[FormField]:
    columns = row.get("columns") or [""]
    for outcome, *pays in row.get("rows", []):
        for place, pay in enumerate(pays):
            heading = columns[place] if place < len(columns) else "Envy bonus, dollars"
            label = f"{outcome} ({heading})" if heading else outcome
            yield FormField(f"{CELL}{outcome}:{place}", label, _cell_text(pay), False, pay)


def _cell_text(pay: Any) -> str:
    if isinstance(pay, list) and len(pay) == 2:
        return f"{pay[0]} to {pay[1]}"
    if isinstance(pay, dict) and list(pay) == ["for"]:
        return f"{pay['for'][0]} for {pay['for'][1]}"
    return pay if pay in _WORDS.values() else toml_value(pay)


def _field(key: str, value: Any) -> FormField:
    is_text = isinstance(value, str)
    return FormField(key, key.replace("_", " "), value if is_text else toml_value(value), is_text, value)


def _labels(data: ChapterData) -> Mapping[str, Any]:
    """Return the labels of each area, of the chapter's `labels.toml`; other areas have the name of their wager."""
    labels: Mapping[str, Any] = data.files.get(LABELS, {}).get("labels", {})
    return labels


def _rows(data: ChapterData, kind: str) -> Sequence[Mapping[str, Any]]:
    rows: Sequence[Mapping[str, Any]] = data.files.get(FILE_OF[kind], {}).get(kind, [])
    return rows


def _no_record(kind: str, name: str) -> Refusal:
    return Refusal("rule-change-unfit/record", option="name", kind=kind, name=name[:80])


def _name(kind: str, row: Mapping[str, Any]) -> str:
    return "/".join(str(row.get(key, "")) for key in NAMED_BY[kind])


def _named(kind: str, name: str) -> dict[str, str]:
    keys = NAMED_BY[kind]
    return dict(zip(keys, name.split("/", len(keys) - 1), strict=True))


def _is_named(row: Mapping[str, Any], named: Mapping[str, str]) -> bool:
    return all(row.get(key) == value for key, value in named.items())


def _label(kind: str, row: Mapping[str, Any]) -> str:
    keys = ("question", "element", "name", "message", "reading")
    words = next((row[key] for key in keys if row.get(key)), "")
    short = words if len(words) <= 90 else f"{words[:89]}…"
    return f"{_name(kind, row)}: {short}" if kind != "paytable" else f"{row['wager']}: {row['name']}"
