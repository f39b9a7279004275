"""The lines of letters on a picture: marks, direction, frame and baseline; and the picture made straight by them.

Marks that are near each other make a block; a block that bends is divided until its parts are straight. Angles are in
radians, clockwise; a block may be upside down. Askew scans are turned, photographs from the side are rectified: rows
that are level on the table become level on the page, so that an outcome and its odds are at one height. Only places are
changed for reading: each line is recognized as it is. Pictures that pages show are changed in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from submissions.layouts.drawing_model import connected_groups
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
        """Return the line upside down."""
        gaps = tuple((-place, wider) for place, wider in reversed(self.gaps))
        turned = replace(self, angle=self.angle + math.pi, baseline=-self.top, gaps=gaps)
        return replace(turned, left=-self.right, top=-self.bottom, right=-self.left, bottom=-self.top)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the turned picture as a point of the original picture."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return x * cos - y * sin, x * sin + y * cos


def find_lines(marks: InkMarks) -> list[TextLine]:
    """Return all lines, block by block, from the top; if there are too many, those with most marks."""
    lines = _joined(marks, [line for block in blocks(marks) for line in _lines(marks, *block)])
    lines = _with_dashes(marks, [line for line in lines if len(line.marks) > 1 or _is_sign(marks, line)])
    fewest = sorted((len(line.marks) for line in lines), reverse=True)[MOST_LINES - 1 : MOST_LINES]
    return [line for line in lines if not fewest or len(line.marks) >= fewest[0]][:MOST_LINES]


def _lines(marks: InkMarks, block: Integers, angle: float) -> Iterator[TextLine]:
    """Yield the lines of a straight block, from the top: of tall letters first, then low marks join the nearest."""
    frames, _ = _frames(marks, block, angle)
    for members in (part for row in _rows(frames) for part in _divided(frames, row)):
        line = _line(block[members], frames[members], angle)
        left, top, right, bottom = frames[members[0]]
        is_upright = STROKE * (bottom - top) < right - left < bottom - top
        if line.tall >= LOWEST and (len(members) > 1 or is_upright):
            yield _level(marks, line)


def _level(marks: InkMarks, line: TextLine) -> TextLine:
    """Return a short line turned to its baseline: few letters, tall ones first, look slanted by rows alone.

    Its slope is the median of the slopes between all pairs: a letter with a descender does not count.
    """
    for _ in range(2 if FEWEST <= len(line.marks) <= SHORT else 0):
        frames, _ = _frames(marks, line.marks, line.angle)
        high = frames[frames[:, 3] - frames[:, 1] > TALLER * line.tall]
        across, bottoms = (high[:, 0] + high[:, 2]) / 2, high[:, 3]
        first, second = np.triu_indices(len(high), 1)
        slopes = (bottoms[first] - bottoms[second]) / (across[first] - across[second] + 1e-9)
        slope = float(np.median(slopes)) if len(high) >= FEWEST else 0.0
        if not LEVEL < abs(slope) < ASLANT:
            break
        angle = line.angle + math.atan(slope)
        line = _line(line.marks, _frames(marks, line.marks, angle)[0], angle)
    return line


def _frames(marks: InkMarks, block: Integers, angle: float) -> tuple[Reals, Integers]:
    """Return left, top, right and bottom of each mark on the turned picture, and its number of pixels."""
    drawn, which = block_points(marks, block)
    across = drawn @ (math.cos(angle), math.sin(angle))
    down = drawn @ (-math.sin(angle), math.cos(angle))
    frames = np.tile((np.inf, np.inf, -np.inf, -np.inf), (len(block), 1))
    for side, (most, values) in enumerate(
        ((np.minimum, across), (np.minimum, down), (np.maximum, across), (np.maximum, down))
    ):
        most.at(frames[:, side], which, values)
    return frames, np.bincount(which)


def _is_sign(marks: InkMarks, line: TextLine) -> bool:
    """Return whether a single mark may be a letter or a number, not a dash, a stroke or a spot."""
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
    """Return the row, divided at gaps wider than a space."""
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
    """Yield the gaps, widened in proportion; only little if it may be the space around a “1”."""
    order = np.argsort(begins)
    begins, reached = begins[order][1:], np.maximum.accumulate(ends[order])[:-1]
    for begin, end in zip(begins.tolist(), reached.tolist(), strict=True):
        if begin - end > ROOM * tall:
            yield (begin + end) / 2, WIDER * (begin - end - ROOM * tall)


def _joined(marks: InkMarks, lines: list[TextLine]) -> list[TextLine]:
    """Join lines with only a space between them, in the direction of the longest part."""
    joined = []
    for group in connected_groups(len(lines), _continuations(lines)):
        longest = max((lines[place] for place in group), key=lambda line: line.right - line.left)
        if len(group) > 1:
            members = np.sort(np.concatenate([lines[place].marks for place in group]))
            longest = _line(members, _frames(marks, members, longest.angle)[0], longest.angle)
        joined.append(longest)
    return joined


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
    """Return the lines with the dashes that stand in their gaps: “18 - 23”."""
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


FEWEST_LINES, FEWEST_MARKS = 5, 6  # of a picture, and of a line, whose direction counts
MOST_ASKEW = math.radians(12)
SAME_SLOPE = math.radians(1.2)  # off the common direction
COMMON = 0.5  # of all lines, by their length: so many must agree
ROUNDS = 4
LEAST_TURN = math.radians(0.3)
LEAST_CONVERGENCE = math.radians(0.6)  # between the directions at the top and at the bottom
NEAREST = 1.5  # widths: the point where level lines meet is not nearer


@dataclass(frozen=True, slots=True)
class Straightening:
    """The straight picture's `size`, and the `matrix` that takes a place of the picture, in pixels, to one there."""

    matrix: Reals
    size: tuple[int, int]

    def place(self, x: float, y: float) -> tuple[float, float]:
        across, down, scale = self.matrix @ (x, y, 1.0)
        return float(across / scale), float(down / scale)

    def image(self, image: Image.Image) -> Image.Image:
        """Return the straight picture; what it shows beyond the edges of the other is white."""
        back = np.linalg.inv(self.matrix)
        numbers = (back / back[2, 2]).ravel()[:8].tolist()
        return image.transform(
            self.size, Image.Transform.PERSPECTIVE, numbers, Image.Resampling.BICUBIC, fillcolor="white"
        )


