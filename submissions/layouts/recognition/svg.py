"""The words and closed figures of an SVG, visited in the order in which they are painted.

What people cannot see is left out, as the painted drawing shows it (`svg_visibility`). Letters get places by chunks and
their anchors, shifts, positions one by one, and text paths. Fonts are not loaded: widths are those of the portal's
typeface where a drawing names it, else those of Helvetica, near enough to tell words and lines apart.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cssselect2
import numpy as np
from defusedxml import ElementTree
from PIL import Image
from svgelements import Matrix

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import Drawing, DrawingPage, DrawingSource, PagePlace
from submissions.layouts.recognition import figures, picture
from submissions.layouts.recognition.legibility import LONG_SIDE, Sight, is_crossed
from submissions.layouts.recognition.line_recognition import is_tesseract_installed
from submissions.layouts.recognition.svg_geometry import (
    UNITS,
    baseline_of,
    is_legible,
    length,
    numbers,
    point_along,
    subpaths,
    transform,
    transform_point,
    view_transform,
)
from submissions.layouts.recognition.svg_painting import RESOURCES, PlacedText, paint_without_text
from submissions.layouts.recognition.svg_style import Node, Style, StyleRules, style_of, style_rules
from submissions.layouts.recognition.svg_visibility import SeenLetter, seen_letters, without_struck
from submissions.layouts.recognition.word_grouping import Letter, PlacedWord, group_letters, words_in_lines
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
    """A collector of the letters of one <text>; `styled` gives the style of its children.

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
    """Return the id of the element that a <use> or <textPath> refers to."""
    attributes = node.etree_element.attrib
    return next((value[1:] for key, value in attributes.items() if key.rpartition("}")[2] == "href"), "")


def place_letters(
    marks: list[UnplacedLetter], matrix: Matrix, run: int, path_of: Callable[[str], PathData | None]
) -> Iterator[tuple[Letter, Style]]:
    """Yield the letters of one <text> on the page; `path_of` gives a path's data and transform by its id."""
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


def _chunks(marks: list[UnplacedLetter]) -> list[Chunk]:
    """Return the text's chunks: a given x or y, or another path, begins a new one."""
    chunks: list[Chunk] = []
    for mark in marks:
        if not chunks or mark.x is not None or mark.y is not None or mark.path != chunks[-1][-1].path:
            chunks.append([])
        chunks[-1].append(mark)
    for chunk in chunks:
        while len(chunk) > 1 and chunk[-1].text == " ":  # at the end, where anchors do not count it
            chunk.pop()
    return chunks


def letter_advance(mark: UnplacedLetter) -> float:
    """Return the width of a letter with the space after it, in the units of the text."""
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
    """Yield each letter with its middle on the path; letters that do not fit on it are not shown."""
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


GROUPS = {"g", "a", "svg", "switch", "use", "symbol"}
MOST_VISITED = 60_000  # elements, as often as they are used
OUTLINE_FIGURES = 20  # figures that may be letters
LENGTH_UNITS = UNITS.keys() - {"", "px"}
SQUEEZED = 0.5  # of the width of a text in the reader's typeface
DEEP = 120  # within each other, with what is used


@dataclass(slots=True)
class _Walk:
    """The elements visited so far."""

    rules: StyleRules
    named: dict[str, Node]
    page: DrawingPage  # in pixels
    view: tuple[float, float]  # what percentages are of, in the units drawn in
    texts: list[tuple[PlacedText, list[Letter]]] = field(default_factory=list)  # with its letters on the page
    painted: list[figures.PaintedFigure] = field(default_factory=list)
    visited: int = 0
    runs: int = 0
    drawn: list[figures.FigureDrawing] = field(default_factory=list)  # in the order of visit
    used: list[str] = field(default_factory=list)


