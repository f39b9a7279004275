"""The path data of SVG (`d`) as points: for frames around closed figures, and for text along a path."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from submissions.layouts.reading.geometry import Point

TOKEN = re.compile(r"[MmLlHhVvCcSsQqTtAaZz]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
ARC = re.compile(r"([Aa])([^A-Za-z]*)")
FLAGS = re.compile(
    r"([-+]?[\d.]+(?:e[-+]?\d+)?)[\s,]+([-+]?[\d.]+(?:e[-+]?\d+)?)[\s,]+([-+]?[\d.]+(?:e[-+]?\d+)?)[\s,]+([01])[\s,]*([01])[\s,]*"
)
STEPS = 12
MOST_TOKENS = 200_000


@dataclass(slots=True)
class Figure:
    """The points of one subpath."""

    points: list[Point] = field(default_factory=list)
    closed: bool = False


def figures(data: str) -> list[Figure]:
    """The subpaths, curves as short straight lines; up to where the data makes no sense."""
    tokens = TOKEN.findall(_spaced(data))[:MOST_TOKENS]
    pen = _Pen()
    index, command = 0, ""
    while index < len(tokens):
        if tokens[index].isalpha():
            command, index = tokens[index], index + 1
        elif command in ("", "Z", "z"):  # numbers with nothing to draw
            break
        takes = TAKES[command.upper()]
        try:
            values = [float(token) for token in tokens[index : index + takes]]
        except ValueError:
            break
        if len(values) < takes or not all(map(math.isfinite, values)):
            break
        pen.draw(command, values)
        index += takes
        command = {"M": "L", "m": "l"}.get(command, command)
    return [figure for figure in pen.figures if len(figure.points) > 1]


def _spaced(data: str) -> str:
    """Arcs with room around their flags, which may be written without."""
    return ARC.sub(lambda arc: arc[1] + FLAGS.sub(r"\1 \2 \3 \4 \5 ", arc[2]), data)


class _Pen:
    """Where the pen is, and what it has drawn."""

    def __init__(self) -> None:
        self.figures: list[Figure] = []
        self.at: Point = (0.0, 0.0)
        self.control: Point = (0.0, 0.0)
        self.last = ""

    def draw(self, command: str, values: list[float]) -> None:
        upper = command.upper()
        here = self.at if command.islower() else (0.0, 0.0)
        control = self.at
        if upper == "Z":
            self._close()
        elif upper == "M":
            self.at = (here[0] + values[0], here[1] + values[1])
            self.figures.append(Figure([self.at]))
        elif upper in "LHV":
            x = values[0] + here[0] if upper != "V" else self.at[0]
            y = values[-1] + here[1] if upper != "H" else self.at[1]
            self._to([(x, y)])
        elif upper == "A":
            self._to(_arc(self.at, values[:5], (values[5] + here[0], values[6] + here[1])))
        else:
            points = [(x + here[0], y + here[1]) for x, y in zip(values[::2], values[1::2], strict=True)]
            if upper in "ST":
                points.insert(0, self._mirrored("CS" if upper == "S" else "QT"))
            control = points[-2]
            self._to(_curve([self.at, *points]))
        self.control, self.last = control, upper

    def _mirrored(self, after: str) -> Point:
        if self.last and self.last in after:
            return 2 * self.at[0] - self.control[0], 2 * self.at[1] - self.control[1]
        return self.at

    def _to(self, points: list[Point]) -> None:
        if not self.figures or self.figures[-1].closed:
            self.figures.append(Figure([self.at]))
        figure = self.figures[-1]
        figure.points += points
        self.at = points[-1]

    def _close(self) -> None:
        if self.figures:
            self.figures[-1].closed = True
            self.at = self.figures[-1].points[0]


def _curve(controls: list[Point]) -> list[Point]:
    """A Bézier curve of any degree, by halving it into points."""
    return [_at(controls, step / STEPS) for step in range(1, STEPS + 1)]


def _at(controls: list[Point], share: float) -> Point:
    while len(controls) > 1:
        controls = [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in pairwise(controls)]
    return controls[0]


def _arc(begin: Point, values: list[float], end: Point) -> list[Point]:
    """An elliptical arc from its ends to its centre (SVG 1.1, F.6.5), in points."""
    rx, ry, turn = abs(values[0]), abs(values[1]), math.radians(values[2])
    if not rx or not ry or begin == end:
        return [end]
    cos, sin = math.cos(turn), math.sin(turn)
    dx, dy = (begin[0] - end[0]) / 2, (begin[1] - end[1]) / 2
    x, y = cos * dx + sin * dy, cos * dy - sin * dx
    grow = math.sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * grow, ry * grow
    under = (rx * y) ** 2 + (ry * x) ** 2
    root = math.sqrt(max(0.0, (rx * ry) ** 2 / under - 1)) * (-1 if bool(values[3]) == bool(values[4]) else 1)
    cx, cy = root * rx * y / ry, -root * ry * x / rx
    start = math.atan2((y - cy) / ry, (x - cx) / rx)
    sweep = (math.atan2((-y - cy) / ry, (-x - cx) / rx) - start) % (2 * math.pi)
    sweep -= 0 if values[4] else 2 * math.pi
    middle = cos * cx - sin * cy + (begin[0] + end[0]) / 2, sin * cx + cos * cy + (begin[1] + end[1]) / 2

    def place(angle: float) -> Point:
        u, v = rx * math.cos(angle), ry * math.sin(angle)
        return cos * u - sin * v + middle[0], sin * u + cos * v + middle[1]

    return [place(start + sweep * step / STEPS) for step in range(1, STEPS)] + [end]


def along(points: list[Point]) -> Callable[[float], tuple[float, float, float] | None]:
    """Where a distance along these points is, and in which direction; None off its ends."""
    parts = [
        (a, math.hypot(b[0] - a[0], b[1] - a[1]), math.atan2(b[1] - a[1], b[0] - a[0]))
        for a, b in pairwise(points)
        if a != b
    ]

    def place(distance: float) -> tuple[float, float, float] | None:
        if distance < 0:
            return None
        for begin, size, angle in parts:
            if distance <= size:
                return begin[0] + distance * math.cos(angle), begin[1] + distance * math.sin(angle), angle
            distance -= size
        return None

    return place
