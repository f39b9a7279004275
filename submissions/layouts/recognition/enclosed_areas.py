"""The areas of a picture that lines enclose: circles, boxes and other closed figures, as frames in pixels.

An area is felt that no path leaves without crossing a line. Where two figures touch, each keeps its own area.
"""

import numpy as np

from submissions.layouts.recognition.ink import FAINTEST, Grid, label_runs

REDUCED = 2  # pixels that become one: lines keep their strength, gaps between their dots close
SMALLEST, LARGEST = 0.012, 0.5  # of the longer side of the picture
FULLEST = 0.4  # of its frame that an area fills at least, its letters not counted
STRONG = 1.4 * FAINTEST
MOST_AREAS = 600

Frame = tuple[float, float, float, float]  # left, top, right, bottom


def enclosed_areas(strength: Grid) -> list[Frame]:
    """The frames of all areas of the size of a betting area, from the top; too many are ornaments, and none counts."""
    high, wide = (side // REDUCED for side in strength.shape)
    squares = strength[: high * REDUCED, : wide * REDUCED].reshape(high, REDUCED, wide, REDUCED).max(axis=(1, 3))
    ink = squares > STRONG
    ink[1:] |= ink[:-1].copy()  # one step down and to the right: diagonal lines have no holes then
    ink[:, 1:] |= ink[:, :-1].copy()
    boxes, area = label_runs(~ink)
    sides = boxes[:, 2:] - boxes[:, :2]
    least, most = SMALLEST * max(high, wide), LARGEST * max(high, wide)
    fits = (sides.min(axis=1) >= least) & (sides.max(axis=1) <= most)
    fits &= area >= FULLEST * sides.prod(axis=1)
    frames = (boxes[fits] + np.array([-1, -1, 0, 0])) * float(REDUCED)
    return [tuple(frame) for frame in frames.tolist()] if len(frames) <= MOST_AREAS else []
