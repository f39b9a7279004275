"""Differences in words: between a chapter on two days, between two configurations, between two versions of a text.

    for difference in chapter_differences(chapter(number, today), chapter(number, later)): …

One `RuleDifference` for each part of a record that changed; a record that begins or ends is one, with "" on the other
side. Two texts are compared word by word: what stayed, what was deleted, what was inserted. Not here: holds before and
after (the mathematics), which answers a difference affects, marking the words on a page.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Any, Literal

from games.rules.model import (
    Answers,
    Chapter,
    Condition,
    HouseWay,
    LayoutElement,
    Option,
    Paytable,
    Published,
    Reading,
    Requirement,
    Test,
    Wager,
)
from games.rules.phrases import in_words
from games.rules.words import ChapterWords

Record = Option | Wager | Paytable | Requirement | LayoutElement | HouseWay | Reading | Published
Value = Any  # of a record's field: text, a number, a condition, a tuple or a mapping of these

NAMING = ("key", "id", "wager", "name", "period")  # of a record: what it is called, and when it is in effect
FIELD_NAMES = {"at_least": "smallest", "at_most": "largest", "asked_if": "asked if", "seed": "reset amount"}


def record_key(record: Record) -> str:
    """Return the key by which the chapter names the record; of a paytable `wager/name`."""
    match record:
        case Requirement() | Reading() | Published():
            return record.id
        case _:
            return record.key


def record_subject(chapter: Chapter, record: Record) -> str:
    match record:
        case Paytable():
            return f"{chapter.wager(record.wager).name}, paytable {record.name}"
        case Option():
            return record.question
        case Wager() | HouseWay():
            return record.name
        case LayoutElement():
            return record.element
        case Requirement():
            return record.message
        case Reading():
            return record.reading
        case Published():
            return f"{chapter.wager(record.wager).name} {record.paytable} ({record.measure})".replace("  ", " ")


def record_parts(record: Record) -> dict[str, str]:
    """Return part → its words; of a paytable each cell is a part, of an option each of its limits."""
    words: dict[str, str] = {}
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name in NAMING and not (field.name == "name" and isinstance(record, Wager | HouseWay)):
            continue
        if isinstance(record, Paytable) and field.name == "rows":
            words |= _cells(record)
        elif isinstance(record, Option) and field.name == "limits":
            words |= {field_name(limit.name): in_text(getattr(value, limit.name)) for limit in fields(value)}
        else:
            words[field_name(field.name)] = in_text(value)
    return words


def _cells(table: Paytable) -> dict[str, str]:
    cells = {f"{outcome} ({column})" if column else outcome: pay.printed for outcome, column, pay in table.lines()}
    envy = {f"{row.outcome} (envy bonus)": f"${row.envy:,}" for row in table.rows if row.envy is not None}
    return cells | envy


def in_text(value: Value) -> str:
    """Return the value of a record's field in words; "" for none."""
    match value:
        case None | "" | ():
            return ""
        case bool():
            return "Yes" if value else "No"
        case Decimal() | Fraction():
            return str(value)
        case Condition():
            return " or ".join(
                " and ".join(f"{key} is {in_text(test)}" for key, test in alternative)
                for alternative in value.alternatives
            )
        case Test():
            bounds = (("at least", value.at_least), ("at most", value.at_most))
            limits = " and ".join(f"{words} {bound}" for words, bound in bounds if bound is not None)
            return limits or " or ".join(map(in_text, value.values))
        case Mapping():
            return "; ".join(f"{key}: {in_text(entry)}" for key, entry in value.items())
        case tuple():
            return "; ".join(map(in_text, value))
    if is_dataclass(value):
        entries = ((field.name, in_text(getattr(value, field.name))) for field in fields(value))
        return ", ".join(f"{field_name(name)} {words}" for name, words in entries if words)
    return str(value)