def find_straightening(lines: Sequence[TextLine], size: tuple[int, int]) -> Straightening | None:
    """Return the straightening; None if the picture is straight, or if its lines have no common direction."""
    slopes = _slopes(lines, size)
    if slopes is None:
        return None
    turned, convergence = slopes
    if abs(math.atan(turned)) < LEAST_TURN and abs(convergence) * size[1] < LEAST_CONVERGENCE:
        return None
    matrix = _matrix(turned, convergence, size)
    corners = [matrix @ (x, y, 1.0) for x in (0, size[0]) for y in (0, size[1])]
    flat = np.array([corner[:2] / corner[2] for corner in corners])
    (left, top), (right, bottom) = flat.min(axis=0), flat.max(axis=0)
    moved = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)]) @ matrix
    return Straightening(moved, (math.ceil(right - left), math.ceil(bottom - top)))


def _slopes(lines: Sequence[TextLine], size: tuple[int, int]) -> tuple[float, float] | None:
    """Return the slope of level lines in the picture's middle, and how much it grows with each pixel downwards."""
    slopes, heights, weights = _measured(lines, size)
    if len(slopes) < FEWEST_LINES:
        return None
    order = np.argsort(slopes)
    half = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    middle, growth = float(slopes[order][half]), 0.0
    near = np.abs(slopes - middle) < 2 * SAME_SLOPE
    for _ in range(ROUNDS):
        if near.sum() < FEWEST_LINES or weights[near].sum() < COMMON * weights.sum():
            return None
        by_weight = np.sqrt(weights[near])
        terms = np.stack([np.ones(near.sum()), heights[near]], axis=1) * by_weight[:, None]
        middle, growth = map(float, np.linalg.lstsq(terms, slopes[near] * by_weight, rcond=None)[0])
        near = np.abs(slopes - middle - growth * heights) < SAME_SLOPE
    return middle, growth


