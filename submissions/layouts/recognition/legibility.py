"""The legibility of letters: three verdicts, from contrast and height; and the lines that cross a word.

A crossing line shows in the pixels of the page without its text. It may be a path, a picture or dashes. Such words may
be meant to count or not to count: nothing is concluded from them. Not here: lines through letters that are smaller than
the pixels, and the style of a text, both in an SVG only (`svg_visibility`).
"""

import math
from collections.abc import Sequence
from enum import Enum
from typing import Any

import numpy as np

from submissions.layouts.recognition.word_grouping import PlacedWord

FAINT, CLEAR = 12, 32  # of 255, in any color: a smaller difference counts as none; a clear difference
# A normal eye resolves a letter of 5 minutes of arc (the 20/20 line of an eye chart), the best ones half of that. On a
# sheet held at 400 mm these are capitals of 0.58 and 0.29 mm. A drawing may be enlarged to a sheet of 11 inches.
READABLE_MM, SMALLEST_MM = 0.58, 0.29
SHEET_MM = 279.4
CAPITAL = 0.7  # height of a capital or a digit, of a letter's size


class Sight(Enum):
    """A verdict on visibility; UNCLEAR proves neither that something is on the drawing nor that it is not."""

    VISIBLE = "visible"
    UNCLEAR = "unclear"
    HIDDEN = "hidden"


def sight_by_size(size: float, unit_mm: float, long_side: float) -> Sight:
    """Return the verdict by size. `unit_mm`: the page's unit, 0 if unknown; `long_side`: in units."""
    high = CAPITAL * size * max(unit_mm, SHEET_MM / max(long_side, 1e-9))
    return Sight.VISIBLE if high >= READABLE_MM else Sight.UNCLEAR if high >= SMALLEST_MM else Sight.HIDDEN


AROUND = np.arange(-0.25, 0.95, 0.05)  # of the letters' size: more of it is background than line
STRUCK = (0.12, 0.55)  # of the letters' size above the baseline: a line there goes through them
CROSSED, FEWEST = 0.6, 2  # of a word's parts, and at least: a line beside a word may touch one
ALONG = (0.1, 0.3, 0.5, 0.7, 0.9)  # of a part
LONG_SIDE = 1800  # pixels of the page that is painted

Heights = np.ndarray[Any, np.dtype[np.float64]]
Pixels = np.ndarray[Any, np.dtype[np.int16]]


def is_crossed(word: PlacedWord, rest: Pixels, scale: tuple[float, float]) -> bool:
    """Return whether a line on the page without its text crosses most of the word."""
    column, row, inside = samples(word, AROUND, rest.shape[:2], scale)
    colors = rest[row, column]  # parts × points × heights × channels
    differs = inside & (np.abs(colors - np.median(colors, axis=2, keepdims=True)).max(axis=-1) >= FAINT)
    through = differs[..., (STRUCK[0] <= AROUND) & (STRUCK[1] >= AROUND)].any(axis=-1)  # parts × points
    crossed = through.mean(axis=-1) > CROSSED
    return bool(crossed.mean() > CROSSED and crossed.sum() >= min(FEWEST, len(crossed)))


def samples(
    word: PlacedWord, heights: Sequence[float] | Heights, shape: tuple[int, ...], scale: tuple[float, float]
) -> tuple[Any, Any, Any]:
    """Return columns and rows of pixels on the page, and whether they are on it: parts × points × heights."""
    parts = max(1, len(word.text))
    (x, y, _), (right, low, _), angle = word.begin, word.end, word.begin[2]
    along = (np.arange(parts)[:, None] + np.array(ALONG)) / parts  # parts × points
    up = np.array(heights) * word.size
    across = x + along[..., None] * (right - x) + up * math.sin(angle)
    down = y + along[..., None] * (low - y) - up * math.cos(angle)
    column, row = np.floor(across * scale[0]).astype(int), np.floor(down * scale[1]).astype(int)
    high, wide = shape
    inside = (column >= 0) & (column < wide) & (row >= 0) & (row < high)
    return column.clip(0, wide - 1), row.clip(0, high - 1), inside
