"""The drawing's text as line segments, and the segments that continue each: to its right, below it, next in order.

A line is divided where the gap is wider than between words, so that columns that recognition joined are separate.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import groupby
from math import hypot, inf
from statistics import median

from submissions.layouts.drawing_model import Box, Drawing, DrawingSource, PagePlace, Word
from submissions.layouts.inspection.tokens import Token, tokens

_GAP = 1.5  # gap that divides a line, in its letters' height
_LEADING = 1.2  # gap between two lines of one text, in the same unit
_AREA = 0.02  # of the page: a larger shape is more than one betting area
_NEXT_TO = 1.25  # of a figure's longer side, from its middle: words that are nearer are right beside it
_FRAME = 0.3  # of the page: a larger one is the table, or an edge around the drawing
_BESIDE = 0.35  # how far to the right a segment of the same line may be, as a share of the page


@dataclass(frozen=True, slots=True)
class LineSegment:
    """Words that are together in a line. Sides in the page's own unit."""

    page: int
    tokens: tuple[Token, ...]
    box: Box
    left: float
    top: float
    right: float
    bottom: float
    size: float  # height of its letters

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def distance(self, segment: LineSegment) -> float:
        """The gap between them; infinite on different pages."""
        across = max(self.left, segment.left) - min(self.right, segment.right)
        down = max(self.top, segment.top) - min(self.bottom, segment.bottom)
        return hypot(max(across, 0), max(down, 0)) if self.page == segment.page else inf

    def level(self, segment: LineSegment) -> bool:
        """Whether they are at the same height."""
        middle = (segment.top + segment.bottom) / 2
        return self.page == segment.page and self.top < middle < self.bottom

    def over(self, segment: LineSegment) -> bool:
        """Whether they overlap from left to right."""
        return self.page == segment.page and self.left < segment.right and segment.left < self.right