def _measured(lines: Sequence[TextLine], size: tuple[int, int]) -> tuple[Reals, Reals, Reals]:
    """Return slope, height from the middle and length of each line that is long enough and nearly level."""
    measured = []
    for line in lines:
        angle = (line.angle + math.pi / 2) % math.pi - math.pi / 2
        if len(line.marks) >= FEWEST_MARKS and abs(angle) < MOST_ASKEW:
            _, y = line.place((line.left + line.right) / 2, line.baseline)
            measured.append((math.tan(angle), y - size[1] / 2, line.right - line.left))
    slopes, heights, weights = np.array(measured, float).reshape(-1, 3).T
    return slopes, heights, weights


def _matrix(turned: float, convergence: float, size: tuple[int, int]) -> Reals:
    """Return a matrix around the picture's middle: it turns level, then moves the vanishing point to infinity."""
    angle = -math.atan(turned)
    to_middle = np.array([(1, 0, -size[0] / 2), (0, 1, -size[1] / 2), (0, 0, 1)])
    turn = np.array([(math.cos(angle), -math.sin(angle), 0), (math.sin(angle), math.cos(angle), 0), (0, 0, 1)])
    share = -convergence if abs(convergence) * size[0] * NEAREST < 1 else 0.0  # one over the distance of that point
    level = np.array([(1, 0, 0), (0, 1, 0), (-share, 0, 1)])
    return np.asarray(level @ turn @ to_middle)


NEAR = 0.7  # of a mark's size: a nearer mark belongs to the same block
DOT = 0.4  # of its neighbor's size: a smaller mark is a dot, a dash, a comma
UNLIKE = 6.0  # sizes of two letters of one block
AT_ONCE = 100  # marks compared with all others
STEP = 3.0  # degrees between the directions tried
TOWARDS = 20.0  # degrees: how closely neighbors keep the direction
MOST_POINTS = 3000
LONG = 16  # marks that may bend
BEND = math.radians(9)
SLENDER = 4  # times longer than high
FEW_MARKS = 4  # too few to find their direction well
FAR_AWAY = 12  # sizes
CLOSE = math.radians(16)
LOWEST = 5.0  # pixels of the tallest letter

Block = tuple[Integers, float]  # its marks and its direction


def blocks(marks: InkMarks) -> list[Block]:
    """Return all blocks, from the top."""
    near = connected_groups(len(marks.boxes), _neighbors(marks))
    return _settled(marks, [part for group in near for part in _straight(marks, np.array(group))])


def _neighbors(marks: InkMarks) -> Iterator[tuple[int, int]]:
    boxes, sizes = marks.boxes.astype(np.float32), marks.sizes.astype(np.float32)
    for first in range(0, len(boxes), AT_ONCE):
        some, size = boxes[first : first + AT_ONCE, None], sizes[first : first + AT_ONCE, None]
        across = np.maximum(some[..., 0], boxes[:, 0]) - np.minimum(some[..., 2], boxes[:, 2])
        down = np.maximum(some[..., 1], boxes[:, 1]) - np.minimum(some[..., 3], boxes[:, 3])
        distance = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
        small, large = np.minimum(size, sizes), np.maximum(size, sizes)
        reach = NEAR * np.where(small < DOT * large, 0.75 * large, small)
        index, neighbor = np.nonzero((distance < reach) & (large < UNLIKE * small + 4))
        later = index + first < neighbor
        yield from zip((index[later] + first).tolist(), neighbor[later].tolist(), strict=True)


def _straight(marks: InkMarks, block: Integers) -> Iterator[Block]:
    """Yield the block, or its parts where it bends, with their directions."""
    if marks.sizes[block].max() < LOWEST:
        return
    angle = _direction(marks, block)
    halves = _halves(marks, block, angle) if len(block) >= LONG else None
    if halves and turn_between(*(_direction(marks, half) for half in halves)) > BEND:
        for half in halves:
            yield from _straight(marks, half)
    else:
        yield block, angle


def turn_between(angle: float, other_angle: float) -> float:
    """Return the angle between two directions, upside down or not."""
    return abs((angle - other_angle + math.pi / 2) % math.pi - math.pi / 2)


