"""Every sentence of a chapter's text accounted for: by what implements it, or by a reason why nothing needs to.

A sentence is accounted for, in this order, by

1. the chapter's own `coverage.toml`, which replaces everything else;
2. the records that cite exactly the sentence, if its citation has one sentence, with what a shared shape of
   `../coverage.toml` names;
3. the reason of a shared shape; for an item of a list, the settlement or the step of a round that cites the list's
   introduction; of a heading, of words added in square brackets, of an introduction: its form;
4. what is said of all that is left: beneath a citation in the chapter's file (`rest`), in sections of a title in the
   shared one (`section`). A reason given so never covers a sentence that leaves something open (`leaves_open`).

The chapter's `coverage.toml`:

    sentence   `at`: a citation, or a list of them; `begins`: the first words of one sentence there, or a list of first
               words; without it all sentences of the citation itself that no `begins` chooses. Then one of
                 `by`             what implements them: `option:KEY`, `requirement:ID`, `wager:KEY`,
                                  `paytable:WAGER/NAME`, `element:KEY`, `reading:ID`, and by a section that they cite,
                                  `replay:.7(f)`, `guide:.7(f)`; `replay` and `guide` alone: the nearest one
                 `needs_nothing`  one of `REASONS`; `why` explains it
                 `gap`            what should be modeled and is not
    rest       `under`: a citation, `needs_nothing`: for all beneath it that nothing else accounts for

The shared one: `shape`, sentences that chapters have alike. In its `texts`, `{game}` is the chapter's title, `{ch}` its
number, `…` any words. Its `by` must all exist in the chapter; of `any_of`, what the chapter has, at least one if there
is no `by`. And `section`: what is said of all that is left in the sections with one of the `titles`.

Read strictly: an unknown key, place, sentence, name or reason is refused, a sentence with two entries or shapes, too.
Not here: the names of what can implement a sentence (`implementations`).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from games.rules.errors import RuleError
from games.rules.files import TOP, Fields, label, meant, read_toml, shared_file
from games.rules.implementations import BY_SECTION, KINDS, Implementations
from games.rules.model import Chapter
from games.rules.sections import PrintedSentence, cite

REASONS: Mapping[str, str] = {
    "definition": "It defines a word; the sentences that use the word are accounted for.",
    "procedure": "It is a duty of dealers, supervisors or players at the table, the same for every filing.",
    "irregularity": "It is about an error or a device that fails: no figure and no line of a checklist depends on it.",
    "staffing": "It is about surveillance, staffing or training, which are not part of a Rules Submission.",
    "equipment": "It is about the make, care or inspection of cards, dice or devices, the same for every filing.",
    "board": "It is about what the Board, one of its bureaus or its Executive Director does or may do.",
    "example": "It is an example of the sentence above it.",
    "cross_reference": "It only refers to other provisions.",
    "elsewhere": "What it says is printed, and accounted for, elsewhere.",
    "not_in_sources": "The text is not in the sources.",
    "other": "Another reason, given with the sentence.",
    "introduction": "It introduces the list or the table below it, which is accounted for item by item.",
    "heading": "It is a heading.",
    "added": "It is in square brackets: a comment on the text, not the regulation's words.",
}
_TITLES = {"reading": "interpretation note", "play": "mathematics", "procedure": "procedure of people"}
AUTOMATIC_REASONS = ("introduction", "heading", "added")
ARGUED_REASONS = ("elsewhere", "other")
"""Reasons that must be explained."""
UNACCOUNTED, GAP = "unaccounted", "gap"
COLUMNS = (*KINDS, *REASONS, GAP, UNACCOUNTED)
"""The kinds of account, in the order of a table."""
_OF_LISTS = ("wager:", "paytable:", "replay:")
"""Beginnings of names that cover a whole list if they cite its introduction; those of others may mean one item."""
Source = Literal["chapter", "shared", "automatic", "rest", ""]
_LEFT_OPEN = re.compile(r"Rules Submission|certificate holder\b[^.;]{0,60}\b(?:may|elects?|chooses?|discretion)\b")


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a sentence: `by`, names of implementations, `needs_nothing`, a reason, or `gap`, a lack."""

    by: tuple[str, ...] = ()
    needs_nothing: str = ""
    why: str = ""
    gap: str = ""
    source: Source = ""

    @property
    def kind(self) -> str:
        """The one of `COLUMNS` under which the sentence is counted."""
        if self.by:
            return min((name.partition(":")[0] for name in self.by), key=KINDS.index)
        return self.needs_nothing or (GAP if self.gap else UNACCOUNTED)