class DrawingText:
    """All segments, in reading order."""

    def __init__(self, drawing: Drawing) -> None:
        self.segments: tuple[LineSegment, ...] = tuple(_segments(drawing))
        self.words, self.pages = drawing.words, drawing.pages
        self.certain = drawing.source != DrawingSource.PICTURE  # else its words are recognized, and it has no figures
        self.figures = [shape for shape in drawing.shapes if shape.box.width * shape.box.height < _AREA]
        self.large_figures = [shape for shape in drawing.shapes if shape not in self.figures]
        self.lines = drawing.lines
        self.lines_known = drawing.source == DrawingSource.SVG

    def framed(self, place: PagePlace) -> bool:
        """Whether the place is in a figure of the size of a betting area."""
        return self.figure_of(place) is not None

    def figure_of(self, place: PagePlace) -> PagePlace | None:
        """The smallest figure of the size of a betting area that the place is in."""
        around = [figure for figure in self.figures if holds(figure, place)]
        return min(around, key=lambda figure: figure.box.width * figure.box.height, default=None)

    @cached_property
    def wordless_figures(self) -> list[PagePlace]:
        """The figures of that size that have no words in them, and are in none that has."""
        words = [self.place(number) for number in range(len(self.segments))]
        labeled = [figure for figure in self.figures if any(holds(figure, word) for word in words)]
        unlabeled = [figure for figure in self.figures if figure not in labeled]
        return [figure for figure in unlabeled if not any(_contains(label, figure) for label in labeled)]

    def figures_beside(self, place: PagePlace) -> list[PagePlace]:
        """The figures without words right beside the place: a die, with its name below."""
        page = self.pages[place.page]
        x, y = place.box.center
        near = []
        for figure in self.wordless_figures:
            across, down = figure.box.center
            way = hypot((across - x) * page.width, (down - y) * page.height)
            side = max(figure.box.width * page.width, figure.box.height * page.height)
            if figure.page == place.page and way < _NEXT_TO * side:
                near.append(figure)
        return near

    def between_lines(self, place: PagePlace) -> bool:
        """Whether the place is between lines that are not closed, as those of an insurance line, or in a frame."""
        return any(holds(line, place) for line in (*self.lines, *self.frames))

    @cached_property
    def frames(self) -> list[PagePlace]:
        """The figures larger than a betting area and smaller than the table."""
        return [figure for figure in self.large_figures if figure.box.width * figure.box.height < _FRAME]

    def place(self, segment: int) -> PagePlace:
        return PagePlace(self.segments[segment].page, self.segments[segment].box)

    def text(self, segment: int) -> str:
        """The words of the segment as they are printed."""
        words = dict.fromkeys(token.word for token in self.segments[segment].tokens)
        return " ".join(word.text for word in words)

    def after(self, place: int) -> tuple[int, ...]:
        """The segments that may continue the segment's text."""
        candidates = (
            self.below.get(place),
            place + 1 if place + 1 < len(self.segments) else None,
            self.right.get(place),
        )
        return tuple(dict.fromkeys(candidate for candidate in candidates if candidate is not None))

    @cached_property
    def right(self) -> dict[int, int]:
        """The nearest segment to the right of each, at its height."""
        nearest = {}
        for place, segment in enumerate(self.segments):
            reach = segment.right + _BESIDE * self.pages[segment.page].width
            level = [
                (neighbor.left, neighbor.top, at)
                for at, neighbor in self._from(segment, segment.top - 2 * segment.size, segment.bottom)
                if segment.right <= neighbor.left + segment.size / 2
                and neighbor.left < reach
                and segment.level(neighbor)
            ]
            if level:
                nearest[place] = min(level)[2]
        return nearest

    @cached_property
    def below(self) -> dict[int, int]:
        """The nearest segment directly below each, as the next line of a text is."""
        nearest = {}
        for place, segment in enumerate(self.segments):
            middle, reach = (segment.top + segment.bottom) / 2, segment.bottom + _LEADING * segment.size
            neighbors = self._from(segment, middle, reach)
            under = [(neighbor.top, neighbor.left, at) for at, neighbor in neighbors if segment.over(neighbor)]
            if under:
                nearest[place] = min(under)[2]
        return nearest

    def _from(self, segment: LineSegment, top: float, bottom: float) -> Iterator[tuple[int, LineSegment]]:
        """The other segments of the page whose upper side is between the two."""
        rows = self._tops[segment.page]
        for top_of, place in rows[bisect_left(rows, (top, -1)) :]:
            if top_of > bottom:
                return
            if self.segments[place] is not segment:
                yield place, self.segments[place]

    @cached_property
    def _tops(self) -> dict[int, list[tuple[float, int]]]:
        tops: dict[int, list[tuple[float, int]]] = defaultdict(list)
        for place, segment in enumerate(self.segments):
            tops[segment.page].append((segment.top, place))
        return {page: sorted(rows) for page, rows in tops.items()}


def holds(figure: PagePlace, place: PagePlace) -> bool:
    """Whether the center of the place is in the frame of the figure."""
    x, y = place.box.center
    box = figure.box
    return figure.page == place.page and 0 < x - box.left < box.width and 0 < y - box.top < box.height


def _contains(figure: PagePlace, inner: PagePlace) -> bool:
    """Whether all of the second figure is in the first one."""
    around, box = figure.box, inner.box
    across = around.left <= box.left and box.left + box.width <= around.left + around.width
    down = around.top <= box.top and box.top + box.height <= around.top + around.height
    return figure.page == inner.page and across and down


def _segments(drawing: Drawing) -> Iterator[LineSegment]:
    for (page, _), words in groupby(drawing.words, key=lambda word: (word.page, word.line)):
        size = drawing.pages[page]
        for part in _parts(list(words), size.width, size.height):
            if segment_tokens := tokens(part):
                yield _segment(page, segment_tokens, part, size.width, size.height)


def _parts(line: Sequence[Word], wide: float, high: float) -> Iterator[list[Word]]:
    """The line's words, divided at wide gaps."""
    room = _GAP * median(word.box.height * high for word in line)
    part = [line[0]]
    for word in line[1:]:
        if (word.box.left - part[-1].box.left - part[-1].box.width) * wide > room:
            yield part
            part = []
        part.append(word)
    yield part


def _segment(
    page: int, segment_tokens: tuple[Token, ...], words: Sequence[Word], wide: float, high: float
) -> LineSegment:
    box = reduce(Box.joined, (word.box for word in words))
    right, bottom = (box.left + box.width) * wide, (box.top + box.height) * high
    size = median(word.box.height for word in words) * high
    return LineSegment(page, segment_tokens, box, box.left * wide, box.top * high, right, bottom, size)
