"""The comparison of rounds dealt with the exact figures, of all wagers of a run together.

Three things of each wager are compared: what an outcome pays, as the second side settles it, must be what the exact
side says; each outcome must come as often as its chance says (the exact binomial test), and so must the rare ones
together; and the sums of what is won and of what is wagered must be as expected (normal, over the outcomes that come
often enough for it). The p-values of a run
are one family: they are adjusted by the method of Holm with weights (Holm, 1979), so that a run that is correct in all
of them is suspected with the chance `SUSPICION` at most, however many wagers and outcomes it has. A suspicion is not a
verdict: ten times as many rounds are dealt from a new seed and judged by themselves, with `REJECTION`. A correct run is
rejected with the product of both chances at most: one of 30,000.

Not here: dealing (`runs.dealing`), how a filing stores both stages (`submissions.filings.evidence`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import hypot, sqrt
from typing import Final

from scipy.special import betainc, betaincc, chdtrc, ndtr, ndtri

from games.maths.results import CONFIDENCE, OutcomeRow, WagerAnalysis, WagerSimulation
from games.maths.statistics import Counts, hold_of

SUSPICION: Final = 1 / 30  # chance that the first stage of a correct run is followed by a second
REJECTION: Final = 1 / 1_000  # chance that the second stage of a correct run disagrees
RETEST_ROUNDS: Final = 10  # times the rounds of the first stage

REQUIRED_SUMS, OTHER_SUMS, OUTCOMES = 4.0, 2.0, 4.0  # tenths of the chance of a false alarm that each kind may use
LEAST_EXPECTED: Final = 5  # rounds in a cell of the chi-square; rarer outcomes are pooled
COMMON: Final = 1_000  # rounds expected of an outcome that takes part in a sum: rarer ones are no normal distribution
RARE: Final = "rare outcomes together"
FOUND_IN: Final = 0.9  # share of the runs that find an error as large as `WagerSimulation.finds`

Amounts = Mapping[str, tuple[Fraction, Fraction]]
"""Outcome of a wager → (wagered, won), in units of the wager, as the second side settles it."""


@dataclass(frozen=True, slots=True)
class PValue:
    """The result of one comparison: how likely a number so far from the expected one is by chance."""

    wager: str  # key of its analysis
    subject: str  # an outcome, `RARE`, "won" or "wagered"
    value: float  # two-sided
    weight: float  # its share of the family's chance of a false alarm, in any unit


def compare_to_exact(
    rows: Sequence[WagerAnalysis], tallies: Mapping[str, Counts], amounts: Mapping[str, Amounts], limit: float
) -> tuple[WagerSimulation, ...]:
    """Return each wager's simulated figures beside the exact ones, judged as one family.

    `tallies` and `amounts` are by the key of a wager's analysis; a wager without amounts is settled by the exact side.
    `limit`: the chance that a correct run disagrees, `SUSPICION` or `REJECTION`.
    """
    tests = list(_tests(rows, amounts, tallies))
    adjusted = adjust(tests)
    total = sum(test.weight for test in tests)
    return tuple(
        _simulation(
            row,
            amounts.get(row.key),
            tallies[row.key],
            [(test, p) for test, p in zip(tests, adjusted, strict=True) if test.wager == row.key],
            limit / total if total else limit,
            limit,
        )
        for row in rows
    )


def adjust(tests: Sequence[PValue]) -> list[float]:
    """Return the p-value of each test, adjusted by Holm's method with weights: a family's error is at most its limit.

    From the smallest p ÷ weight on, each is multiplied by the weights of those that are left, ÷ its own.
    """
    order = sorted(range(len(tests)), key=lambda place: tests[place].value / tests[place].weight)
    left = sum(test.weight for test in tests)
    adjusted, highest = [1.0] * len(tests), 0.0
    for place in order:
        test = tests[place]
        highest = max(highest, min(1.0, test.value * left / test.weight))
        adjusted[place] = highest
        left -= test.weight
    return adjusted


def _tests(
    rows: Sequence[WagerAnalysis], amounts: Mapping[str, Amounts], tallies: Mapping[str, Counts]
) -> Iterator[PValue]:
    """Yield the comparisons of a run; the weights of each kind add up to the same, however many there are."""
    required = [row for row in rows if row.required is not None]
    optional = [row for row in rows if row.required is None]
    for group, weight in ((required, REQUIRED_SUMS), (optional, OTHER_SUMS)):
        for row in group:
            yield from _sums(row, amounts.get(row.key), tallies[row.key], weight / len(group))
    cells = [cell for row in rows if _has_chances(row) for cell in _cells(row, tallies[row.key])]
    for key, subject, p_value in cells:
        yield PValue(key, subject, p_value, OUTCOMES / len(cells))


def _cells(row: WagerAnalysis, counts: Counts) -> Iterator[tuple[str, str, float]]:
    """Yield (wager, subject, p-value) of each outcome's number, and of the number of all that are in no sum."""
    rounds = sum(counts.values())
    for outcome in row.outcomes:
        yield row.key, outcome.outcome, binomial_test(counts.get(outcome.outcome, 0), rounds, _chance(outcome))
    rare = [outcome for outcome in row.outcomes if _chance(outcome) * rounds < COMMON]
    if len(rare) > 1:
        seen = sum(counts.get(outcome.outcome, 0) for outcome in rare)
        yield row.key, RARE, binomial_test(seen, rounds, sum(map(_chance, rare)))


