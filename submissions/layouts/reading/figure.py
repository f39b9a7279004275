"""The figures of an SVG: their frames on the page, what stands on them, and what they hide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from submissions.layouts.drawing import Box, Page
from submissions.layouts.reading.geometry import Matrix, Point, applied, length, numbers
from submissions.layouts.reading.paths import figures
from submissions.layouts.reading.pieces import Letter, frame, share
from submissions.layouts.reading.style import Colour, Style

KINDS = {"rect", "circle", "ellipse", "polygon", "polyline", "path", "line"}
SMALLEST, LARGEST = 0.01, 0.98  # of the page: what may be an area of the layout
MOST = 4000
WHITE: Colour = (1.0, 1.0, 1.0)
ALIKE = 0.04  # two colours nobody tells apart
Drawn = tuple[Any, str, Matrix, Style, tuple[float, float]]  # an element, its name, and what it is drawn with


@dataclass(frozen=True, slots=True)
class Painted:
    """One closed figure. `covers`: nothing under it can be seen."""

    frame: tuple[float, float, float, float]
    fill: Colour | str | None
    covers: bool = False
    closed: bool = True


def painted(element: Any, name: str, matrix: Matrix, style: Style, view: tuple[float, float]) -> list[Painted]:
    """The closed figures that an element paints; those that cannot be seen are none."""
    if not style.seen:
        return []
    straight = not (matrix[1] or matrix[2]) or not (matrix[0] or matrix[3])
    solid = isinstance(style.fill, tuple) and style.fill_opacity * style.opacity > 0.95
    fill = style.fill if style.fill_opacity * style.opacity > 0.5 else ""
    plain = name == "rect" and straight and solid and not element.get("clip-path") and not element.get("mask")
    return [
        Painted(frame([applied(matrix, *point) for point in points]), fill, plain, closed)
        for points, closed in outlines(element, name, view)
        if points
    ]


def outlines(element: Any, name: str, view: tuple[float, float]) -> list[tuple[list[Point], bool]]:
    """The lines of an element in its own units, each with whether it is closed."""

    def number(key: str) -> float:
        return length(element.get(key, "0"), of=view[key in ("y", "cy", "ry", "height")])

    if name == "rect":
        x, y, right, low = number("x"), number("y"), number("x") + number("width"), number("y") + number("height")
        return [([(x, y), (right, y), (right, low), (x, low)], True)]
    if name in ("circle", "ellipse"):
        rx, ry = (number("r"), number("r")) if name == "circle" else (number("rx"), number("ry"))
        x, y = number("cx"), number("cy")
        return [([(x - rx, y - ry), (x + rx, y - ry), (x + rx, y + ry), (x - rx, y + ry)], True)]
    if name in ("polygon", "polyline"):
        values = numbers(element.get("points", ""))
        points = list(zip(values[::2], values[1::2], strict=False))
        return [(points, name == "polygon" or points[:1] == points[-1:])]
    if name == "path":
        found = figures(element.get("d", ""))
        return [(one.points, one.closed or one.points[0] == one.points[-1]) for one in found]
    return []


def large(one: Painted, page: Page) -> bool:
    left, top, right, bottom = one.frame
    return (right - left) >= SMALLEST * page.width and (bottom - top) >= SMALLEST * page.height


def areas(found: Iterable[Painted], page: Page) -> list[Box]:
    """The frames of the figures that are large enough to be an area, and smaller than the page."""
    boxes = [share(one.frame, page) for one in found if one.closed and large(one, page)]
    return [box for box in boxes if min(box.width, box.height) < LARGEST][:MOST]


def ground(grounds: Sequence[Painted], letter: Letter) -> Colour | None:
    """The colour under a letter: of the uppermost figure around it, else the white of the page; None if not known."""
    x, y = letter.x + letter.advance / 2, letter.y - letter.size / 3
    for one in reversed(grounds):
        left, top, right, bottom = one.frame
        if one.fill != "" and left <= x <= right and top <= y <= bottom:
            return one.fill if isinstance(one.fill, tuple) else None
    return WHITE


Written = tuple[Letter, Style, Colour | None, int]  # with the colour of its ground, and how many covers came before


def seen(letters: Iterable[Written], covers: Sequence[Painted]) -> Iterator[Letter]:
    """The letters that can be seen; a space where one cannot, so that words do not grow together."""
    for letter, style, under, before in letters:
        hidden = not style.seen or _lost(style, under) or any(_under(letter, one) for one in covers[before:])
        yield Letter(" ", letter.x, letter.y, 0, 0, letter.size) if hidden else letter


def _lost(style: Style, under: Colour | None) -> bool:
    """Whether letters have the colour of their ground, inside and around."""
    if under is None:
        return False
    paints = [style.fill, style.stroke]
    return all(paint == "" or (isinstance(paint, tuple) and _alike(paint, under)) for paint in paints)


def _alike(one: Colour, other: Colour) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < ALIKE


def _under(letter: Letter, one: Painted) -> bool:
    left, top, right, bottom = one.frame
    return (
        left <= letter.x <= right
        and top <= letter.y - letter.size / 3 <= bottom
        and right >= letter.x + letter.advance / 2
    )
