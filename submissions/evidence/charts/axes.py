"""Shared by the charts: their size, linear scales, round numbers for axes, number formats."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 340, 150  # as wide as a phone, where its text then has the size of the page's
LEFT, TOP, RIGHT, FLOOR = 46, 8, WIDTH - 8, HEIGHT - 26  # edges of the plot
MINUS = "\N{MINUS SIGN}"


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


def draw(template: str, **context: object) -> SafeString:
    """The chart from its template in `templates/documents`."""
    edges = {"left": LEFT, "top": TOP, "right": RIGHT, "floor": FLOOR, "label_y": FLOOR + 12}
    frame = {"width": WIDTH, "height": HEIGHT, **edges}
    return SafeString(render_to_string(f"documents/{template}.svg", {**frame, **context}).strip())


def path(corners: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x} {y}" for x, y in corners)


def steps(low: float, high: float, most: int) -> tuple[float, list[float]]:
    """(distance, round numbers between the ends): 1, 2 or 5 times a power of ten, at most `most` distances."""
    distance = 10.0 ** math.floor(math.log10((high - low) / most))
    distance = next(distance * factor for factor in (1, 2, 5, 10) if (high - low) / (distance * factor) <= most)
    first, last = math.ceil(low / distance), math.floor(high / distance)
    return distance, [number * distance for number in range(first, last + 1)]


def percent_ticks(scale: Scale, most: int) -> list[tuple[float, str]]:
    """(pixel, label) of round percentages on a scale of shares, with as many digits as their distance needs."""
    distance, values = steps(scale.low * 100, scale.high * 100, most)
    digits = max(0, -math.floor(math.log10(distance) + 1e-9))
    return [(scale(value / 100), percent(value / 100, digits)) for value in values]


def shortened(label: str, letters: int) -> str:
    return label if len(label) <= letters else f"{label[: letters - 1]}…"


def percent(share: float, digits: int) -> str:
    return f"{share * 100:.{digits}f} %".replace("-", MINUS)


def integer(number: float) -> str:
    return f"{round(number):,}".replace("-", MINUS)


def count(number: float) -> str:
    """1,000 → 1k, 2,500 → 2.5k, 10,000,000 → 10M."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if abs(number) >= size:
            return f"{number / size:g}{letter}".replace("-", MINUS)
    return f"{number:g}".replace("-", MINUS)
