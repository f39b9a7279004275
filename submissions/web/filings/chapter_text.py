"""The text of a chapter with, beside each sentence, what implements it or why nothing needs to; and the other way.

Public, the same for everyone. Not here: which sentence has what (`games.rules.coverage`).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.checking.chapter_coverage import ChapterCoverage, coverage
from games.rules.coverage import REASONS, AccountedSentence, title
from games.rules.errors import RuleError
from games.rules.implementations import BY_SECTION, KINDS
from games.rules.model import Chapter
from games.rules.sentences import PrintedSentence

KIND_NAMES: Mapping[str, tuple[str, str]] = {
    "option": ("Option", "Options of the checklist"),
    "requirement": ("Requirement", "Requirements of the answers"),
    "wager": ("Wager", "Wagers"),
    "paytable": ("Paytable", "Paytables"),
    "replay": ("Step of a round", "Steps and settlements of a round"),
    "element": ("Layout", "Elements of layout and table"),
    "play": ("Mathematics", "The mathematics as a whole"),
    "reading": ("Note", "Interpretation notes"),
    "guide": ("Guide", "Sentences of the guide for players"),
}
_STEP = re.compile(r"\(([^)]+)\)")


@dataclass(frozen=True, slots=True)
class Mark:
    """One link beside a sentence: its kind, its name in words, the anchor on this page."""

    kind: str
    name: str
    anchor: str


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence with its marks; without any, the reason why nothing needs to implement it, as words."""

    anchor: str
    words: str
    marks: tuple[Mark, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class MarkedParagraph:
    """The sentences of one citation; `label` is its last step, "(a)", and `level` its depth below the section."""

    label: str
    level: int
    sentences: tuple[MarkedSentence, ...]


@dataclass(frozen=True, slots=True)
class MarkedSection:
    """A section with its heading."""

    heading: str
    paragraphs: tuple[MarkedParagraph, ...]


@dataclass(frozen=True, slots=True)
class Implementation:
    """What implements sentences, in words, with links (anchor, citation) to them; it may have none."""

    anchor: str
    words: str
    sentences: tuple[tuple[str, str], ...]


@cache
def marked_text(number: str) -> SafeString:
    """The chapter's sections with marks as HTML, made once per process; "" if the data of the marks is not right."""
    try:
        covered = coverage(number)
    except RuleError:
        return SafeString("")
    context = {"sections": list(_sections(covered.accounted)), "kinds": list(_implementations(covered))}
    reasons = [(title(key).capitalize(), words) for key, words in REASONS.items() if key != "heading"]
    return SafeString(render_to_string("parts/marked_text.html", context | {"reasons": reasons}))


def _sections(accounted: tuple[AccountedSentence, ...]) -> Iterator[MarkedSection]:
    for _, rows in groupby(accounted, key=lambda row: row.sentence.citation.partition("(")[0]):
        heading, *rest = rows
        by_place = groupby(rest, key=lambda row: row.sentence.citation)
        paragraphs = tuple(_paragraph(place, tuple(map(_marked, there))) for place, there in by_place)
        yield MarkedSection(heading.sentence.text, paragraphs)


def _paragraph(citation: str, sentences: tuple[MarkedSentence, ...]) -> MarkedParagraph:
    steps = _STEP.findall(citation)
    return MarkedParagraph(f"({steps[-1]})" if steps else "", max(len(steps) - 1, 0), sentences)


def _marked(row: AccountedSentence) -> MarkedSentence:
    account = row.account
    section = row.sentence.citation.partition(".")[0]
    marks = tuple(_mark(name, section) for name in account.by)
    reason = "" if account.needs_nothing == "heading" else title(account.kind).capitalize()
    if account.why or account.gap:
        reason = f"{reason}: {account.why or account.gap}"
    return MarkedSentence(_sentence_anchor(row.sentence), row.sentence.text, marks, "" if marks else reason)


def _mark(name: str, chapter: str) -> Mark:
    """The link to an implementation; `chapter` is "§ 687a"."""
    kind, _, key = name.partition(":")
    return Mark(KIND_NAMES[kind][0], _name_in_words(kind, key, chapter), _anchor(name))


def _name_in_words(kind: str, key: str, chapter: str) -> str:
    if kind in BY_SECTION:
        return f"{chapter}{key}"
    return re.sub(r"[_-]", " ", key).replace("/", ", ") or "decks, values, ranks and hands"


def _sentence_anchor(sentence: PrintedSentence) -> str:
    return _anchor(f"sentence{sentence.citation.removeprefix('§ ')}--{sentence.ordinal}")


def _anchor(name: str) -> str:
    """An id of the page: letters, digits, dots and hyphens; an underscore for a label that is printed twice."""
    return re.sub(r"[^\w.$-]", "-", name.replace("[", "_"))


def _implementations(covered: ChapterCoverage) -> Iterator[tuple[str, list[Implementation]]]:
    """Heading of a kind → all that the chapter has of it, in the order of the text or of the data files."""
    chapter, sentences = covered.chapter, covered.sentences_of
    words = _words(chapter)
    for name in sentences:
        words.setdefault(name, _mark(name, f"§ {chapter.number}").name)
    for kind in KINDS:
        rows = [
            Implementation(_anchor(name), said, _links(sentences.get(name, [])))
            for name, said in words.items()
            if name.partition(":")[0] == kind
        ]
        if rows:
            yield KIND_NAMES[kind][1], rows


def _links(sentences: list[PrintedSentence]) -> tuple[tuple[str, str], ...]:
    """(anchor, citation) of each place, once."""
    first: dict[str, str] = {}
    for sentence in sentences:
        first.setdefault(sentence.citation, _sentence_anchor(sentence))
    return tuple((anchor, citation) for citation, anchor in first.items())


def _words(chapter: Chapter) -> dict[str, str]:
    """Name → what it is, for the records of the chapter."""
    number = f"{chapter.number}."
    wagers = {wager.key: wager.name for wager in chapter.wagers}
    named: list[tuple[str, str]] = [("play", "Decks, values, ranks and hands, which every figure depends on")]
    named += [(f"option:{option.key}", option.question) for option in chapter.options]
    named += [(f"requirement:{rule.id.removeprefix(number)}", rule.fix) for rule in chapter.requirements]
    named += [(f"wager:{wager.key}", wager.name) for wager in chapter.wagers]
    for table in chapter.paytables:
        named.append((f"paytable:{table.wager}/{table.name}", f"{wagers[table.wager]}, {table.name}"))
    named += [(f"element:{element.key}", element.element) for element in chapter.layout]
    named += [(f"reading:{note.id.removeprefix(number)}", note.reading) for note in chapter.readings]
    return dict(named)
