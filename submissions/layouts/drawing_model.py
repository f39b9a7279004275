"""The words of a drawing with their places, and the shapes that may be betting areas.

The same for SVG, PDF and pictures. Not here: reading files (`layouts.recognition`), comparing with the requirements
(`layouts.inspection`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce


class DrawingSource(StrEnum):
    SVG = "svg"
    PDF = "pdf"
    PICTURE = "picture"  # its letters are recognized: every word may be wrong


@dataclass(frozen=True, slots=True)
class Box:
    """A place on a page, as shares of the page's width and height (0 to 1), from the upper left."""

    left: float
    top: float
    width: float
    height: float

    @property
    def center(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    def joined(self, other_box: Box) -> Box:
        left, top = min(self.left, other_box.left), min(self.top, other_box.top)
        right = max(self.left + self.width, other_box.left + other_box.width)
        bottom = max(self.top + self.height, other_box.top + other_box.height)
        return Box(left, top, right - left, bottom - top)


@dataclass(frozen=True, slots=True)
class Word:
    """A run of letters without space; `line` is the same, per page, for words of one line of text in reading order."""

    text: str
    page: int  # from 0
    box: Box
    line: int
    certainty: float = 1.0


@dataclass(frozen=True, slots=True)
class PagePlace:
    page: int  # from 0
    box: Box

    @classmethod
    def of(cls, words: Sequence[Word]) -> PagePlace:
        """Return the place of the words; if they run over pages, of those on the first."""
        page = words[0].page
        return cls(page, reduce(Box.joined, (word.box for word in words if word.page == page)))


@dataclass(frozen=True, slots=True)
class DrawingPage:
    """The size of a page, in millimeters if the file states it."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Drawing:
    source: DrawingSource
    pages: tuple[DrawingPage, ...]
    words: tuple[Word, ...]
    shapes: tuple[PagePlace, ...] = ()  # closed figures, large enough to be areas of the layout
    outlined: bool = False  # its letters are outlines only: it has no text
    unclear: tuple[Word, ...] = ()  # not among `words`: nothing proves that people can see them, or that they cannot
    lines: tuple[PagePlace, ...] = ()  # of an SVG: lines that are not closed, of the same size


def connected_groups(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the numbers up to `count` in groups: those that pairs connect. Sorted."""
    leader = list(range(count))

    def first(member: int) -> int:
        while leader[member] != member:
            leader[member] = leader[leader[member]]
            member = leader[member]
        return member

    for number, neighbor in pairs:
        low, high = sorted((first(number), first(neighbor)))
        leader[high] = low
    groups: dict[int, list[int]] = {}
    for number in range(count):
        groups.setdefault(first(number), []).append(number)
    return list(groups.values())
