"""Ways to show the word “Ante” in an SVG, or to hide it, and whether people see it; Chromium is the judge.

Each is the content of a drawing of 200 × 100 mm and 400 × 200 units; the page is white.
"""

from __future__ import annotations

import base64
import io

from PIL import Image

TEXT = '<text x="100" y="100" font-size="20">Ante</text>'
FELT = '<rect width="400" height="200" fill="#006040"/>'
CLIP = '<clipPath id="c"><rect width="9" height="9"/></clipPath>'
MASK = '<mask id="m"><rect width="400" height="200" fill="black"/></mask>'
SQUARES = '<pattern id="p" width="1" height="1"><rect width="400" height="200" fill="{}"/></pattern>'
GRADIENT = '<linearGradient id="p"><stop stop-color="{}"/><stop offset="1" stop-color="{}"/></linearGradient>'
TRANSPARENT = '<filter id="f"><feComponentTransfer><feFuncA type="linear" slope="0"/></feComponentTransfer></filter>'
AWAY = '<filter id="f"><feOffset dx="900"/></filter>'
BLUR = '<filter id="f"><feGaussianBlur stdDeviation="{}"/></filter>'
SHADOW = '<filter id="f"><feDropShadow dx="1" dy="1" stdDeviation="1"/></filter>'


def _picture(color: str) -> str:
    file = io.BytesIO()
    Image.new("RGB", (4, 2), color).save(file, "PNG")
    data = base64.b64encode(file.getvalue()).decode()
    # No larger than the word: a picture that covers the whole drawing takes seconds to paint.
    return (
        f'<image href="data:image/png;base64,{data}" x="80" y="60" width="120" height="60" preserveAspectRatio="none"/>'
    )


def _with(attributes: str) -> str:
    return TEXT.replace("<text", f"<text {attributes}")


