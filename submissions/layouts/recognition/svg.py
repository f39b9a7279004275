"""The words and closed figures of an SVG, visited in the order in which they are painted.

What people cannot see is left out, as the painted drawing shows it (`svg_visibility`).
"""

from dataclasses import dataclass, field
from typing import Any

import cssselect2
import numpy as np
from defusedxml import ElementTree
from PIL import Image
from svgelements import Matrix

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import Drawing, DrawingPage, DrawingSource, PagePlace
from submissions.layouts.recognition import figures, picture
from submissions.layouts.recognition.crossing_lines import LONG_SIDE, is_crossed
from submissions.layouts.recognition.legibility import Sight
from submissions.layouts.recognition.strike_through import without_struck
from submissions.layouts.recognition.svg_geometry import UNITS, length, numbers, transform, view_transform
from submissions.layouts.recognition.svg_painting import RESOURCES, PlacedText, paint_without_text
from submissions.layouts.recognition.svg_style import Node, Style, StyleRules, style_of, style_rules
from submissions.layouts.recognition.svg_text import (
    TextReader,
    UnplacedLetter,
    letter_advance,
    place_letters,
    referenced_id,
)
from submissions.layouts.recognition.svg_visibility import SeenLetter, seen_letters
from submissions.layouts.recognition.tesseract import is_installed
from submissions.layouts.recognition.word_grouping import Letter, PlacedWord, group_letters, words_in_lines

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
    """The drawing; `svg_safety` has admitted it."""
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
    lines = tuple(dict.fromkeys(PagePlace(0, box) for box in figures.open_boxes(walk.painted, page)))
    shapes = tuple(dict.fromkeys(PagePlace(0, box) for box in figures.area_boxes(walk.painted, page)))
    pictures = _has_pictures(root)
    outlined = not inside and (len(walk.painted) >= OUTLINE_FIGURES or pictures)
    words, unclear_words = (words_in_lines(placed, 0, page) for placed in (inside, unclear))
    source = DrawingSource.SVG
    if is_installed() and (outlined or pictures or figures.may_be_letters(walk.painted, page)):
        words += picture.recognize_beside(_without_text(root, walk, pictures=pictures), 0, words)
        source = DrawingSource.PICTURE if outlined else source
    return Drawing(source, (stated_page,), tuple(words), shapes, outlined, tuple(unclear_words), lines)


def _clear_and_unclear(root: Node, walk: _Walk, words: list[PlacedWord]) -> tuple[list[PlacedWord], list[PlacedWord]]:
    """The words that can be read and that no line crosses, and the others."""
    if not words:
        return [], []
    rest = paint_without_text(root, walk.rules, walk.page, LONG_SIDE).astype(np.int16)
    scale = rest.shape[1] / walk.page.width, rest.shape[0] / walk.page.height
    seen = [(word, word.legible and not is_crossed(word, rest, scale)) for word in words]
    return [word for word, is_clear in seen if is_clear], [word for word, is_clear in seen if not is_clear]


def _has_pictures(root: Node) -> bool:
    """Whether words may stand in pictures, wherever they are used, or in the text of a pattern, which is not read."""
    return any(
        node.local_name in ("image", "feImage")
        or (node.local_name in RESOURCES and any(inner.local_name == "text" for inner in node.iter_subtree()))
        for node in root.iter_subtree()
        if isinstance(node.etree_element.tag, str)
    )


def _without_text(root: Node, walk: _Walk, *, pictures: bool) -> Image.Image:
    """The drawing without its text; without pictures only the fill of its figures, which disturbs recognition less."""
    if pictures:
        return Image.fromarray(paint_without_text(root, walk.rules, walk.page, picture.LONG_SIDE))
    return figures.paint_figures(walk.drawn, walk.page, picture.LONG_SIDE)


def _words(letters: list[SeenLetter], sight: Sight, page: DrawingPage) -> list[PlacedWord]:
    """The words of this sight on the page; letters of another sight are spaces, so that words are not joined."""
    shown = (
        seen.letter if seen.sight is sight else Letter(" ", seen.letter.x, seen.letter.y, 0, 0, seen.letter.size)
        for seen in letters
    )
    return [word for word in group_letters(shown) if _is_on_page(word.frame, page)]


def _page(root: Any) -> tuple[DrawingPage, DrawingPage]:
    """Its size in pixels, and as the drawing states it: in millimeters if it does."""
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
    """0 if the drawing does not state its size in a unit of length: pixels have no size of their own."""
    sides = [root.get(key, "").strip().lower() for key in ("width", "height")]
    return 1 / UNITS["mm"] if any(side.endswith(tuple(LENGTH_UNITS)) for side in sides) else 0.0


def _viewport(element: Any, width: float, height: float) -> tuple[Matrix, tuple[float, float]]:
    """How a drawing fits into a viewport of this size, and the viewport's size in the drawing's units."""
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
    """A drawing within the drawing; `sized_by` has its place and size."""
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
    """Whether `textLength` leaves the text, or a part of it, much less room than its letters have."""
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
