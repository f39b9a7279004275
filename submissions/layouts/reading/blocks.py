"""Which marks hang together, and in what direction their letters run.

Marks that are near each other make a block; a block that bends is divided until its parts are straight. Angles are in
radians, clockwise; a direction is known but for upside down. Not here: the lines of a block (`lettering`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from submissions.layouts.reading.ink import Marks, Real, Whole

NEAR = 0.7  # of a mark's size: what is nearer belongs to it
DOT = 0.4  # of its neighbour's size: what is smaller is a dot, a dash, a comma
UNLIKE = 6.0  # sizes of two letters of one block
AT_ONCE = 100  # marks compared with all others
STEP = 3.0  # degrees between the directions tried
TOWARDS = 20.0  # degrees: how closely neighbours keep the direction
MOST_POINTS = 3000
LONG = 16  # marks that may bend
BEND = math.radians(9)
SLENDER = 4  # times longer than high
FEW = 4  # marks that tell their direction badly
FAR = 12  # sizes
CLOSE = math.radians(16)
LOWEST = 5.0  # pixels of the tallest letter

Block = tuple[Whole, float]  # its marks and its direction


def blocks(marks: Marks) -> list[Block]:
    """All blocks, from the top."""
    return _settled(marks, [part for block in _hanging(marks) for part in _straight(marks, block)])


def _hanging(marks: Marks) -> Iterator[Whole]:
    """Marks that hang together."""
    yield from (np.array(group) for group in together(len(marks.boxes), _neighbours(marks)))


def together(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The numbers up to `count` in groups: those that pairs connect. Sorted."""
    leader = list(range(count))

    def first(one: int) -> int:
        while leader[one] != one:
            leader[one] = leader[leader[one]]
            one = leader[one]
        return one

    for one, other in pairs:
        low, high = sorted((first(one), first(other)))
        leader[high] = low
    groups: dict[int, list[int]] = {}
    for one in range(count):
        groups.setdefault(first(one), []).append(one)
    return list(groups.values())


def _neighbours(marks: Marks) -> Iterator[tuple[int, int]]:
    boxes, sizes = marks.boxes.astype(np.float32), marks.sizes.astype(np.float32)
    for first in range(0, len(boxes), AT_ONCE):
        some, size = boxes[first : first + AT_ONCE, None], sizes[first : first + AT_ONCE, None]
        across = np.maximum(some[..., 0], boxes[:, 0]) - np.minimum(some[..., 2], boxes[:, 2])
        down = np.maximum(some[..., 1], boxes[:, 1]) - np.minimum(some[..., 3], boxes[:, 3])
        apart = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
        small, large = np.minimum(size, sizes), np.maximum(size, sizes)
        reach = NEAR * np.where(small < DOT * large, 0.75 * large, small)
        one, other = np.nonzero((apart < reach) & (large < UNLIKE * small + 4))
        later = one + first < other
        yield from zip((one[later] + first).tolist(), other[later].tolist(), strict=True)


def _straight(marks: Marks, block: Whole) -> Iterator[Block]:
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


def turn(one: float, other: float) -> float:
    """Between two directions, whichever way up."""
    return abs((one - other + math.pi / 2) % math.pi - math.pi / 2)


def _halves(marks: Marks, block: Whole, angle: float) -> tuple[Whole, Whole] | None:
    """Divided at the widest gap in the middle of a block that is slender enough."""
    centres = _centres(marks, block)
    along = centres @ (math.cos(angle), math.sin(angle))
    aside = centres @ (-math.sin(angle), math.cos(angle))
    if np.ptp(along) < SLENDER * np.ptp(aside):
        return None
    order = np.argsort(along)
    third = len(block) // 3
    gaps = np.diff(along[order])[third:-third]
    cut = third + 1 + int(gaps.argmax())
    return np.sort(block[order[:cut]]), np.sort(block[order[cut:]])


def _centres(marks: Marks, block: Whole) -> Real:
    boxes = marks.boxes[block]
    return np.stack([(boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2], axis=1)


def points(marks: Marks, block: Whole) -> tuple[Real, Whole]:
    """The block's pixels, each somewhere within its square: in rank and file they would favour some directions."""
    across, down, which = marks.pixels(block)
    return np.stack([across, down], axis=1) + np.random.default_rng(0).random((len(across), 2)), which


def _direction(marks: Marks, block: Whole) -> float:
    """Between a quarter turn to the left and one to the right: where neighbours lie, and rows are most distinct."""
    if len(block) == 1:
        return 0.0
    drawn, _ = points(marks, block)
    drawn = drawn[:: 1 + len(drawn) // MOST_POINTS]
    tried = np.radians(np.arange(-90, 90, STEP))
    best = tried[(_distinct(drawn, tried) * (0.25 + _towards(_centres(marks, block), tried))).argmax()]
    near = best + np.radians(np.arange(-4, 4.5, 0.5))
    return float(near[_distinct(drawn, near).argmax()])


def _distinct(points: Real, angles: Real) -> Real:
    """How unequal the rows are when the picture is turned by each angle, the best being 1."""
    rows = points[:, 1:] * np.cos(angles) - points[:, :1] * np.sin(angles)
    rows = (rows - rows.min(axis=0)).astype(int)
    high = int(rows.max()) + 2
    counts = np.bincount((rows + high * np.arange(len(angles))).ravel(), minlength=high * len(angles))
    counts = counts.reshape(len(angles), high).astype(float)
    unequal = np.square(np.diff(counts, axis=1)).sum(axis=1) + 0.2 * np.square(counts).sum(axis=1)
    return np.asarray(unequal / unequal.max())


def _towards(centres: Real, angles: Real) -> Real:
    """How many of the marks have their two nearest neighbours in each direction, the best being 1."""
    centres = centres[:400]
    away = centres[:, None] - centres[None]
    apart = np.hypot(away[..., 0], away[..., 1]) + np.eye(len(centres)) * 1e9
    nearest = np.argsort(apart, axis=1)[:, : min(2, len(centres) - 1)]
    lies = np.arctan2(*(np.take_along_axis(away[..., axis], nearest, axis=1) for axis in (1, 0)))
    off = np.degrees(np.abs((angles[:, None, None] - lies + math.pi / 2) % math.pi - math.pi / 2))
    votes = (np.exp(-np.square(off / TOWARDS)) * (1.0, 0.5)[: nearest.shape[1]]).sum(axis=(1, 2))
    return np.asarray(votes / votes.max())


def _settled(marks: Marks, found: list[Block]) -> list[Block]:
    """A few marks tell their direction badly: they take that of the nearest large block where it may be theirs."""
    large = [(marks.boxes[block].mean(axis=0), angle) for block, angle in found if len(block) > FEW]
    if not large:
        return found
    places, angles = np.array([place for place, _ in large]), [angle for _, angle in large]
    settled = []
    for block, angle in found:
        if len(block) <= FEW:
            away = np.abs(places - marks.boxes[block].mean(axis=0)).max(axis=1)
            near = angles[int(away.argmin())]
            likely = away.min() < FAR * marks.sizes[block].max() and (len(block) < 3 or turn(near, angle) < CLOSE)
            angle = near if likely else angle
        settled.append((block, angle))
    return settled
