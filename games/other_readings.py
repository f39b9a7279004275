"""What a chapter's `other_readings.py` is made of: the wagers of a payout note, analyzed under its other reading.

Such a file ends with `OTHER_READINGS`: the id of a note without its chapter → the wagers as read and otherwise. Its
notes say what the other reading is in `other_reading`. Not here: notes whose other reading is a change of cells
(`rules.errata`), which of the holds differ (`runs.errata_holds`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt

from games.maths.results import OutcomeRow, WagerAnalysis
from games.rules.model import Answer, Answers, Chapter, Paytable

OTHER_READINGS = "other_readings.py"
LOST = "Lost"

Analyze = Callable[[Chapter, Answers | None], tuple[WagerAnalysis, ...]]
BothReadings = tuple[WagerAnalysis, WagerAnalysis]
"""One wager under one paytable: as read, and otherwise."""
OtherReading = Callable[[Chapter], Iterator[BothReadings]]


def offered(chapter: Chapter, wager: str, paytable: str = "") -> Answers:
    """The answers under which the wager is offered with this paytable; of other optional wagers none."""
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


def each_table(chapter: Chapter, analyze: Analyze, wager: str) -> Iterator[tuple[Paytable, WagerAnalysis]]:
    """Each paytable of the wager with its analysis."""
    for table in chapter.tables_of(wager):
        rows = analyze(chapter, offered(chapter, wager, table.name))
        yield table, next(row for row in rows if row.wager == wager)


def by_other_play(wager: str, as_read: Analyze, otherwise: Analyze) -> OtherReading:
    """The wager under each of its analyses with every paytable in use, by the chapter's play and by another."""

    def both(chapter: Chapter) -> Iterator[BothReadings]:
        answers = offered(chapter, wager)
        rows = ((row for row in analyze(chapter, answers) if row.wager == wager) for analyze in (as_read, otherwise))
        yield from zip(*rows, strict=True)

    return both


def by_other_tables(
    wager: str, analyze: Analyze, change: Callable[[Paytable], Paytable], names: Sequence[str] = ()
) -> OtherReading:
    """The wager with its paytables changed; `names`: of those that the note is about, all if empty."""

    def both(chapter: Chapter) -> Iterator[BothReadings]:
        tables = tuple(change(table) if table.wager == wager else table for table in chapter.paytables)
        changed = replace(chapter, paytables=tables)
        pairs = zip(each_table(chapter, analyze, wager), each_table(changed, analyze, wager), strict=True)
        for (table, as_read), (_, otherwise) in pairs:
            if not names or table.name in names:
                yield as_read, otherwise

    return both


def by_other_counts(
    wager: str, analyze: Analyze, moved: Mapping[tuple[str, str], int], names: Sequence[str] = ()
) -> OtherReading:
    """The wager with so many equally likely hands moved from one outcome to another: (from, to) → how many."""

    def both(chapter: Chapter) -> Iterator[BothReadings]:
        for table, as_read in each_table(chapter, analyze, wager):
            if not names or table.name in names:
                yield as_read, recounted(as_read, moved)

    return both


def recounted(analysis: WagerAnalysis, moved: Mapping[tuple[str, str], int]) -> WagerAnalysis:
    """The analysis with hands moved from one outcome to another; `ValueError` for an outcome that it lacks, or that
    has too few hands. What it says of a meter, of play and of published figures is left out."""
    counts = {row.outcome: row.count or 0 for row in analysis.outcomes}
    for (source, target), hands in moved.items():
        if source not in counts or target not in counts:
            raise ValueError(f"{analysis.wager} {analysis.paytable}: no outcome {source!r} or {target!r}")
        counts[source] -= hands
        counts[target] += hands
    if lacking := [outcome for outcome, count in counts.items() if count < 0]:
        raise ValueError(f"{analysis.wager} {analysis.paytable}: too few hands are {lacking[0]!r}")
    return with_rows(analysis, [_counted(row, counts[row.outcome], analysis.cycle) for row in analysis.outcomes])


def _counted(row: OutcomeRow, count: int, cycle: int | None) -> OutcomeRow:
    if not cycle:
        raise ValueError(f"{row.outcome!r} is not counted exactly")
    return replace(row, count=count, probability=Fraction(count, cycle))


def with_rows(analysis: WagerAnalysis, rows: Sequence[OutcomeRow]) -> WagerAnalysis:
    """The analysis with other outcomes, and what follows from them; without the rest of what it says."""
    mean, wagered, square, hits = Fraction(0), Fraction(0), Fraction(0), Fraction(0)
    for row in rows:
        chance = row.probability or Fraction(0)
        mean, wagered = mean + chance * row.net, wagered + chance * row.wagered
        square, hits = square + chance * row.net**2, hits + (chance if row.net > 0 else 0)
    return WagerAnalysis(
        wager=analysis.wager,
        paytable=analysis.paytable,
        method=analysis.method,
        outcomes=tuple(rows),
        hold=-mean / wagered,
        hit_frequency=hits,
        standard_deviation=sqrt(square - mean**2),
        largest_win=max(row.net for row in rows if row.probability),
        cycle=analysis.cycle,
        spot=analysis.spot,
    )
