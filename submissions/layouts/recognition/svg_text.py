"""The text of an SVG as letters with places: chunks and their anchors, shifts, letters placed one by one, text paths.

Fonts are not loaded: widths are those of the portal's typeface where a drawing names it, else those of Helvetica, near
enough to tell words and lines apart.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from svgelements import Matrix

from submissions.layouts.recognition.svg_geometry import (
    baseline_of,
    is_legible,
    length,
    point_along,
    subpaths,
    transform_point,
)
from submissions.layouts.recognition.svg_style import Node, Style
from submissions.layouts.recognition.word_grouping import Letter
from submissions.layouts.typeface import FAMILY, letter_width

WIDTHS = {
    **dict.fromkeys("ijl'", 0.222), **dict.fromkeys("|", 0.26), **dict.fromkeys(" !,./:;ftI[]\\\u00a0", 0.278),
    **dict.fromkeys("()-r`", 0.333), **dict.fromkeys("ckJsvxyz", 0.5), **dict.fromkeys("TFZ", 0.611),
    **dict.fromkeys("ABEKPSVXY&", 0.667), **dict.fromkeys("CDHNRUw", 0.722), **dict.fromkeys("GOQ", 0.778),
    **dict.fromkeys("mM", 0.833), **dict.fromkeys("%", 0.889), **dict.fromkeys("W—@", 0.98),
}  # fmt: skip
BOLDER = 1.07
PRESERVE = "{http://www.w3.org/XML/1998/namespace}space"
SEPARATE = re.compile(r"[\s,]+")


@dataclass(slots=True)
class UnplacedLetter:
    """One letter of a text element before it has its place. `x` and `y` begin a new chunk."""

    text: str
    style: Style
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0
    path: str = ""  # id of the path that it is on
    offset: str = ""  # the beginning of the text on that path


Chunk = list[UnplacedLetter]  # letters that are anchored together
PathData = tuple[str, Matrix]  # a path's data and transform


@dataclass(slots=True)
class TextReader:
    """Collects the letters of one <text>; `styled` gives the style of its children.

    `stack`: the values x, y, dx and dy that each outer element still has for letters, the innermost element last.
    """

    styled: Callable[[Node, Style], Style]
    view: tuple[float, float]  # what percentages are of
    marks: list[UnplacedLetter] = field(default_factory=list)
    stack: list[dict[str, Iterator[float]]] = field(default_factory=list)

    def read(self, node: Node, style: Style, path: str = "", offset: str = "") -> None:
        element = node.etree_element
        if element.tag.rpartition("}")[2] == "textPath":
            path, offset = referenced_id(node), element.get("startOffset", "0")
        self.stack.append({key: self._values(key, element.get(key, ""), style.size) for key in ("x", "y", "dx", "dy")})
        keep = element.get(PRESERVE) == "preserve"
        self._text(element.text or "", style, path, offset, keep)
        for child in node.iter_children():
            name = str(child.etree_element.tag).rpartition("}")[2]
            inner = self.styled(child, style)
            if name in ("tspan", "textPath", "a", "tref", "altGlyph") and inner.shown:
                self.read(child, inner, path, offset)
            self._text(child.etree_element.tail or "", style, path, offset, keep)
        self.stack.pop()

    def _values(self, key: str, text: str, size: float) -> Iterator[float]:
        return (length(part, size=size, of=self.view["y" in key]) for part in SEPARATE.split(text) if part)

    def _text(self, text: str, style: Style, path: str, offset: str, keep: bool) -> None:
        for letter in text:
            space = letter in " \t\r\n"
            if space and not keep and (not self.marks or self.marks[-1].text == " "):
                continue
            mark = UnplacedLetter(" " if space else letter, style, path=path, offset=offset)
            for values in self.stack:  # the innermost value has precedence
                for key, rest in values.items():
                    if (value := next(rest, None)) is not None:
                        setattr(mark, key, value)
            self.marks.append(mark)


def referenced_id(node: Node) -> str:
    """The id of the element that a <use> or <textPath> refers to."""
    attributes = node.etree_element.attrib
    return next((value[1:] for key, value in attributes.items() if key.rpartition("}")[2] == "href"), "")


def place_letters(
    marks: list[UnplacedLetter], matrix: Matrix, run: int, path_of: Callable[[str], PathData | None]
) -> Iterator[tuple[Letter, Style]]:
    """The letters of one <text> on the page; `path_of` gives a path's data and transform by its id."""
    x = y = 0.0
    for chunk in _chunks(marks):
        first = chunk[0]
        x, y = first.x if first.x is not None else x, first.y if first.y is not None else y
        wide = [letter_advance(mark) for mark in chunk]
        shift = {"middle": -0.5, "end": -1.0}.get(first.style.anchor, 0.0) * (
            sum(wide) + sum(mark.dx for mark in chunk) - first.style.spacing
        )
        if first.path:
            yield from _on_path(chunk, wide, shift, matrix, run, path_of(first.path))
            continue
        x += shift
        for mark, width in zip(chunk, wide, strict=True):
            x, y = x + mark.dx, (mark.y if mark.y is not None else y) + mark.dy
            yield _letter(mark, x, y, 0.0, width, matrix, run), mark.style
            x += width


