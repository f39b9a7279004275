"""Simulated hold over the number of rounds, with its interval, beside the exact hold."""

import math
from collections.abc import Sequence

from django.utils.safestring import SafeString

from games.maths.results import CONFIDENCE
from submissions.evidence.charts.axes import FLOOR, LEFT, RIGHT, TOP, Scale, count, draw, path, percent, percent_ticks

RunningHold = tuple[int, float, float]  # rounds so far, hold, standard error (as shares)
ERRORS = CONFIDENCE[95]  # to either side


def convergence_svg(points: Sequence[RunningHold], exact: float | None, *, name: str, key: str) -> SafeString:
    """Simulated hold with its 95 % interval over the number of rounds, beside the exact hold; "" without two points.

    `points` and `exact` are shares (0.05 = 5 %). `name` is the wager's, `key` makes the ids unique on a page.
    """
    if len(points) < 2:
        return SafeString("")
    rounds = [math.log10(number) for number, _, _ in points]
    across = Scale(rounds[0], rounds[-1], LEFT, RIGHT)
    low, high = _range(points, exact)
    up = Scale(low, high, FLOOR, TOP)

    def curve(errors: float) -> list[tuple[float, float]]:
        """The hold plus so many standard errors, clipped to the chart."""
        return [
            (across(x), up(min(max(hold + errors * error, low), high)))
            for x, (_, hold, error) in zip(rounds, points, strict=True)
        ]

    last_rounds, last_hold, last_error = points[-1]
    return draw(
        "convergence",
        key=key,
        name=name,
        band=path([*curve(ERRORS), *reversed(curve(-ERRORS))]),
        line=path(curve(0)),
        exact=up(exact) if exact is not None else None,
        exact_percent=percent(exact, 4) if exact is not None else None,
        hold_percent=percent(last_hold, 4),
        half_width=percent(ERRORS * last_error, 4),
        rounds=f"{last_rounds:,}",
        across=[(across(math.log10(number)), count(number)) for number in _counts(points[0][0], last_rounds)],
        up=percent_ticks(up, 5),
    )


def _range(points: Sequence[RunningHold], exact: float | None) -> tuple[float, float]:
    """The range of the axis: the interval after the first third of the rounds, the exact hold, and a margin."""
    settled = points[len(points) // 3 :]
    values = [hold + side * ERRORS * error for _, hold, error in settled for side in (-1, 1)]
    values += [] if exact is None else [exact]
    low, high = min(values), max(values)
    margin = (high - low or abs(high) or 1.0) * 0.08
    return low - margin, high + margin


def _counts(first: int, last: int) -> list[int]:
    """Round numbers of rounds between the ends: powers of ten, with their doubles and fives if those are few."""
    powers = range(math.floor(math.log10(first)), math.ceil(math.log10(last)) + 1)
    factors = (1,) if last >= 100 * first else (1, 2, 5)
    return [factor * 10**power for power in powers for factor in factors if first <= factor * 10**power <= last]