Accounts = dict[PrintedSentence, Account]


@dataclass(frozen=True, slots=True)
class AccountedSentence:
    """A sentence with its account."""

    sentence: PrintedSentence
    account: Account


@dataclass(frozen=True, slots=True)
class Entered:
    """The entries of the data files on the chapter's sentences."""

    own: Accounts
    shared: Accounts
    rest: Accounts


def account_for(
    chapter: Chapter, sentences: Sequence[PrintedSentence], known: Implementations, entered: Entered
) -> tuple[AccountedSentence, ...]:
    """Return each sentence with its account; one that has none is `unaccounted`."""
    places = _Places(sentences)
    rows = _PaytableRows(chapter, sentences)
    return tuple(
        AccountedSentence(sentence, _account(sentence, (places, rows), known, entered)) for sentence in sentences
    )


def sentences_of(accounted: Sequence[AccountedSentence]) -> dict[str, list[PrintedSentence]]:
    """Return name of an implementation → the sentences that it implements, in the order of the text."""
    by_name: dict[str, list[PrintedSentence]] = {}
    for row in accounted:
        for name in row.account.by:
            by_name.setdefault(name, []).append(row.sentence)
    return by_name


def _account(
    sentence: PrintedSentence, text: "tuple[_Places, _PaytableRows]", known: Implementations, entered: Entered
) -> Account:
    if sentence in entered.own:
        return entered.own[sentence]
    places, rows = text
    exact = rows.names(sentence) if sentence.form == "row" else places.citing(sentence, known)
    shared, rest = entered.shared.get(sentence, Account()), entered.rest.get(sentence, Account())
    if shared.by or (exact and rest.by):
        given = shared if shared.by else rest
        return replace(given, by=tuple(dict.fromkeys((*given.by, *exact, *rows.headed(sentence, given.by)))))
    if exact:
        return Account(by=exact, source="automatic")
    if shared.needs_nothing:
        return shared
    if settled := places.settling_list(sentence, known):
        return Account(by=settled, source="automatic")
    if sentence.text.startswith("[Text not in the sources"):
        return Account(needs_nothing="not_in_sources", source="automatic")
    if sentence.form in AUTOMATIC_REASONS:
        return Account(needs_nothing=sentence.form, source="automatic")
    if sentence.form == "row" and not any(sentence.cells[1:]):
        return Account(needs_nothing="heading", source="automatic")
    return rest


def title(kind: str) -> str:
    """Return the name of a kind of account, or of a reason, in tables and on pages."""
    return _TITLES.get(kind, kind).replace("_", " ")


def leaves_open(words: str) -> bool:
    """Return True if the sentence leaves a choice to the certificate holder, for an option or a reason to answer."""
    return bool(_LEFT_OPEN.search(words))