def _chunks(marks: list[UnplacedLetter]) -> Iterator[Chunk]:
    """A given x or y, or another path, begins a new chunk."""
    chunk: Chunk = []
    for mark in marks:
        if chunk and (mark.x is not None or mark.y is not None or mark.path != chunk[-1].path):
            yield _trimmed(chunk)
            chunk = []
        chunk.append(mark)
    if chunk:
        yield _trimmed(chunk)


def _trimmed(chunk: Chunk) -> Chunk:
    """Without the space at the end, which anchors do not count, unless it is the whole chunk."""
    while len(chunk) > 1 and chunk[-1].text == " ":
        chunk = chunk[:-1]
    return chunk


def letter_advance(mark: UnplacedLetter) -> float:
    """The width of a letter with the space after it, in the units of the text."""
    style = mark.style
    width = letter_width(mark.text, bold=style.bold) if style.family == FAMILY else None
    if width is None:
        width = WIDTHS.get(mark.text, 0.556) * (BOLDER if style.bold else 1.0)
    return width * style.size + style.spacing


def _letter(mark: UnplacedLetter, x: float, y: float, angle: float, width: float, matrix: Matrix, run: int) -> Letter:
    cos, sin = math.cos(angle), math.sin(angle)
    placing = Matrix(cos, sin, -sin, cos, 0.0, 0.0) @ matrix
    turned, stretch, rise = baseline_of(placing)
    place = transform_point(matrix, x, y)
    size = mark.style.size * rise
    return Letter(mark.text, *place, turned, width * stretch, size, run, legible=is_legible(placing))


def _on_path(
    chunk: Chunk, wide: list[float], shift: float, matrix: Matrix, run: int, path: PathData | None
) -> Iterator[tuple[Letter, Style]]:
    """Each letter with its middle on the path; letters that do not fit on it are not shown."""
    drawn = subpaths(path[0]) if path else []
    if not path or not drawn:
        return
    points = [transform_point(path[1], *point) for point in drawn[0].points]
    if drawn[0].closed:
        points.append(points[0])
    place = point_along(points)
    whole = sum(math.dist(a, b) for a, b in pairwise(points))
    at = length(chunk[0].offset, of=whole) + shift
    rise = 0.0
    for mark, width in zip(chunk, wide, strict=True):
        at, rise = at + mark.dx, rise + mark.dy
        if point := place(at + width / 2):
            x, y, angle = point
            x, y = x - width / 2 * math.cos(angle), y - width / 2 * math.sin(angle)
            x, y = x - rise * math.sin(angle), y + rise * math.cos(angle)
            yield _letter(mark, x, y, angle, width, matrix, run), mark.style
        at += width
