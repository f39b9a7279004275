"""Statistics of rounds: hold, its error and its convergence, and a patron's total result after many rounds.

The total result is a distribution.

The nets of one round lie on a lattice (whole multiples of a common unit), so the total of n rounds is the n-th
convolution power of one round, taken by Fourier transform on a window that wraps around. Two things are neglected, both
small: what lies beyond the window (Chebyshev: less than 1 in `WINDOW_WIDTH`², in fact far less), and where a prize is
so rare that n rounds contain one with a chance below `RARE_PRIZE`, it is put above all else. The chances are those of
the analysis; where a wager is known by simulation only, the frequencies of its rounds.

Not here: the comparison with exact figures (`games.runs`), which blocks a run has (`runs.engine`), plots
(`evidence.charts`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, gcd, lcm, log2, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.maths.results import OutcomeRow, Tally, WagerAnalysis

POINTS = 20  # of a convergence plot

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Mean:
    """A hold and its standard error, as shares of what is wagered."""

    hold: float
    error: float


def add(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of the tallies: integers, so no order of blocks matters."""
    total: dict[str, Counter[str]] = {}
    for tally in tallies:
        for wager, counts in tally.items():
            total.setdefault(wager, Counter()).update(counts)
    return {wager: dict(counts) for wager, counts in total.items()}


def hold_of(rows: Sequence[OutcomeRow], weights: Mapping[str, float], rounds: float) -> Mean:
    """Return −(sum of nets) ÷ (sum wagered), each outcome with its weight of `rounds`; the error is that of a ratio."""
    values = [(float(row.net), float(row.wagered), weights.get(row.outcome, 0) / rounds) for row in rows]
    wagered = sum(staked * share for _, staked, share in values)
    if not wagered:
        return Mean(0.0, 0.0)  # no round has placed the wager
    hold = (0 - sum(net * share for net, _, share in values)) / wagered  # no −0 where nothing is won or lost
    variance = sum((net + hold * staked) ** 2 * share for net, staked, share in values)
    return Mean(hold, sqrt(variance / rounds) / wagered)


def convergence(analysis: WagerAnalysis, blocks: Sequence[Counts]) -> tuple[tuple[int, float, float], ...]:
    """Return (rounds so far, hold, standard error) after growing numbers of blocks, twenty points at most."""
    sums = list(accumulate((Counter(block) for block in blocks), lambda total, block: total + block))
    ends = sorted({round(len(sums) * point / POINTS) for point in range(1, POINTS + 1)} - {0})
    points = []
    for end in ends:
        rounds = sums[end - 1].total()
        seen = hold_of(analysis.outcomes, sums[end - 1], rounds)
        points.append((rounds, seen.hold, seen.error))
    return tuple(points)


QUANTILES = (5, 25, 50, 75, 95)  # per cent
RARE_PRIZE = 0.002  # chance of a prize within all rounds
WINDOW_WIDTH = 12  # standard deviations of the total to either side of its mean
MOST_POINTS = 2**22  # points of a window; a finer lattice is coarsened to it
PLOT_BARS = 60  # of a plot
PLOT_EDGE = 0.004  # chance left out on either side of a plot

Chances = Mapping[Fraction, float]
"""Net of one round in units → chance; they add up to one."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The total result of a patron after `rounds` rounds, in units; positive is won."""

    rounds: int
    mean: float
    deviation: float
    quantiles: tuple[float, ...]  # for `QUANTILES`
    ahead: float  # chance that the total is above 0
    bars: tuple[tuple[float, float, float], ...]  # (from, to, chance), neighbors without gaps, `PLOT_EDGE` cut off


def spread(chances: Chances, rounds: int) -> Spread:
    """Return the distribution after `rounds` rounds; `ValueError` where the chances do not add up to one."""
    if abs(sum(chances.values()) - 1) > 1e-9:
        raise ValueError(f"the chances add up to {sum(chances.values())}")
    mean = sum(float(net) * chance for net, chance in chances.items())
    deviation = sqrt(sum((float(net) - mean) ** 2 * chance for net, chance in chances.items()))
    common = {net: chance for net, chance in chances.items() if rounds * chance >= RARE_PRIZE}
    values, weights = _total(common, rounds)
    below = np.cumsum(weights)
    return Spread(
        rounds=rounds,
        mean=rounds * mean,
        deviation=sqrt(rounds) * deviation,
        quantiles=tuple(float(values[_place(below, share / 100)]) for share in QUANTILES),
        ahead=1 - float(weights[values <= _NOTHING].sum()),
        bars=_bars(values, weights, below),
    )


