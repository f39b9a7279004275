"""The parts of a chapter's `other_readings.py`: the wagers of a payout note, analyzed under its other reading.

Such a file ends with `OTHER_READINGS`: the id of a note without its chapter → the wagers as read and otherwise. Its
notes say what the other reading is in `other_reading`. Not here: notes whose other reading is a change of cells
(`rules.errata`), which of the holds differ (`runs.errata`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from games.maths.results import OutcomeRow, WagerAnalysis, counted
from games.maths.wagers import AnalyzedGame, analyze_wagers
from games.rules.model import Answer, Answers, Chapter, Paytable

OTHER_READINGS = "other_readings.py"
LOST = "Lost"

BothReadings = tuple[WagerAnalysis, WagerAnalysis]
"""One wager under one paytable: as read, and otherwise."""
OtherReading = Callable[[Chapter], Iterator[BothReadings]]


def offered(chapter: Chapter, wager: str, paytable: str = "") -> Answers:
    """Return the answers under which the wager is offered with this paytable; of other optional wagers none."""
    row = chapter.wager(wager)
    answers: dict[str, Answer] = {
        each.paytable_option: chapter.tables_of(each.key)[0].name
        for each in chapter.wagers
        if each.paytable_option and not each.offered_by and chapter.tables_of(each.key)
    }
    if row.offered_by:
        answers[row.offered_by] = True
    if row.paytable_option and paytable:
        answers[row.paytable_option] = paytable
    return answers


def each_table(chapter: Chapter, game: AnalyzedGame, wager: str) -> Iterator[tuple[Paytable, WagerAnalysis]]:
    """Yield each paytable of the wager with its analysis."""
    for table in chapter.tables_of(wager):
        rows = analyze_wagers(game, chapter, offered(chapter, wager, table.name))
        yield table, next(row for row in rows if row.wager == wager)


def by_other_play(wager: str, as_read: AnalyzedGame, otherwise: AnalyzedGame) -> OtherReading:
    """Return the wager with every paytable in use, by the chapter's game and by another."""

    def both(chapter: Chapter) -> Iterator[BothReadings]:
        answers = offered(chapter, wager)
        rows = (
            (row for row in analyze_wagers(game, chapter, answers) if row.wager == wager)
            for game in (as_read, otherwise)
        )
        yield from zip(*rows, strict=True)

    return both


def by_other_tables(
    wager: str, game: AnalyzedGame, change: Callable[[Paytable], Paytable], names: Sequence[str] = ()
) -> OtherReading:
    """Return the wager with its paytables changed; `names`: of those that the note is about, all if empty."""

    def both(chapter: Chapter) -> Iterator[BothReadings]:
        tables = tuple(change(table) if table.wager == wager else table for table in chapter.paytables)
        changed = replace(chapter, paytables=tables)
        pairs = zip(each_table(chapter, game, wager), each_table(changed, game, wager), strict=True)
        for (table, as_read), (_, otherwise) in pairs:
            if not names or table.name in names:
                yield as_read, otherwise

    return both


def by_other_counts(
    wager: str, game: AnalyzedGame, moved: Mapping[tuple[str, str], int], names: Sequence[str] = ()
) -> OtherReading:
    """Return the reading that moves equally likely hands between outcomes: (from, to) → how many."""

    def both(chapter: Chapter) -> Iterator[BothReadings]:
        for table, as_read in each_table(chapter, game, wager):
            if not names or table.name in names:
                yield as_read, recounted(as_read, moved)

    return both


def recounted(analysis: WagerAnalysis, moved: Mapping[tuple[str, str], int]) -> WagerAnalysis:
    """Return the analysis with hands moved from one outcome to another.

    `ValueError` for an outcome that it lacks, or that has too few hands. Its statements on a meter, on play and on
    published figures are left out.
    """
    counts = {row.outcome: row.count or 0 for row in analysis.outcomes}
    for (source, target), hands in moved.items():
        if source not in counts or target not in counts:
            raise ValueError(f"{analysis.wager} {analysis.paytable}: no outcome {source!r} or {target!r}")
        counts[source] -= hands
        counts[target] += hands
    if lacking := [outcome for outcome, count in counts.items() if count < 0]:
        raise ValueError(f"{analysis.wager} {analysis.paytable}: too few hands are {lacking[0]!r}")
    if not analysis.cycle:
        raise ValueError(f"{analysis.wager} {analysis.paytable}: it is not counted exactly")
    rows = [with_count(row, counts[row.outcome], analysis.cycle) for row in analysis.outcomes]
    return with_rows(analysis, rows, analysis.cycle)


def with_count(row: OutcomeRow, count: int, cycle: int) -> OutcomeRow:
    """Return the outcome row with `count` deals of the cycle."""
    return replace(row, count=count, probability=Fraction(count, cycle))


def with_rows(analysis: WagerAnalysis, rows: Sequence[OutcomeRow], cycle: int) -> WagerAnalysis:
    """Return the wager with other outcomes, which count all deals of the cycle, and nothing else of its analysis."""
    return counted(analysis.wager, analysis.paytable, rows, cycle, spot=analysis.spot)