class _Places:
    """The citations that have one sentence, and those that introduce a list."""

    def __init__(self, sentences: Sequence[PrintedSentence]) -> None:
        self._own: dict[str, list[PrintedSentence]] = {}
        for sentence in sentences:
            if sentence.form in ("sentence", "introduction", "added"):
                self._own.setdefault(sentence.citation, []).append(sentence)

    def citing(self, sentence: PrintedSentence, known: Implementations) -> tuple[str, ...]:
        """Return the records that cite exactly this sentence. An interpretation note alone implements nothing."""
        if not self._single(sentence):
            return ()
        exact = known.citing(sentence.citation)
        return exact if any(not name.startswith("reading:") for name in exact) else ()

    def settling_list(self, sentence: PrintedSentence, known: Implementations) -> tuple[str, ...]:
        """Return the names that settle the wager, or play the step, of the introduction of the item's list."""
        for above in self._introductions(sentence.citation) if self._single(sentence) else ():
            if names := [name for name in known.citing(above) if name.startswith(_OF_LISTS)]:
                return tuple(names)
        return ()

    def _single(self, sentence: PrintedSentence) -> bool:
        """Return True if its citation has no other; remarks in brackets count where there is nothing else."""
        there = self._own.get(sentence.citation, [])
        return [each for each in there if each.form != "added"] == [sentence] or there == [sentence]

    def _introductions(self, citation: str) -> Iterator[str]:
        """Yield the citations above whose only sentence introduces the list that the citation is in."""
        above = citation.rpartition("(")[0]
        while "(" in above:
            if [sentence.form for sentence in self._own.get(above, [])] != ["introduction"]:
                return
            yield above
            above = above.rpartition("(")[0]


class _PaytableRows:
    """The rows of the chapter's paytables, by which the printed rows are accounted for."""

    def __init__(self, chapter: Chapter, sentences: Sequence[PrintedSentence]) -> None:
        self._rows = [
            (table.citation, table.name, f"paytable:{table.key}", _plain(row.outcome))
            for table in chapter.paytables
            for row in table.rows
        ]
        self._heads: dict[PrintedSentence, tuple[str, ...]] = {}
        bold = ""
        columns: tuple[str, ...] = ()
        for sentence in sentences:
            if sentence.form == "heading" and "|" in sentence.text:
                columns = sentence.cells
            elif sentence.form == "heading":
                bold, columns = sentence.text.strip("*."), ()
            self._heads[sentence] = (bold, *columns)

    def names(self, sentence: PrintedSentence) -> tuple[str, ...]:
        """Return the paytables of the citation that have a row with this outcome, or rows that it heads.

        Where the heading or a column of the printed table has the name of a paytable, only those so named.
        """
        outcome, *pays = sentence.cells
        words = _plain(outcome)
        alike = [
            (name, full)
            for citation, name, full, row in self._rows
            if _beneath(sentence.citation, citation) or _beneath(citation, sentence.citation)
            if row == words or row.endswith(f": {words}") or (not any(pays) and row.startswith(words))
        ]
        heads = self._heads[sentence]
        named = [full for name, full in alike if _heads_table(name, heads)]
        return tuple(dict.fromkeys(named or (full for _, full in alike))) if words else ()

    def headed(self, sentence: PrintedSentence, by: Collection[str]) -> tuple[str, ...]:
        """Return the terms of the paytable under whose name in bold the sentence is, if it is about its wager."""
        bold = self._heads[sentence][:1]
        return tuple(
            full
            for citation, name, full in dict.fromkeys(row[:3] for row in self._rows)
            if citation == sentence.citation and _heads_table(name, bold)
            if f"wager:{full.removeprefix('paytable:').partition('/')[0]}" in by
        )


def _heads_table(name: str, heads: Sequence[str]) -> bool:
    return any(re.match(rf"(Paytable )?{re.escape(name)}(?!\w)", head) for head in heads)


def _plain(outcome: str) -> str:
    return " ".join(outcome.lower().split())


def _beneath(citation: str, place: str) -> bool:
    """Return True if the citation is the place or below it."""
    return citation == place or citation.startswith((f"{place}(", f"{place}["))


