"""Transforms, lengths and paths of SVG, as numbers.

A matrix is (a, b, c, d, e, f) as SVG writes it: x' = a·x + c·y + e, y' = b·x + d·y + f.
"""

from __future__ import annotations

import math
import re

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TRANSFORM = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)")
UNITS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "q": 96 / 101.6}
LENGTH = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-zA-Z%]*)\s*")


def numbers(text: str) -> list[float]:
    return [number for found in NUMBER.findall(text) if math.isfinite(number := float(found))]


def length(text: str, *, of: float = 0.0, size: float = 16.0, default: float = 0.0) -> float:
    """A length in pixels; percentages are shares `of` something, em and ex follow the letters' size."""
    found = LENGTH.fullmatch(text)
    if not found:
        return default
    value, unit = float(found[1]), found[2].lower()
    factor = {"%": of / 100, "em": size, "rem": 16.0, "ex": size / 2, "ch": size / 2}.get(unit) or UNITS.get(unit)
    return value * factor if factor is not None and math.isfinite(value) else default


def times(first: Matrix, second: Matrix) -> Matrix:
    """`second` within `first`: what is drawn by `second` is then moved by `first`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def applied(matrix: Matrix, x: float, y: float) -> Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def transform(text: str) -> Matrix:
    """The value of a `transform` attribute."""
    matrix = SAME
    for name, inside in TRANSFORM.findall(text):
        matrix = times(matrix, _single(name, numbers(inside)))
    return matrix


def _single(name: str, values: list[float]) -> Matrix:
    first, second = (*values, 0.0, 0.0)[:2]
    if name == "matrix" and len(values) == 6:
        return (values[0], values[1], values[2], values[3], values[4], values[5])
    if name == "translate":
        return (1.0, 0.0, 0.0, 1.0, first, second)
    if name == "scale" and values:
        return (first, 0.0, 0.0, second if len(values) > 1 else first, 0.0, 0.0)
    if name == "rotate":
        cos, sin = math.cos(math.radians(first)), math.sin(math.radians(first))
        x, y = (values[1], values[2]) if len(values) == 3 else (0.0, 0.0)
        return (cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)
    if name in ("skewX", "skewY"):
        slope = math.tan(math.radians(first))
        return (1.0, slope, 0.0, 1.0, 0.0, 0.0) if name == "skewY" else (1.0, 0.0, slope, 1.0, 0.0, 0.0)
    return SAME


def fitted(view: list[float], width: float, height: float, ratio: str) -> Matrix:
    """How a `viewBox` is laid into its viewport."""
    if len(view) != 4 or view[2] <= 0 or view[3] <= 0:
        return SAME
    across, down = width / view[2], height / view[3]
    if "none" in ratio:
        return (across, 0.0, 0.0, down, -view[0] * across, -view[1] * down)
    scale = max(across, down) if "slice" in ratio else min(across, down)
    left = {"xMin": 0.0, "xMax": 1.0}.get(next(iter(re.findall("xM[a-z]{2}", ratio)), ""), 0.5)
    top = {"YMin": 0.0, "YMax": 1.0}.get(next(iter(re.findall("YM[a-z]{2}", ratio)), ""), 0.5)
    e = (width - view[2] * scale) * left - view[0] * scale
    return (scale, 0.0, 0.0, scale, e, (height - view[3] * scale) * top - view[1] * scale)


def turned(matrix: Matrix) -> float:
    """By which angle a matrix turns a baseline."""
    return math.atan2(matrix[1], matrix[0])


def scaled(matrix: Matrix) -> tuple[float, float]:
    """By how much it stretches along a baseline and across."""
    return math.hypot(matrix[0], matrix[1]), math.hypot(matrix[2], matrix[3])
