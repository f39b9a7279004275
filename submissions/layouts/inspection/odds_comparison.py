"""The odds that a drawing prints, compared row by row with those that it must print; the finding on the posted odds.

A row belongs to the wager whose name is its heading; an outcome of only one wager needs no heading. A row with the
payout of a row chosen, and one of its words, may be that row (“Jacks or Better 1 to 1”, “Str. Flush 50 to 1”): a person
decides whether they are the same, and it is neither missing nor called wrong.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from games.rules.model import Chapter
from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import (
    LABEL_SUFFIXES,
    OFF_TABLE,
    DrawingText,
    TableOutline,
    TokenPlace,
    holds,
)
from submissions.layouts.inspection.findings import Difference, DifferenceKind, ElementFinding, drawing_says
from submissions.layouts.inspection.printed_rows import (
    HEADING_SUFFIXES,
    Heading,
    PrintedRow,
    cells_of_line,
    printed_order,
    printed_rows,
)
from submissions.layouts.inspection.statements import Said, statements_of
from submissions.layouts.inspection.tokens import name_of, odds_cell, phrase
from submissions.layouts.required_elements import ENVY, ElementStatus, PostedOdds, RequiredElement

Key = tuple[str, ...]
_CANNOT = phrase("n/a")  # such a cell need not be printed


@dataclass(frozen=True, slots=True)
class ChosenRow:
    """A row that must be printed: an outcome with the payout of each column."""

    wager: str
    wager_name: str
    outcome: str
    pays: tuple[tuple[str, str], ...]  # (column, pay)
    citation: str

    @property
    def cells(self) -> dict[Key, tuple[str, ...]]:
        """Tokens that a row may begin with → its cells: the outcome with all, or with a column's name and that one."""
        words = phrase(self.outcome)
        every = tuple(odds_cell(pay) for _, pay in self.pays)
        single = {(*words, *phrase(column)): (odds_cell(pay),) for column, pay in self.pays if column}
        return {**single, **dict.fromkeys(_names(self.outcome), every), name_of(self.outcome): every, words: every}

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, if it has several with a name of their own."""
        names = tuple(column for column, _ in self.pays if column and column != ENVY)
        return names if len(names) == len(self.pays) > 1 else ()

    @property
    def pays_text(self) -> str:
        return ", ".join(f"{pay} ({column})" if column else pay for column, pay in self.pays)

    @property
    def statement(self) -> tuple[str, Said]:
        """The row as a sentence states it; two empty texts if no sentence can."""
        statements = statements_of(f"{self.outcome} pays {self.pays[0][1]}") if len(self.pays) == 1 else ()
        said = [(statement.matter, said) for statement in statements for said in statement.said]
        return said[0] if len(said) == 1 else ("", ("", ""))


def chosen_rows(chapter: Chapter, odds: Sequence[PostedOdds]) -> Iterator[ChosenRow]:
    for posted in odds:
        tables = [table for table in chapter.tables_of(posted.wager) if table.name == posted.table]
        citation = tables[0].citation if tables else chapter.wager(posted.wager).citation
        for outcome in dict.fromkeys(row[0] for row in posted.rows):
            rows = ((column, pay) for name, column, pay in posted.rows if name == outcome)
            if pays := tuple((column, pay) for column, pay in rows if phrase(pay) != _CANNOT):
                yield ChosenRow(posted.wager, posted.wager_name, outcome, pays, citation)


def _names(outcome: str) -> Iterator[Key]:
    """Yield other words for “Winning Ante Wager”: “Ante Wager”, “Winning Ante Wagers”, “Ante Wagers”."""
    words = phrase(outcome)
    if words[0] == "winning" and words[-1] == "wager":
        for begin in (words[:-1], words[1:-1]):
            yield (*begin, "wager")
            yield (*begin, "wagers")


_NEAR = 3.0  # between a heading and a row, in its letters' height


@dataclass(frozen=True, slots=True)
class OddsResult:
    """The status of the posted odds, the differences, the places of the rows found, and why a person must judge."""

    status: ElementStatus
    differences: tuple[Difference, ...]
    places: tuple[PagePlace, ...]
    explanation: str = ""


class OddsComparison:
    """The rows printed and the rows chosen."""

    def __init__(self, sheet: DrawingText, chapter: Chapter, chosen: Sequence[PostedOdds]) -> None:
        self.chapter = chapter
        self.sheet = sheet
        self.posted = tuple(chosen)
        self.chosen = tuple(self._as_printed(row) for row in chosen_rows(chapter, chosen))
        outcomes = {phrase(row.outcome) for table in chapter.paytables for row in table.rows}
        outcomes |= {key for row in self.chosen for key in row.cells}
        self.printed = printed_rows(sheet, chapter, outcomes)

    def _as_printed(self, row: ChosenRow) -> ChosenRow:
        """Return the row with its columns in the order of the headings printed, if there are headings."""
        order = printed_order(self.sheet, row.columns)
        return replace(row, pays=tuple(sorted(row.pays, key=lambda pay: order.index(pay[0])))) if order else row

    def doubt(self, outline: TableOutline, unsure: Sequence[str]) -> str:
        """Return the reason why a person must judge odds that are all printed; "" if nothing is doubtful.

        No heading may say which of a row's figures is whose, or a row may be under another wager's heading only, which
        the words of a betting area above it are not.
        """
        for chosen in self.chosen:
            several = any(len(row.cells) > 1 for row in self._of(chosen))
            if chosen.columns and several and not printed_order(self.sheet, chosen.columns):
                names = " and which are ".join(f"“{column}”" for column in chosen.columns)
                return f"No headings say which figures are {names}."
        for chosen in self.chosen:
            rows = self._of(chosen)
            headings = [row.heading for row in rows if row.heading and not self._is_area(row.heading, row)]
            if rows and len(headings) == len(rows) and all(heading.wager != chosen.wager for heading in headings):
                return f"The row “{chosen.outcome} {rows[0].words}” is under the heading of another wager."
        if outline.excludes([[row.place for row in self._of(chosen)] for chosen in self.chosen]):
            return OFF_TABLE
        return drawing_says(unsure[0]) if unsure else ""

    def _is_area(self, heading: Heading, row: PrintedRow) -> bool:
        figures = [self.sheet.figure_of(self.sheet.place(segment)) for segment in heading.segments]
        return any(figure and not holds(figure, row.place) for figure in figures)

    @property
    def segments_of_areas(self) -> set[int]:
        """The segments of headings that stand in a figure without the row and far above it, as a betting area does."""
        near: set[int] = set()
        areas: set[int] = set()
        for row in self.counted:
            for segment in row.heading.segments if row.heading else ():
                box = self.sheet.segments[segment].box
                near |= {segment} if row.place.box.top - box.top - box.height < _NEAR * box.height else set()
            areas |= row.heading.segments if row.heading and self._is_area(row.heading, row) else set()
        return areas - near

    @property
    def segments(self) -> frozenset[int]:
        """The segments of the rows and of the headings above them."""
        rows = frozenset(segment for row in self.counted for segment in row.segments)
        return rows | {segment for row in self.counted if row.heading for segment in row.heading.segments}

    @property
    def segments_without_odds(self) -> set[int]:
        """The segments of rows under the name of a wager without chosen odds: the name is reported."""
        chosen = {row.wager for row in self.chosen}
        rows = (row for row in self.printed if row.heading and row.heading.wager not in chosen)
        return {segment for row in rows for segment in row.segments}

    @property
    def tokens(self) -> set[TokenPlace]:
        """The words of the rows and of their headings, without what follows the payout or names another paytable."""
        rows = {place for row in self.counted for place in row.tokens}
        return rows | {place for row in self.counted if row.heading for place in self._heading_words(row.heading)}

    def _heading_words(self, heading: Heading) -> Iterator[TokenPlace]:
        names = {self.chapter.wager(heading.wager).name, *HEADING_SUFFIXES, *LABEL_SUFFIXES}
        for posted in self.posted:
            if posted.wager == heading.wager:
                names |= {posted.table, *(column for _, column, _ in posted.rows)}
        words = {word for name in names for word in phrase(name)}
        yield from heading.tokens
        places = [place for segment in heading.segments for place in self.sheet.places_in(segment)]
        yield from (place for place in places if self.sheet.tokens_at([place])[0].text in words)

    @cached_property
    def counted(self) -> tuple[PrintedRow, ...]:
        """The rows that belong to an offered wager."""
        own = {id(row): row for chosen in self.chosen for row in self._of(chosen)}
        return (*own.values(), *(row for row, _ in self._unchosen()))

    def result(
        self, stated: Mapping[tuple[str, Said], PagePlace], similar: Mapping[ChosenRow, str], *, sign: bool
    ) -> OddsResult:
        """Return the comparison; if a `sign` posts the odds, only rows that are printed all the same are judged.

        `stated`: what sentences say, and where: “Insurance pays 2 to 1” is the row of a winning Insurance Wager.
        `similar`: the printed words that may be a row chosen, for a person to judge.
        """
        differences: list[Difference] = []
        places = [row.place for row in self.counted]
        missing, unsure = 0, ""
        for chosen in self.chosen:
            matches = self._of(chosen)
            differences += _wrong(chosen, matches)
            if in_sentence := stated.get(chosen.statement):
                places.append(in_sentence)
            elif not matches and chosen in similar:
                unsure = unsure or drawing_says(similar[chosen])
            elif unprinted := _unprinted(chosen, matches):
                missing += 1
                pays = replace(chosen, pays=unprinted).pays_text
                message = f"{chosen.outcome} {pays} chosen, not printed ({chosen.wager_name})"
                lacking = Difference(DifferenceKind.MISSING, message, chosen.citation, chosen.wager)
                differences += [] if sign else [lacking]
        differences += [self._not_in_table(row, wager) for row, wager in self._unchosen()]
        status = self._state(differences, missing, sign=sign)
        if unsure and status == ElementStatus.PRESENT:
            status = ElementStatus.TO_BE_JUDGED
        return OddsResult(status, tuple(differences), tuple(dict.fromkeys(places)), unsure)

    def _state(self, differences: Sequence[Difference], missing: int, *, sign: bool) -> ElementStatus:
        if any(difference.kind != DifferenceKind.MISSING for difference in differences):
            return ElementStatus.DIFFERENT
        if missing and sign:
            return ElementStatus.TO_BE_JUDGED
        if missing:
            return ElementStatus.TOO_FEW if missing < len(self.chosen) else ElementStatus.MISSING
        return ElementStatus.PRESENT if self.chosen else ElementStatus.TO_BE_JUDGED

    def _of(self, chosen: ChosenRow) -> list[PrintedRow]:
        """Return the printed rows of a chosen row: under its wager's heading, else without one or by outcome alone."""
        matching = [row for row in self.printed if row.outcome in chosen.cells]
        headed = [row for row in matching if row.heading and row.heading.wager == chosen.wager]
        outcome = phrase(chosen.outcome)
        if headed or len(self._wagers[outcome]) == 1:  # no other wager of the chapter has that outcome
            return headed or matching
        offered = {row.wager for row in self.chosen if phrase(row.outcome) == outcome}
        return [row for row in matching if not row.heading] if len(offered) == 1 else []

    @cached_property
    def _wagers(self) -> Mapping[Key, set[str]]:
        """The wagers of the chapter that have each outcome."""
        wagers: dict[Key, set[str]] = defaultdict(set)
        for table in self.chapter.paytables:
            for row in table.rows:
                wagers[phrase(row.outcome)].add(table.wager)
        for chosen in self.chosen:
            wagers[phrase(chosen.outcome)].add(chosen.wager)
        return wagers

    def _unchosen(self) -> Iterator[tuple[PrintedRow, str]]:
        """Yield rows under the heading of a wager whose chosen paytable lacks their outcome, and the wager."""
        own: dict[str, set[Key]] = {}
        for row in self.chosen:
            own.setdefault(row.wager, set()).update(row.cells)
        for printed in self.printed:
            wager = printed.heading.wager if printed.heading else ""
            known = {phrase(row.outcome) for table in self.chapter.tables_of(wager) for row in table.rows}
            if wager in own and printed.outcome in known - own[wager]:
                yield printed, wager

    def _not_in_table(self, printed: PrintedRow, wager: str) -> Difference:
        rows = (row for table in self.chapter.tables_of(wager) for row in table.rows)
        outcome = next(row.outcome for row in rows if phrase(row.outcome) == printed.outcome)
        own = next(row for row in self.chosen if row.wager == wager)
        message = f"{outcome} {printed.words} printed, not in the paytable chosen ({own.wager_name})"
        return Difference(DifferenceKind.NOT_IN_TABLE, message, own.citation, wager, printed.place)


