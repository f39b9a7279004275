"""Tallies of simulated rounds compared to exact figures: hold with interval, z, chi-square, convergence.

Not here: dealing (`rounds` of each family), which blocks a run has (`runs.engine`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import erfc, exp, hypot, lgamma, log, sqrt

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
    """The sum of the tallies: integers, so no order of blocks matters."""
    total: dict[str, Counter[str]] = {}
    for tally in tallies:
        for wager, counts in tally.items():
            total.setdefault(wager, Counter()).update(counts)
    return {wager: dict(counts) for wager, counts in total.items()}


def hold_of(rows: Sequence[OutcomeRow], weights: Mapping[str, float], rounds: float) -> Mean:
    """−(sum of nets) ÷ (sum wagered) where each outcome has its weight of `rounds`; the error is that of a ratio."""
    values = [(float(row.net), float(row.wagered), weights.get(row.outcome, 0) / rounds) for row in rows]
    wagered = sum(staked * share for _, staked, share in values)
    hold = (0 - sum(net * share for net, _, share in values)) / wagered  # no −0 where nothing is won or lost
    variance = sum((net + hold * staked) ** 2 * share for net, staked, share in values)
    return Mean(hold, sqrt(variance / rounds) / wagered)


def compare_to_exact(analysis: WagerAnalysis, counts: Counts) -> WagerSimulation:
    """One wager's simulated figures beside those of its analysis."""
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
    """`ValueError` where an outcome was dealt that the analysis does not know: it would drop out of every figure."""
    unknown = counts.keys() - {row.outcome for row in analysis.outcomes}
    if any(counts[outcome] for outcome in unknown):
        raise ValueError(f"{analysis.key} {analysis.paytable}: simulated outcomes {sorted(unknown)} are not analyzed")


def _z(analysis: WagerAnalysis, seen: Mean, rounds: int) -> float | None:
    """By the exact variance; beside an estimate, by the errors of both."""
    if analysis.method == "exact":
        chances = {row.outcome: float(row.probability or 0) for row in analysis.outcomes}
        error = hold_of(analysis.outcomes, {key: chance * rounds for key, chance in chances.items()}, rounds).error
    else:
        error = hypot(seen.error, analysis.standard_error or 0)
    return (seen.hold - float(analysis.hold)) / error if error else None


def _hold_agrees(analysis: WagerAnalysis, counts: Counts, rounds: int, z: float | None) -> bool:
    """Whether z is small, or large only by outcomes that are too rare for it, each of a number that is not unlikely.

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
    """The probability of a number at least as far out as `seen`, on its side, doubled: two-sided, at most 1.

    `expected`: the mean of the Poisson distribution, above 0 or 0 for what cannot occur.
    """
    if not expected:
        return 0.0 if seen else 1.0
    chances = [exp(number * log(expected) - expected - lgamma(number + 1)) for number in range(seen + 1)]
    return min(1.0, 2 * min(sum(chances), 1 - sum(chances[:-1])))


def _chi_square(
    rows: Sequence[OutcomeRow], counts: Counts, rounds: int, doubt: float
) -> tuple[float | None, int | None]:
    """The statistic and its degrees of freedom; rare outcomes are pooled, rarest first, until five are expected.

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
    """The probability of a larger chi-square: the closed sum for whole degrees of freedom."""
    if statistic <= 0:
        return 1.0
    half = statistic / 2
    first = 0 if degrees % 2 == 0 else 0.5
    terms = (exp(power * log(half) - half - lgamma(power + 1)) for power in _powers(first, degrees))
    return min(1.0, (erfc(sqrt(half)) if first else 0.0) + sum(terms))


def _powers(first: float, degrees: int) -> list[float]:
    return [first + step for step in range(degrees // 2)]


def convergence(analysis: WagerAnalysis, blocks: Sequence[Counts]) -> tuple[tuple[int, float, float], ...]:
    """(rounds so far, hold, standard error) after growing numbers of blocks, twenty points at most."""
    sums = list(accumulate((Counter(block) for block in blocks), lambda total, block: total + block))
    ends = sorted({round(len(sums) * point / POINTS) for point in range(1, POINTS + 1)} - {0})
    points = []
    for end in ends:
        rounds = sums[end - 1].total()
        seen = hold_of(analysis.outcomes, sums[end - 1], rounds)
        points.append((rounds, seen.hold, seen.error))
    return tuple(points)
