"""The drawing as pieces of lines, and which piece follows which: beside it, below it, next in the order of reading.

A line is divided where there is more room than between words, so that columns that a reader joined stand apart.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import hypot, inf
from statistics import median

from submissions.layouts.drawing import Box, Drawing, Word
from submissions.layouts.inspection.letters import Token, tokens
from submissions.layouts.inspection.results import Place

_GAP = 1.5  # room that divides a line, in its letters' height
_LEADING = 1.2  # room between two lines of one text, likewise
_AREA = 0.02  # of the page: a shape larger than that is more than one betting area
_BESIDE = 0.35  # how far to the right a piece may be that belongs to a line, as a share of the page


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that stand together in a line. Sides in the page's own measure."""

    page: int
    tokens: tuple[Token, ...]
    box: Box
    left: float
    top: float
    right: float
    bottom: float
    size: float  # height of its letters

    @property
    def place(self) -> Place:
        return Place(self.page, self.box)

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def apart(self, other: Piece) -> float:
        """The room between them."""
        across = max(self.left, other.left) - min(self.right, other.right)
        down = max(self.top, other.top) - min(self.bottom, other.bottom)
        return hypot(max(across, 0), max(down, 0)) if self.page == other.page else inf

    def level(self, other: Piece) -> bool:
        """Whether they stand at the same height."""
        middle = (other.top + other.bottom) / 2
        return self.page == other.page and self.top < middle < self.bottom

    def over(self, other: Piece) -> bool:
        """Whether one stands above the other, as far as left and right go."""
        return self.page == other.page and self.left < other.right and other.left < self.right


class Sheet:
    """All pieces, in the order of reading."""

    def __init__(self, drawing: Drawing) -> None:
        self.pieces: tuple[Piece, ...] = tuple(_pieces(drawing))
        self.widths = tuple(page.width for page in drawing.pages)
        self._areas = [shape for shape in drawing.shapes if shape.box.width * shape.box.height < _AREA]

    def framed(self, place: Place) -> bool:
        """Whether that place is in a figure of the size of a betting area."""
        x, y = place.box.centre
        boxes = (shape.box for shape in self._areas if shape.page == place.page)
        return any(0 < x - box.left < box.width and 0 < y - box.top < box.height for box in boxes)

    def after(self, place: int) -> tuple[int, ...]:
        """The pieces that may continue that piece's text."""
        found = (self.below.get(place), place + 1 if place + 1 < len(self.pieces) else None, self.right.get(place))
        return tuple(dict.fromkeys(one for one in found if one is not None))

    @cached_property
    def right(self) -> dict[int, int]:
        """The nearest piece to the right of each, at its height."""
        found = {}
        for place, piece in enumerate(self.pieces):
            reach = piece.right + _BESIDE * self.widths[piece.page]
            level = [
                other
                for other in self._from(piece.page, piece.top - 2 * piece.size, piece.bottom)
                if piece.right <= self.pieces[other].left + piece.size / 2
                and self.pieces[other].left < reach
                and other != place
                and piece.level(self.pieces[other])
            ]
            if level:
                found[place] = min(level, key=lambda other: self.pieces[other].left)
        return found

    @cached_property
    def below(self) -> dict[int, int]:
        """The nearest piece right below each, as the next line of a text is."""
        found = {}
        for place, piece in enumerate(self.pieces):
            under = [
                other
                for other in self._from(
                    piece.page, (piece.top + piece.bottom) / 2, piece.bottom + _LEADING * piece.size
                )
                if other != place and piece.over(self.pieces[other])
            ]
            if under:
                found[place] = min(under, key=lambda other: (self.pieces[other].top, self.pieces[other].left))
        return found

    def _from(self, page: int, top: float, bottom: float) -> Iterator[int]:
        """Pieces of the page whose upper side is between the two."""
        rows = self._tops[page]
        for top_of, place in rows[bisect_left(rows, (top, -1)) :]:
            if top_of > bottom:
                return
            yield place

    @cached_property
    def _tops(self) -> dict[int, list[tuple[float, int]]]:
        found: dict[int, list[tuple[float, int]]] = defaultdict(list)
        for place, piece in enumerate(self.pieces):
            found[piece.page].append((piece.top, place))
        return {page: sorted(rows) for page, rows in found.items()}


def _pieces(drawing: Drawing) -> Iterator[Piece]:
    for (page, _), words in groupby(drawing.words, key=lambda word: (word.page, word.line)):
        size = drawing.pages[page]
        for part in _parts(list(words), size.width, size.height):
            found = tokens(part)
            if found:
                yield _piece(page, found, part, size.width, size.height)


def _parts(line: Sequence[Word], wide: float, high: float) -> Iterator[list[Word]]:
    """The line's words, divided where there is room between them."""
    room = _GAP * median(word.box.height * high for word in line)
    part = [line[0]]
    for word in line[1:]:
        if (word.box.left - part[-1].box.left - part[-1].box.width) * wide > room:
            yield part
            part = []
        part.append(word)
    yield part


def _piece(page: int, found: tuple[Token, ...], words: Sequence[Word], wide: float, high: float) -> Piece:
    box = words[0].box
    for word in words[1:]:
        box = box.joined(word.box)
    right, bottom = (box.left + box.width) * wide, (box.top + box.height) * high
    size = median(word.box.height for word in words) * high
    return Piece(page, found, box, box.left * wide, box.top * high, right, bottom, size)
