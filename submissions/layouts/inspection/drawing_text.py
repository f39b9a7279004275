"""The drawing's text as line segments, the segments that continue each, and the search for a phrase in them.

A line is divided where the gap is wider than between words, so that columns that recognition joined are separate. A
phrase is found over words in reading order and across lines, or as a label alone in its lines. Text outside the outline
of the table is on the paper around it, not on the layout.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import groupby, islice, pairwise
from math import dist, hypot, inf
from statistics import median
from typing import NamedTuple

from submissions.layouts.drawing_model import Box, Drawing, DrawingSource, PagePlace, Word
from submissions.layouts.inspection.tokens import Token, matches, same_number, tokens

_GAP = 1.5  # gap that divides a line, in its letters' height
_LEADING = 1.2  # gap between two lines of one text, in the same unit
_AREA = 0.02  # of the page: a larger shape is more than one betting area
_NEXT_TO = 1.25  # of a figure's longer side, from its middle: words that are nearer are right beside it
_FRAME = 0.3  # of the page: a larger one is the table, or an edge around the drawing
_BESIDE = 0.35  # how far to the right a segment of the same line may be, as a share of the page
LABEL_SUFFIXES = ("wager", "wagers", "bet", "bets", "area")  # words that may follow a label
_CLOSE = 1.5  # gap between the lines of a label, in its letters' height
_MOST_READINGS = 64  # of a phrase from one place


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
        """Return the gap between them; infinite on different pages."""
        across = max(self.left, segment.left) - min(self.right, segment.right)
        down = max(self.top, segment.top) - min(self.bottom, segment.bottom)
        return hypot(max(across, 0), max(down, 0)) if self.page == segment.page else inf

    def level(self, segment: LineSegment) -> bool:
        """Return whether they are at the same height."""
        middle = (segment.top + segment.bottom) / 2
        return self.page == segment.page and self.top < middle < self.bottom

    def over(self, segment: LineSegment) -> bool:
        """Return whether they overlap from left to right."""
        return self.page == segment.page and self.left < segment.right and segment.left < self.right


class Span(NamedTuple):
    """The tokens from `begin` to before `end` of a segment."""

    segment: int
    begin: int
    end: int


Trail = tuple[Span, ...]
TokenPlace = tuple[int, int]  # segment, token
Matching = Callable[[Token, str], bool]  # whether a token is a word of the phrase


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

    def figure_of(self, place: PagePlace) -> PagePlace | None:
        """Return the smallest figure of the size of a betting area that the place is in."""
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
        """Return the figures without words right beside the place: a die, with its name below."""
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
        """Return whether the place is between open lines, as those of an insurance line are, or in a frame."""
        return any(holds(line, place) for line in (*self.lines, *self.frames))

    @cached_property
    def frames(self) -> list[PagePlace]:
        """The figures larger than a betting area and smaller than the table."""
        return [figure for figure in self.large_figures if figure.box.width * figure.box.height < _FRAME]

    def place(self, segment: int) -> PagePlace:
        return PagePlace(self.segments[segment].page, self.segments[segment].box)

    def places_in(self, segment: int) -> list[TokenPlace]:
        return [(segment, place) for place in range(len(self.segments[segment].tokens))]

    def text(self, segment: int) -> str:
        """Return the words of the segment as they are printed."""
        return self.printed_text(self.places_in(segment))

    def after(self, place: int) -> tuple[int, ...]:
        """Return the segments that may continue the segment's text."""
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
        """Yield the other segments of the page whose upper side is between the two."""
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

    def readings(self, need: Sequence[str], segment: int, begin: int, matching: Matching = matches) -> Iterator[Trail]:
        """Yield every reading of the phrase from that place."""
        yield from self._walk(need, matching, 0, Span(segment, begin, begin), ())

    def find_phrase(
        self, need: Sequence[str], without: Collection[int] = (), matching: Matching = matches
    ) -> list[Trail]:
        """Return each place of the phrase, once, outside the segments of `without`, where its lines are nearest."""
        compact_trails: list[Trail] = []
        for place, segment in enumerate(self.segments):
            starts = (begin for begin, token in enumerate(segment.tokens) if _may_begin(token, need, matching))
            for begin in starts:
                trails = (trail for trail in self.readings(need, place, begin, matching) if avoids(trail, without))
                compact = min(islice(trails, _MOST_READINGS), key=self._way, default=None)
                compact_trails += [compact] if compact else []
        return compact_trails

    def find_labels(
        self, needs: Iterable[tuple[str, ...]], without: Collection[int] = ()
    ) -> dict[tuple[str, ...], list[Trail]]:
        """Return the places where each phrase has lines of its own; “Wager” may follow it.

        A line is part of one label only: of the longer one, then of the one whose other lines are nearer.
        """
        labels: dict[tuple[str, ...], list[Trail]] = {need: [] for need in needs}
        ways = sorted(
            (-len(need), self._way(trail), place, need, trail)
            for need in labels
            for place in range(len(self.segments))
            if place not in without
            for trail in islice(self._labels(need, place), _MOST_READINGS)
        )
        taken = set(without)
        for *_, need, trail in ways:
            if avoids(trail, taken):
                labels[need].append(trail)
                taken |= {span.segment for span in trail}
        return {need: sorted(trails) for need, trails in labels.items()}

    def _labels(self, need: Sequence[str], place: int) -> Iterator[Trail]:
        """Yield every reading of the phrase alone from that line, its lines close to each other."""
        if not _may_begin(self.segments[place].tokens[0], need, matches):
            return
        for trail in self.readings(need, place, 0):
            lines = pairwise(self.segments[span.segment] for span in trail)
            close = (line.distance(next_line) < _CLOSE * min(line.size, next_line.size) for line, next_line in lines)
            if self.fills_its_lines(trail) and all(close):
                yield trail

    def _way(self, trail: Trail) -> float:
        middles = [self.segments[span.segment].middle for span in trail]
        return sum(dist(middle, next_middle) for middle, next_middle in pairwise(middles))

    def _walk(self, need: Sequence[str], matching: Matching, done: int, span: Span, trail: Trail) -> Iterator[Trail]:
        if done == len(need):
            yield (*trail, span)
            return
        here = self.segments[span.segment].tokens[span.end :]
        for wanted, read in _steps(need[done:], here, matching, alone=len(need) == 1):
            yield from self._walk(need, matching, done + wanted, span._replace(end=span.end + read), trail)
        used = {part.segment for part in trail} | {span.segment}
        next_places = [place for place in self.after(span.segment) if place not in used] if len(here) < 2 else []
        for place in next_places:
            if not here:
                yield from self._walk(need, matching, done, Span(place, 0, 0), (*trail, span))
            elif here[0].broken and here[0].text + self.segments[place].tokens[0].text == need[done]:
                ended = span._replace(end=span.end + 1)
                yield from self._walk(need, matching, done + 1, Span(place, 0, 1), (*trail, ended))

    def fills_its_lines(self, trail: Trail, suffixes: Collection[str] = ()) -> bool:
        """Return whether the trail fills its lines, except for words that may follow a label, or these suffixes."""
        *before, last = trail
        if last.begin or any(span.begin or span.end < len(self.segments[span.segment].tokens) for span in before):
            return False
        rest = self.segments[last.segment].tokens[last.end :]
        return all(token.text in LABEL_SUFFIXES or token.text in suffixes for token in rest)

    def label_suffix(self, trail: Trail) -> Iterator[TokenPlace]:
        """Yield the words that follow a label in its last line, if only such words follow: “Wager”."""
        segment, _, end = trail[-1]
        rest = self.segments[segment].tokens[end:]
        if all(token.text in LABEL_SUFFIXES for token in rest):
            yield from ((segment, place) for place in range(end, end + len(rest)))

    def tokens_at(self, places: Iterable[TokenPlace]) -> list[Token]:
        return [self.segments[segment].tokens[place] for segment, place in places]

    def printed_text(self, places: Iterable[TokenPlace]) -> str:
        """Return the words as they are printed."""
        return " ".join(word.text for word in dict.fromkeys(token.word for token in self.tokens_at(places)))

    def place_at(self, places: Iterable[TokenPlace]) -> PagePlace:
        """Return the place of the words; if they run over pages, of those on the first."""
        return PagePlace.of([token.word for token in self.tokens_at(places)])

    def place_of(self, trail: Trail) -> PagePlace:
        """Return the place of the trail; if it runs over pages, of its part on the first."""
        return self.place_at(token_places(trail))


