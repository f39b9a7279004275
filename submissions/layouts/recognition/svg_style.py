"""The style of an SVG element, as far as reading needs it: visible or not, its colors, the size of its letters.

Attributes, style sheets and `style` have the precedence of CSS; media queries and animations are ignored.
"""

from dataclasses import dataclass, replace
from typing import Any

import cssselect2
import tinycss2
from tinycss2.color3 import parse_color

from submissions.layouts.recognition.svg_geometry import length

Color = tuple[float, float, float]
Node = Any  # cssselect2.ElementWrapper
READ = {
    "display", "visibility", "opacity", "fill", "fill-opacity", "stroke", "stroke-opacity", "color", "font-size",
    "font-weight", "font-family", "font", "text-anchor", "letter-spacing", "writing-mode", "clip-path", "mask",
}  # fmt: skip
SIZES = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0,
}  # fmt: skip
BOLD = {"bold", "bolder", "600", "700", "800", "900"}


@dataclass(frozen=True, slots=True)
class Style:
    """The style of an element and, with `opacity` multiplied, of its children. A paint is None if it is not known (a
    gradient, a pattern) and "" if there is none."""

    shown: bool = True
    visible: bool = True
    opacity: float = 1.0
    color: Color = (0.0, 0.0, 0.0)
    fill: Color | str | None = (0.0, 0.0, 0.0)
    fill_opacity: float = 1.0
    stroke: Color | str | None = ""
    stroke_opacity: float = 1.0
    size: float = 16.0
    bold: bool = False
    family: str = ""  # the first of `font-family`
    anchor: str = "start"
    spacing: float = 0.0

    @property
    def paints(self) -> bool:
        """Whether a figure in this style is visible on a ground of another color."""
        filled = self.fill != "" and self.fill_opacity * self.opacity > FAINT
        stroked = self.stroke != "" and self.stroke_opacity * self.opacity > FAINT
        return self.shown and self.visible and (filled or stroked)


FAINT = 0.1


def style_rules(root: Node) -> cssselect2.Matcher:
    """The rules of all style sheets in the drawing."""
    matcher = cssselect2.Matcher()
    for element in root.etree_element.iter():
        if isinstance(element.tag, str) and element.tag.rpartition("}")[2] == "style":
            text = "".join(element.itertext())
            for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
                if rule.type == "qualified-rule":
                    _add(matcher, rule)
    return matcher


def _add(matcher: cssselect2.Matcher, rule: Any) -> None:
    declarations = _declared(rule.content)
    try:
        selectors = cssselect2.compile_selector_list(rule.prelude)
    except cssselect2.SelectorError:
        return
    for selector in selectors:
        if selector.pseudo_element is None:
            matcher.add_selector(selector, declarations)


def _declared(content: Any) -> list[tuple[str, str, bool]]:
    declarations = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    return [
        (declaration.lower_name, tinycss2.serialize(declaration.value).strip(), declaration.important)
        for declaration in declarations
        if declaration.type == "declaration" and declaration.lower_name in READ
    ]


def style_of(node: Node, outer: Style, matcher: cssselect2.Matcher) -> Style:
    """The style of an element within one of style `outer`."""
    style = replace(outer, shown=True)
    values = _values(node, matcher)
    values.update(_font(values.pop("font", "")) if "font" in values else {})
    for key in ("color", "font-size"):  # first those that others refer to
        if key in values:
            style = _with(style, outer, key, values.pop(key))
    for key, value in values.items():
        style = _with(style, outer, key, value)
    return style


def _values(node: Node, matcher: cssselect2.Matcher) -> dict[str, str]:
    element = node.etree_element
    values = {key: value.strip() for key, value in element.attrib.items() if key in READ and value.strip()}
    declared = [declaration for *_, rule in matcher.match(node) for declaration in rule]
    declared += _declared(element.get("style", "")) if element.get("style") else []
    values.update({key: value for key, value, important in declared if not important})
    values.update({key: value for key, value, important in declared if important})
    return values


def _font(shorthand: str) -> dict[str, str]:
    """Size, weight and family of CSS's `font`."""
    words = shorthand.split()
    sized = next((word for word in words if word[:1].isdigit() and not word.isdigit()), "")
    if not sized:
        return {}
    family = shorthand.partition(sized)[2].strip()
    weight = "bold" if BOLD & set(words) else "normal"
    return {"font-size": sized.partition("/")[0], "font-weight": weight, "font-family": family}


def _with(style: Style, outer: Style, key: str, value: str) -> Style:
    """The style with one property of CSS."""
    low = value.lower()
    if low == "inherit":
        return style if key != "opacity" else replace(style, opacity=style.opacity * outer.opacity)
    match key:
        case "display":
            return replace(style, shown=low != "none")
        case "visibility":
            return replace(style, visible=low == "visible")
        case "opacity":
            return replace(style, opacity=outer.opacity * _share(low))
        case "fill-opacity":
            return replace(style, fill_opacity=_share(low))
        case "stroke-opacity":
            return replace(style, stroke_opacity=_share(low))
        case "fill":
            return replace(style, fill=style.color if low == "currentcolor" else _color(low))
        case "stroke":
            return replace(style, stroke=style.color if low == "currentcolor" else _color(low))
        case "color" if isinstance(color := _color(low), tuple):
            return replace(style, color=color)
        case "font-size":
            steps = {"larger": outer.size * 1.2, "smaller": outer.size / 1.2}
            size = SIZES.get(low) or steps.get(low) or length(low, of=outer.size, size=outer.size, default=outer.size)
            return replace(style, size=size)
        case "font-weight":
            return replace(style, bold=low in BOLD)
        case "font-family":
            return replace(style, family=value.partition(",")[0].strip(" \"'"))
        case "text-anchor" if low in ("start", "middle", "end"):
            return replace(style, anchor=low)
        case "letter-spacing":
            return replace(style, spacing=length(low, size=style.size))
    return style


def _share(low: str) -> float:
    return min(1.0, max(0.0, length(low, of=1.0, default=1.0)))


def _color(low: str) -> Color | str | None:
    if low in ("none", "transparent"):
        return ""
    color = None if low.startswith("url") else parse_color(low)
    if color is None or isinstance(color, str):
        return None
    return "" if color.alpha <= FAINT else (color.red, color.green, color.blue)
