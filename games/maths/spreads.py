"""What many rounds of a wager come to, as plain data to be frozen with a simulation.

By the chances of the analysis; where a wager is known by simulation only, by the frequencies of its rounds, and it
says so. Not here: the distribution itself (`distribution`), plots.
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from games.maths.distribution import Chances, Spread, spread
from games.maths.results import WagerAnalysis

ROUNDS = (1_000, 100_000)
DIGITS = 6  # significant: the same bytes on every machine


def spreads(analysis: WagerAnalysis, observed: Mapping[str, int]) -> dict[str, Any]:
    """`{"by": "chances" | "frequencies", "after": [a spread each]}`; `after` is empty where nothing is won or lost."""
    known = all(row.probability is not None for row in analysis.outcomes)
    chances = _chances(analysis, None if known else observed)
    after = [] if set(chances) == {Fraction(0)} else [_data(spread(chances, rounds)) for rounds in ROUNDS]
    return {"by": "chances" if known else "frequencies", "after": after}


def _chances(analysis: WagerAnalysis, observed: Mapping[str, int] | None) -> Chances:
    """Net → chance; they add up to one, for any rounding on the way."""
    weights: dict[Fraction, float] = defaultdict(float)
    for row in analysis.outcomes:
        weights[row.net] += float(row.probability or 0) if observed is None else observed.get(row.outcome, 0)
    total = sum(weights.values())
    return {net: weight / total for net, weight in weights.items() if weight}


def _data(net_spread: Spread) -> dict[str, Any]:
    """Bars lie side by side and are equally wide: where they begin, their width, the chance of each."""
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
    return float(f"{value:.{DIGITS}g}")
