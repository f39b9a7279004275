"""The lines of a picture, each cut out, leveled and scaled to one size, one below the other on sheets; and their words.

Only a line's own marks are drawn, black on white, without anything that frames, crosses or surrounds them.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageFilter

from submissions.layouts.recognition.ink import Grid, InkMarks
from submissions.layouts.recognition.straightening import Straightening
from submissions.layouts.recognition.tesseract import RecognizedWord, recognize
from submissions.layouts.recognition.text_lines import TextLine
from submissions.layouts.recognition.word_grouping import PlacedWord, frame_around

TALL = 30.0  # pixels of a tall letter on the sheet
LARGER = 6.0  # times, at most
MARGIN, BETWEEN = 40, 14
WIDEST = 6000
AT_A_TIME = 2
EDGE = 4  # pixels around a line's marks
EM = 0.73  # a tall letter, of the letters' size


@dataclass(frozen=True, slots=True)
class LineRecognizer:
    """A picture's ink and marks, from which lines are cut. Words get their places on the straight picture, if any."""

    strength: Grid
    marks: InkMarks
    straight: Straightening | None = None
    tall: float = TALL
    spread: float = 1.0  # times the gaps between words are widened

    def read(self, lines: Sequence[TextLine]) -> list[list[PlacedWord]]:
        """The words of each line."""
        lines = [replace(line, gaps=tuple((at, self.spread * wider) for at, wider in line.gaps)) for line in lines]
        half = [lines[0::2], lines[1::2]]
        with ThreadPoolExecutor(AT_A_TIME) as pool:
            halves = list(pool.map(self._sheet, half))
        return [halves[place % 2][place // 2] for place in range(len(lines))]

    def _sheet(self, lines: Sequence[TextLine]) -> list[list[PlacedWord]]:
        if not lines:
            return []
        strips = [self.strip(line) for line in lines]
        tops = [BETWEEN + sum(strip.height + BETWEEN for strip in strips[:place]) for place in range(len(strips))]
        size = max(strip.width for strip in strips) + 2 * MARGIN, tops[-1] + strips[-1].height + BETWEEN
        sheet = Image.new("L", size, 255)
        for strip, top in zip(strips, tops, strict=True):
            sheet.paste(strip, (MARGIN, top))
        words: list[list[PlacedWord]] = [[] for _ in lines]
        for seen in recognize(sheet):
            place = max(0, bisect_right(tops, seen.top + seen.high / 2) - 1)
            words[place].append(self._piece(lines[place], seen, tops[place]))
        return words

    def strip(self, line: TextLine) -> Image.Image:
        """The line, level, its tall letters of one height."""
        boxes = self.marks.boxes[line.marks]
        left, top = (max(0, int(side) - EDGE) for side in boxes[:, :2].min(axis=0))
        right, bottom = (int(side) + EDGE for side in boxes[:, 2:].max(axis=0))
        own = self.strength[top:bottom, left:right]
        drawn = self._drawn(line, own, left, top)
        scale = self._scale(line)
        wide, high = (max(1, math.ceil(side * scale)) for side in (line.right - line.left, line.bottom - line.top))
        cos, sin = math.cos(line.angle), math.sin(line.angle)
        x, y = line.place(line.left, line.top)
        back = (cos / scale, -sin / scale, x - left, sin / scale, cos / scale, y - top)
        level = drawn.transform((wide, high), Image.Transform.AFFINE, back, Image.Resampling.BICUBIC, fillcolor=255)
        return _spaced(
            level, [(round((place - line.left) * scale), round(wider * scale)) for place, wider in line.gaps]
        )

    def _drawn(self, line: TextLine, own: Grid, left: int, top: int) -> Image.Image:
        mask = np.zeros(own.shape, np.uint8)
        across, down, _ = self.marks.pixels(line.marks)
        mask[down - top, across - left] = 1
        near = np.asarray(Image.fromarray(mask).filter(ImageFilter.MaxFilter(3)))
        full = max(1.0, float(np.quantile(own[mask == 1], 0.8)))
        return Image.fromarray((255 - np.minimum(255, own * near * (255 / full))).astype(np.uint8))

    def _piece(self, line: TextLine, seen: RecognizedWord, top: int) -> PlacedWord:
        """The word with its place on the picture."""
        scale = self._scale(line)
        left, right = (_unspaced(line, side - MARGIN, scale) for side in (seen.left, seen.left + seen.wide))
        high, low = (line.top + (side - top) / scale for side in (seen.top, seen.top + seen.high))
        begin, end = self._place(line, left, line.baseline), self._place(line, right, line.baseline)
        angle = math.atan2(end[1] - begin[1], end[0] - begin[0]) if self.straight else line.angle
        return PlacedWord(
            text=seen.text,
            begin=(*begin, angle),
            end=(*end, angle),
            size=line.tall / EM,
            frame=frame_around([self._place(line, x, y) for x in (left, right) for y in (high, low)]),
            certainty=seen.certainty,
        )

    def _scale(self, line: TextLine) -> float:
        return min(LARGER, self.tall / line.tall, WIDEST / max(1.0, line.right - line.left))

    def _place(self, line: TextLine, x: float, y: float) -> tuple[float, float]:
        place = line.place(x, y)
        return self.straight.place(*place) if self.straight else place


def _spaced(level: Image.Image, gaps: list[tuple[int, int]]) -> Image.Image:
    """With wider gaps between the words, so that recognition does not miss a space."""
    sheet = Image.new("L", (level.width + sum(wider for _, wider in gaps), level.height), 255)
    left = moved = 0
    for right, wider in (*gaps, (level.width, 0)):
        sheet.paste(level.crop((left, 0, right, level.height)), (left + moved, 0))
        left, moved = right, moved + wider
    return sheet


def _unspaced(line: TextLine, side: float, scale: float) -> float:
    """A place on the strip of a line as a place in the line."""
    place = line.left + side / scale
    for gap, wider in line.gaps:
        if place > gap + wider / 2:
            place -= min(wider, place - gap)
    return place


def certainty(words: Sequence[PlacedWord]) -> float:
    """The certainty of a line, by its letters, so that one good letter does not outweigh a bad line."""
    letters = sum(len(word.text) for word in words)
    return sum(word.certainty * len(word.text) for word in words) / letters if letters else 0.0
