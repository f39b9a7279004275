"""Blocks of marks, and the direction of their letters.

Marks that are near each other make a block; a block that bends is divided until its parts are straight. Angles are in
radians, clockwise; a block may be upside down. Not here: the lines of a block (`text_lines`).
"""

import math
from collections.abc import Iterable, Iterator

import numpy as np

from submissions.layouts.recognition.ink import InkMarks, Integers, Reals

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
    """All blocks, from the top."""
    near = connected_groups(len(marks.boxes), _neighbors(marks))
    return _settled(marks, [part for group in near for part in _straight(marks, np.array(group))])


def connected_groups(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The numbers up to `count` in groups: those that pairs connect. Sorted."""
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
    """The block, or its parts where it bends, with their directions."""
    if marks.sizes[block].max() < LOWEST:
        return
    angle = _direction(marks, block)
    halves = _halves(marks, block, angle) if len(block) >= LONG else None
    if halves and turn(*(_direction(marks, half) for half in halves)) > BEND:
        for half in halves:
            yield from _straight(marks, half)
    else:
        yield block, angle


def turn(angle: float, other_angle: float) -> float:
    """The angle between two directions, upside down or not."""
    return abs((angle - other_angle + math.pi / 2) % math.pi - math.pi / 2)


def _halves(marks: InkMarks, block: Integers, angle: float) -> tuple[Integers, Integers] | None:
    """Divided at the widest gap in the middle of a block that is slender enough."""
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


def points(marks: InkMarks, block: Integers) -> tuple[Reals, Integers]:
    """The block's pixels, each at random within its square: on a grid they would favor some directions."""
    across, down, which = marks.pixels(block)
    return np.stack([across, down], axis=1) + np.random.default_rng(0).random((len(across), 2)), which


def _direction(marks: InkMarks, block: Integers) -> float:
    """Within a quarter turn to each side: the direction of neighbors in which rows are most distinct."""
    if len(block) == 1:
        return 0.0
    pixels, _ = points(marks, block)
    pixels = pixels[:: 1 + len(pixels) // MOST_POINTS]
    tried = np.radians(np.arange(-90, 90, STEP))
    best = tried[(_distinct(pixels, tried) * (0.25 + _towards(_centers(marks, block), tried))).argmax()]
    near = best + np.radians(np.arange(-4, 4.5, 0.5))
    return float(near[_distinct(pixels, near).argmax()])


def _distinct(points: Reals, angles: Reals) -> Reals:
    """How unequal the rows are when the picture is turned by each angle, the best being 1."""
    rows = points[:, 1:] * np.cos(angles) - points[:, :1] * np.sin(angles)
    rows = (rows - rows.min(axis=0)).astype(int)
    high = int(rows.max()) + 2
    counts = np.bincount((rows + high * np.arange(len(angles))).ravel(), minlength=high * len(angles))
    counts = counts.reshape(len(angles), high).astype(float)
    unequal = np.square(np.diff(counts, axis=1)).sum(axis=1) + 0.2 * np.square(counts).sum(axis=1)
    return np.asarray(unequal / unequal.max())


def _towards(centers: Reals, angles: Reals) -> Reals:
    """How many of the marks have their two nearest neighbors in each direction, the best being 1."""
    centers = centers[:400]
    away = centers[:, None] - centers[None]
    distance = np.hypot(away[..., 0], away[..., 1]) + np.eye(len(centers)) * 1e9
    nearest = np.argsort(distance, axis=1)[:, : min(2, len(centers) - 1)]
    lies = np.arctan2(*(np.take_along_axis(away[..., axis], nearest, axis=1) for axis in (1, 0)))
    off = np.degrees(np.abs((angles[:, None, None] - lies + math.pi / 2) % math.pi - math.pi / 2))
    votes = (np.exp(-np.square(off / TOWARDS)) * (1.0, 0.5)[: nearest.shape[1]]).sum(axis=(1, 2))
    return np.asarray(votes / votes.max())


def _settled(marks: InkMarks, parts: list[Block]) -> list[Block]:
    """The direction of few marks is uncertain: they take that of the nearest large block if it may be theirs."""
    large = [(marks.boxes[block].mean(axis=0), angle) for block, angle in parts if len(block) > FEW_MARKS]
    if not large:
        return parts
    places, angles = np.array([place for place, _ in large]), [angle for _, angle in large]
    settled = []
    for block, angle in parts:
        if len(block) <= FEW_MARKS:
            away = np.abs(places - marks.boxes[block].mean(axis=0)).max(axis=1)
            near = angles[int(away.argmin())]
            likely = away.min() < FAR_AWAY * marks.sizes[block].max() and (len(block) < 3 or turn(near, angle) < CLOSE)
            angle = near if likely else angle
        settled.append((block, angle))
    return settled
