"""The lines of letters on a picture: their marks, their direction, their frame and baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from submissions.layouts.recognition.blocks import BEND, DOT, LOWEST, blocks, connected_groups, points
from submissions.layouts.recognition.ink import InkMarks, Integers, Reals

SPACE, ALIKE = 1.3, 1.6  # tall letters' heights between two words; one height over another
ROOM = 0.25  # tall letters' heights between two letters; a wider gap may be a space, and is widened by …
WIDER = 1.8  # … times the excess
STRAY_MARK = 0.3  # of a line's height: a dot, comma or quotation mark is not farther above or below its line
SLIM = 0.35  # width over height of a single letter, at least
SPOT = (0.15, 0.75)  # how much of its frame it fills
STROKE = 0.08  # width over height of a slimmer one, at least: a “1” or “I” if it is in line with letters
FLAT, LONGEST_DASH, DASH_AT = 1.8, 1.3, (0.2, 0.6)  # width over height; of tall letters: width, height of its middle
FEWEST, SHORT = 3, 12  # marks of a line that is put on its baseline
TALLER = 0.5  # of its tall letters: a mark on the baseline, not a dot or a dash
LEVEL, ASLANT = 0.015, 0.3  # slopes: less is level already, more is no baseline
MOST_LINES = 600

Gap = tuple[float, float]  # the place of a possible space, and by how much it is widened for recognition


@dataclass(frozen=True)
class TextLine:
    """A line's marks; its frame and baseline on the picture turned by `angle` around its upper left corner."""

    marks: Integers
    angle: float
    left: float
    top: float
    right: float
    bottom: float
    baseline: float
    tall: float  # height of its tall letters
    gaps: tuple[Gap, ...] = ()

    def over(self) -> TextLine:
        """The same, upside down."""
        gaps = tuple((-place, wider) for place, wider in reversed(self.gaps))
        turned = replace(self, angle=self.angle + math.pi, baseline=-self.top, gaps=gaps)
        return replace(turned, left=-self.right, top=-self.bottom, right=-self.left, bottom=-self.top)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A point of the turned picture as a point of the original picture."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return x * cos - y * sin, x * sin + y * cos


def find_lines(marks: InkMarks) -> list[TextLine]:
    """All lines, block by block, from the top; if there are too many, those with most marks."""
    lines = _joined(marks, [line for block in blocks(marks) for line in _lines(marks, *block)])
    lines = _with_dashes(marks, [line for line in lines if len(line.marks) > 1 or _is_sign(marks, line)])
    fewest = sorted((len(line.marks) for line in lines), reverse=True)[MOST_LINES - 1 : MOST_LINES]
    return [line for line in lines if not fewest or len(line.marks) >= fewest[0]][:MOST_LINES]


def _lines(marks: InkMarks, block: Integers, angle: float) -> Iterator[TextLine]:
    """The lines of a straight block, from the top: of tall letters first, then low marks join the nearest."""
    frames, _ = _frames(marks, block, angle)
    for members in (part for row in _rows(frames) for part in _divided(frames, row)):
        line = _line(block[members], frames[members], angle)
        if line.tall >= LOWEST and (len(members) > 1 or _is_upright(frames[members[0]])):
            yield _level(marks, line)


def _level(marks: InkMarks, line: TextLine) -> TextLine:
    """A short line turned to its baseline: few letters, tall ones first, look slanted if only rows are counted."""
    for _ in range(2 if FEWEST <= len(line.marks) <= SHORT else 0):
        frames, _ = _frames(marks, line.marks, line.angle)
        high = frames[frames[:, 3] - frames[:, 1] > TALLER * line.tall]
        slope = _slope((high[:, 0] + high[:, 2]) / 2, high[:, 3]) if len(high) >= FEWEST else 0.0
        if not LEVEL < abs(slope) < ASLANT:
            break
        angle = line.angle + math.atan(slope)
        line = _line(line.marks, _frames(marks, line.marks, angle)[0], angle)
    return line


def _slope(across: Reals, bottoms: Reals) -> float:
    """The median of the slopes between all pairs: a letter with a descender does not count."""
    first, second = np.triu_indices(len(across), 1)
    return float(np.median((bottoms[first] - bottoms[second]) / (across[first] - across[second] + 1e-9)))


def _frames(marks: InkMarks, block: Integers, angle: float) -> tuple[Reals, Integers]:
    """Left, top, right and bottom of each mark on the turned picture, and its number of pixels."""
    drawn, which = points(marks, block)
    across = drawn @ (math.cos(angle), math.sin(angle))
    down = drawn @ (-math.sin(angle), math.cos(angle))
    frames = np.tile((np.inf, np.inf, -np.inf, -np.inf), (len(block), 1))
    for side, (most, values) in enumerate(
        ((np.minimum, across), (np.minimum, down), (np.maximum, across), (np.maximum, down))
    ):
        most.at(frames[:, side], which, values)
    return frames, np.bincount(which)


def _is_upright(frame: Reals) -> bool:
    wide, high = frame[2] - frame[0], frame[3] - frame[1]
    return bool(STROKE * high < wide < high)


def _is_sign(marks: InkMarks, line: TextLine) -> bool:
    """Whether a single mark may be a letter or a number, not a dash, a stroke or a spot."""
    frames, area = _frames(marks, line.marks, line.angle)
    wide, high = frames[0, 2] - frames[0, 0], frames[0, 3] - frames[0, 1]
    return bool(SLIM * high < wide < high and SPOT[0] < area[0] / (wide * high) < SPOT[1])


