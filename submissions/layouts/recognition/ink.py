"""The ink of a picture (pixels that differ from their ground, in any color), its connected marks, and enclosed areas.

Letters, light on dark or dark on light, become marks of a letter's size; larger marks, such as frames and circles, are
left out. An area is felt that no path leaves without crossing a line: circles, boxes and other closed figures, as
frames in pixels. Where two figures touch, each keeps its own area. Not here: the lines of marks (`text_lines`).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageFilter

from submissions.core.errors import Refusal

Grid = NDArray[np.uint8]
Integers = NDArray[np.int64]
Reals = NDArray[np.float64]

COARSE, AROUND = 8, 9  # the ground is the median of AROUND by AROUND squares of COARSE pixels
FAINTEST = 36  # of 255: less is grain
SHARE = 0.4  # of the strongest ink around: less is the blur between two letters
SMALLEST, LARGEST = 1, 120  # pixels of the longer side
FLATTEST = 13.0  # longer side over shorter: more is a rule
WIDE, EMPTY = 30, 0.12  # pixels, and share of its frame: a mark that is wider and emptier is a frame or a circle
WITHIN = 3  # marks in its frame: no letter contains so many
MOST = 8000
MOST_RUNS = 800_000  # more is grain
GRAINY = Refusal("ocr-failed/specks")


@dataclass(frozen=True)
class InkMarks:
    """Marks of a letter's size. A run is a row's unbroken stretch from `begin` to before `end` that belongs to `mark`.

    `boxes`: left, top, right, bottom of each mark, the right and bottom sides outside. Runs are sorted by mark.
    """

    row: Integers
    begin: Integers
    end: Integers
    mark: Integers
    boxes: Integers

    @property
    def sizes(self) -> Reals:
        return np.asarray(np.maximum(self.boxes[:, 2] - self.boxes[:, 0], self.boxes[:, 3] - self.boxes[:, 1]), float)

    @cached_property
    def _first(self) -> Integers:
        """The first run of each mark, and the end of the last."""
        return np.searchsorted(self.mark, np.arange(len(self.boxes) + 1))

    def pixels(self, which: Integers) -> tuple[Integers, Integers, Integers]:
        """Return across, down and the place in `which` of every pixel of these marks."""
        first, count = self._first[which], self._first[which + 1] - self._first[which]
        runs = np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())
        wide = self.end[runs] - self.begin[runs]
        across = np.repeat(self.begin[runs] - np.cumsum(wide) + wide, wide) + np.arange(wide.sum())
        return across, np.repeat(self.row[runs], wide), np.repeat(np.repeat(np.arange(len(which)), count), wide)


def ink_strength(image: Image.Image) -> Grid:
    """Return the difference of each pixel from its ground, in the color in which it is largest."""
    ground = image.reduce(COARSE).filter(ImageFilter.MedianFilter(AROUND)).resize(image.size, Image.Resampling.BILINEAR)
    away = ImageChops.difference(image, ground)
    bands = [np.asarray(band) for band in away.split()]
    return np.asarray(np.maximum.reduce(bands))


def find_marks(strength: Grid) -> InkMarks:
    """Return the marks of a letter's size; if there are too many, the larger ones.

    Raises:
        Refusal: `ocr-failed`.
    """
    least = np.maximum(FAINTEST, (_strongest(strength) * SHARE).astype(np.uint8))
    row, begin, end, mark, boxes, area = _marked(strength > least)
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    long, short = np.maximum(wide, high), np.minimum(wide, high)
    fits = (long >= SMALLEST) & (long <= LARGEST) & (area > SMALLEST) & (long <= np.maximum(FLATTEST * short, 12))
    fits &= (long < WIDE) | (area > EMPTY * wide * high)
    chosen = np.flatnonzero(fits)
    if len(chosen) > MOST:
        chosen = np.sort(chosen[np.argsort(-long[chosen], kind="stable")[:MOST]])
    chosen = chosen[~_contains_others(boxes[chosen])]
    number = np.full(len(boxes), -1)
    number[chosen] = np.arange(len(chosen))
    runs = np.argsort(number[mark], kind="stable")
    runs = runs[np.searchsorted(number[mark][runs], 0) :]
    return InkMarks(row[runs], begin[runs], end[runs], number[mark][runs], boxes[chosen])


def _marked(mask: NDArray[np.bool_]) -> tuple[Integers, Integers, Integers, Integers, Integers, Integers]:
    """Return the runs (row, begin, end, mark), and of each mark, which is a connected part, frame and pixels."""
    row, begin, end = _runs(mask)
    if len(row) > MOST_RUNS:
        raise GRAINY
    mark = _connected(row, begin, end, mask.shape[1])
    return row, begin, end, mark, *_boxes(row, begin, end, mark)


def _contains_others(boxes: Integers) -> NDArray[np.bool_]:
    """Return whether each of the marks has several others within its frame."""
    left, top, right, bottom = boxes.T
    holding = np.zeros(len(boxes), bool)
    for index in np.flatnonzero(np.minimum(right - left, bottom - top) > WIDE / 2):
        within = (left > left[index]) & (right < right[index]) & (top > top[index]) & (bottom < bottom[index])
        holding[index] = np.count_nonzero(within) >= WITHIN
    return holding


def _strongest(strength: Grid) -> Grid:
    """Return the strongest ink in the squares around each pixel."""
    down, across = strength.shape
    padded = np.pad(strength, ((0, -down % COARSE), (0, -across % COARSE)))
    high, wide = padded.shape[0] // COARSE, padded.shape[1] // COARSE
    squares = padded.reshape(high, COARSE, wide, COARSE).max(axis=(1, 3))
    near = Image.fromarray(squares).filter(ImageFilter.MaxFilter(3))
    return np.asarray(near.resize(padded.shape[::-1], Image.Resampling.NEAREST))[:down, :across]


def _runs(mask: NDArray[np.bool_]) -> tuple[Integers, Integers, Integers]:
    """Return row, begin and end of each unbroken stretch, row by row."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    padded[:, 1:-1] = mask
    change = np.diff(padded.ravel())
    begin, end = np.flatnonzero(change == 1) + 1, np.flatnonzero(change == -1) + 1
    row = begin // padded.shape[1]
    return row, begin - row * padded.shape[1] - 1, end - row * padded.shape[1] - 1