def sentences_of(value: Value, path: str) -> Iterator[tuple[str, str]]:
    """Yield (path, words) of each sentence or label, named by its key or counted from 1."""
    if isinstance(value, Condition):
        yield path, in_text(value)
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield from sentences_of(entry, f"{path} {key}".strip())
    elif isinstance(value, tuple) and value and not isinstance(value[0], str):
        for count, entry in enumerate(value, start=1):
            yield from sentences_of(entry, f"{path} {count}")
    elif isinstance(value, tuple) and len(value) == 2 and is_dataclass(value[1]):
        yield from sentences_of(value[1], f"{path} {value[0]}")
    elif is_dataclass(value):
        for field in fields(value):
            yield from sentences_of(getattr(value, field.name), f"{path} {field.name}".strip())
    else:
        yield path, in_text(value)


def field_name(name: str) -> str:
    return FIELD_NAMES.get(name, name.replace("_", " "))


KIND_NAMES = {
    "chapter": "Chapter",
    "option": "Line of the checklist",
    "wager": "Wager",
    "paytable": "Paytable",
    "requirement": "Requirement",
    "element": "Layout element",
    "house_way": "House way",
    "reading": "Interpretation note",
    "published": "Published figure",
    "section": "Text of the regulation",
    "label": "Words of the layout and sign",
    "guide": "Words of the gaming guide",
}
CHAPTER_FIELDS = ("title", "status", "complete", "missing", "source", "max_positions")


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """One part of one record, before and after, in words; `part` is "" where the whole record begins or ends.

    `key`: of the record; of a paytable `wager/name`, of a section its citation. `subject`: the record in words.
    Of a paytable, `part` is "Outcome" or "Outcome (Column)" for a cell, `before` and `after` the odds as printed.
    """

    kind: str  # one of `KIND_NAMES`
    key: str
    citation: str
    subject: str
    part: str
    before: str
    after: str

    @property
    def begins(self) -> bool:
        return not self.part and not self.before

    @property
    def ends(self) -> bool:
        return not self.part and not self.after

    @property
    def kind_name(self) -> str:
        return KIND_NAMES[self.kind]


def chapter_differences(before: Chapter, after: Chapter) -> tuple[RuleDifference, ...]:
    """Return everything that differs, in the order of the chapter's files; nothing for the same chapter."""
    if before is after:
        return ()
    records = (
        ("option", before.options, after.options),
        ("wager", before.wagers, after.wagers),
        ("paytable", before.paytables, after.paytables),
        ("requirement", before.requirements, after.requirements),
        ("element", before.layout, after.layout),
        ("house_way", before.house_ways, after.house_ways),
        ("reading", before.readings, after.readings),
        ("published", before.published, after.published),
    )
    of_records = [difference for kind, was, now in records for difference in _records(kind, before, after, was, now)]
    return (*_of_chapter(before, after), *of_records, *section_differences(before.sections, after.sections))


def word_differences(before: ChapterWords, after: ChapterWords) -> tuple[RuleDifference, ...]:
    """Return the words of layout, sign and guide that differ (`registry.words` of the two chapters)."""
    if before.digest == after.digest:
        return ()
    return (*_words("label", before.labels, after.labels), *_words("guide", before.guide, after.guide))


