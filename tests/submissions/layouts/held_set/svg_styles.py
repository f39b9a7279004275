"""SVG as people and programs write it: by hand, with style sheets, symbols or outlined letters, and by Inkscape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from tests.submissions.layouts.held_set.composition import HIGH, WIDE, Figure, Item, TextLine
from tests.submissions.layouts.held_set.outlines import outline, places

FELT, INK = "#0b4d36", "#f4f0e0"
NAMES = 'xmlns="http://www.w3.org/2000/svg"'
SIZE = f'width="{WIDE:g}mm" height="{HIGH:g}mm" viewBox="0 0 {WIDE:g} {HIGH:g}"'
GROUND = f'<rect width="100%" height="100%" fill="{FELT}"/>'


def _figure(item: Figure, look: str) -> str:
    if item.round:
        radius = item.wide / 2
        return f'<circle cx="{item.left + radius:.2f}" cy="{item.top + radius:.2f}" r="{radius:.2f}" {look}/>'
    place = f'x="{item.left:.2f}" y="{item.top:.2f}" width="{item.wide:.2f}" height="{item.high:.2f}"'
    return f'<rect {place} rx="6" {look}/>'


def _color(item: TextLine) -> str:
    return FELT if item.hidden else INK


def by_hand(items: Sequence[Item]) -> bytes:
    """Attributes on each element."""
    parts = [
        _figure(item, f'fill="none" stroke="{INK}" stroke-width="2"')
        if isinstance(item, Figure)
        else f'<text x="{item.x:.2f}" y="{item.y:.2f}" font-size="{item.size:.2f}" font-family="DejaVu Sans" '
        f'text-anchor="{item.anchor}" fill="{_color(item)}">{escape(item.text)}</text>'
        for item in items
    ]
    return f"<svg {NAMES} {SIZE}>{GROUND}{''.join(parts)}</svg>".encode()


def style_sheet(items: Sequence[Item]) -> bytes:
    """Classes, capitals by a rule, nested frames moved by transforms."""
    rules = f"""
      .felt {{ fill: {FELT} }}  .area {{ fill: none; stroke: {INK}; stroke-width: 2px }}
      text {{ font-family: "DejaVu Sans", sans-serif; fill: {INK} }}
      text.gone {{ fill: {FELT} }}
      .start {{ text-anchor: start }} .middle {{ text-anchor: middle }} .end {{ text-anchor: end }}
    """
    parts = [
        _figure(item, 'class="area"')
        if isinstance(item, Figure)
        else f'<g transform="translate({item.x:.2f} {item.y:.2f})"><text class="{item.anchor}'
        f'{" gone" if item.hidden else ""}" style="font-size:{item.size:.2f}px">{escape(item.text)}</text></g>'
        for item in items
    ]
    felt = '<rect class="felt" width="100%" height="100%"/>'
    return f"<svg {NAMES} {SIZE}><style>{rules}</style>{felt}{''.join(parts)}</svg>".encode()


def symbols(items: Sequence[Item]) -> bytes:
    """A symbol for each figure and each word that is drawn more than once, placed by `use`."""
    names: dict[str, str] = {}
    drawn = []
    for item in items:
        if isinstance(item, Figure):
            shape = Figure(0, 0, item.wide, item.high, item.round)
            own, x, y = _figure(shape, f'fill="none" stroke="{INK}" stroke-width="2"'), item.left, item.top
        else:
            own, x, y = (
                f'<text font-size="{item.size:.2f}" font-family="DejaVu Sans" text-anchor="{item.anchor}" '
                f'fill="{_color(item)}">{escape(item.text)}</text>',
                item.x,
                item.y,
            )
        name = names.setdefault(own, f"p{len(names)}")
        drawn.append(f'<use href="#{name}" x="{x:.2f}" y="{y:.2f}"/>')
    parts = "".join(f'<g id="{name}">{own}</g>' for own, name in names.items())
    return f"<svg {NAMES} {SIZE}><defs>{parts}</defs>{GROUND}{''.join(drawn)}</svg>".encode()


def outlined(items: Sequence[Item]) -> bytes:
    """Every line of letters as one path."""
    parts = [
        _figure(item, f'fill="none" stroke="{INK}" stroke-width="2"')
        if isinstance(item, Figure)
        else f'<path fill="{_color(item)}" d="{outline(item)}"/>'
        for item in items
    ]
    return f"<svg {NAMES} {SIZE}>{GROUND}{''.join(parts)}</svg>".encode()


def inkscape(items: Sequence[Item]) -> bytes:
    """Layers, a group moved by a matrix, styles on every element, lines as `tspan` with a role."""
    more = (
        'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:svg="http://www.w3.org/2000/svg"'
    )
    figures, texts = [], []
    for number, item in enumerate(items):
        if isinstance(item, Figure):
            figures.append(_figure(item, f'id="path{number}" style="fill:none;stroke:{INK};stroke-width:2"'))
            continue
        look = (
            f"font-style:normal;font-weight:normal;font-size:{item.size:.4f}px;line-height:1.25;"
            f"font-family:'DejaVu Sans';-inkscape-font-specification:'DejaVu Sans';text-anchor:{item.anchor};"
            f"text-align:center;fill:{_color(item)};fill-opacity:1;stroke:none"
        )
        x, y = item.x - 20, item.y - 10
        texts.append(
            f'<text xml:space="preserve" id="text{number}" style="{look}" x="{x:.4f}" y="{y:.4f}">'
            f'<tspan sodipodi:role="line" id="tspan{number}" x="{x:.4f}" y="{y:.4f}">{escape(item.text)}</tspan></text>'
        )
    view = f'<sodipodi:namedview id="base" pagecolor="{FELT}" inkscape:zoom="0.5"/>'
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="no"?><svg {NAMES} {more} {SIZE} id="svg8">{view}<defs/>'
        f'<g inkscape:label="Felt" inkscape:groupmode="layer" id="layer1">{GROUND}{"".join(figures)}</g>'
        f'<g inkscape:label="Text" inkscape:groupmode="layer" id="layer2" transform="matrix(1,0,0,1,20,10)">'
        f"{''.join(texts)}</g></svg>"
    ).encode()


def word_by_word(items: Sequence[Item]) -> bytes:
    """Each letter with a place of its own, as drawing programs export text that keeps its look."""
    parts = []
    for item in items:
        if isinstance(item, Figure):
            parts.append(_figure(item, f'fill="none" stroke="{INK}" stroke-width="2"'))
            continue
        letters = places(item)
        begins = " ".join(f"{x:.2f}" for x in letters)
        parts.append(
            f'<text y="{item.y:.2f}" x="{begins}" font-size="{item.size:.2f}" fill="{_color(item)}" '
            f'font-family="DejaVu Sans">{escape(item.text)}</text>'
        )
    return f"<svg {NAMES} {SIZE}>{GROUND}{''.join(parts)}</svg>".encode()


STYLES: dict[str, Callable[[Sequence[Item]], bytes]] = {
    "SVG by hand": by_hand,
    "SVG style sheet": style_sheet,
    "SVG symbols": symbols,
    "SVG Inkscape": inkscape,
    "SVG letter by letter": word_by_word,
}
OUTLINED: dict[str, Callable[[Sequence[Item]], bytes]] = {"SVG outlined": outlined}