_NOTHING = 1e-9  # units: a total that is zero but for the rounding of its multiples


def _total(chances: Chances, rounds: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (totals, rising; chance of each); the rest of the chances, up to one, is above all totals."""
    unit = _unit(list(chances))
    steps = {round(net / unit): chance for net, chance in chances.items()}
    there = sum(steps.values())
    mean = sum(step * chance for step, chance in steps.items()) / there
    deviation = sqrt(sum((step - mean) ** 2 * chance for step, chance in steps.items()) / there)
    reach = WINDOW_WIDTH * sqrt(rounds) * deviation + max(map(abs, steps)) + 1
    size = 2 ** ceil(log2(2 * reach + 2))
    if size > MOST_POINTS:
        coarser = unit * (size // MOST_POINTS)
        return _total(_onto(chances, coarser), rounds)
    single_round = np.zeros(size)
    for step, chance in steps.items():
        single_round[step % size] += chance
    weights = np.maximum(np.fft.irfft(np.fft.rfft(single_round) ** rounds, size), 0)
    first = round(rounds * mean) - size // 2
    return float(unit) * (first + np.arange(size)), np.roll(weights, -first)


def _unit(nets: Sequence[Fraction]) -> Fraction:
    """Return the largest amount of which all nets are whole multiples."""
    denominator = lcm(*(net.denominator for net in nets))
    return Fraction(gcd(*(int(net * denominator) for net in nets)) or 1, denominator)


def _onto(chances: Chances, unit: Fraction) -> Chances:
    """Return the chances on a coarser lattice: each net shared between its neighbors, so that the mean stays."""
    coarse: dict[Fraction, float] = {}
    for net, chance in chances.items():
        steps, rest = divmod(net, unit)
        for place, share in ((steps, 1 - rest / unit), (steps + 1, rest / unit)):
            coarse[place * unit] = coarse.get(place * unit, 0.0) + chance * float(share)
    return {net: chance for net, chance in coarse.items() if chance}


def _place(below: NDArray[np.float64], share: float) -> int:
    return min(int(np.searchsorted(below, share)), len(below) - 1)


def _bars(
    values: NDArray[np.float64], weights: NDArray[np.float64], below: NDArray[np.float64]
) -> tuple[tuple[float, float, float], ...]:
    """Return the bars of a plot, each over equally many points of the lattice; at most `PLOT_BARS`."""
    first, last = _place(below, PLOT_EDGE), _place(below, min(1 - PLOT_EDGE, float(below[-1])))
    step = float(values[1] - values[0])
    width = max(1, -(-(last - first + 1) // PLOT_BARS))
    return tuple(
        (
            float(values[start]) - step / 2,
            float(values[start]) + (width - 0.5) * step,
            float(weights[start : start + width].sum()),
        )
        for start in range(first, last + 1, width)
    )


SPREAD_ROUNDS = (1_000, 100_000)
SPREAD_DIGITS = 6  # significant: the same bytes on every machine


def spreads(analysis: WagerAnalysis, observed: Mapping[str, int]) -> dict[str, Any]:
    """Return `{"by": "chances" | "frequencies", "after": [a spread each]}`; `after` is empty where all nets are 0."""
    known = all(row.probability is not None for row in analysis.outcomes)
    chances = _chances(analysis, None if known else observed)
    after = [] if set(chances) == {Fraction(0)} else [_data(spread(chances, rounds)) for rounds in SPREAD_ROUNDS]
    return {"by": "chances" if known else "frequencies", "after": after}


def _chances(analysis: WagerAnalysis, observed: Mapping[str, int] | None) -> Chances:
    """Return net → chance; they add up to one, for any rounding on the way."""
    weights: dict[Fraction, float] = defaultdict(float)
    for row in analysis.outcomes:
        weights[row.net] += float(row.probability or 0) if observed is None else observed.get(row.outcome, 0)
    total = sum(weights.values())
    return {net: weight / total for net, weight in weights.items() if weight}


def _data(net_spread: Spread) -> dict[str, Any]:
    """Return the spread as data: bars side by side and equally wide, with their start, width and chances."""
    start, end, _ = net_spread.bars[0]
    return {
        "rounds": net_spread.rounds,
        "mean": _short(net_spread.mean),
        "deviation": _short(net_spread.deviation),
        "quantiles": [_short(value) for value in net_spread.quantiles],
        "ahead": _short(max(net_spread.ahead, 0.0)),
        "from": _short(start),
        "step": _short(end - start),
        "chances": [_short(chance) for _, _, chance in net_spread.bars],
    }


def _short(value: float) -> float:
    return float(f"{value:.{SPREAD_DIGITS}g}")