def read(content: bytes) -> Drawing:
    """Return the drawing; `file_checks` has admitted it."""
    root = cssselect2.ElementWrapper.from_xml_root(ElementTree.fromstring(content))
    named = {node.etree_element.get("id", ""): node for node in root.iter_subtree() if node.etree_element.get("id")}
    page, stated_page = _page(root.etree_element)
    matrix, view = _viewport(root.etree_element, page.width, page.height)
    walk = _Walk(style_rules(root), named, page, view)
    style = style_of(root, Style(), walk.rules)
    if style.shown:
        _children(walk, root, matrix, style, 0)
    letters = seen_letters(root, walk.rules, page, _pixel_mm(root.etree_element), walk.texts)
    by_style = [style.struck for text, placed in walk.texts for style, _ in zip(text.styles, placed, strict=True)]
    letters = without_struck(letters, by_style, walk.drawn)
    placed, unclear = (_words(letters, sight, page) for sight in (Sight.VISIBLE, Sight.UNCLEAR))
    inside, crossed = _clear_and_unclear(root, walk, placed)
    unclear += crossed
    shapes, lines = (
        tuple(dict.fromkeys(PagePlace(0, box) for box in figures.area_boxes(walk.painted, page, closed=closed)))
        for closed in (True, False)
    )
    pictures = _has_pictures(root)
    outlined = not inside and (len(walk.painted) >= OUTLINE_FIGURES or pictures)
    words, unclear_words = (words_in_lines(placed, 0, page) for placed in (inside, unclear))
    source = DrawingSource.SVG
    if is_tesseract_installed() and (outlined or pictures or figures.may_be_letters(walk.painted, page)):
        if pictures:
            image = Image.fromarray(paint_without_text(root, walk.rules, page, picture.LONG_SIDE))
        else:  # only the fill of its figures, which disturbs recognition less
            image = figures.paint_figures(walk.drawn, page, picture.LONG_SIDE)
        words += picture.recognize_beside(image, 0, words)
        source = DrawingSource.PICTURE if outlined else source
    return Drawing(source, (stated_page,), tuple(words), shapes, outlined, tuple(unclear_words), lines)


def _clear_and_unclear(root: Node, walk: _Walk, words: list[PlacedWord]) -> tuple[list[PlacedWord], list[PlacedWord]]:
    """Return the words that can be read and that no line crosses, and the others."""
    if not words:
        return [], []
    rest = paint_without_text(root, walk.rules, walk.page, LONG_SIDE).astype(np.int16)
    scale = rest.shape[1] / walk.page.width, rest.shape[0] / walk.page.height
    seen = [(word, word.legible and not is_crossed(word, rest, scale)) for word in words]
    return [word for word, is_clear in seen if is_clear], [word for word, is_clear in seen if not is_clear]


def _has_pictures(root: Node) -> bool:
    """Return whether words may stand in pictures, wherever used, or in a pattern's text, which is not read."""
    return any(
        node.local_name in ("image", "feImage")
        or (node.local_name in RESOURCES and any(inner.local_name == "text" for inner in node.iter_subtree()))
        for node in root.iter_subtree()
        if isinstance(node.etree_element.tag, str)
    )


def _words(letters: list[SeenLetter], sight: Sight, page: DrawingPage) -> list[PlacedWord]:
    """Return the words of this sight on the page; letters of another sight are spaces, so that words are not joined."""
    shown = (
        seen.letter if seen.sight is sight else Letter(" ", seen.letter.x, seen.letter.y, 0, 0, seen.letter.size)
        for seen in letters
    )
    return [word for word in group_letters(shown) if _is_on_page(word.frame, page)]


def _page(root: Any) -> tuple[DrawingPage, DrawingPage]:
    """Return the page's size in pixels, and as the drawing states it: in millimeters if it does."""
    view = numbers(root.get("viewBox", ""))
    sides = view[2:4] if len(view) == 4 and min(view[2:4]) > 0 else [300.0, 150.0]
    stated = [root.get("width", ""), root.get("height", "")]
    pixels = [length(text, of=side) or side for text, side in zip(stated, sides, strict=True)]
    if sum(1 for text in stated if length(text)) == 1 and len(view) == 4:  # the other follows
        scale = next(pixel / side for text, pixel, side in zip(stated, pixels, sides, strict=True) if length(text))
        pixels = [side * scale for side in sides]
    measured = any(length(text) and "%" not in text for text in stated)
    factor = 1 / UNITS["mm"] if measured else 1.0
    return DrawingPage(*pixels), DrawingPage(*(round(pixel * factor, 3) for pixel in pixels))


def _pixel_mm(root: Any) -> float:
    """Return the millimeters of a pixel; 0 if the drawing does not state its size in a unit of length."""
    sides = [root.get(key, "").strip().lower() for key in ("width", "height")]
    return 1 / UNITS["mm"] if any(side.endswith(tuple(LENGTH_UNITS)) for side in sides) else 0.0


