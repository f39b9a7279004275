"""`coverage.toml` of a chapter's folder and the one beside the folders: what accounts for the sentences of the text.

The chapter's own:

    sentence   `at`: a citation, or a list of them; `begins`: the first words of one sentence there, or a list of first
               words; without it all sentences of the citation itself that no `begins` chooses. Then one of
                 `by`             what implements them: `option:KEY`, `requirement:ID`, `wager:KEY`,
                                  `paytable:WAGER/NAME`, `element:KEY`, `reading:ID`, and by a section that they cite,
                                  `replay:.7(f)`, `guide:.7(f)`; `replay` and `guide` alone: the nearest one
                 `needs_nothing`  one of `REASONS` (`games/rules/coverage.py`); `why` explains it
                 `gap`            what should be modeled and is not
    rest       `under`: a citation, `needs_nothing`: for all beneath it that nothing else accounts for

The shared one: `shape`, sentences that chapters have alike. In its `texts`, `{game}` is the chapter's title, `{ch}` its
number, `…` any words. Its `by` must all exist in the chapter; of `any_of`, what the chapter has, at least one if there
is no `by`. And `section`: what is said of all that is left in the sections with one of the `titles`.

Read strictly: an unknown key, place, sentence, name or reason is refused, a sentence with two entries or shapes, too.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.rules.citations import cite
from games.rules.coverage import ARGUED_REASONS, AUTOMATIC_REASONS, REASONS, Account, Entered, Source, leaves_open
from games.rules.errors import RuleError
from games.rules.implementations import BY_SECTION, Implementations
from games.rules.loading.fields import Fields
from games.rules.loading.files import label, read_toml, shared_file
from games.rules.model import Chapter
from games.rules.sentences import PrintedSentence

COVERAGE = "coverage.toml"
_REASONS = tuple(reason for reason in REASONS if reason not in AUTOMATIC_REASONS)
_OF_WHOLE_SECTIONS = ("definition", "staffing", "irregularity", "not_in_sources")
_SEEN = ("sentence", "introduction", "added")
Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shared entry: the pattern of a sentence, and the table that accounts for it."""

    words: str
    pattern: re.Pattern[str]
    table: Mapping[str, Any]


def load_coverage(
    chapter: Chapter, folder: Path, sentences: Sequence[PrintedSentence], known: Implementations
) -> Entered:
    """What both files say of these sentences; `RuleError` if a file is not right. A folder need not have one."""
    data = read_toml(folder / COVERAGE) if (folder / COVERAGE).exists() else {}
    top = Fields(label(folder / COVERAGE), "top of the file", data, chapter.number, chapter.sections)
    own: dict[Key, Account] = {}
    for row in sorted(_rows(top, "sentence"), key=lambda row: not row.has("begins")):
        for sentence in _chosen(row, sentences, own):
            own[sentence.citation, sentence.ordinal] = _read_account(row, known, "chapter", sentence)
        row.refuse_unknown()
    rest: dict[Key, Account] = {}
    for row in _rows(top, "rest"):
        rest |= _read_rest(row, sentences, known)
    top.refuse_unknown()
    path = shared_file(folder, COVERAGE)
    left = [sentence for sentence in sentences if (sentence.citation, sentence.ordinal) not in own]
    shared = _Shared(chapter, label(path), known)
    return Entered(own, shared.shapes(path, left), {**shared.sections(path, left), **rest})


def _rows(top: Fields, key: str) -> Iterator[Fields]:
    for count, table in enumerate(top.take(key, list, []), start=1):
        place = table.get("at") or table.get("under") or count
        yield Fields(top.file, f"{key} `{place}`", table, top.number, top.sections)


def _chosen(row: Fields, sentences: Sequence[PrintedSentence], taken: Collection[Key]) -> Iterator[PrintedSentence]:
    """The sentences that the entry names: those that begin so; else all of the citation that no other entry has."""
    begins, places = _texts(row, "begins"), _texts(row, "at")
    if not places or (begins and len(places) > 1):
        row.refuse("`at` is one citation where `begins` chooses a sentence, else one or several")
    for short in places:
        there = [sentence for sentence in sentences if sentence.citation == cite(short, row.number)]
        whole = [sentence for sentence in there if sentence.form in _SEEN]
        left = [sentence for sentence in whole if (sentence.citation, sentence.ordinal) not in taken]
        if not (there if begins else left):
            row.refuse(f"`at` is {short!r}, which has no sentence of its own" + (" left" if whole else ""))
        yield from left if not begins else (_beginning(row, there, words, taken) for words in begins)


def _beginning(row: Fields, there: Sequence[PrintedSentence], words: str, taken: Collection[Key]) -> PrintedSentence:
    chosen = [sentence for sentence in there if sentence.text.startswith(words)]
    if len(chosen) != 1:
        row.refuse(f"`begins` is {words!r}: {len(chosen)} sentences begin so; exactly one must")
    if (chosen[0].citation, chosen[0].ordinal) in taken:
        row.refuse(f"`begins` is {words!r}: another entry accounts for this sentence already")
    return chosen[0]


def _texts(row: Fields, key: str) -> tuple[str, ...]:
    """A text or a list of texts."""
    if isinstance(row.table.get(key), str):
        return (row.text(key),)
    return row.texts(key)


def _read_rest(row: Fields, sentences: Sequence[PrintedSentence], known: Implementations) -> dict[Key, Account]:
    under = row.citation("under")
    account = _read_account(row, known, "rest")
    row.refuse_unknown()
    if not account.needs_nothing or ("(" not in under and account.needs_nothing not in _OF_WHOLE_SECTIONS):
        row.refuse(f"`rest` needs a reason; of a whole section allowed are {', '.join(_OF_WHOLE_SECTIONS)}")
    beneath = [sentence for sentence in sentences if f"{sentence.citation}(".startswith((f"{under}(", f"{under}["))]
    return {(sentence.citation, sentence.ordinal): account for sentence in beneath if not leaves_open(sentence.text)}


