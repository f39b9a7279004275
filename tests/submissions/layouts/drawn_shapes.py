"""The closed shapes of a reference layout and its lines of text as convex polygons on the sheet, in millimeters."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from submissions.layouts.typeface import text_width

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]
Polygon = tuple[Point, ...]
CORNERS = 24  # of a circle
GROUPS = ("data-element", "data-spot", "data-inscription")


@dataclass(frozen=True)
class Drawn:
    """A shape or a line of text (`words`), and the innermost group with a name that it is in, by its number."""

    polygon: Polygon
    group: int
    name: str  # of the group
    words: str = ""
    dashed: bool = False

    @cached_property
    def middle(self) -> Point:
        xs, ys = zip(*self.polygon, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    @cached_property
    def reach(self) -> float:
        return max(math.dist(self.middle, corner) for corner in self.polygon)


def turned(transform: str, point: Point) -> Point:
    """The point as `translate(…)` and `rotate(…)` put it, the last first."""
    x, y = point
    for name, inside in reversed(re.findall(r"(translate|rotate)\(([^)]*)\)", transform)):
        values = [float(value) for value in inside.split()]
        if name == "translate":
            x, y = x + values[0], y + values[1]
        else:
            turn = math.radians(values[0])
            x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
    return x, y


def drawn_shapes(sheet: ET.Element) -> list[Drawn]:
    """Those in groups with a name, without pips and tubes; arcs are not closed."""
    return list(_visited(sheet, (), (0, ""), [0]))


def _visited(
    node: ET.Element, transforms: tuple[str, ...], group: tuple[int, str], count: list[int]
) -> Iterator[Drawn]:
    transforms = (*transforms, node.get("transform", ""))
    if name := next((node.get(key) for key in GROUPS if node.get(key)), None):
        count[0] += 1
        group = (count[0], name)
    polygon = (_text(node) if node.tag == f"{SVG}text" else _shape(node)) if group[0] else ()
    if polygon:
        for transform in reversed(transforms):
            polygon = tuple(turned(transform, corner) for corner in polygon)
        words = "".join(node.itertext()) if node.tag == f"{SVG}text" else ""
        yield Drawn(polygon, *group, words, bool(node.get("stroke-dasharray")))
    for child in node:
        yield from _visited(child, transforms, group, count)


def _number(node: ET.Element, key: str) -> float:
    return float(node.get(key, "0"))


def _text(node: ET.Element) -> Polygon:
    size, words = _number(node, "font-size"), "".join(node.itertext())
    wide = text_width(words, size) + sum(float(part.get("dx", "0")) for part in node)
    left = _number(node, "x") - wide * {"middle": 0.5, "end": 1}.get(node.get("text-anchor", ""), 0)
    foot = _number(node, "y")
    return _box(left, foot - 0.7 * size, wide, 0.9 * size)


def _box(x: float, y: float, wide: float, high: float) -> Polygon:
    return (x, y), (x + wide, y), (x + wide, y + high), (x, y + high)


def _shape(node: ET.Element) -> Polygon:
    if node.tag == f"{SVG}rect":
        return _box(*(_number(node, key) for key in ("x", "y", "width", "height")))
    if node.tag == f"{SVG}circle" and node.get("stroke") != "none":
        x, y, radius = (_number(node, key) for key in ("cx", "cy", "r"))
        angles = [math.tau * place / CORNERS for place in range(CORNERS)]
        return tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)
    if node.tag == f"{SVG}path" and node.get("d", "").endswith("Z"):
        return _path(node.get("d", ""))
    return ()


def _path(data: str) -> Polygon:
    """A polygon; or an oval, whose ends are half circles."""
    if "A" not in data:
        return tuple((float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", data))
    flat, radius = (float(value) for value in re.findall(r"M-([\d.]+) -([\d.]+)H", data)[0])
    angles = [math.pi * place / (CORNERS // 2) - math.pi / 2 for place in range(CORNERS // 2 + 1)]
    right = [(flat + radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]
    return (*right, *((-x, -y) for x, y in right))


def are_apart(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether a straight line along a side of one of the polygons lies between them."""
    for polygon in (one, other):
        for first, second in pairwise((*polygon, polygon[0])):
            across = (first[1] - second[1], second[0] - first[0])
            here, there = ([x * across[0] + y * across[1] for x, y in each] for each in (one, other))
            if max(here) <= min(there) or max(there) <= min(here):
                return True
    return False


def is_within(inner: Sequence[Point], outer: Sequence[Point]) -> bool:
    """Whether every corner of `inner` is on the same side of each side of `outer`."""
    sides = [
        [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for a, b in pairwise((*outer, outer[0]))]
        for x, y in inner
    ]
    return all(min(signs) >= -1e-6 or max(signs) <= 1e-6 for signs in sides)