def section_differences(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[RuleDifference, ...]:
    """Return the citations whose own words changed, with all below them; below a new or removed one, only itself."""
    listed: list[str] = []
    for citation in dict.fromkeys((*after, *before)):
        was, now = before.get(citation), after.get(citation)
        new_or_ended = (was is None) != (now is None)
        inside_listed = any(citation.startswith(f"{above}(") for above in listed if new_or_ended)
        if was == now or inside_listed:
            continue
        if new_or_ended or _own_words(before, citation) != _own_words(after, citation):
            listed.append(citation)
    return tuple(
        RuleDifference("section", citation, citation, citation, "", before.get(citation, ""), after.get(citation, ""))
        for citation in listed
    )


def _of_chapter(before: Chapter, after: Chapter) -> Iterator[RuleDifference]:
    for name in CHAPTER_FIELDS:
        was, now = in_text(getattr(before, name)), in_text(getattr(after, name))
        if was != now:
            yield RuleDifference("chapter", name, "", f"Chapter {after.number}", field_name(name), was, now)


def _records(
    kind: str, before: Chapter, after: Chapter, was: Iterable[Record], now: Iterable[Record]
) -> Iterator[RuleDifference]:
    old, new = ({record_key(record): record for record in records} for records in (was, now))
    for key, record in new.items():
        if key not in old:
            yield _whole(kind, after, record, ("", record_subject(after, record)))
        elif old[key] != record:
            yield from _parts(kind, after, old[key], record)
    ended = (record for key, record in old.items() if key not in new)
    yield from (_whole(kind, before, record, (record_subject(before, record), "")) for record in ended)


def _whole(kind: str, chapter: Chapter, record: Record, sides: tuple[str, str]) -> RuleDifference:
    citation = getattr(record, "citation", "")
    return RuleDifference(kind, record_key(record), citation, record_subject(chapter, record), "", *sides)


def _parts(kind: str, chapter: Chapter, old: Record, new: Record) -> Iterator[RuleDifference]:
    was, now = record_parts(old), record_parts(new)
    for part in dict.fromkeys((*now, *was)):
        sides = was.get(part, ""), now.get(part, "")
        if sides[0] != sides[1]:
            citation, subject = getattr(new, "citation", ""), record_subject(chapter, new)
            yield RuleDifference(kind, record_key(new), citation, subject, part, *sides)


def _own_words(sections: Mapping[str, str], citation: str) -> list[str]:
    """Return the lines of the citation that belong to no citation below it."""
    lines = [line.strip() for line in sections[citation].splitlines()]
    for below in sections:
        if not below.startswith(f"{citation}(") or below.removeprefix(citation).count("(") > 1:
            continue
        inner = [line.strip() for line in sections[below].splitlines()]
        start = next((at for at in range(len(lines)) if lines[at : at + len(inner)] == inner), None)
        if start is not None:
            del lines[start : start + len(inner)]
    return [line for line in lines if line]


def _words(kind: str, before: object, after: object) -> Iterator[RuleDifference]:
    was, now = (dict(sentences_of(words, "")) for words in (before, after))
    for key in dict.fromkeys((*now, *was)):
        if was.get(key, "") != now.get(key, ""):
            subject = key.replace("_", " ")
            yield RuleDifference(kind, key, "", subject, "words", was.get(key, ""), now.get(key, ""))


_WORD = re.compile(r"\s+|[^\s]+")


@dataclass(frozen=True, slots=True)
class TextPart:
    """Words in a row with the white space between them; all parts but the deleted ones are the later text."""

    change: Literal["same", "deleted", "inserted"]
    words: str


def text_diff(before: str, after: str) -> tuple[TextPart, ...]:
    """Return the parts in the order of the text, a replaced word deleted first; nothing for two empty texts."""
    return tuple(_text_parts(_WORD.findall(before), _WORD.findall(after)))


def _text_parts(was: list[str], now: list[str]) -> Iterator[TextPart]:
    for change, start, end, new_start, new_end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if change == "equal":
            yield TextPart("same", "".join(was[start:end]))
            continue
        if start < end:
            yield TextPart("deleted", "".join(was[start:end]))
        if new_start < new_end:
            yield TextPart("inserted", "".join(now[new_start:new_end]))


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """One line that is answered differently: its key, citation and question, and both answers in words."""

    option: str
    citation: str
    question: str
    before: str
    after: str


def answer_differences(chapter: Chapter, before: Answers, after: Answers) -> tuple[AnswerDifference, ...]:
    """Return the lines answered differently, in the form's order, then answers to lines that no longer exist."""
    changes = [
        AnswerDifference(
            option.key,
            option.citation,
            option.question,
            in_words(chapter, option, before.get(option.key)),
            in_words(chapter, option, after.get(option.key)),
        )
        for option in chapter.options
        if before.get(option.key) != after.get(option.key)
    ]
    known = {option.key for option in chapter.options}
    for key in sorted((before.keys() | after.keys()) - known):
        if before.get(key) != after.get(key):
            changes.append(
                AnswerDifference(key, "", f"{key} (no longer asked)", str(before.get(key)), str(after.get(key)))
            )
    return tuple(changes)