def _read_account(
    row: Fields, known: Implementations, source: Source, sentence: PrintedSentence | None = None
) -> Account:
    """What the row says of the sentence."""
    account = Account(
        by=tuple(_known(row, name, known, sentence) for name in row.texts("by")),
        needs_nothing=row.one_of("needs_nothing", _REASONS, ""),
        why=row.text("why", ""),
        gap=row.text("gap", ""),
        source=source,
    )
    if bool(account.by) + bool(account.needs_nothing) + bool(account.gap) != 1:
        row.refuse("one of `by`, `needs_nothing` and `gap` is expected")
    if account.needs_nothing in ARGUED_REASONS and not account.why:
        row.refuse(f"`why` is missing; the reason `{account.needs_nothing}` must be explained")
    return account


def _known(row: Fields, name: str, known: Implementations, sentence: PrintedSentence | None) -> str:
    """The name, which the chapter must have; of `replay` and `guide` alone, the section nearest to the sentence."""
    if name in BY_SECTION and sentence:
        nearest = known.nearest(name, sentence.citation)
        return nearest or row.refuse(f"`by` names {name!r}, but no {name} cites a section near {sentence.citation}")
    if name not in known.citations:
        near = get_close_matches(name, known.citations, 1)
        hint = f"; near is {near[0]}" if near else ""
        row.refuse(f"`by` names {name!r}, which chapter {known.number} does not have{hint}")
    return name


@dataclass(frozen=True, slots=True)
class _Shared:
    """The shared file, read for one chapter."""

    chapter: Chapter
    file: str
    known: Implementations

    def shapes(self, path: Path, sentences: Sequence[PrintedSentence]) -> dict[Key, Account]:
        """What the shapes say of the sentences that have one."""
        shapes = _shapes(path)
        accounts: dict[Key, Account] = {}
        for sentence in sentences:
            words = normalized(sentence.text, self.chapter)
            alike = [shape for shape in shapes if shape.pattern.fullmatch(words)]
            if any(shape.table is not alike[0].table for shape in alike):
                problem = f"the sentence of {sentence.citation} has the shape “{alike[-1].words}”, too; remove one"
                raise RuleError(self.file, f"shape “{alike[0].words}”", problem)
            for shape in alike[:1]:
                accounts[sentence.citation, sentence.ordinal] = self._read(shape.words, shape.table, sentence)
        return accounts

    def sections(self, path: Path, sentences: Sequence[PrintedSentence]) -> dict[Key, Account]:
        """What is said of all that is left in a section of a title."""
        accounts: dict[Key, Account] = {}
        for title, table in _titles(path):
            for sentence in _in_sections(title, sentences):
                account = self._read(title, table, sentence)
                if account.by or not leaves_open(sentence.text):
                    accounts[sentence.citation, sentence.ordinal] = account
        return accounts

    def _read(self, where: str, table: Mapping[str, Any], sentence: PrintedSentence) -> Account:
        """The account of the table, with those of its `any_of` that the chapter has."""
        entry = Fields(self.file, f"“{where[:80]}”", table, self.chapter.number, self.chapter.sections)
        choice = entry.texts("any_of")
        there = [name for name in choice if name in self.known.citations]
        if choice and not there and not entry.texts("by"):
            entry.refuse(f"chapter {self.chapter.number} has none of `any_of`, for {sentence.citation}")
        given = {key: value for key, value in table.items() if key not in ("any_of", "texts", "titles")}
        if there:
            given["by"] = [*entry.texts("by"), *there]
        row = Fields(entry.file, entry.where, given, entry.number, entry.sections)
        account = _read_account(row, self.known, "shared", sentence)
        row.refuse_unknown()
        return account


def _in_sections(title: str, sentences: Sequence[PrintedSentence]) -> Iterator[PrintedSentence]:
    """The sentences of the sections with this title (`…` is any words)."""
    pattern = _pattern(f"§ ….…. {title}")
    headed = {sentence.citation for sentence in sentences if sentence.ordinal == 1 and pattern.fullmatch(sentence.text)}
    return (sentence for sentence in sentences if sentence.citation.partition("(")[0] in headed)


def normalized(words: str, chapter: Chapter) -> str:
    """The sentence with `{game}` for the chapter's title and `{ch}` for its number."""
    return words.replace(chapter.title, "{game}").replace(f"§ {chapter.number}.", "§ {ch}.")


@lru_cache(maxsize=4)
def _shapes(path: Path) -> tuple[_Shape, ...]:
    return tuple(_Shape(words, _pattern(words), table) for words, table in _shared_rows(path, "shape", "texts"))


@lru_cache(maxsize=4)
def _titles(path: Path) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    return tuple(_shared_rows(path, "section", "titles"))


def _shared_rows(path: Path, key: str, words: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each text of each `[[key]]` of the shared file, with its table."""
    top = Fields(label(path), "top of the file", read_toml(path) if path.exists() else {})
    top.read_keys |= {"shape", "section"}
    top.refuse_unknown()
    for count, table in enumerate(top.take(key, list, []), start=1):
        row = Fields(label(path), f"{key} {count}", table)
        texts = row.texts(words) or row.refuse(f"`{words}` is missing")
        yield from ((text, table) for text in texts)


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(".*?".join(re.escape(part) for part in words.split("…")))