COVERAGE = "coverage.toml"
_REASONS = tuple(reason for reason in REASONS if reason not in AUTOMATIC_REASONS)
_OF_WHOLE_SECTIONS = ("definition", "staffing", "irregularity", "not_in_sources")
_SEEN = ("sentence", "introduction", "added")


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shared entry: the pattern of a sentence, and the table that accounts for it."""

    words: str
    pattern: re.Pattern[str]
    table: Mapping[str, Any]


def load_coverage(
    chapter: Chapter, folder: Path, sentences: Sequence[PrintedSentence], known: Implementations
) -> Entered:
    """Return the entries of both files on the sentences (the folder's is optional); `RuleError` if one is not right."""
    data = read_toml(folder / COVERAGE) if (folder / COVERAGE).exists() else {}
    top = Fields(label(folder / COVERAGE), TOP, data, chapter.number, chapter.sections)
    own: Accounts = {}
    for row in sorted(_rows(top, "sentence"), key=lambda row: not row.has("begins")):
        for sentence in _chosen(row, sentences, own):
            own[sentence] = _read_account(row, known, "chapter", sentence)
    rest: Accounts = {}
    for row in _rows(top, "rest"):
        rest |= _read_rest(row, sentences, known)
    top.refuse_unknown()
    path = shared_file(folder, COVERAGE)
    left = [sentence for sentence in sentences if sentence not in own]
    shared = _Shared(chapter, label(path), known)
    return Entered(own, shared.shapes(path, left), {**shared.sections(path, left), **rest})


def _rows(top: Fields, key: str) -> Iterator[Fields]:
    for count, table in enumerate(top.tables(key), start=1):
        place = table.get("at") or table.get("under") or count
        yield Fields(top.file, f"{key} `{place}`", table, top.number, top.sections)


def _chosen(row: Fields, sentences: Sequence[PrintedSentence], taken: Accounts) -> Iterator[PrintedSentence]:
    """Yield the sentences that the entry names: those that begin so, else all of the citation without an entry."""
    begins, places = _texts(row, "begins"), _texts(row, "at")
    if not places or (begins and len(places) > 1):
        row.refuse("`at` is one citation where `begins` chooses a sentence, else one or several")
    for short in places:
        there = [sentence for sentence in sentences if sentence.citation == cite(short, row.number)]
        whole = [sentence for sentence in there if sentence.form in _SEEN]
        left = [sentence for sentence in whole if sentence not in taken]
        if not (there if begins else left):
            row.refuse(f"`at` is {short!r}, which has no sentence of its own" + (" left" if whole else ""))
        yield from left if not begins else (_beginning(row, there, words, taken) for words in begins)


def _beginning(row: Fields, there: Sequence[PrintedSentence], words: str, taken: Accounts) -> PrintedSentence:
    chosen = [sentence for sentence in there if sentence.text.startswith(words)]
    if len(chosen) != 1:
        row.refuse(f"`begins` is {words!r}: {len(chosen)} sentences begin so; exactly one must")
    if chosen[0] in taken:
        row.refuse(f"`begins` is {words!r}: another entry accounts for this sentence already")
    return chosen[0]


def _texts(row: Fields, key: str) -> tuple[str, ...]:
    """Return a text or a list of texts."""
    if isinstance(row.table.get(key), str):
        return (row.text(key),)
    return row.texts(key)


def _read_rest(row: Fields, sentences: Sequence[PrintedSentence], known: Implementations) -> Accounts:
    under = row.citation("under")
    account = _read_account(row, known, "rest")
    if not account.needs_nothing or ("(" not in under and account.needs_nothing not in _OF_WHOLE_SECTIONS):
        row.refuse(f"`rest` needs a reason; of a whole section allowed are {', '.join(_OF_WHOLE_SECTIONS)}")
    beneath = [sentence for sentence in sentences if f"{sentence.citation}(".startswith((f"{under}(", f"{under}["))]
    return {sentence: account for sentence in beneath if not leaves_open(sentence.text)}


def _read_account(
    row: Fields,
    known: Implementations,
    source: Source,
    sentence: PrintedSentence | None = None,
    any_of: Iterable[str] = (),
) -> Account:
    """Return the account that the row gives of the sentence."""
    account = row.record(
        Account,
        by=tuple(_known(row, name, known, sentence) for name in (*row.texts("by"), *any_of)),
        needs_nothing=row.one_of("needs_nothing", _REASONS, ""),
        source=source,
    )
    row.refuse_unknown()
    if bool(account.by) + bool(account.needs_nothing) + bool(account.gap) != 1:
        row.refuse("one of `by`, `needs_nothing` and `gap` is expected")
    if account.needs_nothing in ARGUED_REASONS and not account.why:
        row.refuse(f"`why` is missing; the reason `{account.needs_nothing}` must be explained")
    return account


def _known(row: Fields, name: str, known: Implementations, sentence: PrintedSentence | None) -> str:
    """Return the name, which the chapter must have; of `replay` and `guide` alone, the nearest section's."""
    if name in BY_SECTION and sentence:
        nearest = known.nearest(name, sentence.citation)
        return nearest or row.refuse(f"`by` names {name!r}, but no {name} cites a section near {sentence.citation}")
    if name not in known.citations:
        hint = meant(name, known.citations)
        row.refuse(f"`by` names {name!r}, which chapter {known.number} does not have{hint}")
    return name


@dataclass(frozen=True, slots=True)
class _Shared:
    """The shared file, read for one chapter."""

    chapter: Chapter
    file: str
    known: Implementations

    def shapes(self, path: Path, sentences: Sequence[PrintedSentence]) -> Accounts:
        """Return the accounts of the sentences that have one of the shapes."""
        shapes = _shapes(path, "shape", "texts")
        accounts: Accounts = {}
        for sentence in sentences:
            words = sentence.text.replace(self.chapter.title, "{game}").replace(f"§ {self.chapter.number}.", "§ {ch}.")
            alike = [shape for shape in shapes if shape.pattern.fullmatch(words)]
            if any(shape.table is not alike[0].table for shape in alike):
                problem = f"the sentence of {sentence.citation} has the shape “{alike[-1].words}”, too; remove one"
                raise RuleError(self.file, f"shape “{alike[0].words}”", problem)
            for shape in alike[:1]:
                accounts[sentence] = self._read(shape.words, shape.table, sentence)
        return accounts

    def sections(self, path: Path, sentences: Sequence[PrintedSentence]) -> Accounts:
        """Return the accounts of all sentences left in the sections of a title."""
        accounts: Accounts = {}
        for title in _shapes(path, "section", "titles", "§ ….…. "):
            for sentence in _in_sections(title, sentences):
                account = self._read(title.words, title.table, sentence)
                if account.by or not leaves_open(sentence.text):
                    accounts[sentence] = account
        return accounts

    def _read(self, where: str, table: Mapping[str, Any], sentence: PrintedSentence) -> Account:
        """Return the account of the table, with those of its `any_of` that the chapter has."""
        row = Fields(self.file, f"“{where[:80]}”", table, self.chapter.number, self.chapter.sections)
        row.read_keys |= {"texts", "titles"}
        choice = row.texts("any_of")
        there = [name for name in choice if name in self.known.citations]
        if choice and not there and not row.texts("by"):
            row.refuse(f"chapter {self.chapter.number} has none of `any_of`, for {sentence.citation}")
        return _read_account(row, self.known, "shared", sentence, there)


def _in_sections(title: _Shape, sentences: Sequence[PrintedSentence]) -> Iterator[PrintedSentence]:
    """Return the sentences of the sections with this title."""
    first = (sentence for sentence in sentences if sentence.ordinal == 1)
    headed = {sentence.citation for sentence in first if title.pattern.fullmatch(sentence.text)}
    return (sentence for sentence in sentences if sentence.citation.partition("(")[0] in headed)


@lru_cache(maxsize=8)
def _shapes(path: Path, key: str, words: str, before: str = "") -> tuple[_Shape, ...]:
    """Return each text of each `[[key]]` of the shared file, with its table; `before` stands before it in sentences."""
    shapes = []
    top = Fields(label(path), TOP, read_toml(path) if path.exists() else {})
    top.read_keys |= {"shape", "section"}
    top.refuse_unknown()
    for count, table in enumerate(top.tables(key), start=1):
        row = Fields(top.file, f"{key} {count}", table)
        for text in row.texts(words) or row.refuse(f"`{words}` is missing"):
            pattern = ".*?".join(re.escape(part) for part in f"{before}{text}".split("…"))
            shapes.append(_Shape(text, re.compile(pattern), table))
    return tuple(shapes)
