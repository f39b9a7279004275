"""Statistics of rounds: simulated rounds compared to exact figures, and a patron's total result after many rounds.

Tallies are compared by hold with interval, z, chi-square and convergence; the total result is a distribution.

The nets of one round lie on a lattice (whole multiples of a common unit), so the total of n rounds is the n-th
convolution power of one round, taken by Fourier transform on a window that wraps around. Two things are neglected, both
small: what lies beyond the window (Chebyshev: less than 1 in `WINDOW_WIDTH`², in fact far less), and where a prize is
so rare that n rounds contain one with a chance below `RARE_PRIZE`, it is put above all else. The chances are those of
the analysis; where a wager is known by simulation only, the frequencies of its rounds.

Not here: dealing (`rounds` of each family), which blocks a run has (`runs.engine`), plots (`evidence.charts`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, erfc, exp, gcd, hypot, lcm, lgamma, log, log2, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.maths.results import CONFIDENCE, OutcomeRow, Tally, WagerAnalysis, WagerSimulation

# A filing has up to twenty wagers, each compared twice. With these limits a correct filing disagrees by chance in about
# one of 30,000 runs; with 4 and 0.0001 it was one of 300.
LARGEST_Z = 5.0
SMALLEST_P = 0.000_001
LEAST_EXPECTED = 5  # rounds in a cell of the chi-square; rarer outcomes are pooled
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
    hold = (0 - sum(net * share for net, _, share in values)) / wagered  # no −0 where nothing is won or lost
    variance = sum((net + hold * staked) ** 2 * share for net, staked, share in values)
    return Mean(hold, sqrt(variance / rounds) / wagered)


def compare_to_exact(analysis: WagerAnalysis, counts: Counts) -> WagerSimulation:
    """Return one wager's simulated figures beside those of its analysis."""
    rounds = sum(counts.values())
    _check_outcomes(analysis, counts)
    seen = hold_of(analysis.outcomes, counts, rounds)
    z = _z(analysis, seen, rounds)
    doubt = (analysis.standard_error / seen.error) ** 2 if analysis.standard_error and seen.error else 0.0
    chi_square, degrees = _chi_square(analysis.outcomes, counts, rounds, doubt)
    p_value = chi_square_tail(chi_square, degrees) if chi_square is not None and degrees else None
    return WagerSimulation(
        wager=analysis.wager,
        paytable=analysis.paytable,
        rounds=rounds,
        hold=seen.hold,
        standard_error=seen.error,
        low=seen.hold - CONFIDENCE[95] * seen.error,
        high=seen.hold + CONFIDENCE[95] * seen.error,
        exact_hold=float(analysis.hold) if analysis.method == "exact" else None,
        z=z,
        chi_square=chi_square,
        degrees=degrees,
        p_value=p_value,
        passed=_hold_agrees(analysis, counts, rounds, z) and (p_value is None or p_value >= SMALLEST_P),
        observed=dict(counts),
        spot=analysis.spot,
    )


def _check_outcomes(analysis: WagerAnalysis, counts: Counts) -> None:
    """Raise `ValueError` if an outcome was dealt that the analysis does not know: no figure would have it."""
    unknown = counts.keys() - {row.outcome for row in analysis.outcomes}
    if any(counts[outcome] for outcome in unknown):
        raise ValueError(f"{analysis.key} {analysis.paytable}: simulated outcomes {sorted(unknown)} are not analyzed")


def _z(analysis: WagerAnalysis, seen: Mean, rounds: int) -> float | None:
    """Return z by the exact variance; beside an estimate, by the errors of both."""
    if analysis.method == "exact":
        chances = {row.outcome: float(row.probability or 0) for row in analysis.outcomes}
        error = hold_of(analysis.outcomes, {key: chance * rounds for key, chance in chances.items()}, rounds).error
    else:
        error = hypot(seen.error, analysis.standard_error or 0)
    return (seen.hold - float(analysis.hold)) / error if error else None


def _hold_agrees(analysis: WagerAnalysis, counts: Counts, rounds: int, z: float | None) -> bool:
    """Return True if z is small, or large only by rare outcomes, each of a number that is not unlikely.

    A payout of 1,000,000 to 1 that is expected in one of five runs and dealt three times in one gives z = -6: the
    number of such a payout has a Poisson distribution, far from a normal one. The other outcomes must agree without it.
    """
    if z is None or abs(z) < LARGEST_Z:
        return True
    expected = {row.outcome: float(row.probability or 0) * rounds for row in analysis.outcomes}
    rare = {outcome: number for outcome, number in expected.items() if number < LEAST_EXPECTED}
    if analysis.method != "exact" or not rare:
        return False
    hold = float(analysis.hold)
    common = [row for row in analysis.outcomes if row.outcome not in rare]
    squares = sum((float(row.net) + hold * float(row.wagered)) ** 2 * expected[row.outcome] for row in common)
    wagered = sum(float(row.wagered) * expected[row.outcome] for row in analysis.outcomes)
    away = abs(hold_of(analysis.outcomes, {**counts, **rare}, rounds).hold - hold)
    if away >= LARGEST_Z * sqrt(squares) / wagered:
        return False
    return all(poisson_tail(number, counts.get(outcome, 0)) >= SMALLEST_P for outcome, number in rare.items())


def poisson_tail(expected: float, seen: int) -> float:
    """Return the probability of a number at least as far out as `seen`, on its side, doubled: two-sided, at most 1.

    `expected`: the mean of the Poisson distribution, above 0 or 0 for what cannot occur.
    """
    if not expected:
        return 0.0 if seen else 1.0
    chances = [exp(number * log(expected) - expected - lgamma(number + 1)) for number in range(seen + 1)]
    return min(1.0, 2 * min(sum(chances), 1 - sum(chances[:-1])))


def _chi_square(
    rows: Sequence[OutcomeRow], counts: Counts, rounds: int, doubt: float
) -> tuple[float | None, int | None]:
    """Return the statistic and its degrees of freedom; rare outcomes are pooled, rarest first, until five are expected.

    `doubt`: the variance of the chances by which is expected, where they are estimates, as a share of that of what is
    observed.
    """
    if any(row.probability is None for row in rows):
        return None, None
    cells = sorted((float(row.probability or 0) * rounds, counts.get(row.outcome, 0)) for row in rows)
    pooled: list[tuple[float, int]] = []
    expected, observed = 0.0, 0
    for more_expected, more_observed in cells:
        expected, observed = expected + more_expected, observed + more_observed
        if expected >= LEAST_EXPECTED:
            pooled.append((expected, observed))
            expected, observed = 0.0, 0
    if len(pooled) < 2:
        return None, None
    return sum((seen - hoped) ** 2 / hoped for hoped, seen in pooled) / (1 + doubt), len(pooled) - 1


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the probability of a larger chi-square: the closed sum for whole degrees of freedom."""
    if statistic <= 0:
        return 1.0
    half = statistic / 2
    first = 0 if degrees % 2 == 0 else 0.5
    powers = (first + step for step in range(degrees // 2))
    terms = (exp(power * log(half) - half - lgamma(power + 1)) for power in powers)
    return min(1.0, (erfc(sqrt(half)) if first else 0.0) + sum(terms))


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