def avoids(trail: Trail, taken: Collection[int]) -> bool:
    return all(span.segment not in taken for span in trail)


def token_places(trail: Trail) -> Iterator[TokenPlace]:
    """Return the places of the trail's tokens, in its order."""
    return ((span.segment, place) for span in trail for place in range(span.begin, span.end))


def _may_begin(token: Token, need: Sequence[str], matching: Matching) -> bool:
    if not need:
        return False
    begins = need[0].startswith(token.text) or token.text.startswith(need[0])
    return begins or matching(token, need[0]) or (len(need) > 1 and same_number(token, need[0]))


def _steps(need: Sequence[str], here: Sequence[Token], matching: Matching, *, alone: bool) -> Iterator[tuple[int, int]]:
    """Yield (words of the phrase, matching tokens): one as one, one as two, or two as one (“All Six”, “Allsix”).

    `alone`: a phrase of one word, of which a numeral (“6” for “Six”) may be something else.
    """
    if not here:
        return
    if matching(here[0], need[0]) or (not alone and same_number(here[0], need[0])):
        yield 1, 1
    elif len(here) > 1 and need[0].isalpha() and here[0].text + here[1].text == need[0]:
        yield 1, 2
    elif len(need) > 1 and here[0].text.isalpha() and here[0].text == need[0] + need[1]:
        yield 2, 1


