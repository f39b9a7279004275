"""The declarations of an SVG's style sheets and `style` attributes; what they may say, so that a painting shows it all.

A viewer applies more of CSS than `svg_painting` paints: an animation, a condition, a shape of CSS or a computed value
could hide words from people and not from the reader. A drawing with any of them is refused.
"""

from collections.abc import Iterator, Mapping, Set
from itertools import takewhile
from typing import Any

import tinycss2
from tinycss2 import color4

from submissions.core.errors import Refusal

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


def sheet_rules(text: str, media: str) -> Iterator[tuple[Any, list[Declaration]]]:
    """The selectors and declarations of the rules that apply on a screen; `media`: the sheet's own condition.

    Raises:
        Refusal: `layout-style`.
    """
    if _is_on_screen(media):
        yield from _rules(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True))


def _rules(rules: list[Any]) -> Iterator[tuple[Any, list[Declaration]]]:
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
    """The declarations of a rule or of a `style` attribute, except for the names of `without`.

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
    """With the first color of `light-dark()`. A drawing with a dark `color-scheme` is refused."""
    plain: list[Any] = []
    for part in parts:
        if part.type == "function" and part.lower_name == "light-dark":
            plain += takewhile(lambda each: each != ",", part.arguments)
        else:
            plain.append(part)
    return plain


def _plain_color(name: str, value: str) -> str:
    """A color of CSS 4 as `rgb()`, which every reader knows."""
    if name not in COLORS or not value.lower().startswith("color("):
        return value
    color = color4.parse_color(value)
    if color is None or isinstance(color, str) or color.space not in READ_AS_SRGB:
        raise style_refusal(f"{name}: {value[:40]}")
    shares = ", ".join(f"{min(1.0, max(0.0, share or 0.0)):.1%}" for share in color.coordinates)
    return f"rgba({shares}, {color.alpha})" if color.alpha < 1 else f"rgb({shares})"


def style_refusal(what: str) -> Refusal:
    """The refusal that names what cannot be judged."""
    return Refusal("layout-style", what=what)