def _has_chances(row: WagerAnalysis) -> bool:
    return row.method == "exact" and all(outcome.probability is not None for outcome in row.outcomes)


def binomial_test(seen: int, rounds: int, chance: float) -> float:
    """Return the probability of a number at least as far out as `seen`, on its side, doubled: two-sided, at most 1."""
    if not 0 <= seen <= rounds:
        return 0.0  # a round was counted twice: where two rows took it, the rest has too few
    if not 0 < chance < 1:
        return float(seen == rounds * chance)
    at_most = betaincc(seen + 1, rounds - seen, chance) if seen < rounds else 1.0
    at_least = betainc(seen, rounds - seen + 1, chance) if seen else 1.0
    return float(min(1.0, 2 * min(at_most, at_least)))


def _sums(row: WagerAnalysis, amounts: Amounts | None, counts: Counts, weight: float) -> Iterator[PValue]:
    """Yield the comparison of what is won and, where it differs from round to round, of what is wagered."""
    rounds = sum(counts.values())
    if not _has_chances(row):
        seen = hold_of(row.outcomes, counts, rounds)
        error = hypot(seen.error, row.standard_error or 0)
        if error:
            yield PValue(row.key, "won", _two_sided((seen.hold - float(row.hold)) / error), weight)
        return
    common = [outcome for outcome in row.outcomes if _chance(outcome) * rounds >= COMMON]
    dealt, share = sum(counts.get(outcome.outcome, 0) for outcome in common), sum(map(_chance, common))
    subjects = [("won", 1.0, float(row.hold))]  # what a round wins beyond the hold of what it wagers
    if len({outcome.wagered for outcome in common}) > 1:
        subjects.append(("wagered", 0.0, 1.0))
    for subject, of_won, of_wagered in subjects:
        summed = mean = square = 0.0
        for outcome in common:
            wagered, won = (amounts or {}).get(outcome.outcome, (outcome.wagered, outcome.net))
            summed += counts.get(outcome.outcome, 0) * (of_won * float(won) + of_wagered * float(wagered))
            exact, chance = of_won * float(outcome.net) + of_wagered * float(outcome.wagered), _chance(outcome) / share
            mean += chance * exact
            square += chance * exact**2
        variance = dealt * (square - mean**2)  # of rounds with a common outcome, however many there are
        if len(common) > 1 and variance > 0:
            z = (summed - dealt * mean) / sqrt(variance)
            yield PValue(row.key, subject, _two_sided(z), weight / len(subjects))


def _chance(row: OutcomeRow) -> float:
    return float(row.probability or 0)


def _two_sided(z: float) -> float:
    return float(2 * ndtr(-abs(z)))


