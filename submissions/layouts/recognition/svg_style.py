"""The style of an SVG element, as far as reading needs it: visible or not, its colors, the size of its letters.

Attributes, style sheets and `style` have the precedence of CSS. A viewer applies more of CSS than `svg_painting`
paints: an animation, a condition, a shape of CSS or a computed value could hide words from people and not from the
reader. A drawing with any of them is refused.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

import cssselect2
import tinycss2
from tinycss2 import color4
from tinycss2.color3 import parse_color

from submissions.core.errors import Refusal
from submissions.layouts.recognition.svg_geometry import length

Declaration = tuple[str, str, bool]  # name, value, important
HARMLESS = {
    "none", "auto", "light", "light dark", "only light", "normal", "inherit", "ltr", "lr", "lr-tb", "horizontal-tb",
    "visible",
}  # fmt: skip
NOT_PAINTED = {  # other values than `HARMLESS` move, hide or replace what is painted
    "animation", "animation-name", "all", "clip", "color-scheme", "content-visibility", "cx", "cy", "d", "direction",
    "height", "mask-border", "mask-image", "offset", "offset-path", "r", "rotate", "rx", "ry", "scale", "transform-box",
    "transform-origin", "translate", "unicode-bidi", "-webkit-clip-path", "-webkit-mask", "-webkit-mask-image", "width",
    "writing-mode", "x", "y", "zoom",
}  # fmt: skip
PRESENTATION = {  # attributes that are read as CSS
    "clip-path", "color", "direction", "display", "fill", "fill-opacity", "filter", "font-family", "font-size",
    "letter-spacing", "mask", "mix-blend-mode", "opacity", "stroke", "stroke-opacity", "stroke-width", "text-anchor",
    "transform-origin", "unicode-bidi", "visibility", "writing-mode",
}  # fmt: skip
FUNCTIONS = {
    "rgb", "rgba", "hsl", "hsla", "color", "url", "format", "local", "matrix", "translate", "translatex", "translatey",
    "scale", "scalex", "scaley", "rotate", "skewx", "skewy", "blur", "brightness", "contrast", "drop-shadow",
    "grayscale", "hue-rotate", "invert", "opacity", "saturate", "sepia",
}  # fmt: skip
RESET = {"initial", "unset", "revert", "revert-layer"}
WITHOUT_STYLE = {"charset", "counter-style", "font-face", "font-feature-values", "keyframes", "namespace", "page"}
SCREEN = {"", "all", "screen", "only screen"}
ELSEWHERE = {"print", "only print", "speech", "only speech"}
COLORS = {"color", "fill", "flood-color", "lighting-color", "stop-color", "stroke"}
READ_AS_SRGB = ("srgb", "display-p3")  # the colors of display-p3 reach further; for contrast they are near enough


def _rules(rules: list[Any]) -> Iterator[tuple[Any, list[Declaration]]]:
    """Yield the selectors and declarations of the rules that apply on a screen."""
    for rule in rules:
        if rule.type == "qualified-rule":
            yield rule.prelude, declarations(rule.content)
        elif rule.type == "at-rule" and rule.lower_at_keyword == "media":
            if _is_on_screen(tinycss2.serialize(rule.prelude)) and rule.content:
                yield from _rules(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True))
        elif rule.type == "at-rule" and rule.lower_at_keyword not in WITHOUT_STYLE:
            raise style_refusal(f"@{rule.lower_at_keyword}")


def _is_on_screen(query: str) -> bool:
    media = {" ".join(part.lower().split()) for part in query.split(",")}
    if not media <= SCREEN | ELSEWHERE:
        raise style_refusal(f"@media {query.strip()}")
    return bool(media & SCREEN)


def declarations(content: Any, without: Set[str] = frozenset()) -> list[Declaration]:
    """Return the declarations of a rule or of a `style` attribute, except for the names of `without`.

    Raises:
        Refusal: `layout-style`.
    """
    declared = []
    for part in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if part.type in ("qualified-rule", "at-rule"):
            raise style_refusal("a rule within a rule")
        if part.type == "declaration" and not part.name.startswith("--") and part.lower_name not in without:
            parts = _for_light_screens(part.value)
            value = _plain_color(part.lower_name, tinycss2.serialize(parts).strip())
            _check(part.lower_name, value, parts)
            declared.append((part.lower_name, value, part.important))
    return declared


def check_attributes(attributes: Mapping[str, str]) -> None:
    """Check the attributes that are read as CSS.

    Raises:
        Refusal: `layout-style`.
    """
    for key in PRESENTATION & attributes.keys():
        value = attributes[key].strip()
        if "(" in value or "\\" in value or key in NOT_PAINTED:
            _check(key, value, tinycss2.parse_component_value_list(value))


def _check(name: str, value: str, parts: list[Any]) -> None:
    low = value.lower()
    if name in NOT_PAINTED and low not in HARMLESS:
        raise style_refusal(f"{name}: {value[:40]}")
    if name in PRESENTATION and low in RESET:
        raise style_refusal(f"{name}: {low}")
    unknown = next((function for function in _functions(parts) if function not in FUNCTIONS), None)
    if unknown and not name.startswith("font"):
        raise style_refusal(f"{name}: {unknown}()")


def _functions(parts: list[Any]) -> Iterator[str]:
    left = list(parts)
    while left:
        part = left.pop()
        if part.type == "function":
            yield part.lower_name
            left += part.arguments
        elif hasattr(part, "content"):
            left += part.content


def _for_light_screens(parts: list[Any]) -> list[Any]:
    """Return the parts with the first color of `light-dark()`. A drawing with a dark `color-scheme` is refused."""
    plain: list[Any] = []
    for part in parts:
        if part.type == "function" and part.lower_name == "light-dark":
            plain += takewhile(lambda each: each != ",", part.arguments)
        else:
            plain.append(part)
    return plain


def _plain_color(name: str, value: str) -> str:
    """Return a color of CSS 4 as `rgb()`, which every reader knows."""
    if name not in COLORS or not value.lower().startswith("color("):
        return value
    color = color4.parse_color(value)
    if color is None or isinstance(color, str) or color.space not in READ_AS_SRGB:
        raise style_refusal(f"{name}: {value[:40]}")
    shares = ", ".join(f"{min(1.0, max(0.0, share or 0.0)):.1%}" for share in color.coordinates)
    return f"rgba({shares}, {color.alpha})" if color.alpha < 1 else f"rgb({shares})"


def style_refusal(what: str) -> Refusal:
    """Return the refusal that names what cannot be judged."""
    return Refusal("layout-style", what=what)


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
    """An element's style, its parents' `opacity` included; paint: None if unknown (gradient, pattern), "" for none."""

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
        """True if a figure in this style is visible on a ground of another color."""
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
        """Return the properties that style sheets and `style` declare for an element.

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
    """Return the rules of all style sheets in the drawing.

    Raises:
        Refusal: `layout-style`.
    """
    rules = StyleRules()
    for element in root.etree_element.iter(f"{SVG}style"):
        is_css = element.get("type", "text/css").strip().lower() in ("", "text/css")
        if is_css and _is_on_screen(element.get("media", "")):
            sheet = tinycss2.parse_stylesheet("".join(element.itertext()), skip_comments=True, skip_whitespace=True)
            for prelude, declared in _rules(sheet):
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
    """Return the style of an element within one of style `outer`."""
    style = replace(outer, shown=True)
    attributes = node.etree_element.attrib.items()
    values = {key: value.strip() for key, value in attributes if key in READ and value.strip()} | rules.declared(node)
    values.update(_font(values.pop("font", "")) if "font" in values else {})
    for key in ("color", "font-size"):  # first those that others refer to
        if key in values:
            style = _with(style, outer, key, values.pop(key))
    for key, value in values.items():
        style = _with(style, outer, key, value)
    return style


def _font(shorthand: str) -> dict[str, str]:
    """Return size, weight and family of CSS's `font`."""
    words = shorthand.split()
    sized = next((word for word in words if word[:1].isdigit() and not word.isdigit()), "")
    if not sized:
        return {}
    family = shorthand.partition(sized)[2].strip()
    weight = "bold" if BOLD & set(words) else "normal"
    return {"font-size": sized.partition("/")[0], "font-weight": weight, "font-family": family}


def _with(style: Style, outer: Style, key: str, value: str) -> Style:
    """Return the style with one property of CSS."""
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