def _halves(marks: InkMarks, block: Integers, angle: float) -> tuple[Integers, Integers] | None:
    """Divide a block at the widest gap in its middle; return None if it is not slender enough."""
    centers = _centers(marks, block)
    along = centers @ (math.cos(angle), math.sin(angle))
    aside = centers @ (-math.sin(angle), math.cos(angle))
    if np.ptp(along) < SLENDER * np.ptp(aside):
        return None
    order = np.argsort(along)
    third = len(block) // 3
    gaps = np.diff(along[order])[third:-third]
    cut = third + 1 + int(gaps.argmax())
    return np.sort(block[order[:cut]]), np.sort(block[order[cut:]])


def _centers(marks: InkMarks, block: Integers) -> Reals:
    boxes = marks.boxes[block]
    return np.stack([(boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2], axis=1)


def block_points(marks: InkMarks, block: Integers) -> tuple[Reals, Integers]:
    """Return the block's pixels, each at random within its square: on a grid they would favor some directions."""
    across, down, which = marks.pixels(block)
    return np.stack([across, down], axis=1) + np.random.default_rng(0).random((len(across), 2)), which


def _direction(marks: InkMarks, block: Integers) -> float:
    """Return the direction, a quarter turn to each side at most, of neighbors in which rows are most distinct."""
    if len(block) == 1:
        return 0.0
    pixels, _ = block_points(marks, block)
    pixels = pixels[:: 1 + len(pixels) // MOST_POINTS]
    tried = np.radians(np.arange(-90, 90, STEP))
    best = tried[(_distinct(pixels, tried) * (0.25 + _towards(_centers(marks, block), tried))).argmax()]
    near = best + np.radians(np.arange(-4, 4.5, 0.5))
    return float(near[_distinct(pixels, near).argmax()])


def _distinct(points: Reals, angles: Reals) -> Reals:
    """Return the unevenness of the rows if the picture is turned by each angle, the best being 1."""
    rows = points[:, 1:] * np.cos(angles) - points[:, :1] * np.sin(angles)
    rows = (rows - rows.min(axis=0)).astype(int)
    high = int(rows.max()) + 2
    counts = np.bincount((rows + high * np.arange(len(angles))).ravel(), minlength=high * len(angles))
    counts = counts.reshape(len(angles), high).astype(float)
    unequal = np.square(np.diff(counts, axis=1)).sum(axis=1) + 0.2 * np.square(counts).sum(axis=1)
    return np.asarray(unequal / unequal.max())


def _towards(centers: Reals, angles: Reals) -> Reals:
    """Return the number of marks with their two nearest neighbors in each direction, the best being 1."""
    centers = centers[:400]
    away = centers[:, None] - centers[None]
    distance = np.hypot(away[..., 0], away[..., 1]) + np.eye(len(centers)) * 1e9
    nearest = np.argsort(distance, axis=1)[:, : min(2, len(centers) - 1)]
    lies = np.arctan2(*(np.take_along_axis(away[..., axis], nearest, axis=1) for axis in (1, 0)))
    off = np.degrees(np.abs((angles[:, None, None] - lies + math.pi / 2) % math.pi - math.pi / 2))
    votes = (np.exp(-np.square(off / TOWARDS)) * (1.0, 0.5)[: nearest.shape[1]]).sum(axis=(1, 2))
    return np.asarray(votes / votes.max())


def _settled(marks: InkMarks, parts: list[Block]) -> list[Block]:
    """Return the blocks; one of few marks takes the direction of the nearest large block if it may be its own."""
    large = [(marks.boxes[block].mean(axis=0), angle) for block, angle in parts if len(block) > FEW_MARKS]
    if not large:
        return parts
    places, angles = np.array([place for place, _ in large]), [angle for _, angle in large]
    settled = []
    for block, angle in parts:
        if len(block) <= FEW_MARKS:
            away = np.abs(places - marks.boxes[block].mean(axis=0)).max(axis=1)
            near = angles[int(away.argmin())]
            likely = away.min() < FAR_AWAY * marks.sizes[block].max() and (
                len(block) < 3 or turn_between(near, angle) < CLOSE
            )
            angle = near if likely else angle
        settled.append((block, angle))
    return settled
