"""Small plots as SVG, alike on pages and in the PDF: no script, no style attributes, the same bytes for the same data.

Here live the scales and the geometry; how a plot looks is `templates/documents/*.svg`. A plot is an image with a
title and a description; whoever shows it gives the numbers in a table besides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 46, 8, 8, 26
CONFIDENCE = 1.959964  # standard errors to either side of a 95 % interval

Point = tuple[int, float, float]  # rounds so far, hold, standard error (as shares)


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear map of [low, high] onto pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def convergence_svg(points: Sequence[Point], exact: float | None, *, name: str, key: str) -> SafeString:
    """Simulated hold with its 95 % interval over the number of rounds, beside the exact hold; "" without two points.

    `points` and `exact` are shares (0.05 = 5 %). `name` is the wager's, `key` makes the ids unique on a page.
    """
    if len(points) < 2:
        return SafeString("")
    rounds = [math.log10(count) for count, _, _ in points]
    across = Scale(rounds[0], rounds[-1], LEFT, WIDTH - RIGHT)
    low, high = _range(points, exact)
    up = Scale(low, high, HEIGHT - BOTTOM, TOP)

    def curve(errors: float) -> list[tuple[float, float]]:
        """The hold plus so many standard errors, cut off at the plot's edges."""
        return [
            (across(x), up(min(max(hold + errors * error, low), high)))
            for x, (_, hold, error) in zip(rounds, points, strict=True)
        ]

    last_rounds, last_hold, last_error = points[-1]
    context = {
        "key": key,
        "name": name,
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "top": TOP,
        "floor": HEIGHT - BOTTOM,
        "label_y": HEIGHT - BOTTOM + 12,
        "band": _path([*curve(CONFIDENCE), *reversed(curve(-CONFIDENCE))]),
        "line": _path(curve(0)),
        "exact": up(exact) if exact is not None else None,
        "exact_percent": _percent(exact, 4) if exact is not None else None,
        "hold_percent": _percent(last_hold, 4),
        "half_width": _percent(CONFIDENCE * last_error, 4),
        "rounds": f"{last_rounds:,}",
        "across": [(across(math.log10(count)), _count(count)) for count in _counts(points[0][0], last_rounds)],
        "up": _ticks(low, high, up),
    }
    return SafeString(render_to_string("documents/convergence.svg", context).strip())


def _range(points: Sequence[Point], exact: float | None) -> tuple[float, float]:
    """What the plot shows: the interval once a third of the way is gone, the exact hold, and some air."""
    settled = points[len(points) // 3 :]
    values = [hold + side * CONFIDENCE * error for _, hold, error in settled for side in (-1, 1)]
    values += [] if exact is None else [exact]
    low, high = min(values), max(values)
    air = (high - low or abs(high) or 1.0) * 0.08
    return low - air, high + air


def _path(corners: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x} {y}" for x, y in corners)


def _counts(first: int, last: int) -> list[int]:
    """Round numbers of rounds between the ends: powers of ten, with their doubles and fives where those are few."""
    powers = range(math.floor(math.log10(first)), math.ceil(math.log10(last)) + 1)
    factors = (1,) if last >= 100 * first else (1, 2, 5)
    return [factor * 10**power for power in powers for factor in factors if first <= factor * 10**power <= last]


def _ticks(low: float, high: float, scale: Scale) -> list[tuple[float, str]]:
    """Three to six round percentages between the ends, with as many digits as their distance needs."""
    step = 10.0 ** math.floor(math.log10((high - low) * 100 / 3))
    step = next(step * factor for factor in (1, 2, 5, 10) if (high - low) * 100 / (step * factor) <= 5)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    first = math.ceil(low * 100 / step)
    last = math.floor(high * 100 / step)
    return [(scale(number * step / 100), f"{number * step:.{digits}f} %") for number in range(first, last + 1)]


def _percent(share: float, digits: int) -> str:
    return f"{share * 100:.{digits}f} %"


def _count(number: int) -> str:
    """1,000 → 1k, 10,000,000 → 10M."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)
