"""The odds that a drawing prints, held row by row against those chosen.

A row belongs to the wager whose name heads it; an outcome that only one wager has needs no heading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from games.rules.model import Chapter
from submissions.layouts.inspection.amounts import amount
from submissions.layouts.inspection.headings import headings
from submissions.layouts.inspection.letters import phrase
from submissions.layouts.inspection.results import Difference, Kind, Place, State
from submissions.layouts.inspection.rows import Printed, printed_rows
from submissions.layouts.inspection.sheet import Sheet
from submissions.layouts.required import Odds

Key = tuple[str, ...]
_CANNOT = phrase("n/a")  # such a cell need not be printed


@dataclass(frozen=True, slots=True)
class Chosen:
    """A row that must be printed: what the outcome pays, cell by cell, with its columns."""

    wager: str
    wager_name: str
    outcome: str
    pays: tuple[tuple[str, str], ...]  # (column, pay)
    citation: str

    @property
    def cells(self) -> dict[Key, tuple[str, ...]]:
        """What a row may say, by its tokens: the outcome with all its cells, or with a column's name and that one."""
        words = phrase(self.outcome)
        short = tuple(word for word in words if word not in ("wager", "wagers")) or words
        every = tuple(amount(pay) for _, pay in self.pays)
        single = {(*words, *phrase(column)): (amount(pay),) for column, pay in self.pays if column}
        return {**single, short: every, words: every}

    @property
    def said(self) -> str:
        return ", ".join(f"{pay} ({column})" if column else pay for column, pay in self.pays)


@dataclass(frozen=True, slots=True)
class Result:
    """`rows`: places of those found."""

    state: State
    differences: tuple[Difference, ...]
    places: tuple[Place, ...]


class Comparison:
    """What is printed beside what is chosen."""

    def __init__(self, sheet: Sheet, chapter: Chapter, chosen: Sequence[Odds]) -> None:
        self.chapter = chapter
        self.chosen = tuple(row for row in _chosen(chapter, chosen))
        heads = headings(sheet, chapter)
        self.printed = printed_rows(sheet, self._outcomes, heads)

    @property
    def pieces(self) -> frozenset[int]:
        """The lines of rows and of the headings above them."""
        rows = frozenset(piece for row in self.counted for piece in row.pieces)
        return rows | {piece for row in self.counted if row.heading for piece in row.heading.pieces}

    @cached_property
    def counted(self) -> tuple[Printed, ...]:
        """The rows that belong to a wager that is offered."""
        own = {id(row): row for chosen in self.chosen for row in self._of(chosen)}
        return (*own.values(), *(row for row, _ in self._strange()))

    def result(self, *, sign: bool) -> Result:
        """How the printed odds stand; where a sign posts them, only what is printed all the same is judged."""
        differences: list[Difference] = []
        missing = 0
        for chosen in self.chosen:
            found = self._of(chosen)
            differences += _wrong(chosen, found)
            unprinted = _unprinted(chosen, found)
            if unprinted:
                missing += 1
                differences += [] if sign else [_missing(replace(chosen, pays=unprinted))]
        differences += [self._told(row, wager) for row, wager in self._strange()]
        return Result(self._state(differences, missing, sign=sign), tuple(differences), self._places)

    def _state(self, differences: Sequence[Difference], missing: int, *, sign: bool) -> State:
        if any(one.kind != Kind.MISSING for one in differences):
            return State.DIFFERENT
        if missing and sign:
            return State.TO_BE_JUDGED
        if missing:
            return State.TOO_FEW if missing < len(self.chosen) else State.MISSING
        return State.FOUND if self.chosen else State.TO_BE_JUDGED

    @property
    def _places(self) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(row.place for row in self.counted))

    @cached_property
    def _outcomes(self) -> Collection[Key]:
        every = {phrase(row.outcome) for table in self.chapter.paytables for row in table.rows}
        return every | {key for row in self.chosen for key in row.cells}

    def _of(self, chosen: Chosen) -> list[Printed]:
        """The printed rows that are this one: headed by its wager; else by none, or its only by their outcome."""
        same = [row for row in self.printed if row.outcome in chosen.cells]
        headed = [row for row in same if row.heading and row.heading.wager == chosen.wager]
        if headed or self._shared(chosen):
            return headed or ([row for row in same if not row.heading] if self._single(chosen) else [])
        return same

    def _shared(self, chosen: Chosen) -> bool:
        """Whether another wager of the chapter has that outcome too."""
        return len(self._wagers.get(phrase(chosen.outcome), ())) > 1

    def _single(self, chosen: Chosen) -> bool:
        """Whether of those offered no other has that outcome."""
        return len({row.wager for row in self.chosen if phrase(row.outcome) == phrase(chosen.outcome)}) == 1

    @cached_property
    def _wagers(self) -> Mapping[Key, set[str]]:
        found: dict[Key, set[str]] = {}
        pairs: Iterable[tuple[str, str]] = (
            *((row.outcome, table.wager) for table in self.chapter.paytables for row in table.rows),
            *((row.outcome, row.wager) for row in self.chosen),
        )
        for outcome, wager in pairs:
            found.setdefault(phrase(outcome), set()).add(wager)
        return found

    def _strange(self) -> Iterator[tuple[Printed, str]]:
        """Rows under the name of a wager whose chosen paytable has no such outcome."""
        own: dict[str, set[Key]] = {}
        for row in self.chosen:
            own.setdefault(row.wager, set()).update(row.cells)
        for printed in self.printed:
            wager = printed.heading.wager if printed.heading else ""
            known = {phrase(row.outcome) for table in self.chapter.tables_of(wager) for row in table.rows}
            if wager in own and printed.outcome in known - own[wager]:
                yield printed, wager

    def _told(self, printed: Printed, wager: str) -> Difference:
        rows = (row for table in self.chapter.tables_of(wager) for row in table.rows)
        outcome = next(row.outcome for row in rows if phrase(row.outcome) == printed.outcome)
        own = next(row for row in self.chosen if row.wager == wager)
        message = f"{outcome} {printed.words} printed, not in the paytable chosen ({own.wager_name})"
        return Difference(Kind.NOT_IN_TABLE, message, own.citation, wager, printed.place)