def _connected(row: Integers, begin: Integers, end: Integers, wide: int) -> Integers:
    """Return the mark of each run: runs of neighboring rows that touch, corners included, are of one mark."""
    across = wide + 2
    low = np.searchsorted(row * across + end, (row + 1) * across + begin, "left")
    high = np.searchsorted(row * across + begin, (row + 1) * across + end, "right")
    count = np.maximum(0, high - low)
    upper = np.repeat(np.arange(len(row)), count)
    lower = np.repeat(low - np.cumsum(count) + count, count) + np.arange(count.sum())
    root = np.arange(len(row))
    while True:
        least, before = np.minimum(root[upper], root[lower]), root.copy()
        np.minimum.at(root, before[upper], least)
        np.minimum.at(root, before[lower], least)
        while (root[root] != root).any():
            root = root[root]
        if (root == before).all():
            break
    return np.unique(root, return_inverse=True)[1]


def _boxes(row: Integers, begin: Integers, end: Integers, mark: Integers) -> tuple[Integers, Integers]:
    """Return the frame around each mark, and its number of pixels."""
    count = int(mark.max()) + 1 if len(mark) else 0
    boxes = np.tile(np.array([1 << 30, 1 << 30, 0, 0]), (count, 1))
    area = np.zeros(count, np.int64)
    np.minimum.at(boxes[:, 0], mark, begin)
    np.minimum.at(boxes[:, 1], mark, row)
    np.maximum.at(boxes[:, 2], mark, end)
    np.maximum.at(boxes[:, 3], mark, row + 1)
    np.add.at(area, mark, end - begin)
    return boxes, area


REDUCED = 2  # pixels that become one: lines keep their strength, gaps between their dots close
SMALLEST_AREA, LARGEST_AREA = 0.012, 0.5  # of the longer side of the picture
FULLEST_AREA = 0.4  # of its frame that an area fills at least, its letters not counted
STRONG = 1.4 * FAINTEST
MOST_AREAS = 600

Frame = tuple[float, float, float, float]  # left, top, right, bottom


def enclosed_areas(strength: Grid) -> list[Frame]:
    """Return the frames of all areas of a betting area's size, from the top; none if too many, which are ornaments."""
    high, wide = (side // REDUCED for side in strength.shape)
    squares = strength[: high * REDUCED, : wide * REDUCED].reshape(high, REDUCED, wide, REDUCED).max(axis=(1, 3))
    ink = squares > STRONG
    ink[1:] |= ink[:-1].copy()  # one step down and to the right: diagonal lines have no holes then
    ink[:, 1:] |= ink[:, :-1].copy()
    *_, boxes, area = _marked(~ink)
    sides = boxes[:, 2:] - boxes[:, :2]
    least, most = SMALLEST_AREA * max(high, wide), LARGEST_AREA * max(high, wide)
    fits = (sides.min(axis=1) >= least) & (sides.max(axis=1) <= most)
    fits &= area >= FULLEST_AREA * sides.prod(axis=1)
    frames = (boxes[fits] + np.array([-1, -1, 0, 0])) * float(REDUCED)
    return [tuple(frame) for frame in frames.tolist()] if len(frames) <= MOST_AREAS else []
