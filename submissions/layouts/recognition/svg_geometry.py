"""Lengths, transforms and path data of SVG as numbers: `svgelements` parses them; its errors and limits are ours.

What a file says wrongly counts only up to the error. Not here: how elements are drawn (`figures`).
"""

import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any

from svgelements import Close, Curve, Matrix, Move, Path, Viewbox

Coordinates = tuple[float, float]
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
SQUEEZED = 0.35  # width for the height of letters
SLANTED = 0.7  # sine of the angle; italics have 0.2 to 0.35
UNITS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "q": 96 / 101.6}
LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*([a-zA-Z%]*)\s*")
DOT_AT_END = re.compile(r"(?<=\d)\.(?!\d)")  # "6.", which svgelements does not take for a number
MAX_NUMBERS = 200_000  # in the data of one path; the rest is not drawn
CURVE_SHARES = [step / 12 for step in range(1, 13)]  # the points of a curve that become corners
INVALID = (ValueError, TypeError, IndexError, AttributeError, ArithmeticError)  # what svgelements raises for bad text


@dataclass(slots=True)
class Subpath:
    """The points of one subpath; curves are short straight lines."""

    points: list[Coordinates] = field(default_factory=list)
    closed: bool = False


def numbers(text: str) -> list[float]:
    """Return all finite numbers in a list such as `points` or `viewBox`."""
    return [number for match in NUMBER.findall(text) if math.isfinite(number := float(match))]


def length(text: str, *, of: float = 0.0, size: float = 16.0, default: float = 0.0) -> float:
    """Return a length in pixels. Percentages are shares of `of`; em and ex follow `size`, the size of the letters."""
    match = LENGTH.fullmatch(text)
    if not match:
        return default
    value, unit = float(match[1]), match[2].lower()
    factor = {"%": of / 100, "em": size, "rem": 16.0, "ex": size / 2, "ch": size / 2}.get(unit) or UNITS.get(unit)
    return value * factor if factor is not None and math.isfinite(value) else default


def transform(text: str) -> Matrix:
    """Return the value of a `transform` attribute; one that is not valid moves nothing."""
    try:
        matrix = Matrix(text)
        return matrix if all(math.isfinite(matrix[place]) for place in range(6)) else Matrix()
    except INVALID:
        return Matrix()


def view_transform(view: Sequence[float], width: float, height: float, ratio: str) -> Matrix:
    """Return the transform of a `viewBox` into a viewport of this size; `ratio`: its `preserveAspectRatio`."""
    if len(view) != 4 or view[2] <= 0 or view[3] <= 0:
        return Matrix()
    return transform(Viewbox.viewbox_transform(0, 0, width, height, *view, ratio))


def transform_point(matrix: Matrix, x: float, y: float) -> Coordinates:
    """Return the point after the transform."""
    point = matrix.point_in_matrix_space((x, y))
    return point.x, point.y


def baseline_of(matrix: Matrix) -> tuple[float, float, float]:
    """Return the angle in radians by which a matrix turns a baseline, and its factors along and across it."""
    return math.atan2(matrix.b, matrix.a), math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)


def is_legible(matrix: Matrix) -> bool:
    """Return whether letters placed by this matrix, y downwards, are the right way round, not squeezed or slanted."""
    _, along, across = baseline_of(matrix)
    area, turned = along * across, matrix.a * matrix.d - matrix.b * matrix.c
    slant = abs(matrix.a * matrix.c + matrix.b * matrix.d)
    return turned > 0 and along > SQUEEZED * across and slant < SLANTED * area


def subpaths(data: str) -> list[Subpath]:
    """Return the subpaths of the attribute `d`, as far as it is valid."""
    too_far = next(islice(NUMBER.finditer(data), MAX_NUMBERS, None), None)
    path, drawn = Path(), list[Subpath]()
    with suppress(*INVALID):  # the segments before the error are drawn
        path.parse(DOT_AT_END.sub(" ", data[: too_far.start()] if too_far else data))
    with suppress(*INVALID):  # the error may leave a segment without an end
        for segment in path:
            _draw(segment, drawn)
    return [subpath for subpath in drawn if len(subpath.points) > 1]


def _draw(segment: Any, drawn: list[Subpath]) -> None:
    """Add a segment to the subpaths that are drawn before it."""
    if isinstance(segment, Close):
        drawn[-1].closed = True
        return
    points = _points(segment)
    if not all(math.isfinite(value) for point in points for value in point):
        raise ValueError("a coordinate is not finite")
    if isinstance(segment, Move):
        drawn.append(Subpath())
    elif not drawn or drawn[-1].closed:
        drawn.append(Subpath([_xy(segment.start) if segment.start else (0.0, 0.0)]))
    drawn[-1].points += points


def _points(segment: Any) -> list[Coordinates]:
    """Return the points of a segment after its beginning: the end of a line, twelve points of a curve."""
    if isinstance(segment, Curve):
        return [(x, y) for x, y in segment.npoint(CURVE_SHARES).tolist()]
    return [_xy(segment.end)]


def _xy(point: Any) -> Coordinates:
    return point.x, point.y


def point_along(points: Sequence[Coordinates]) -> Callable[[float], tuple[float, float, float] | None]:
    """Return a function from a distance along these points to point and direction there; None beyond the ends."""
    parts = [(a, math.dist(a, b), math.atan2(b[1] - a[1], b[0] - a[0])) for a, b in pairwise(points) if a != b]

    def at(distance: float) -> tuple[float, float, float] | None:
        if distance < 0:
            return None
        for begin, size, angle in parts:
            if distance <= size:
                return begin[0] + distance * math.cos(angle), begin[1] + distance * math.sin(angle), angle
            distance -= size
        return None

    return at
