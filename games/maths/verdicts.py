"""Why a figure that the Board printed is not the one that follows from the printed text: five classes, with evidence.

A figure that is only unlike is not called wrong. What is tried, in this order: the rate of progression that would give
it; the noise of a simulation of 10⁷ rounds or more; one printed cell, digit or denominator that gives it to all its
digits. Shares of the drop are no figures of a wager and are not judged.

Cells are solved from the chance of their outcome. For a wager without decisions this is exact; the best play of the
others changes with their paytable: `runs.published_search` analyzes it, and the cells found are in the chapter's data.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor, log10, sqrt

from games.maths.results import OutcomeRow, Progressive, WagerAnalysis
from games.rules.model import Published


class Verdict(StrEnum):
    REPRODUCED = "reproduced"
    DEPENDS = "depends on what is filed"
    NOISE = "within the noise of a simulation"
    ONE_CHANGE = "one change gives it"
    UNEXPLAINED = "unexplained"


LEAST_ROUNDS = 7  # of a simulation that could have given a printed figure: 10⁷
MOST_Z = 2.0
MOST_DIGITS = 15
LARGEST_CHANGE = 5  # a cell is not tried at more than so many times what is printed, or less than one such part


@dataclass(frozen=True, slots=True)
class PrintedShare:
    """A printed percentage as the payback that it states, and how far its rounding reaches to either side."""

    payback: Fraction
    half_digit: Fraction

    @property
    def range(self) -> tuple[Fraction, Fraction]:
        return self.payback - self.half_digit, self.payback + self.half_digit

    def is_met_by(self, payback: Fraction) -> bool:
        low, high = self.range
        return low <= payback <= high


def printed_share(figure: Published) -> PrintedShare:
    share = Fraction(figure.value) / 100
    digits = len(figure.value.partition(".")[2])
    return PrintedShare(share if figure.measure == "payback" else 1 - share, Fraction(1, 2 * 100 * 10**digits))


def judge_printed(
    figure: Published, analysis: WagerAnalysis, payback: Fraction, cells: Collection[str] = ()
) -> tuple[Verdict, str]:
    """The class of a figure beside our `payback`, and the evidence in words; "" for a figure that is reproduced.

    `cells`: the changed cells of a required wager that would give the figure, in words.
    """
    printed = printed_share(figure)
    if printed.is_met_by(payback):
        return Verdict.REPRODUCED, ""
    if analysis.progressive and analysis.progressive.rate is None and (rate := _rate(printed, analysis.progressive)):
        return Verdict.DEPENDS, f"No rate of progression is printed; {rate} would give it."
    noise = _noise(printed, analysis, payback)
    changes = [*_changes(figure, printed, analysis, payback), *cells]
    evidence = " ".join(filter(None, (noise, f"It would be {'; or '.join(changes)}." if changes else "")))
    if noise:
        return Verdict.NOISE, evidence
    return (Verdict.ONE_CHANGE if changes else Verdict.UNEXPLAINED), evidence


def cell_ranges(
    printed: PrintedShare, analysis: WagerAnalysis, payback: Fraction
) -> Iterator[tuple[OutcomeRow, Fraction, Fraction]]:
    """Each winning outcome, and from what to what its net must be for the printed figure if nothing else changes."""
    wagered = sum(((row.probability or Fraction(0)) * row.wagered for row in analysis.outcomes), Fraction(0))
    low, high = ((share - payback) * wagered for share in printed.range)
    for row in analysis.outcomes:
        if row.net > 0 and row.probability:
            yield row, row.net + low / row.probability, row.net + high / row.probability


def shortest_between(low: Fraction, high: Fraction) -> Decimal:
    """The number with the fewest digits from `low` to `high`; of several the one nearest to their middle.

    `ValueError` if there is none of up to `MOST_DIGITS` digits.
    """
    first = ceil(log10(max(abs(low), abs(high), Fraction(1, 10**MOST_DIGITS)))) + 1
    for exponent in range(first, first - MOST_DIGITS, -1):
        unit = Fraction(10) ** exponent
        if ceil(low / unit) <= floor(high / unit):
            middle = min(max(round((low + high) / 2 / unit), ceil(low / unit)), floor(high / unit))
            return Decimal(middle).scaleb(exponent)
    raise ValueError(f"no number of up to {MOST_DIGITS} digits lies from {low} to {high}")


def plain_odds(row: OutcomeRow, low: Fraction, high: Fraction) -> int | None:
    """Odds of at most two digits and zeros that lie between; None if there are none, or only far from the printed."""
    low = max(low, Fraction(1))
    if ceil(low) > floor(high):
        return None
    odds = shortest_between(low, high)
    if odds != int(odds) or len(str(int(odds)).rstrip("0")) > 2:
        return None
    return int(odds) if row.net / LARGEST_CHANGE <= odds <= row.net * LARGEST_CHANGE else None


def _rate(printed: PrintedShare, progressive: Progressive) -> str:
    """The rate of progression with which the long-run return is the printed figure, "" if no rate is."""
    low, high = (share - progressive.return_without_rate for share in printed.range)
    if not 0 < low < high < 1:
        return ""
    return f"{float(50 * (low + high)):.1f} % ({float(100 * low):.1f} to {float(100 * high):.1f} %)"


def _noise(printed: PrintedShare, analysis: WagerAnalysis, payback: Fraction) -> str:
    """In how many standard errors of so many rounds the printed figure lies from ours; "" if in too many."""
    if analysis.progressive or any(row.probability is None for row in analysis.outcomes):
        return ""
    hold, wagered, variance = 1 - payback, Fraction(0), Fraction(0)
    for row in analysis.outcomes:
        wagered += (row.probability or 0) * row.wagered
        variance += (row.probability or 0) * (row.net + hold * row.wagered) ** 2
    deviation = sqrt(variance) / float(wagered)
    z = {power: float(printed.payback - payback) * sqrt(10.0**power) / deviation for power in (7, 8, 9)}
    likely = [power for power in z if abs(z[power]) <= MOST_Z]
    if LEAST_ROUNDS not in likely:
        return ""
    said = ", ".join(f"z = {z[power]:+.2f} for {10**power:,}" for power in likely)
    return f"A simulation may have given it: {said} rounds."


def _changes(figure: Published, printed: PrintedShare, analysis: WagerAnalysis, payback: Fraction) -> Iterator[str]:
    """What would give the printed figure to all its digits, if one thing were otherwise."""
    ours = payback if figure.measure == "payback" else 1 - payback
    digits = len(figure.value.partition(".")[2])
    rounded = f"{float(100 * ours):.{digits}f}"
    if len(rounded) == len(figure.value) >= 4 and sum(a != b for a, b in zip(rounded, figure.value, strict=True)) == 1:
        yield f"{rounded} % with one digit changed"
    unit = Fraction(1, 10**digits)
    if 100 * ours // unit * unit == Fraction(figure.value):
        yield f"{float(100 * ours):.{digits + 2}f} % cut, not rounded"
    if analysis.progressive and analysis.progressive.rate is not None:
        low, high = (100 * (share - analysis.progressive.return_without_rate) for share in printed.range)
        given = float(100 * analysis.progressive.rate)
        yield f"a rate of progression of {shortest_between(low, high):f} % where {given:g} % is printed"
        return
    yield from _denominators(figure, analysis)
    if analysis.required is None:
        for row, low, high in cell_ranges(printed, analysis, payback):
            if odds := plain_odds(row, low, high):
                yield f"{row.outcome} at {odds:,} to 1 where {row.pays or f'{row.net} to 1'} is printed"


def _denominators(figure: Published, analysis: WagerAnalysis) -> Iterator[str]:
    """Other figures of the required wager that print so."""
    required = analysis.required
    if required is None:
        return
    named = {
        "per Ante": 100 * required.loss_per_ante,
        "of all initial wagers": 100 * required.loss_per_initial,
        "of all that is wagered": 100 * required.loss_per_total_wagered,
    }
    digits = len(figure.value.partition(".")[2])
    for name, hold in named.items():
        share = hold if figure.measure == "hold" else 100 - hold
        if round(share, digits) == Fraction(figure.value):
            yield f"the {figure.measure} {name}, {float(share):.6f} %"
    if round(required.average_wagered, digits) == Fraction(figure.value):
        yield f"the average total wager, {float(required.average_wagered):.6f} Antes"
