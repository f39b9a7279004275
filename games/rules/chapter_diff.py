"""What differs between a chapter on two days: each changed line, wager, odds, element, word and section, in words.

    for difference in chapter_differences(chapter(number, today), chapter(number, later)): …

One `RuleDifference` for each part of a record that changed; a record that begins or ends is one, with "" on the other
side. Not here: a record in words (`record_words`), holds before and after (the mathematics), two configurations
(`compare`), the words of a text (`text_diff`), which answers a difference affects.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from games.rules.model import Chapter
from games.rules.record_words import Record, field_name, in_text, record_key, record_parts, record_subject, sentences_of
from games.rules.words import ChapterWords

DifferenceKind = Literal[
    "chapter",
    "option",
    "wager",
    "paytable",
    "requirement",
    "element",
    "house_way",
    "reading",
    "published",
    "section",
    "label",
    "guide",
]

KIND_NAMES: Mapping[DifferenceKind, str] = {
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

    kind: DifferenceKind
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
    """Everything that differs, in the order of the chapter's files; nothing for the same chapter."""
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
    of_records = [
        difference
        for kind, was, now in records
        for difference in _records(kind, before, after, was, now)  # type: ignore[arg-type]
    ]
    return (*_of_chapter(before, after), *of_records, *section_differences(before.sections, after.sections))


def word_differences(before: ChapterWords, after: ChapterWords) -> tuple[RuleDifference, ...]:
    """The words of layout, sign and guide that differ (`registry.words` of the two chapters)."""
    if before.digest == after.digest:
        return ()
    return (*_words("label", before.labels, after.labels), *_words("guide", before.guide, after.guide))


def section_differences(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[RuleDifference, ...]:
    """The citations whose own words changed, with all that is below them; below a new or removed one, only itself."""
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
    kind: DifferenceKind, before: Chapter, after: Chapter, was: Iterable[Record], now: Iterable[Record]
) -> Iterator[RuleDifference]:
    old, new = ({record_key(record): record for record in records} for records in (was, now))
    for key, record in new.items():
        if key not in old:
            yield _whole(kind, after, record, ("", record_subject(after, record)))
        elif old[key] != record:
            yield from _parts(kind, after, old[key], record)
    ended = (record for key, record in old.items() if key not in new)
    yield from (_whole(kind, before, record, (record_subject(before, record), "")) for record in ended)


def _whole(kind: DifferenceKind, chapter: Chapter, record: Record, sides: tuple[str, str]) -> RuleDifference:
    citation = getattr(record, "citation", "")
    return RuleDifference(kind, record_key(record), citation, record_subject(chapter, record), "", *sides)


def _parts(kind: DifferenceKind, chapter: Chapter, old: Record, new: Record) -> Iterator[RuleDifference]:
    was, now = record_parts(old), record_parts(new)
    for part in dict.fromkeys((*now, *was)):
        sides = was.get(part, ""), now.get(part, "")
        if sides[0] != sides[1]:
            citation, subject = getattr(new, "citation", ""), record_subject(chapter, new)
            yield RuleDifference(kind, record_key(new), citation, subject, part, *sides)


def _own_words(sections: Mapping[str, str], citation: str) -> list[str]:
    """The lines of the citation that belong to no citation below it."""
    lines = [line.strip() for line in sections[citation].splitlines()]
    deeper = [below for below in sections if below.startswith(f"{citation}(") and _is_child(below, citation)]
    for below in deeper:
        inner = [line.strip() for line in sections[below].splitlines()]
        start = next((at for at in range(len(lines)) if lines[at : at + len(inner)] == inner), None)
        if start is not None:
            del lines[start : start + len(inner)]
    return [line for line in lines if line]


def _is_child(below: str, citation: str) -> bool:
    return below.removeprefix(citation).count("(") == 1


def _words(kind: DifferenceKind, before: object, after: object) -> Iterator[RuleDifference]:
    was, now = (dict(sentences_of(words, "")) for words in (before, after))
    for key in dict.fromkeys((*now, *was)):
        if was.get(key, "") != now.get(key, ""):
            subject = key.replace("_", " ")
            yield RuleDifference(kind, key, "", subject, "words", was.get(key, ""), now.get(key, ""))