def _rows(frames: Reals) -> list[list[int]]:
    top, bottom = frames[:, 1], frames[:, 3]
    high = bottom - top
    rows: list[tuple[float, float, list[int]]] = []
    low = DOT * high.max()
    for mark in np.argsort(-high, kind="stable").tolist():
        middle = (top[mark] + bottom[mark]) / 2
        within = [row for row in rows if row[0] <= middle <= row[1] or _overlaps(row, top[mark], bottom[mark])]
        if within:
            within[0][2].append(mark)
        elif high[mark] >= low or not rows:
            rows.append((top[mark], bottom[mark], [mark]))
        else:
            near = min(rows, key=lambda row: max(row[0] - middle, middle - row[1]))
            if max(near[0] - middle, middle - near[1]) < STRAY_MARK * (near[1] - near[0]):
                near[2].append(mark)
    return [row[2] for row in sorted(rows)]


def _divided(frames: Reals, row: list[int]) -> list[list[int]]:
    """The row, divided at gaps wider than a space."""
    row = sorted(row, key=lambda mark: float(frames[mark, 0]))
    room = SPACE * float((frames[row, 3] - frames[row, 1]).max())
    parts, reached = [[row[0]]], frames[row[0], 2]
    for mark in row[1:]:
        if frames[mark, 0] - reached > room:
            parts.append([])
        parts[-1].append(mark)
        reached = max(reached, frames[mark, 2])
    return parts


def _overlaps(row: tuple[float, float, list[int]], top: float, bottom: float) -> bool:
    return min(bottom, row[1]) - max(top, row[0]) > 0.5 * min(bottom - top, row[1] - row[0])


def _line(members: Integers, frames: Reals, angle: float) -> TextLine:
    left, top, right, bottom = frames[:, 0].min(), frames[:, 1].min(), frames[:, 2].max(), frames[:, 3].max()
    tall = max(1.0, float(np.quantile(frames[:, 3] - frames[:, 1], 0.8)))
    gaps = tuple(_gaps(frames[:, 0], frames[:, 2], tall))
    return TextLine(members, angle, left, top, right, bottom, float(np.median(frames[:, 3])), tall, gaps)


def _gaps(begins: Reals, ends: Reals, tall: float) -> Iterator[Gap]:
    """The wider the gap, the more it is widened; only little if it may be the space around a “1”."""
    order = np.argsort(begins)
    begins, reached = begins[order][1:], np.maximum.accumulate(ends[order])[:-1]
    for begin, end in zip(begins.tolist(), reached.tolist(), strict=True):
        if begin - end > ROOM * tall:
            yield (begin + end) / 2, WIDER * (begin - end - ROOM * tall)


def _joined(marks: InkMarks, lines: list[TextLine]) -> list[TextLine]:
    """Lines with only a space between them are one, in the direction of the longest part."""
    groups = connected_groups(len(lines), _continuations(lines))
    return [_merged_line(marks, [lines[place] for place in group]) for group in groups]


def _continuations(lines: list[TextLine]) -> Iterator[tuple[int, int]]:
    if not lines:
        return
    begins = np.array([line.place(line.left, line.baseline) for line in lines])
    ends = np.array([line.place(line.right, line.baseline) for line in lines])
    angles, tall = np.array([line.angle for line in lines]), np.array([line.tall for line in lines])
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    across, down = (begins[None, :, axis] - ends[:, None, axis] for axis in (0, 1))
    along, aside = across * cos + down * sin, np.abs(down * cos - across * sin)
    large, small = np.maximum(tall[:, None], tall), np.minimum(tall[:, None], tall)
    turn = np.abs((angles[:, None] - angles + math.pi / 2) % math.pi - math.pi / 2)
    single = np.array([len(line.marks) == 1 for line in lines])  # has no direction
    fits = (along > -0.5 * small) & (along < SPACE * large) & (aside < 0.4 * large)
    fits &= (turn < BEND / 2) | single[:, None] | single
    fits &= large < ALIKE * small
    np.fill_diagonal(fits, False)
    yield from zip(*(side.tolist() for side in np.nonzero(fits)), strict=True)


def _with_dashes(marks: InkMarks, lines: list[TextLine]) -> list[TextLine]:
    """The lines with the dashes that stand in their gaps: “18 - 23”."""
    used = np.zeros(len(marks.boxes), bool)
    for line in lines:
        used[line.marks] = True
    wide, high = marks.boxes[:, 2] - marks.boxes[:, 0], marks.boxes[:, 3] - marks.boxes[:, 1]
    free = np.flatnonzero(~used & (wide > FLAT * high))
    x, y = ((marks.boxes[free, side] + marks.boxes[free, side + 2]) / 2 for side in (0, 1))
    return [_with_dash(marks, line, free, x, y) for line in lines] if len(free) else lines


def _with_dash(marks: InkMarks, line: TextLine, free: Integers, x: Reals, y: Reals) -> TextLine:
    cos, sin = math.cos(line.angle), math.sin(line.angle)
    along, aside = x * cos + y * sin, y * cos - x * sin
    above = (line.baseline - aside) / line.tall
    fits = (along > line.left) & (along < line.right) & (above > DASH_AT[0]) & (above < DASH_AT[1])
    fits &= (marks.boxes[free, 2] - marks.boxes[free, 0]) < LONGEST_DASH * line.tall
    if not fits.any():
        return line
    members = np.sort(np.concatenate([line.marks, free[fits]]))
    added = _line(members, _frames(marks, members, line.angle)[0], line.angle)
    return replace(added, baseline=line.baseline, tall=line.tall)


def _merged_line(marks: InkMarks, parts: list[TextLine]) -> TextLine:
    if len(parts) == 1:
        return parts[0]
    angle = max(parts, key=lambda line: line.right - line.left).angle
    members = np.sort(np.concatenate([line.marks for line in parts]))
    return _line(members, _frames(marks, members, angle)[0], angle)
