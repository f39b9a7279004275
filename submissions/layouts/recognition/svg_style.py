"""The style of an SVG element, as far as reading needs it: visible or not, its colors, the size of its letters.

Attributes, style sheets and `style` have the precedence of CSS. Which declarations there may be: `svg_declarations`.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import cssselect2
from tinycss2.color3 import parse_color

from submissions.layouts.recognition.svg_declarations import Declaration, declarations, sheet_rules, style_refusal
from submissions.layouts.recognition.svg_geometry import length

Color = tuple[float, float, float]
Node = Any  # cssselect2.ElementWrapper
READ = {
    "display", "visibility", "opacity", "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "color",
    "font-size", "font-weight", "font-family", "font", "text-anchor", "letter-spacing", "paint-order",
    "text-decoration", "text-decoration-line",
}  # fmt: skip
SIZES = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0,
}  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"
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
    stroke_width: float = 1.0
    stroke_first: bool = False  # under the fill
    fill_value: str = "black"  # as declared
    stroke_value: str = "none"
    size: float = 16.0
    bold: bool = False
    family: str = ""  # the first of `font-family`
    anchor: str = "start"
    spacing: float = 0.0
    struck: bool = False  # struck through, by this element or one around it

    @property
    def paints(self) -> bool:
        """Whether a figure in this style is visible on a ground of another color."""
        filled = self.fill != "" and self.fill_opacity * self.opacity > LEAST_OPACITY
        stroked = self.stroke != "" and self.stroke_opacity * self.opacity > LEAST_OPACITY
        return self.shown and self.visible and (filled or stroked)


WHOLE_SIZE = frozenset(("width", "height"))
LEAST_OPACITY = 0.1


@dataclass(slots=True)
class StyleRules:
    """The rules of all style sheets in the drawing."""

    matcher: cssselect2.Matcher = field(default_factory=cssselect2.Matcher)
    known: dict[int, dict[str, str]] = field(default_factory=dict)

    def declared(self, node: Node) -> dict[str, str]:
        """What style sheets and `style` declare for an element.

        Raises:
            Refusal: `layout-style`.
        """
        element = node.etree_element
        if id(element) not in self.known:
            declared = [declaration for *_, rule in self.matcher.match(node) for declaration in rule]
            if style := element.get("style", ""):  # the size of the whole drawing on a page hides nothing
                declared += declarations(style, WHOLE_SIZE if node.parent is None else frozenset())
            values = {key: value for key, value, important in declared if not important}
            self.known[id(element)] = values | {key: value for key, value, important in declared if important}
        return self.known[id(element)]


def style_rules(root: Node) -> StyleRules:
    """The rules of all style sheets in the drawing.

    Raises:
        Refusal: `layout-style`.
    """
    rules = StyleRules()
    for element in root.etree_element.iter(f"{SVG}style"):
        if element.get("type", "text/css").strip().lower() in ("", "text/css"):
            for prelude, declared in sheet_rules("".join(element.itertext()), element.get("media", "")):
                _add(rules.matcher, prelude, declared)
    return rules


def _add(matcher: cssselect2.Matcher, prelude: Any, declared: list[Declaration]) -> None:
    try:
        selectors = cssselect2.compile_selector_list(prelude)
    except cssselect2.SelectorError as error:  # a viewer may know it
        raise style_refusal(f"selector, {error}"[:60]) from error
    for selector in selectors:
        if selector.pseudo_element is None:
            matcher.add_selector(selector, declared)


def style_of(node: Node, outer: Style, rules: StyleRules) -> Style:
    """The style of an element within one of style `outer`."""
    style = replace(outer, shown=True)
    values = _values(node, rules)
    values.update(_font(values.pop("font", "")) if "font" in values else {})
    for key in ("color", "font-size"):  # first those that others refer to
        if key in values:
            style = _with(style, outer, key, values.pop(key))
    for key, value in values.items():
        style = _with(style, outer, key, value)
    return style


def _values(node: Node, rules: StyleRules) -> dict[str, str]:
    attributes = node.etree_element.attrib.items()
    return {key: value.strip() for key, value in attributes if key in READ and value.strip()} | rules.declared(node)


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
            return replace(style, fill=style.color if low == "currentcolor" else _color(low), fill_value=value)
        case "stroke":
            return replace(style, stroke=style.color if low == "currentcolor" else _color(low), stroke_value=value)
        case "paint-order":
            return replace(
                style, stroke_first=low.partition("stroke")[1] != "" and "fill" not in low.partition("stroke")[0]
            )
        case "stroke-width":
            return replace(style, stroke_width=length(low, size=style.size, default=1.0))
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
        case "text-decoration" | "text-decoration-line":
            return replace(style, struck=style.struck or "line-through" in low)
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
    return "" if color.alpha <= LEAST_OPACITY else (color.red, color.green, color.blue)