def _simulation(
    row: WagerAnalysis,
    amounts: Amounts | None,
    counts: Counts,
    tests: Sequence[tuple[PValue, float]],
    share: float,
    limit: float,
) -> WagerSimulation:
    """Return the figures of one wager; `share`: the part of the family's limit that a test of weight 1 may use."""
    rounds = sum(counts.values())
    settled = [_as_settled(outcome, amounts) for outcome in row.outcomes]
    seen = hold_of(settled, counts, rounds)
    error = _error(row, seen.error, rounds)
    statistic, degrees, p_value = _chi_square(row, counts, rounds, seen.error)
    least = min((p for _, p in tests), default=1.0)
    by = tuple(test.subject for test, p in tests if p < limit)
    unknown = counts.keys() - {outcome.outcome for outcome in row.outcomes}
    differ = (
        *(outcome.outcome for outcome, own in zip(row.outcomes, settled, strict=True) if outcome is not own),
        *sorted(outcome for outcome in unknown if counts[outcome]),
    )
    sum_weight = max((test.weight for test, _ in tests if test.subject == "won"), default=0.0)
    finds = _rounded(error * (ndtri(FOUND_IN) - ndtri(share * sum_weight / 2))) if sum_weight and error else None
    hold = float(row.hold)
    return WagerSimulation(
        wager=row.wager,
        paytable=row.paytable,
        rounds=rounds,
        hold=seen.hold,
        standard_error=seen.error,
        low=seen.hold - CONFIDENCE[95] * seen.error,
        high=seen.hold + CONFIDENCE[95] * seen.error,
        exact_hold=hold if row.method == "exact" else None,
        z=(seen.hold - hold) / error if error else None,
        chi_square=statistic,
        degrees=degrees,
        p_value=None if p_value is None else _rounded(p_value),
        passed=not (by or differ),
        observed=dict(counts),
        spot=row.spot,
        least_p=_rounded(least),
        disagrees=by,
        pays_differ=differ,
        settled=amounts is not None,
        finds=finds,
        rounds_for_a_hundredth=None if finds is None or not hold else _rounded(rounds * (finds / (0.01 * hold)) ** 2),
    )


def _rounded(value: float) -> float:
    """Return six significant digits: the same on every machine."""
    return float(f"{value:.6g}")


def _as_settled(row: OutcomeRow, amounts: Amounts | None) -> OutcomeRow:
    """Return the outcome with the amounts of the second side; one that it does not know is not settled at all."""
    if amounts is None:
        return row
    wagered, won = amounts.get(row.outcome, (Fraction(0), Fraction(0)))
    return row if (row.wagered, row.net) == (wagered, won) else OutcomeRow(row.outcome, row.probability, won, wagered)


def _error(row: WagerAnalysis, seen: float, rounds: int) -> float:
    """Return the standard error of the difference between the two holds: by the exact chances where there are any."""
    if not _has_chances(row):
        return hypot(seen, row.standard_error or 0)
    chances = {outcome.outcome: _chance(outcome) * rounds for outcome in row.outcomes}
    return hold_of(row.outcomes, chances, rounds).error


def _chi_square(
    row: WagerAnalysis, counts: Counts, rounds: int, seen: float
) -> tuple[float | None, int | None, float | None]:
    """Return the statistic, its degrees of freedom and its p-value, for readers who know it: it decides nothing.

    Rare outcomes are pooled, rarest first, until five are expected. `seen`: the standard error of the simulated hold,
    beside which that of an estimated one counts.
    """
    if any(outcome.probability is None for outcome in row.outcomes):
        return None, None, None
    cells = sorted((_chance(outcome) * rounds, counts.get(outcome.outcome, 0)) for outcome in row.outcomes)
    pooled: list[tuple[float, int]] = []
    expected, observed = 0.0, 0
    for more_expected, more_observed in cells:
        expected, observed = expected + more_expected, observed + more_observed
        if expected >= LEAST_EXPECTED:
            pooled.append((expected, observed))
            expected, observed = 0.0, 0
    if len(pooled) < 2:
        return None, None, None
    doubt = (row.standard_error / seen) ** 2 if row.standard_error and seen else 0.0
    statistic = sum((number - hoped) ** 2 / hoped for hoped, number in pooled) / (1 + doubt)
    return statistic, len(pooled) - 1, float(chdtrc(len(pooled) - 1, statistic))
