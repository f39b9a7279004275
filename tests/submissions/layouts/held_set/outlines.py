"""Letters as outlines and their places, from the files of fonts, by fontTools."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from tests.submissions.layouts.held_set.composition import TextLine

FONTS = Path(__file__).parents[4] / "node_modules/@uswds/uswds/packages/uswds-core/src/assets/fonts"
SANS = FONTS / "public-sans/PublicSans-Regular.ttf"


@cache
def _font(file: Path) -> tuple[Any, Any, Any, int]:
    font = TTFont(file)
    return font.getGlyphSet(), font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm


def places(line: TextLine, file: Path = SANS) -> list[float]:
    """Where each letter begins."""
    _, names, widths, em = _font(file)
    advances = [widths[names[ord(letter)]][0] * line.size / em for letter in line.text]
    x = line.x - sum(advances) * {"start": 0.0, "middle": 0.5, "end": 1.0}[line.anchor]
    begins = []
    for advance in advances:
        begins.append(x)
        x += advance
    return begins


def outline(line: TextLine, file: Path = SANS) -> str:
    """The data of a path."""
    glyphs, names, _, em = _font(file)
    pen, scale = SVGPathPen(glyphs, lambda number: f"{number:.2f}"), line.size / em
    for letter, x in zip(line.text, places(line, file), strict=True):
        glyphs[names[ord(letter)]].draw(TransformPen(pen, (scale, 0, 0, -scale, x, line.y)))
    return str(pen.getCommands())
