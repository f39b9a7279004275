"""A drawing as it was read: its words with their places, and the shapes that may be betting areas.

The same for SVG, PDF and pictures. Reading files is `layouts.reading`; judging what was read is `layouts.inspection`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Source(StrEnum):
    SVG = "svg"
    PDF = "pdf"
    PICTURE = "picture"  # read by a machine that recognises letters: every word may be wrong


@dataclass(frozen=True, slots=True)
class Box:
    """Where something is on its page, as shares of the page's width and height (0 to 1), from the upper left."""

    left: float
    top: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    def joined(self, other: Box) -> Box:
        left, top = min(self.left, other.left), min(self.top, other.top)
        right = max(self.left + self.width, other.left + other.width)
        bottom = max(self.top + self.height, other.top + other.height)
        return Box(left, top, right - left, bottom - top)


@dataclass(frozen=True, slots=True)
class Word:
    """A run of letters without space. `certainty` is 1 for text that stands in the file, less for recognised letters.

    `line` is the same for words that stand in one line of text, in reading order; lines are numbered per page.
    """

    text: str
    page: int  # from 0
    box: Box
    line: int
    certainty: float = 1.0


@dataclass(frozen=True, slots=True)
class Shape:
    """A closed figure, large enough to be an area of the layout."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Page:
    """Width over height of a page, in millimetres where the file says so."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Drawing:
    source: Source
    pages: tuple[Page, ...]
    words: tuple[Word, ...]
    shapes: tuple[Shape, ...] = ()
    outlined: bool = False  # shows letters as outlines only: there is no text to be read
