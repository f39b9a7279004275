"""Stand-ins for letters: a bar where the stem of a letter would be, in the letter's paint, and points to look at.

A painting with bars tells whether letters show without the font that draws them: it may be missing, and bars stand
exactly where the reader has the letters. Lengths are in the units of the text; shares are of a letter's advance across
and of its size upwards.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from submissions.layouts.recognition.legibility import CAPITAL
from submissions.layouts.recognition.svg_style import Style
from submissions.layouts.recognition.word_grouping import Letter

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
SOLID = "\u2500\u25ff\u2b00\u2bff"  # first and last characters of ranges that fill more than stems
OVERRIDES = ("fill", "fill-opacity", "stroke", "stroke-opacity", "visibility")


def _at(letter: Letter, along: float, up: float) -> tuple[float, float]:
    cos, sin = math.cos(letter.angle), math.sin(letter.angle)
    along, up = along * letter.advance, up * letter.size
    return letter.x + along * cos + up * sin, letter.y + along * sin - up * cos


def is_solid(text: str) -> bool:
    """Whether a character is a block or a shape, which hides what is under it."""
    return any(first <= text[:1] <= last for first, last in zip(SOLID[::2], SOLID[1::2], strict=True))


def shows_stroke(style: Style) -> bool:
    return style.stroke != "" and style.stroke_width > THIN_STROKE * style.size


def shows_fill(style: Style) -> bool:
    """Whether the fill of letters shows: a line as wide as their stems is painted over all of it."""
    over = shows_stroke(style) and not style.stroke_first and style.stroke_opacity > SHINES_THROUGH
    return style.fill != "" and not (over and style.stroke_width > WIDE_STROKE * style.size)


def is_narrow(letter: Letter) -> bool:
    return letter.advance < NARROW * letter.size


def path_data(letters: Sequence[Letter], bar: tuple[float, float]) -> str:
    """The bars of these letters; the frame of the path is that of the text."""
    parts = [part for letter in letters for part in _bars(letter, bar)]
    for letter in (letters[0], letters[-1]):
        for along, up in ((0.0, EM[0]), (1.0, EM[1])):
            x, y = _at(letter, along, up)
            parts.append(f"M{x:.8g} {y:.8g}L{x:.8g} {y:.8g}")
    return "".join(parts)


def _bars(letter: Letter, bar: tuple[float, float]) -> Iterator[str]:
    (begin, end), low, high = bar, 0.0, CAPITAL
    if is_solid(letter.text):
        begin, end, (low, high) = 0.0, 1.0, EM
    corners = [_at(letter, along, up) for along, up in ((begin, low), (end, low), (end, high), (begin, high))]
    yield "M" + "L".join(f"{x:.8g} {y:.8g}" for x, y in corners) + "Z"


def points(letters: Sequence[Letter], along: Sequence[float], heights: Sequence[float]) -> Reals:
    """The points of each letter at these shares: letters × heights × shares × 2."""
    flat = [_at(letter, share, up) for letter in letters for up in heights for share in along]
    return np.array(flat, dtype=np.float64).reshape(len(letters), len(heights), len(along), 2)
