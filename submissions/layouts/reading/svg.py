"""An SVG's words and closed figures, walked through in the order they are painted.

What cannot be seen is left out: not displayed, transparent, of its ground's colour, or under a figure painted later.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cssselect2
from defusedxml import ElementTree

from submissions.errors import Refusal
from submissions.layouts.drawing import Drawing, Page, Shape, Source, Word
from submissions.layouts.reading import figure
from submissions.layouts.reading.geometry import UNITS, Matrix, fitted, length, numbers, times, transform
from submissions.layouts.reading.pieces import lined, pieces
from submissions.layouts.reading.style import Node, Style, sheet, style_of
from submissions.layouts.reading.tesseract import available
from submissions.layouts.reading.text import Reader, letters

GROUPS = {"g", "a", "svg", "switch", "use", "symbol"}
MOST_VISITED = 60_000  # elements, as often as they are used
MANY = 20  # figures that may be letters
DEEP = 120  # within each other, with what is used


@dataclass(slots=True)
class _Walk:
    """What was met so far."""

    matcher: cssselect2.Matcher
    named: dict[str, Node]
    page: Page  # in pixels
    view: tuple[float, float]  # what percentages are of, in the units drawn in
    letters: list[figure.Written] = field(default_factory=list)
    painted: list[figure.Painted] = field(default_factory=list)
    grounds: list[figure.Painted] = field(default_factory=list)  # those that something may stand on
    covers: list[figure.Painted] = field(default_factory=list)
    visited: int = 0
    runs: int = 0
    pictures: int = 0
    drawn: list[figure.Drawn] = field(default_factory=list)  # as they were met
    used: list[str] = field(default_factory=list)


def read(content: bytes) -> Drawing:
    """The drawing; `harmless` has let it pass."""
    root = cssselect2.ElementWrapper.from_xml_root(ElementTree.fromstring(content))
    named = {node.etree_element.get("id", ""): node for node in root.iter_subtree() if node.etree_element.get("id")}
    page, told = _page(root.etree_element)
    walk = _Walk(sheet(root), named, page, _inner(root.etree_element, page.width, page.height))
    style = style_of(root, Style(), walk.matcher)
    if style.shown:
        _children(walk, root, _view(root.etree_element, page.width, page.height), style, 0)
    found = pieces(figure.seen(walk.letters, walk.covers))
    inside = [piece for piece in found if _inside(piece.frame, page)]
    shapes = tuple(dict.fromkeys(Shape(0, box) for box in figure.areas(walk.painted, page)))
    outlined = not inside and (len(walk.painted) >= MANY or walk.pictures > 0)
    if outlined and len(walk.painted) >= MANY and available():
        return Drawing(Source.PICTURE, (told,), tuple(_recognised(walk)), shapes, outlined)
    return Drawing(Source.SVG, (told,), tuple(lined(inside, 0, page)), shapes, outlined)


def _recognised(walk: _Walk) -> list[Word]:
    """The words of letters that are drawn as outlines."""
    from submissions.layouts.reading import painting, picture  # only here: they take time and map memory

    return picture.words(painting.painted(walk.drawn, walk.page, picture.LONG_SIDE), 0)


def _page(root: Any) -> tuple[Page, Page]:
    """Its size in pixels, and as the drawing tells it: in millimetres where it says so."""
    view = numbers(root.get("viewBox", ""))
    sides = view[2:4] if len(view) == 4 and min(view[2:4]) > 0 else [300.0, 150.0]
    told = [root.get("width", ""), root.get("height", "")]
    pixels = [length(text, of=side) or side for text, side in zip(told, sides, strict=True)]
    if sum(1 for text in told if length(text)) == 1 and len(view) == 4:  # the other follows
        scale = next(pixel / side for text, pixel, side in zip(told, pixels, sides, strict=True) if length(text))
        pixels = [side * scale for side in sides]
    measured = any(length(text) and "%" not in text for text in told)
    factor = 1 / UNITS["mm"] if measured else 1.0
    return Page(*pixels), Page(*(round(pixel * factor, 3) for pixel in pixels))


def _view(element: Any, width: float, height: float) -> Matrix:
    return fitted(numbers(element.get("viewBox", "")), width, height, element.get("preserveAspectRatio", "xMidYMid"))


def _inner(element: Any, width: float, height: float) -> tuple[float, float]:
    """The size of a viewport in the units of what is drawn in it."""
    view = numbers(element.get("viewBox", ""))
    return (view[2], view[3]) if len(view) == 4 else (width, height)


def _children(walk: _Walk, node: Node, matrix: Matrix, style: Style, depth: int) -> None:
    for child in node.iter_children():
        if isinstance(child.etree_element.tag, str):
            _visit(walk, child, matrix, style, depth + 1)
            if node.local_name == "switch":  # shows one of its children
                return


def _visit(walk: _Walk, node: Node, matrix: Matrix, outer: Style, depth: int) -> None:
    walk.visited += 1
    if walk.visited > MOST_VISITED or depth > DEEP:
        raise Refusal("layout-too-large", "The drawing shows too many elements.", fix="Simplify it.")
    name, element = node.local_name, node.etree_element
    if name not in GROUPS and name not in figure.KINDS and name not in ("text", "image"):
        return
    style = style_of(node, outer, walk.matcher)
    if not style.shown:
        return
    matrix = times(matrix, transform(element.get("transform", "")))
    if name == "text":
        _text(walk, node, matrix, style)
    elif name == "image":
        walk.pictures += 1
    elif name == "use":
        _use(walk, node, matrix, style, depth)
    elif name == "svg":
        _nested(walk, node, node, matrix, style, depth)
    elif name in GROUPS and name != "symbol":
        _children(walk, node, matrix, style, depth)
    elif name in figure.KINDS:
        walk.drawn.append((element, name, matrix, style, walk.view))
        _paint(walk, figure.painted(*walk.drawn[-1]))


def _paint(walk: _Walk, found: list[figure.Painted]) -> None:
    walk.painted += found
    walk.grounds += [one for one in found if one.fill != "" and figure.large(one, walk.page)]
    walk.covers += [one for one in found if one.covers]


def _nested(walk: _Walk, node: Node, sized: Node, matrix: Matrix, style: Style, depth: int) -> None:
    """A drawing within the drawing; `sized` says where and how large."""
    element, outer = sized.etree_element, walk.view
    width, height = (
        length(element.get(key, "100%"), of=side) for key, side in zip(("width", "height"), outer, strict=True)
    )
    walk.view = _inner(node.etree_element, width, height)
    _children(walk, node, times(_moved(element, matrix, outer), _view(node.etree_element, width, height)), style, depth)
    walk.view = outer


def _moved(element: Any, matrix: Matrix, view: tuple[float, float]) -> Matrix:
    across, down = (length(element.get(key, "0"), of=side) for key, side in zip("xy", view, strict=True))
    return times(matrix, (1, 0, 0, 1, across, down))


def _use(walk: _Walk, node: Node, matrix: Matrix, style: Style, depth: int) -> None:
    element = node.etree_element
    key = next((value[1:] for name, value in element.attrib.items() if name.rpartition("}")[2] == "href"), "")
    target = walk.named.get(key)
    if target is None or key in walk.used:
        return
    walk.used.append(key)
    if target.local_name == "symbol":
        _nested(walk, target, node, matrix, style_of(target, style, walk.matcher), depth + 1)
    else:
        _visit(walk, target, _moved(element, matrix, walk.view), style, depth + 1)
    walk.used.pop()


def _text(walk: _Walk, node: Node, matrix: Matrix, style: Style) -> None:
    reader = Reader(lambda inner, outer: style_of(inner, outer, walk.matcher), walk.view)
    reader.read(node, style)
    walk.runs += 1
    for letter, own in letters(reader.marks, matrix, walk.runs, lambda key: _path(walk, key)):
        walk.letters.append((letter, own, figure.ground(walk.grounds, letter), len(walk.covers)))


def _path(walk: _Walk, key: str) -> tuple[str, Matrix] | None:
    node = walk.named.get(key)
    if node is None or node.local_name != "path":
        return None
    return node.etree_element.get("d", ""), transform(node.etree_element.get("transform", ""))


def _inside(frame: tuple[float, float, float, float], page: Page) -> bool:
    return frame[2] > 0 and frame[3] > 0 and frame[0] < page.width and frame[1] < page.height