def _unprinted(chosen: ChosenRow, matches: Sequence[PrintedRow]) -> tuple[tuple[str, str], ...]:
    """Return the cells that no row prints; a wrong cell is reported as different instead."""
    if any(len(row.cells) >= len(chosen.pays) for row in matches):
        return ()
    named = {row.outcome for row in matches}
    words = phrase(chosen.outcome)
    printed = {cell for row in matches for cell in row.cells if row.outcome == words}
    return tuple(
        (column, pay)
        for column, pay in chosen.pays
        if (*words, *phrase(column)) not in named - {words} and odds_cell(pay) not in printed
    )


def _wrong(chosen: ChosenRow, matches: Sequence[PrintedRow]) -> Iterator[Difference]:
    """Yield the rows that do not print cells of the chosen one in their order."""
    for row in matches:
        want, count = chosen.cells[row.outcome], len(row.cells)
        if row.cells not in [want[begin : begin + count] for begin in range(len(want))]:
            own = tuple(cell for cell in chosen.pays if row.outcome == (*phrase(chosen.outcome), *phrase(cell[0])))
            pays = replace(chosen, pays=own or chosen.pays).pays_text
            message = f"{chosen.outcome} {row.words} printed, {pays} chosen ({chosen.wager_name})"
            yield Difference(DifferenceKind.DIFFERENT, message, chosen.citation, chosen.wager, row.place)


