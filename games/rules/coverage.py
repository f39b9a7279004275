"""Every sentence of a chapter's text accounted for: by what implements it, or by a reason why nothing needs to.

What a sentence has comes from, in this order:

1. the chapter's own `coverage.toml`, which replaces everything else;
2. the records that cite exactly the sentence, if its citation has one sentence, with what a shared shape of
   `../coverage.toml` names;
3. the reason of a shared shape; for an item of a list, the settlement or the step of a round that cites the list's
   introduction; of a heading, of words added in square brackets, of an introduction: its form;
4. what is said of all that is left: beneath a citation in the chapter's file (`rest`), in sections of a title in the
   shared one (`section`). A reason given so never covers a sentence that leaves something open (`leaves_open`).

Not here: how the files are read (`loading/coverage`), which names there are (`implementations`).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from games.rules.implementations import KINDS, Implementations
from games.rules.model import Chapter
from games.rules.sentences import PrintedSentence

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
"""What covers a whole list if it cites its introduction: an option or an element that does so may mean one item."""
Source = Literal["chapter", "shared", "automatic", "rest", ""]
_LEFT_OPEN = re.compile(r"Rules Submission|certificate holder\b[^.;]{0,60}\b(?:may|elects?|chooses?|discretion)\b")


@dataclass(frozen=True, slots=True)
class Account:
    """What a sentence has: `by`, names of implementations, or `needs_nothing`, a reason, or `gap`, what is missing."""

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


@dataclass(frozen=True, slots=True)
class AccountedSentence:
    """A sentence with its account."""

    sentence: PrintedSentence
    account: Account


@dataclass(frozen=True, slots=True)
class Entered:
    """What data files say of the chapter's sentences: by (citation, ordinal)."""

    own: Mapping[tuple[str, int], Account]
    shared: Mapping[tuple[str, int], Account]
    rest: Mapping[tuple[str, int], Account]


def account_for(
    chapter: Chapter, sentences: Sequence[PrintedSentence], known: Implementations, entered: Entered
) -> tuple[AccountedSentence, ...]:
    """Each sentence with its account; one that has none is `unaccounted`."""
    places = _Places(sentences)
    rows = _PaytableRows(chapter, sentences)
    return tuple(
        AccountedSentence(sentence, _account(sentence, (places, rows), known, entered)) for sentence in sentences
    )


def sentences_of(accounted: Sequence[AccountedSentence]) -> dict[str, list[PrintedSentence]]:
    """The other way: name of an implementation → the sentences that it implements, in the order of the text."""
    by_name: dict[str, list[PrintedSentence]] = {}
    for row in accounted:
        for name in row.account.by:
            by_name.setdefault(name, []).append(row.sentence)
    return by_name


def _account(
    sentence: PrintedSentence, text: "tuple[_Places, _PaytableRows]", known: Implementations, entered: Entered
) -> Account:
    key = (sentence.citation, sentence.ordinal)
    if key in entered.own:
        return entered.own[key]
    places, rows = text
    exact = rows.names(sentence) if sentence.form == "row" else places.citing(sentence, known)
    shared, rest = entered.shared.get(key, Account()), entered.rest.get(key, Account())
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
    """What a kind of account, or a reason, is called in tables and on pages."""
    return _TITLES.get(kind, kind).replace("_", " ")


def leaves_open(words: str) -> bool:
    """Whether the sentence leaves something to the certificate holder, which an option or a reason must answer."""
    return bool(_LEFT_OPEN.search(words))


class _Places:
    """Which citations have one sentence, and which introduce a list."""

    def __init__(self, sentences: Sequence[PrintedSentence]) -> None:
        self._own: dict[str, list[PrintedSentence]] = {}
        for sentence in sentences:
            if sentence.form in ("sentence", "introduction", "added"):
                self._own.setdefault(sentence.citation, []).append(sentence)

    def citing(self, sentence: PrintedSentence, known: Implementations) -> tuple[str, ...]:
        """The records that cite exactly this sentence. An interpretation note alone implements nothing."""
        if not self._single(sentence):
            return ()
        exact = known.citing(sentence.citation)
        return exact if any(not name.startswith("reading:") for name in exact) else ()

    def settling_list(self, sentence: PrintedSentence, known: Implementations) -> tuple[str, ...]:
        """Of an item of a list, what settles the wager or plays the step that the list's introduction is about."""
        for above in self._introductions(sentence.citation) if self._single(sentence) else ():
            if names := [name for name in known.citing(above) if name.startswith(_OF_LISTS)]:
                return tuple(names)
        return ()

    def _single(self, sentence: PrintedSentence) -> bool:
        """Whether its citation has no other; remarks in brackets count where there is nothing else."""
        there = self._own.get(sentence.citation, [])
        return [each for each in there if each.form != "added"] == [sentence] or there == [sentence]

    def _introductions(self, citation: str) -> Iterator[str]:
        """The citations above whose only sentence introduces the list that the citation is in."""
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
            (table.citation, table.name, f"paytable:{table.wager}/{table.name}", _plain(row.outcome))
            for table in chapter.paytables
            for row in table.rows
        ]
        self._heads: dict[tuple[str, int], tuple[str, ...]] = {}
        bold = ""
        columns: tuple[str, ...] = ()
        for sentence in sentences:
            if sentence.form == "heading" and "|" in sentence.text:
                columns = sentence.cells
            elif sentence.form == "heading":
                bold, columns = sentence.text.strip("*."), ()
            self._heads[sentence.citation, sentence.ordinal] = (bold, *columns)

    def names(self, sentence: PrintedSentence) -> tuple[str, ...]:
        """The paytables of the citation that have a row with this outcome, or rows that it heads.

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
        heads = self._heads[sentence.citation, sentence.ordinal]
        named = [full for name, full in alike if _heads_table(name, heads)]
        return tuple(dict.fromkeys(named or (full for _, full in alike))) if words else ()

    def headed(self, sentence: PrintedSentence, by: Collection[str]) -> tuple[str, ...]:
        """The paytable whose name in bold the sentence is beneath, if the sentence is about its wager: its terms."""
        bold = self._heads[sentence.citation, sentence.ordinal][:1]
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
    """Whether the citation is the place or below it."""
    return citation == place or citation.startswith((f"{place}(", f"{place}["))