def _viewport(element: Any, width: float, height: float) -> tuple[Matrix, tuple[float, float]]:
    """Return the transform of a drawing into a viewport of this size, and that size in the drawing's units."""
    view = numbers(element.get("viewBox", ""))
    matrix = view_transform(view, width, height, element.get("preserveAspectRatio", "xMidYMid"))
    return matrix, (view[2], view[3]) if len(view) == 4 else (width, height)


def _children(walk: _Walk, node: Node, matrix: Matrix, style: Style, depth: int) -> None:
    for child in node.iter_children():
        if isinstance(child.etree_element.tag, str):
            _visit(walk, child, matrix, style, depth + 1)


def _visit(walk: _Walk, node: Node, matrix: Matrix, outer: Style, depth: int) -> None:
    walk.visited += 1
    if walk.visited > MOST_VISITED or depth > DEEP:
        raise Refusal("layout-too-large/elements")
    name, element = node.local_name, node.etree_element
    if name not in GROUPS and name not in figures.KINDS and name != "text":
        return
    style = style_of(node, outer, walk.rules)
    if not style.shown:
        return
    matrix = transform(walk.rules.declared(node).get("transform") or element.get("transform", "")) @ matrix
    if name == "text":
        _text(walk, node, matrix, style)
    elif name == "use":
        _use(walk, node, matrix, style, depth)
    elif name == "svg":
        _nested(walk, node, node, matrix, style, depth)
    elif name in GROUPS and name != "symbol":
        _children(walk, node, matrix, style, depth)
    elif name in figures.KINDS:
        walk.drawn.append((element, name, matrix, style, walk.view))
        walk.painted += figures.painted_figures(*walk.drawn[-1])


def _nested(walk: _Walk, node: Node, sized_by: Node, matrix: Matrix, style: Style, depth: int) -> None:
    """Walk a drawing within the drawing; `sized_by` has its place and size."""
    element, outer = sized_by.etree_element, walk.view
    sides = zip(("width", "height"), outer, strict=True)
    width, height = (length(element.get(key, "100%"), of=side) for key, side in sides)
    fitted, walk.view = _viewport(node.etree_element, width, height)
    _children(walk, node, fitted @ _moved(element, matrix, outer), style, depth)
    walk.view = outer


def _moved(element: Any, matrix: Matrix, view: tuple[float, float]) -> Matrix:
    across, down = (length(element.get(key, "0"), of=side) for key, side in zip("xy", view, strict=True))
    return Matrix.translate(across, down) @ matrix


def _use(walk: _Walk, node: Node, matrix: Matrix, style: Style, depth: int) -> None:
    key = referenced_id(node)
    target = walk.named.get(key)
    if target is None or key in walk.used:
        return
    walk.used.append(key)
    if target.local_name == "symbol":
        _nested(walk, target, node, matrix, style_of(target, style, walk.rules), depth + 1)
    else:
        _visit(walk, target, _moved(node.etree_element, matrix, walk.view), style, depth + 1)
    walk.used.pop()


def _text(walk: _Walk, node: Node, matrix: Matrix, style: Style) -> None:
    reader = TextReader(lambda inner, outer: style_of(inner, outer, walk.rules), walk.view)
    reader.read(node, style)
    walk.runs += 1

    def placed(on: Matrix) -> tuple[tuple[Letter, ...], tuple[Style, ...]]:
        letters = list(place_letters(reader.marks, on, walk.runs, lambda key: _path(walk, key)))
        return tuple(letter for letter, _ in letters), tuple(own for _, own in letters)

    text = PlacedText(node.etree_element, matrix, style, *placed(Matrix()), squeezed=_is_squeezed(node, reader.marks))
    walk.texts.append((text, list(placed(matrix)[0])))


def _is_squeezed(node: Node, letters: list[UnplacedLetter]) -> bool:
    """Return whether `textLength` leaves the text, or a part of it, much less room than its letters have."""
    stated = [length(part.etree_element.get("textLength", "")) for part in node.iter_subtree()]
    return any(0 < room < SQUEEZED * sum(map(letter_advance, letters)) for room in stated)


def _path(walk: _Walk, key: str) -> tuple[str, Matrix] | None:
    node = walk.named.get(key)
    if node is None or node.local_name != "path":
        return None
    return node.etree_element.get("d", ""), transform(node.etree_element.get("transform", ""))


def _is_on_page(frame: tuple[float, float, float, float], page: DrawingPage) -> bool:
    left, top, right, bottom = frame
    return right > 0 and bottom > 0 and left < page.width and top < page.height
