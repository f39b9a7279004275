"""What so many rounds come to: the distribution of a patron's total result, from the chances of one round.

The nets of one round lie on a lattice (whole multiples of a common unit), so the total of n rounds is the n-th
convolution power of one round, taken by Fourier transform on a window that wraps around. Two things are neglected, both
small: what lies beyond the window (Chebyshev: less than 1 in `WIDTH`², in fact far less), and where a prize is so rare
that n rounds contain one with a chance below `RARE`, it is put above all else. Not here: plots (`evidence.charts`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, lcm, log2, sqrt

import numpy as np
from numpy.typing import NDArray

QUANTILES = (5, 25, 50, 75, 95)  # per cent
RARE = 0.002  # chance of a prize within all rounds
WIDTH = 12  # standard deviations of the total to either side of its mean
LARGEST = 2**22  # points of a window; a finer lattice is coarsened to it
BARS = 60  # of a plot
EDGE = 0.004  # chance left out on either side of a plot

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
    bars: tuple[tuple[float, float, float], ...]  # (from, to, chance), neighbors without gaps, `EDGE` cut off


def spread(chances: Chances, rounds: int) -> Spread:
    """The distribution after so many rounds; `ValueError` where the chances do not add up to one."""
    if abs(sum(chances.values()) - 1) > 1e-9:
        raise ValueError(f"the chances add up to {sum(chances.values())}")
    mean = sum(float(net) * chance for net, chance in chances.items())
    deviation = sqrt(sum((float(net) - mean) ** 2 * chance for net, chance in chances.items()))
    common = {net: chance for net, chance in chances.items() if rounds * chance >= RARE}
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
    """(totals, rising; chance of each). The chances may add up to less than one: the rest is above all totals."""
    unit = _unit(list(chances))
    steps = {round(net / unit): chance for net, chance in chances.items()}
    there = sum(steps.values())
    mean = sum(step * chance for step, chance in steps.items()) / there
    deviation = sqrt(sum((step - mean) ** 2 * chance for step, chance in steps.items()) / there)
    reach = WIDTH * sqrt(rounds) * deviation + max(map(abs, steps)) + 1
    size = 2 ** ceil(log2(2 * reach + 2))
    if size > LARGEST:
        coarser = unit * (size // LARGEST)
        return _total(_onto(chances, coarser), rounds)
    single_round = np.zeros(size)
    for step, chance in steps.items():
        single_round[step % size] += chance
    weights = np.maximum(np.fft.irfft(np.fft.rfft(single_round) ** rounds, size), 0)
    first = round(rounds * mean) - size // 2
    return float(unit) * (first + np.arange(size)), np.roll(weights, -first)


def _unit(nets: Sequence[Fraction]) -> Fraction:
    """The largest amount of which all nets are whole multiples."""
    denominator = lcm(*(net.denominator for net in nets))
    return Fraction(gcd(*(int(net * denominator) for net in nets)) or 1, denominator)


def _onto(chances: Chances, unit: Fraction) -> Chances:
    """The chances on a coarser lattice: each net shared between its neighbors, so that the mean stays."""
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
    """At most so many bars, each over equally many points of the lattice."""
    first, last = _place(below, EDGE), _place(below, min(1 - EDGE, float(below[-1])))
    step = float(values[1] - values[0])
    width = max(1, -(-(last - first + 1) // BARS))
    return tuple(
        (
            float(values[start]) - step / 2,
            float(values[start]) + (width - 0.5) * step,
            float(weights[start : start + width].sum()),
        )
        for start in range(first, last + 1, width)
    )