def odds_finding(
    element: RequiredElement, result: OddsResult, odds: OddsComparison, outline: TableOutline, unsure: Sequence[str]
) -> ElementFinding:
    """Return the finding of the odds; `unsure`: odds in recognized letters that belong to no row chosen."""
    finding = ElementFinding(element, result.status, result.places, len(result.places))
    if finding.status == ElementStatus.TO_BE_JUDGED:
        return replace(finding, explanation=result.explanation)
    explanation = odds.doubt(outline, unsure) if finding.status == ElementStatus.PRESENT else ""
    return replace(finding, status=ElementStatus.TO_BE_JUDGED, explanation=explanation) if explanation else finding


_SMALL = frozenset(("of", "a", "an", "the", "to", "and", "or", "in", "with", "winning", "wager", "wagers", "1"))


def similar_rows(
    sheet: DrawingText, segments: Iterable[int], chosen: Sequence[ChosenRow]
) -> dict[int, tuple[list[ChosenRow], str]]:
    """Return the chosen rows that each segment with unknown odds may be, and its words as printed; by segment."""
    left = {right: segment for segment, right in sheet.right.items()}
    similar: dict[int, tuple[list[ChosenRow], str]] = {}
    for segment in segments:
        line = [segment]
        while line[0] in left and left[line[0]] not in line:
            line.insert(0, left[line[0]])
        for begin in reversed(line):  # the outcome is at the left of its payout; another row may be left of it
            words = {token.text for token in sheet.segments[begin].tokens} - _SMALL
            cells = cells_of_line(sheet, begin)
            named = [row for row in chosen if words & set(phrase(row.outcome))]
            if rows := [row for row in named if row.cells[phrase(row.outcome)] == cells]:
                similar[segment] = (rows, " ".join(map(sheet.text, line[line.index(begin) :])))
                break
    return similar
