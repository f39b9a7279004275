"""An SVG painted twice by resvg: once with a bar in place of each letter, and once without its text.

The copy that is painted has all style as declarations of the elements themselves, as the reader knows it, and names
no other file. A bar stands where the stem of a letter would be, in the letter's paint: bars tell whether letters show
without the font that draws them, which may be missing, and stand exactly where the reader has the letters. Their
lengths are in the units of the text; shares are of a letter's advance across and of its size upwards. Not here: the
comparison of the pixels (`svg_visibility`).
"""

import io
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import resvg_py
from PIL import Image
from svgelements import Matrix

from submissions.layouts.drawing_model import DrawingPage
from submissions.layouts.recognition.file_checks import PICTURES
from submissions.layouts.recognition.legibility import CAPITAL
from submissions.layouts.recognition.svg_geometry import transform
from submissions.layouts.recognition.svg_style import SVG, Node, Style, StyleRules, check_attributes, style_refusal
from submissions.layouts.recognition.word_grouping import Letter

Pixels = np.ndarray[Any, np.dtype[np.uint8]]
LEFT_OUT = {"style", "title", "desc", "metadata", "script", "font"}
RESOURCES = {"clipPath", "mask", "pattern", "marker"}  # text in them is a shape like any other, and needs its font
PLACING = {"x", "y", "dx", "dy", "rotate", "textLength", "lengthAdjust"}
LETTERS_ONLY = {"font", "font-size", "font-family", "font-weight", "letter-spacing", "text-anchor"}
DOTS_PER_INCH = 96


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A <text> where it is shown: its letters in its own units, `matrix` to the page, and their styles."""

    element: Any
    matrix: Matrix
    style: Style
    letters: tuple[Letter, ...]
    styles: tuple[Style, ...]
    squeezed: bool = False  # into less room than its letters need


@dataclass(slots=True)
class _Copy:
    rules: StyleRules
    texts: Mapping[int, PlacedText]  # by the id of the element
    bars: list[tuple[Any, Any]]  # the paths, with their parents
    fonts: bool = False  # a text is left to resvg


def paint_twice(
    root: Node, rules: StyleRules, page: DrawingPage, texts: Sequence[PlacedText], long_side: int
) -> tuple[Pixels, Pixels]:
    """Return the page with bars and without, in RGB on white; `long_side`: the pixels of its longer side.

    Raises:
        Refusal: `layout-style`.
        ValueError: resvg cannot read it.
    """
    copy = _Copy(rules, {id(text.element): text for text in reversed(texts)}, [])
    sheet = _sheet(copy, root, page)
    with_text = _paint(copy, sheet, page, long_side)
    for parent, path in copy.bars:
        parent.remove(path)
    return with_text, _paint(copy, sheet, page, long_side)


def paint_without_text(root: Node, rules: StyleRules, page: DrawingPage, long_side: int) -> Pixels:
    """Return the page without its text, as `paint_twice` paints it."""
    copy = _Copy(rules, {}, [])
    return _paint(copy, _sheet(copy, root, page), page, long_side)


def _sheet(copy: _Copy, root: Node, page: DrawingPage) -> Any:
    """Return the root of the copy, with the size of the page in pixels."""
    if (root.etree_element.get("transform") or copy.rules.declared(root).get("transform", "none")) != "none":
        raise style_refusal("transform of the whole drawing")
    sheet = _copied(copy, root, resource=False)
    sheet.set("width", f"{page.width:.8g}")
    sheet.set("height", f"{page.height:.8g}")
    return sheet


def _paint(copy: _Copy, sheet: Any, page: DrawingPage, long_side: int) -> Pixels:
    width = max(1, round(page.width / max(page.width, page.height, 1e-9) * long_side))
    png = resvg_py.svg_to_bytes(
        svg_string=ElementTree.tostring(sheet, encoding="unicode"),
        background="white",
        width=width,
        dpi=DOTS_PER_INCH,
        skip_system_fonts=not copy.fonts,
    )
    with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
        return np.asarray(image.convert("RGB"))


def _copied(copy: _Copy, node: Node, *, resource: bool) -> Any:
    """Return the element with all that it paints; a text is a group of bars."""
    element, name = node.etree_element, node.local_name
    attributes = {key: value for key, value in element.attrib.items() if key not in ("class", "style")}
    check_attributes(attributes)
    declared = dict(copy.rules.declared(node))
    if "transform" in declared:
        matrix = transform(declared.pop("transform"))
        attributes["transform"] = f"matrix({' '.join(f'{matrix[place]:.10g}' for place in range(6))})"
    for key in [key for key in attributes if key.rpartition("}")[2] in ("href", "src")]:
        if not attributes[key].strip().lower().startswith(("#", *PICTURES)):
            del attributes[key]
    resource = resource or name in RESOURCES
    if name == "text" and not resource:
        return _text_as_bars(copy, element, attributes, declared)
    copy.fonts = copy.fonts or name == "text"
    copied = ElementTree.Element(element.tag, attributes)
    copied.text, copied.tail = element.text, element.tail
    if declared:
        copied.set("style", _declarations(declared))
    for child in node.iter_children():
        tag = child.etree_element.tag
        if isinstance(tag, str) and tag.startswith(SVG) and child.local_name not in LEFT_OUT:
            copied.append(_copied(copy, child, resource=resource))
    return copied


def _declarations(declared: Mapping[str, str]) -> str:
    return ";".join(f"{key}:{value}" for key, value in declared.items())


def _text_as_bars(copy: _Copy, element: Any, attributes: dict[str, str], declared: dict[str, str]) -> Any:
    drop = PLACING | LETTERS_ONLY
    group = ElementTree.Element(f"{SVG}g", {key: value for key, value in attributes.items() if key not in drop})
    group.set("style", _declarations({key: value for key, value in declared.items() if key not in drop}))
    text = copy.texts.get(id(element))
    for path in _paths(text) if text else ():
        group.append(path)
        copy.bars.append((group, path))
    return group


def _paths(text: PlacedText) -> list[Any]:
    """Return one path for the bars of all letters in a style, so that a gradient runs over all of them."""
    groups: dict[tuple[Style, bool, bool], list[Letter]] = defaultdict(list)
    for letter, style in zip(text.letters, text.styles, strict=True):
        if not letter.text.isspace():
            plain = replace(style, size=0.0, bold=False, family="", anchor="", spacing=0.0, stroke_width=0.0)
            groups[plain, shows_fill(style), shows_stroke(style)].append(letter)
    paths = []
    for (style, fill, stroke), letters in groups.items():
        declared = {"stroke": "none", "visibility": "visible" if style.visible else "hidden"}
        if fill:
            paths.append(_path(letters, FILL_BAR, declared | _fill(style, text.style)))
        if stroke:
            value = _value(style.stroke, style.stroke_value)
            declared |= {"fill": value, "fill-opacity": f"{style.stroke_opacity}"}
            paths.append(_path(letters, STROKE_BAR, declared))
    return paths


def _path(letters: list[Letter], bar: tuple[float, float], declared: dict[str, str]) -> Any:
    """Return the bars of these letters as a path whose frame is that of the text."""
    parts = [_bar(letter, bar) for letter in letters]
    for letter in (letters[0], letters[-1]):
        for along, up in ((0.0, EM[0]), (1.0, EM[1])):
            x, y = _letter_point(letter, along, up)
            parts.append(f"M{x:.8g} {y:.8g}L{x:.8g} {y:.8g}")
    return ElementTree.Element(f"{SVG}path", {"d": "".join(parts), "style": _declarations(declared)})


def _fill(style: Style, outer: Style) -> dict[str, str]:
    """Return the declarations in which a part differs from its text; the rest is inherited, also where it is used."""
    declared = {}
    if style.fill_value != outer.fill_value or style.fill != outer.fill:
        declared["fill"] = _value(style.fill, style.fill_value)
    if style.fill_opacity != outer.fill_opacity:
        declared["fill-opacity"] = f"{style.fill_opacity}"
    return declared


def _value(color: object, value: str) -> str:
    if not isinstance(color, tuple):
        return value
    return f"rgb({', '.join(f'{share:.1%}' for share in color)})"


Reals = np.ndarray[Any, np.dtype[np.float64]]
FILL_BAR, STROKE_BAR = (0.05, 0.45), (0.5, 0.8)  # of the advance
FILL_AT, STROKE_AT = (0.2, 0.3), (0.6, 0.7)  # where each bar is looked at
GAPS_AT = (-0.07, 0.93)  # between the bars of two letters
HEIGHTS = (0.1, 0.22, 0.35, 0.48, 0.6)
BEYOND = (-0.12, 0.82)  # below and above the bars
NARROW = 0.4  # of the size: the pixels of such a letter and of its gap may be the same
EM = (-0.22, 0.9)  # of the size: the frame of a text reaches so far, and masks and gradients may refer to it
THIN_STROKE, WIDE_STROKE = 0.01, 0.1  # of the size: a line around letters that does not show; the stem of a letter
SHINES_THROUGH = 0.5  # opacity of a line
SOLID = (("\u2500", "\u25ff"), ("\u2b00", "\u2bff"))  # ranges of characters that fill more than stems


def _letter_point(letter: Letter, along: float, up: float) -> tuple[float, float]:
    cos, sin = math.cos(letter.angle), math.sin(letter.angle)
    along, up = along * letter.advance, up * letter.size
    return letter.x + along * cos + up * sin, letter.y + along * sin - up * cos


def shows_stroke(style: Style) -> bool:
    return style.stroke != "" and style.stroke_width > THIN_STROKE * style.size


def shows_fill(style: Style) -> bool:
    """Return whether the fill of letters shows: a line as wide as their stems is painted over all of it."""
    over = shows_stroke(style) and not style.stroke_first and style.stroke_opacity > SHINES_THROUGH
    return style.fill != "" and not (over and style.stroke_width > WIDE_STROKE * style.size)


def _bar(letter: Letter, bar: tuple[float, float]) -> str:
    (begin, end), low, high = bar, 0.0, CAPITAL
    if any(first <= letter.text[:1] <= last for first, last in SOLID):  # it hides what is under it
        begin, end, (low, high) = 0.0, 1.0, EM
    corners = [_letter_point(letter, along, up) for along, up in ((begin, low), (end, low), (end, high), (begin, high))]
    return "M" + "L".join(f"{x:.8g} {y:.8g}" for x, y in corners) + "Z"


def letter_points(letters: Sequence[Letter], along: Sequence[float], heights: Sequence[float]) -> Reals:
    """Return the points of each letter at these shares: letters × heights × shares × 2."""
    flat = [_letter_point(letter, share, up) for letter in letters for up in heights for share in along]
    return np.array(flat, dtype=np.float64).reshape(len(letters), len(heights), len(along), 2)
