"""A player's result after many rounds: a histogram with the middle 90 % of results marked, and break-even."""

from collections.abc import Mapping
from typing import Any

from django.utils.safestring import SafeString

from submissions.evidence.charts.axes import FLOOR, RIGHT, TOP, Scale, count, draw, integer, steps

EDGE = 8  # no vertical axis: the left margin is as small as the right one
TICKS = 6
ROOF = TOP + 12  # height of the label above the line


def spread_svg(spread: Mapping[str, Any], *, name: str, key: str) -> SafeString:
    """`spread` as frozen with a simulation (`games.maths.spreads`); "" if there is only one result."""
    chances = spread["chances"]
    if len(chances) < 2:
        return SafeString("")
    first, width = spread["from"], spread["step"]
    across = Scale(*_ends(first, first + width * len(chances)), EDGE, RIGHT)
    up = Scale(0, max(chances), FLOOR, ROOF)
    fifth, *_, last = spread["quantiles"]
    return draw(
        "spread",
        key=key,
        name=name,
        left=EDGE,
        band_height=FLOOR - TOP,
        bars=[_bar(across, up, first + place * width, width, chance) for place, chance in enumerate(chances)],
        band=_bar(across, up, fifth, last - fifth, 0),
        zero=across(0) if across.low <= 0 <= across.high else None,
        mean=across(min(max(spread["mean"], across.low), across.high)),
        across=[(across(value), count(value)) for value in steps(across.low, across.high, TICKS)[1]],
        rounds=f"{spread['rounds']:,}",
        fifth=integer(fifth),
        last=integer(last),
        expected=integer(spread["mean"]),
        ahead=f"{spread['ahead'] * 100:.1f} %",
    )


def _ends(low: float, high: float) -> tuple[float, float]:
    """The range of the results, extended to break-even if that is near."""
    near = high - low
    return (0.0 if 0 < low < near else low), (0.0 if -near < high < 0 else high)


def _bar(across: Scale, up: Scale, start: float, width: float, chance: float) -> dict[str, float]:
    """A bar, clipped to the chart."""
    left, right = (across(min(max(value, across.low), across.high)) for value in (start, start + width))
    return {"x": left, "width": round(right - left, 1), "y": up(chance), "height": round(up(0) - up(chance), 1)}
