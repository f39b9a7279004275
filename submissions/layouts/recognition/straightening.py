"""A picture made straight: askew scans are turned, photographs from the side are rectified, by their lines of text.

Rows that are level on the table become level on the page, so that an outcome and its odds are at one height. Only
places are changed for reading: each line is recognized as it is. Pictures that pages show are changed alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from submissions.layouts.recognition.ink import Reals
from submissions.layouts.recognition.text_lines import TextLine

FEWEST_LINES, FEWEST_MARKS = 5, 6  # of a picture, and of a line, whose direction counts
MOST_ASKEW = math.radians(12)
ALIKE = math.radians(1.2)  # off the common direction
COMMON = 0.5  # of all lines, by their length: so many must agree
ROUNDS = 4
LEAST_TURN = math.radians(0.3)
LEAST_CONVERGENCE = math.radians(0.6)  # between the directions at the top and at the bottom
NEAREST = 1.5  # widths: the point where level lines meet is not nearer


@dataclass(frozen=True, slots=True)
class Straightening:
    """`matrix` takes a place of the picture, in pixels, to its place on the straight picture of `size`."""

    matrix: Reals
    size: tuple[int, int]

    def place(self, x: float, y: float) -> tuple[float, float]:
        across, down, scale = self.matrix @ (x, y, 1.0)
        return float(across / scale), float(down / scale)

    def image(self, image: Image.Image) -> Image.Image:
        """The straight picture; what it shows beyond the edges of the other is white."""
        back = np.linalg.inv(self.matrix)
        numbers = (back / back[2, 2]).ravel()[:8].tolist()
        return image.transform(
            self.size, Image.Transform.PERSPECTIVE, numbers, Image.Resampling.BICUBIC, fillcolor="white"
        )


def find_straightening(lines: Sequence[TextLine], size: tuple[int, int]) -> Straightening | None:
    """None if the picture is straight, or if its lines have no common direction."""
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
    """The slope of level lines in the picture's middle, and how much it grows with each pixel downwards."""
    slopes, heights, weights = _measured(lines, size)
    if len(slopes) < FEWEST_LINES:
        return None
    order = np.argsort(slopes)
    half = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    middle, growth = float(slopes[order][half]), 0.0
    near = np.abs(slopes - middle) < 2 * ALIKE
    for _ in range(ROUNDS):
        if near.sum() < FEWEST_LINES or weights[near].sum() < COMMON * weights.sum():
            return None
        by_weight = np.sqrt(weights[near])
        terms = np.stack([np.ones(near.sum()), heights[near]], axis=1) * by_weight[:, None]
        middle, growth = map(float, np.linalg.lstsq(terms, slopes[near] * by_weight, rcond=None)[0])
        near = np.abs(slopes - middle - growth * heights) < ALIKE
    return middle, growth


def _measured(lines: Sequence[TextLine], size: tuple[int, int]) -> tuple[Reals, Reals, Reals]:
    """Slope, height from the middle and length of each line that is long enough and nearly level."""
    measured = []
    for line in lines:
        angle = (line.angle + math.pi / 2) % math.pi - math.pi / 2
        if len(line.marks) >= FEWEST_MARKS and abs(angle) < MOST_ASKEW:
            _, y = line.place((line.left + line.right) / 2, line.baseline)
            measured.append((math.tan(angle), y - size[1] / 2, line.right - line.left))
    slopes, heights, weights = np.array(measured, float).reshape(-1, 3).T
    return slopes, heights, weights


def _matrix(turned: float, convergence: float, size: tuple[int, int]) -> Reals:
    """Around the picture's middle: turned level, then the point where level lines meet moved to infinity."""
    angle = -math.atan(turned)
    to_middle = np.array([(1, 0, -size[0] / 2), (0, 1, -size[1] / 2), (0, 0, 1)])
    turn = np.array([(math.cos(angle), -math.sin(angle), 0), (math.sin(angle), math.cos(angle), 0), (0, 0, 1)])
    share = -convergence if abs(convergence) * size[0] * NEAREST < 1 else 0.0  # one over the distance of that point
    level = np.array([(1, 0, 0), (0, 1, 0), (-share, 0, 1)])
    return np.asarray(level @ turn @ to_middle)
