"""The Board's printed figures beside ours, to the digits printed: reproduced, different, or not comparable.

Not here: why a figure differs. What the text itself proves is in the chapter's interpretation notes.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from games.maths.export import digits_of
from games.maths.results import Comparison, WagerAnalysis
from games.rules.model import Chapter, Published

NOTHING_TO_COMPARE = "—"  # a share of the drop depends on how long patrons stay: no wager's figure


class Verdict(StrEnum):
    REPRODUCED = "reproduced"
    DIFFERS = "differs"
    NOT_COMPARABLE = "cannot be compared"


def compare_published(chapter: Chapter, analysis: WagerAnalysis) -> WagerAnalysis:
    """Return the analysis with a comparison for every figure that the Board printed of this wager and paytable."""
    printed = (
        figure
        for figure in chapter.published
        if figure.wager == analysis.wager and figure.paytable in ("", analysis.paytable)
    )
    return replace(analysis, published=tuple(_compare(chapter, figure, analysis) for figure in printed))


def _compare(chapter: Chapter, figure: Published, analysis: WagerAnalysis) -> Comparison:
    if figure.denominator == "drop":
        return Comparison(_label(figure), NOTHING_TO_COMPARE, False, figure.note, Verdict.NOT_COMPARABLE)
    payback = _payback(analysis)
    ours = 100 * (payback if figure.measure == "payback" else 1 - payback)
    verdict = _verdict(figure, analysis, ours)
    note = _interpretation_notes(chapter, figure) if verdict is Verdict.DIFFERS else figure.note
    shown = _to_its_digits(ours, analysis)
    return Comparison(_label(figure), shown, verdict is Verdict.REPRODUCED, note, verdict)


def _label(figure: Published) -> str:
    return f"{figure.value}% {figure.measure}{' (of the drop)' if figure.denominator == 'drop' else ''}"


def _verdict(figure: Published, analysis: WagerAnalysis, ours: Fraction) -> Verdict:
    """Return the verdict on `ours`, a percentage, to the digits printed; none on a meter without a printed rate."""
    half_digit = Fraction(1, 2 * 10 ** len(figure.value.partition(".")[2]))
    if abs(ours - Fraction(figure.value)) <= half_digit:
        return Verdict.REPRODUCED
    if analysis.progressive and analysis.progressive.rate is None:
        return Verdict.NOT_COMPARABLE
    return Verdict.DIFFERS


def _interpretation_notes(chapter: Chapter, figure: Published) -> str:
    """Name the interpretation notes of this paytable that state the figure; "" if there are none."""
    stated = re.compile(rf"(?<![\d.]){re.escape(figure.value)}(?!\d)")
    notes = [
        reading.id
        for reading in chapter.readings
        if f"{figure.wager}/{figure.paytable}" in reading.touches
        if stated.search(f"{reading.printed} {reading.reading} {reading.evidence}")
    ]
    return f"Interpretation note: {', '.join(notes)}." if notes else ""


def _to_its_digits(ours: Fraction, analysis: WagerAnalysis) -> str:
    """Return six decimals of an exact percentage; of an estimate as many as its error allows, with the error."""
    digits = digits_of(analysis, 6)
    shown = f"{float(ours):.{digits}f} %"
    return shown if not analysis.standard_error else f"{shown} ± {100 * analysis.standard_error:.{digits + 1}f}"


def _payback(analysis: WagerAnalysis) -> Fraction:
    """Return the payback of a progressive over time, if its chapter prints a rate; else of the wager as it is."""
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
    verdict: str = Verdict.NOT_COMPARABLE


def printed(chapter: Chapter, analyses: Collection[WagerAnalysis]) -> list[Printed]:
    """Return every printed figure in the chapter's order, once for each paytable that it speaks of."""
    return [row for figure in chapter.published for row in _rows(chapter, figure, analyses)]


def _rows(chapter: Chapter, figure: Published, analyses: Collection[WagerAnalysis]) -> list[Printed]:
    name, label = chapter.wager(figure.wager).name, _label(figure)
    figures = [
        Printed(name, row.paytable, label, figure.source, each.ours, each.reproduced, each.note, each.verdict)
        for row in analyses
        if row.wager == figure.wager and figure.paytable in ("", row.paytable)
        for each in row.published
        if each.figure == label
    ]
    return figures or [Printed(name, figure.paytable, label, figure.source, "", None, figure.note)]
