"""The Board's printed figures beside ours, to the digits printed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from games.maths.results import Comparison, WagerAnalysis
from games.rules.model import Chapter, Published


def compare_published(chapter: Chapter, analysis: WagerAnalysis) -> WagerAnalysis:
    """The analysis with a comparison for every figure that the Board printed of this wager and paytable."""
    printed = (
        figure
        for figure in chapter.published
        if figure.wager == analysis.wager and figure.paytable in ("", analysis.paytable)
    )
    return replace(analysis, published=tuple(_compare(figure, analysis) for figure in printed))


def _compare(figure: Published, analysis: WagerAnalysis) -> Comparison:
    ours = 100 * (_payback(analysis) if figure.measure == "payback" else 1 - _payback(analysis))
    digits = len(figure.value.partition(".")[2])
    reproduced = round(ours, digits) == Fraction(figure.value)
    return Comparison(f"{figure.value}% {figure.measure}", f"{float(ours):.6f} %", reproduced, figure.note)


def _payback(analysis: WagerAnalysis) -> Fraction:
    """Of a progressive over time, where its chapter prints a rate; else of the wager as it stands."""
    if analysis.progressive and analysis.progressive.long_run_return is not None:
        return analysis.progressive.long_run_return
    return 1 - analysis.hold