HIDDEN = {
    "clipped": f'{CLIP}<g clip-path="url(#c)">{TEXT}</g>',
    "clipped itself": CLIP + _with('clip-path="url(#c)"'),
    "clipped by style sheet": f"{CLIP}<style>.a{{clip-path:url(#c)}}</style>" + _with('class="a"'),
    "clipped by its box": CLIP.replace('="c"', '="c" clipPathUnits="objectBoundingBox"').replace('"9"', '"0.01"')
    + _with('clip-path="url(#c)"'),
    "masked": f'{MASK}<g mask="url(#m)">{TEXT}</g>',
    "made transparent by a filter": f'{TRANSPARENT}<g filter="url(#f)">{TEXT}</g>',
    "moved away by a filter": AWAY + _with('filter="url(#f)"'),
    "filter function": _with('style="filter:opacity(0)"'),
    "opacity of a group": f'<g opacity="0">{TEXT}</g>',
    "color of the felt": FELT + _with('fill="#006040"'),
    "color of the felt by blending": f'{FELT}<g style="mix-blend-mode:multiply">' + _with('fill="white"') + "</g>",
    "gradient like the felt": FELT + GRADIENT.format("#006040", "#006040") + _with('fill="url(#p)"'),
    "pattern like the page": SQUARES.format("white") + _with('fill="url(#p)"'),
    "white on a picture": _picture("white") + _with('fill="white"'),
    "under a shape": f'{TEXT}<circle cx="120" cy="95" r="90" fill="green"/>',
    "under a turned shape": f'{TEXT}<rect x="50" y="50" width="200" height="99" fill="green" transform="rotate(3)"/>',
    "under a picture": TEXT + _picture("#806040"),
    "under a pattern": TEXT + SQUARES.format("green") + '<rect width="400" height="200" fill="url(#p)"/>',
    "under letters that are blocks": TEXT
    + '<text x="95" y="100" font-size="24" fill="white">\u2588\u2588\u2588\u2588</text>',
    "under its own line": FELT + _with('fill="white" stroke="#006040" stroke-width="9"'),
    "letters of 0.1 mm": '<text x="100" y="100" font-size="0.2">Ante</text>',
    "outside the view box": '<text x="500" y="100" font-size="20">Ante</text>',
    "scaled to nothing": f'<g transform="scale(0)">{TEXT}</g>',
    "squeezed to a line": f'<g transform="scale(0.001 1)">{TEXT}</g>',
    "scaled to nothing by style": f'<g style="transform:scale(0)">{TEXT}</g>',
    "visibility through use": f'<defs><g id="t">{TEXT}</g></defs><use href="#t" visibility="hidden"/>',
    "class of a style sheet": "<style>.a{display:none}</style>" + _with('class="a"'),
    "selector of a style sheet": f"<style>g:not(.b) > text{{visibility:hidden}}</style><g>{TEXT}</g>",
    "rule for screens": f"<style>@media screen{{text{{display:none}}}}</style>{TEXT}",
    "style sheet for screens": f'<style media="screen">text{{display:none}}</style>{TEXT}',
    "nested drawing": f'<svg width="50" height="200" overflow="hidden">{TEXT}</svg>',
    "beyond the end of its path": '<path id="q" d="M100 100h40" fill="none"/><text font-size="20">'
    '<textPath href="#q" startOffset="100">Ante</textPath></text>',
    "in a symbol that is not used": f"<symbol>{TEXT}</symbol>",
    "in a pattern": f'<pattern id="p" width="1" height="1">{TEXT}</pattern><rect width="9" height="9" fill="url(#p)"/>',
    "second of a switch": f"<switch><g/>{TEXT}</switch>",
    "language of a switch": "<switch>" + _with('systemLanguage="fr"') + "</switch>",
    "another namespace": '<x:text xmlns:x="urn:x" x="100" y="100" font-size="20">Ante</x:text>',
    "color of a wide gamut": FELT + _with('style="fill:#fff;fill:color(srgb 0 0.376 0.251)"'),
}
VISIBLE = {
    "plain": TEXT,
    "clipped around it": f'{CLIP.replace("9", "180")}<g clip-path="url(#c)">{TEXT}</g>',
    "mask that shows it": f'{MASK.replace("black", "white")}<g mask="url(#m)">{TEXT}</g>',
    "shadow": SHADOW + _with('filter="url(#f)"'),
    "opacity of half": f'<g opacity="0.5">{TEXT}</g>',
    "white on felt": FELT + _with('fill="white"'),
    "white on a dark picture": _picture("#402010") + _with('fill="white"'),
    "white beside the corner of a circle": '<circle r="110" fill="white"/>' + TEXT,
    "gradient": GRADIENT.format("red", "blue") + _with('fill="url(#p)"'),
    "pattern": SQUARES.format("navy") + _with('fill="url(#p)"'),
    "line around white letters": _with('fill="white" stroke="black"'),
    "line around no fill": _with('fill="none" stroke="black" stroke-width="1.5"'),
    "line under white letters": _with('fill="white" stroke="black" stroke-width="5" paint-order="stroke"'),
    "wide line in another color": FELT + _with('fill="#006040" stroke="white" stroke-width="4"'),
    "rule for print": f"<style>@media print{{text{{display:none}}}}</style>{TEXT}",
    "visible within hidden": '<g visibility="hidden">' + _with('visibility="visible"') + "</g>",
    "used": f'<defs><g id="t">{TEXT}</g></defs><use href="#t"/>',
    "symbol in another color": f'<symbol id="t">{TEXT}</symbol>{FELT}<use href="#t" fill="yellow"/>',
    "text path": '<path id="q" d="M50 150A100 100 0 0 1 300 150" fill="none"/><text font-size="20">'
    '<textPath href="#q" startOffset="50%">Ante</textPath></text>',
    "nested drawing around it": f'<svg width="300" height="200" viewBox="0 0 300 200">{TEXT}</svg>',
    "moved by style": f'<g style="transform:translate(20px,10px) scale(1.1)">{TEXT}</g>',
    "turned": f'<g transform="rotate(30 100 100)">{TEXT}</g>',
    "beside a shape": f'{TEXT}<rect x="100" y="120" width="90" height="50"/>',
    "typeface that is not there": _with('font-family="No Such Face"'),
    "letters of 1 mm": '<text x="100" y="100" font-size="2">Ante</text>',
    "first that fits in a switch": f'<switch><g systemLanguage="fr"/>{TEXT}</switch>',
    "wide gamut with another color first": FELT + _with('style="fill:#006040;fill:color(display-p3 1 1 1)"'),
}
UNCLEAR = {  # a person sees something there: nothing may be concluded from it
    "blurred until nobody can read it": BLUR.format(6) + _with('filter="url(#f)"'),
    "hardly another color than the felt": FELT + _with('fill="#187858"'),
    "clipped to its lower half": '<clipPath id="c"><rect y="93" width="400" height="50"/></clipPath>'
    + _with('clip-path="url(#c)"'),
    "one letter of four clipped": '<clipPath id="c"><rect x="113" width="90" height="200"/></clipPath>'
    + _with('clip-path="url(#c)"'),
    "under other words": TEXT + '<text x="100" y="100" font-size="20" fill="red">6666</text>',
    "letters of 0.5 mm": '<text x="100" y="100" font-size="1">Ante</text>',
    "squeezed by its length": _with('textLength="4" lengthAdjust="spacingAndGlyphs"'),
    "used in another size": '<defs><text id="t" x="100" y="50">Ante</text></defs><use href="#t" font-size="9"/>'
    '<use href="#t" font-size="20" y="60"/>',
}
REFUSED = {  # viewers differ about it, or the painting would not show it
    "animation": f"<style>@keyframes k{{to{{opacity:0}}}} text{{animation:k 1s forwards}}</style>{TEXT}",
    "condition of the window": f"<style>@media (min-width:1px){{text{{display:none}}}}</style>{TEXT}",
    "condition of the viewer": f"<style>@supports (display:block){{text{{display:none}}}}</style>{TEXT}",
    "layer": f"<style>@layer a{{text{{display:none}}}}</style>{TEXT}",
    "rule within a rule": f"<style>svg{{text{{display:none}}}}</style>{TEXT}",
    "selector nobody knows": f"<style>text:unheard-of{{display:none}}</style>{TEXT}",
    "computed value": f"<style>svg{{--d:none}} text{{display:var(--d)}}</style>{TEXT}",
    "computed attribute": _with('opacity="calc(1 - 1)"'),
    "shape of CSS": _with('style="clip-path:inset(100%)"'),
    "shape of CSS in an attribute": _with('clip-path="circle(0)"'),
    "mask of CSS": _with('style="mask-image:linear-gradient(transparent,transparent)"'),
    "scale of CSS": _with('style="scale:0"'),
    "place of a shape by CSS": f'{TEXT}<rect style="width:400px;height:200px" fill="green"/>',
    "other direction": _with('style="direction:rtl;unicode-bidi:bidi-override"'),
    "lines downwards": _with('writing-mode="tb"'),
    "origin of a turn": _with('transform="scale(0.5)" transform-origin="900 900"'),
    "value as if nothing were said": _with('style="display:initial"'),
    "color of CSS": _with('style="fill:color-mix(in srgb, white, white)"'),
}
