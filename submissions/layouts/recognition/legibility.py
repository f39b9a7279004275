"""Whether people can see letters: three verdicts, and the contrast and height that they follow from."""

from enum import Enum

FAINT, CLEAR = 12, 32  # of 255, in any color: a smaller difference counts as none; a clear difference
# A normal eye resolves a letter of 5 minutes of arc (the 20/20 line of an eye chart), the best ones half of that. On a
# sheet held at 400 mm these are capitals of 0.58 and 0.29 mm. A drawing may be enlarged to a sheet of 11 inches.
READABLE_MM, SMALLEST_MM = 0.58, 0.29
SHEET_MM = 279.4
CAPITAL = 0.7  # height of a capital or a digit, of a letter's size


class Sight(Enum):
    """Of what is unclear, nothing may be concluded: neither that it is on the drawing nor that it is not."""

    VISIBLE = "visible"
    UNCLEAR = "unclear"
    HIDDEN = "hidden"


def sight_by_size(size: float, unit_mm: float, long_side: float) -> Sight:
    """Whether letters of this size are high enough. `unit_mm`: the page's unit, 0 if unknown; `long_side`: in units."""
    high = CAPITAL * size * max(unit_mm, SHEET_MM / max(long_side, 1e-9))
    return Sight.VISIBLE if high >= READABLE_MM else Sight.UNCLEAR if high >= SMALLEST_MM else Sight.HIDDEN
