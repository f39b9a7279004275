"""The Board's printed figures beside ours, to the digits printed: reproduced or not, and why not."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction

from games.maths.export import digits_of
from games.maths.results import Comparison, WagerAnalysis
from games.maths.verdicts import Verdict, judge_printed
from games.rules.model import Chapter, Published

TOTAL = "total wagered"
NOTHING_TO_COMPARE = "—"  # a share of the drop depends on how long patrons stay: no wager's figure


def compare_published(chapter: Chapter, analysis: WagerAnalysis) -> WagerAnalysis:
    """The analysis with a comparison for every figure that the Board printed of this wager and paytable."""
    printed = (
        figure
        for figure in chapter.published
        if figure.wager == analysis.wager and figure.paytable in ("", analysis.paytable)
    )
    return replace(analysis, published=tuple(_compare(chapter, figure, analysis) for figure in printed))


def _compare(chapter: Chapter, figure: Published, analysis: WagerAnalysis) -> Comparison:
    label = f"{figure.value}% {figure.measure}"
    if figure.denominator == "drop":
        return Comparison(f"{label} (of the drop)", NOTHING_TO_COMPARE, False, figure.note)
    payback = _payback(analysis)
    ours = 100 * (payback if figure.measure == "payback" else 1 - payback)
    verdict, evidence = judge_printed(figure, analysis, payback, _changed_cells(chapter, figure))
    shown = _to_its_digits(ours, analysis)
    return Comparison(label, shown, verdict == Verdict.REPRODUCED, figure.note, str(verdict), evidence)


def _changed_cells(chapter: Chapter, figure: Published) -> list[str]:
    """Each changed cell of a required wager that would give the figure, beside what is printed."""
    return [
        f"{chapter.wager(cell.wager).name}, {cell.outcome} at {cell.odds:,} {cell.per} 1 where {row.pays[0].printed} "
        f"is printed, {'of all that is wagered' if cell.denominator == TOTAL else f'per {cell.denominator}'}"
        for cell in figure.changed_cells
        for table in chapter.tables_of(cell.wager)
        for row in table.rows
        if row.outcome == cell.outcome and (figure.paytable == table.name or len(chapter.tables_of(cell.wager)) == 1)
    ]


def _to_its_digits(ours: Fraction, analysis: WagerAnalysis) -> str:
    """Six decimals of an exact percentage; of an estimate what its standard error allows, with the error."""
    digits = digits_of(analysis, 6)
    shown = f"{float(ours):.{digits}f} %"
    return shown if not analysis.standard_error else f"{shown} ± {100 * analysis.standard_error:.{digits + 1}f}"


def _payback(analysis: WagerAnalysis) -> Fraction:
    """Of a progressive over time, where its chapter prints a rate; else of the wager as it is."""
    if analysis.progressive and analysis.progressive.long_run_return is not None:
        return analysis.progressive.long_run_return
    return 1 - analysis.hold


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed figure; `ours` is empty and `reproduced` None where nothing is computed to compare it to."""

    wager: str
    paytable: str
    figure: str
    source: str
    ours: str
    reproduced: bool | None
    note: str
    verdict: str = ""
    evidence: str = ""


def printed(chapter: Chapter, analyses: Collection[WagerAnalysis]) -> list[Printed]:
    """Every printed figure in the chapter's order, once for each paytable that it speaks of."""
    return [row for figure in chapter.published for row in _rows(chapter, figure, analyses)]


def _rows(chapter: Chapter, figure: Published, analyses: Collection[WagerAnalysis]) -> list[Printed]:
    name, said = chapter.wager(figure.wager).name, f"{figure.value}% {figure.measure}"
    figures = [
        Printed(
            name,
            analysis.paytable,
            each.figure,
            figure.source,
            each.ours,
            each.reproduced,
            each.note,
            each.verdict,
            each.evidence,
        )
        for analysis in analyses
        for each in analysis.published
        if analysis.wager == figure.wager and figure.paytable in ("", analysis.paytable)
        if each.figure.startswith(said) and each.note == figure.note
    ]
    return figures or [Printed(name, figure.paytable, said, figure.source, "", None, figure.note)]