def holds(figure: PagePlace, place: PagePlace) -> bool:
    """Return whether the center of the place is in the frame of the figure."""
    x, y = place.box.center
    box = figure.box
    return figure.page == place.page and 0 < x - box.left < box.width and 0 < y - box.top < box.height


def _contains(figure: PagePlace, inner: PagePlace) -> bool:
    """Return whether all of the second figure is in the first one."""
    around, box = figure.box, inner.box
    across = around.left <= box.left and box.left + box.width <= around.left + around.width
    down = around.top <= box.top and box.top + box.height <= around.top + around.height
    return figure.page == inner.page and across and down


def _segments(drawing: Drawing) -> Iterator[LineSegment]:
    for (page, _), line in groupby(drawing.words, key=lambda word: (word.page, word.line)):
        wide, high = drawing.pages[page].width, drawing.pages[page].height
        for words in _parts(list(line), wide, high):
            if segment_tokens := tokens(words):
                box = reduce(Box.joined, (word.box for word in words))
                right, bottom = (box.left + box.width) * wide, (box.top + box.height) * high
                size = median(word.box.height for word in words) * high
                yield LineSegment(page, segment_tokens, box, box.left * wide, box.top * high, right, bottom, size)


def _parts(line: Sequence[Word], wide: float, high: float) -> Iterator[list[Word]]:
    """Yield the line's words, divided at wide gaps."""
    room = _GAP * median(word.box.height * high for word in line)
    part = [line[0]]
    for word in line[1:]:
        if (word.box.left - part[-1].box.left - part[-1].box.width) * wide > room:
            yield part
            part = []
        part.append(word)
    yield part


OFF_TABLE = "It is outside the outline of the table, not on the layout."


class TableOutline:
    """The large figures of a drawing, if all betting areas are in one of them; else nothing is outside."""

    def __init__(self, sheet: DrawingText, areas: Sequence[PagePlace]) -> None:
        figures = sheet.large_figures
        is_known = areas and any(all(holds(figure, place) for place in areas) for figure in figures)
        self.figures = figures if is_known else []

    def excludes(self, shown: Sequence[Sequence[PagePlace]]) -> bool:
        """Return whether one of these, each with its places, is outside at all of them."""
        return bool(self.figures) and any(
            places and not any(holds(figure, place) for figure in self.figures for place in places) for places in shown
        )
