"""Words that are struck through: by their style, or by a line drawn over most of their letters.

Such words may be meant to count or not to count: nothing is concluded from them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from submissions.layouts.recognition.figures import FigureDrawing, outlines
from submissions.layouts.recognition.legibility import Sight
from submissions.layouts.recognition.svg_geometry import Coordinates, length, transform_point
from submissions.layouts.recognition.svg_visibility import SeenLetter
from submissions.layouts.recognition.word_grouping import Letter

_LOW, _HIGH = 0.12, 0.55  # of a letter's size above its baseline: a line there goes through it
_MOST = 0.6  # of a word's letters
_FEWEST = 2  # letters: a line between two columns may touch one
_THIN = 0.5  # of a letter's size: a filled figure that is lower is a line
_MOST_LINES = 20_000
Segments = np.ndarray[Any, np.dtype[np.float64]]  # lines × (x, y of begin, x, y of end)


def without_struck(
    letters: Sequence[SeenLetter], by_style: Sequence[bool], drawn: Iterable[FigureDrawing]
) -> list[SeenLetter]:
    """The letters, of which those in words that are struck through are unclear. `by_style`: for each letter."""
    shown = [place for place, seen in enumerate(letters) if seen.sight is Sight.VISIBLE]
    crossed = {place for place in shown if by_style[place]} | _crossed(letters, shown, drawn)
    words: dict[int, list[int]] = defaultdict(list)
    for place in shown:
        words[letters[place].word].append(place)
    struck = {word for word, places in words.items() if _is_struck(places, crossed)}
    return [
        replace(seen, sight=Sight.UNCLEAR) if seen.sight is Sight.VISIBLE and seen.word in struck else seen
        for seen in letters
    ]


def _is_struck(places: Sequence[int], crossed: Collection[int]) -> bool:
    count = sum(place in crossed for place in places)
    return count >= min(_FEWEST, len(places)) and count > _MOST * len(places)


def _crossed(letters: Sequence[SeenLetter], shown: Sequence[int], drawn: Iterable[FigureDrawing]) -> set[int]:
    """The letters that a line goes through from one side to the other."""
    if not shown:
        return set()
    lines = _lines(drawn, max(letters[place].letter.size for place in shown))
    return {place for place in shown if len(lines) and _goes_through(letters[place].letter, lines)}


def _lines(drawn: Iterable[FigureDrawing], largest: float) -> Segments:
    lines: list[tuple[float, float, float, float]] = []
    for element, name, matrix, style, view in drawn:
        if not style.paints:
            continue
        for points, closed in _outlines(element, name, view):
            placed = [transform_point(matrix, *point) for point in points]
            if style.stroke == "" and not _is_thin(placed, largest):
                continue
            ends = [*placed, placed[0]] if closed and placed else placed
            lines += [(*begin, *end) for begin, end in pairwise(ends) if begin != end]
            if len(lines) > _MOST_LINES:
                return np.array(lines[:_MOST_LINES])
    return np.array(lines).reshape(-1, 4)


def _outlines(element: Any, name: str, view: tuple[float, float]) -> list[tuple[list[Coordinates], bool]]:
    if name != "line":
        return outlines(element, name, view)
    x1, y1, x2, y2 = (length(element.get(key, "0"), of=view[key[0] == "y"]) for key in ("x1", "y1", "x2", "y2"))
    return [([(x1, y1), (x2, y2)], False)]


def _is_thin(points: Sequence[tuple[float, float]], largest: float) -> bool:
    sides = [[float(point[axis]) for point in points] for axis in (0, 1)]
    return not points or min(max(side) - min(side) for side in sides) < _THIN * largest


def _goes_through(letter: Letter, lines: Segments) -> bool:
    """Whether a line crosses the middle of the letter's left and right half, between its foot and its head."""
    cos, sin = np.cos(letter.angle), np.sin(letter.angle)
    x, y = lines[:, ::2] - letter.x, lines[:, 1::2] - letter.y
    along, up = x * cos + y * sin, x * sin - y * cos
    low, high = along.min(axis=1), along.max(axis=1)
    spans = (low <= letter.advance * 0.3) & (high >= letter.advance * 0.7)
    if not spans.any():
        return False
    begin, end, base, top = along[spans, 0], along[spans, 1], up[spans, 0], up[spans, 1]
    share = (letter.advance / 2 - begin) / (end - begin)
    height = base + share * (top - base)
    return bool(((height > _LOW * letter.size) & (height < _HIGH * letter.size)).any())