def _chosen(chapter: Chapter, odds: Sequence[Odds]) -> Iterator[Chosen]:
    for one in odds:
        tables = [table for table in chapter.tables_of(one.wager) if table.name == one.table]
        citation = tables[0].citation if tables else chapter.wager(one.wager).citation
        for outcome in dict.fromkeys(row[0] for row in one.rows):
            rows = tuple((column, pay) for name, column, pay in one.rows if name == outcome)
            pays = tuple((column, pay) for column, pay in rows if phrase(pay) != _CANNOT)
            if pays:
                yield Chosen(one.wager, one.wager_name, outcome, pays, citation)


def _fits(chosen: Chosen, row: Printed) -> bool:
    """Whether the row prints cells of the chosen one, in their order."""
    want, count = chosen.cells[row.outcome], len(row.cells)
    return any(want[begin : begin + count] == row.cells for begin in range(len(want)))


def _unprinted(chosen: Chosen, found: Sequence[Printed]) -> tuple[tuple[str, str], ...]:
    """The cells that no row prints; a wrong one is not among them, it is told as different."""
    if any(len(row.cells) >= len(chosen.pays) for row in found):
        return ()
    named = {row.outcome for row in found}
    printed = {cell for row in found for cell in row.cells if row.outcome in (phrase(chosen.outcome),)}
    return tuple(
        (column, pay)
        for column, pay in chosen.pays
        if (*phrase(chosen.outcome), *phrase(column)) not in named - {phrase(chosen.outcome)}
        and amount(pay) not in printed
    )


def _wrong(chosen: Chosen, found: Sequence[Printed]) -> Iterator[Difference]:
    for row in found:
        if not _fits(chosen, row):
            own = tuple(one for one in chosen.pays if row.outcome == (*phrase(chosen.outcome), *phrase(one[0])))
            said = replace(chosen, pays=own or chosen.pays).said
            message = f"{chosen.outcome} {row.words} printed, {said} chosen ({chosen.wager_name})"
            yield Difference(Kind.DIFFERENT, message, chosen.citation, chosen.wager, row.place)


def _missing(chosen: Chosen) -> Difference:
    message = f"{chosen.outcome} {chosen.said} chosen, not printed ({chosen.wager_name})"
    return Difference(Kind.MISSING, message, chosen.citation, chosen.wager)
