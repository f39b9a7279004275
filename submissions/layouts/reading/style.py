"""What an SVG element looks like, as far as it matters for reading: whether it is seen, in which colour, how large.

Attributes, style sheets and `style` are weighed as CSS does; media queries and animations are not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cssselect2
import tinycss2
from tinycss2.color3 import parse_color

from submissions.layouts.reading.geometry import length

Colour = tuple[float, float, float]
Node = Any  # cssselect2.ElementWrapper
READ = {
    "display", "visibility", "opacity", "fill", "fill-opacity", "stroke", "stroke-opacity", "color", "font-size",
    "font-weight", "font", "text-anchor", "letter-spacing", "writing-mode", "clip-path", "mask",
}  # fmt: skip
SIZES = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0,
}  # fmt: skip
BOLD = {"bold", "bolder", "600", "700", "800", "900"}


@dataclass(frozen=True, slots=True)
class Style:
    """What holds for an element and, `opacity` multiplied, for what is in it. A paint is None where it cannot be told
    (a gradient, a pattern) and "" where there is none."""

    shown: bool = True
    visible: bool = True
    opacity: float = 1.0
    colour: Colour = (0.0, 0.0, 0.0)
    fill: Colour | str | None = (0.0, 0.0, 0.0)
    fill_opacity: float = 1.0
    stroke: Colour | str | None = ""
    stroke_opacity: float = 1.0
    size: float = 16.0
    bold: bool = False
    anchor: str = "start"
    spacing: float = 0.0

    @property
    def seen(self) -> bool:
        """Whether anything drawn in this style can be seen, on a ground of another colour."""
        filled = self.fill != "" and self.fill_opacity * self.opacity > FAINT
        stroked = self.stroke != "" and self.stroke_opacity * self.opacity > FAINT
        return self.shown and self.visible and (filled or stroked)


FAINT = 0.1


def sheet(root: Node) -> cssselect2.Matcher:
    """The rules of all style sheets in the drawing."""
    matcher = cssselect2.Matcher()
    for element in root.etree_element.iter():
        if isinstance(element.tag, str) and element.tag.rpartition("}")[2] == "style":
            for rule in tinycss2.parse_stylesheet(
                "".join(element.itertext()), skip_comments=True, skip_whitespace=True
            ):
                if rule.type == "qualified-rule":
                    _add(matcher, rule)
    return matcher


def _add(matcher: cssselect2.Matcher, rule: Any) -> None:
    said = _declared(rule.content)
    try:
        selectors = cssselect2.compile_selector_list(rule.prelude)
    except cssselect2.SelectorError:
        return
    for selector in selectors:
        if selector.pseudo_element is None:
            matcher.add_selector(selector, said)


def _declared(content: Any) -> list[tuple[str, str, bool]]:
    declarations = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    return [
        (one.lower_name, tinycss2.serialize(one.value).strip(), one.important)
        for one in declarations
        if one.type == "declaration" and one.lower_name in READ
    ]


def style_of(node: Node, outer: Style, matcher: cssselect2.Matcher) -> Style:
    """The style of an element within one of style `outer`."""
    style = replace(outer, shown=True)
    said = _said(node, matcher)
    said.update(_font(said.pop("font", "")) if "font" in said else {})
    for key in ("color", "font-size"):  # what others refer to comes first
        if key in said:
            style = _with(style, outer, key, said.pop(key))
    for key, value in said.items():
        style = _with(style, outer, key, value)
    return style


def _said(node: Node, matcher: cssselect2.Matcher) -> dict[str, str]:
    element = node.etree_element
    said = {key: value.strip() for key, value in element.attrib.items() if key in READ and value.strip()}
    declared = [one for *_, rule in matcher.match(node) for one in rule]
    declared += _declared(element.get("style", "")) if element.get("style") else []
    said.update({key: value for key, value, important in declared if not important})
    said.update({key: value for key, value, important in declared if important})
    return said


def _font(shorthand: str) -> dict[str, str]:
    """Size and weight of CSS's `font`."""
    words = shorthand.split()
    size = next((word.partition("/")[0] for word in words if word[:1].isdigit() and not word.isdigit()), "")
    return {"font-size": size, "font-weight": "bold" if BOLD & set(words) else "normal"} if size else {}


def _with(style: Style, outer: Style, key: str, value: str) -> Style:
    low = value.lower()
    if low == "inherit":
        return style if key != "opacity" else replace(style, opacity=style.opacity * outer.opacity)
    if key == "display":
        return replace(style, shown=low != "none")
    if key == "visibility":
        return replace(style, visible=low == "visible")
    if key in ("opacity", "fill-opacity", "stroke-opacity"):
        share = min(1.0, max(0.0, length(low, of=1.0, default=1.0)))
        if key == "opacity":
            return replace(style, opacity=outer.opacity * share)
        return replace(style, fill_opacity=share) if key == "fill-opacity" else replace(style, stroke_opacity=share)
    if key in ("fill", "stroke"):
        return _painted(style, key, low)
    if key == "color":
        colour = _colour(low)
        return replace(style, colour=colour) if isinstance(colour, tuple) else style
    return _lettered(style, outer, key, low)


def _lettered(style: Style, outer: Style, key: str, low: str) -> Style:
    if key == "font-size":
        steps = {"larger": outer.size * 1.2, "smaller": outer.size / 1.2}
        size = SIZES.get(low) or steps.get(low) or length(low, of=outer.size, size=outer.size, default=outer.size)
        return replace(style, size=size)
    if key == "font-weight":
        return replace(style, bold=low in BOLD)
    if key == "text-anchor" and low in ("start", "middle", "end"):
        return replace(style, anchor=low)
    if key == "letter-spacing":
        return replace(style, spacing=length(low, size=style.size))
    return style


def _painted(style: Style, key: str, low: str) -> Style:
    paint = style.colour if low == "currentcolor" else _colour(low)
    return replace(style, fill=paint) if key == "fill" else replace(style, stroke=paint)


def _colour(low: str) -> Colour | str | None:
    if low in ("none", "transparent"):
        return ""
    found = None if low.startswith("url") else parse_color(low)
    if found is None or isinstance(found, str):
        return None
    return "" if found.alpha <= FAINT else (found.red, found.green, found.blue)
