"""Small charts as SVG, the same on pages and in the PDF: no script, no style attributes, reproducible bytes.

Each chart has a template in `templates/documents/*.svg`. A chart is an image with a title and a description, legible in
gray; the page or document also has its numbers in a table.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.maths.results import CONFIDENCE
from games.runs.board_figures import TABLE_ROUNDS, HoldSpread

WIDTH, HEIGHT = 340, 150  # as wide as a phone, where its text then has the size of the page's
LEFT, TOP, RIGHT, FLOOR = 46, 8, WIDTH - 8, HEIGHT - 26  # edges of the plot
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear map of [low, high] onto pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def draw_chart(template: str, **context: object) -> SafeString:
    """Return the chart from its template in `templates/documents`."""
    edges = {"left": LEFT, "top": TOP, "right": RIGHT, "floor": FLOOR, "label_y": FLOOR + 12}
    frame = {"width": WIDTH, "height": HEIGHT, **edges}
    return SafeString(render_to_string(f"documents/{template}.svg", {**frame, **context}).strip())


def svg_path(corners: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x} {y}" for x, y in corners)


def axis_steps(low: float, high: float, most: int) -> tuple[float, list[float]]:
    """Return (distance, round numbers between the ends): 1, 2 or 5 times a power of ten, at most `most` distances."""
    distance = 10.0 ** math.floor(math.log10((high - low) / most))
    distance = next(distance * factor for factor in (1, 2, 5, 10) if (high - low) / (distance * factor) <= most)
    first, last = math.ceil(low / distance), math.floor(high / distance)
    return distance, [number * distance for number in range(first, last + 1)]


def percent_ticks(scale: Scale, most: int) -> list[tuple[float, str]]:
    """Return (pixel, label) of round percentages on a scale of shares, with as many digits as their distance needs."""
    distance, values = axis_steps(scale.low * 100, scale.high * 100, most)
    digits = max(0, -math.floor(math.log10(distance) + 1e-9))
    return [(scale(value / 100), percent_label(value / 100, digits)) for value in values]


def short_label(label: str, letters: int) -> str:
    return label if len(label) <= letters else f"{label[: letters - 1]}…"


def percent_label(share: float, digits: int) -> str:
    return f"{share * 100:.{digits}f} %".replace("-", MINUS)


def integer_label(number: float) -> str:
    return f"{round(number):,}".replace("-", MINUS)


def count_label(number: float) -> str:
    """Return 1,000 as 1k, 2,500 as 2.5k, 10,000,000 as 10M."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if abs(number) >= size:
            return f"{number / size:g}{letter}".replace("-", MINUS)
    return f"{number:g}".replace("-", MINUS)


RunningHold = tuple[int, float, float]  # rounds so far, hold, standard error (as shares)
INTERVAL_ERRORS = CONFIDENCE[95]  # to either side


def convergence_svg(points: Sequence[RunningHold], exact: float | None, *, name: str, key: str) -> SafeString:
    """Return the simulated hold with its 95 % interval over the rounds, beside the exact hold; "" without two points.

    `points` and `exact` are shares (0.05 = 5 %). `name` is the wager's, `key` makes the ids unique on a page.
    """
    if len(points) < 2:
        return SafeString("")
    rounds = [math.log10(number) for number, _, _ in points]
    across = Scale(rounds[0], rounds[-1], LEFT, RIGHT)
    low, high = _range(points, exact)
    up = Scale(low, high, FLOOR, TOP)

    def curve(errors: float) -> list[tuple[float, float]]:
        """Return the hold plus this number of standard errors, clipped to the chart."""
        return [
            (across(x), up(min(max(hold + errors * error, low), high)))
            for x, (_, hold, error) in zip(rounds, points, strict=True)
        ]

    last_rounds, last_hold, last_error = points[-1]
    return draw_chart(
        "convergence",
        key=key,
        name=name,
        band=svg_path([*curve(INTERVAL_ERRORS), *reversed(curve(-INTERVAL_ERRORS))]),
        line=svg_path(curve(0)),
        exact=up(exact) if exact is not None else None,
        exact_percent=percent_label(exact, 4) if exact is not None else None,
        hold_percent=percent_label(last_hold, 4),
        half_width=percent_label(INTERVAL_ERRORS * last_error, 4),
        rounds=f"{last_rounds:,}",
        across=[(across(math.log10(number)), count_label(number)) for number in _counts(points[0][0], last_rounds)],
        up=percent_ticks(up, 5),
    )


def _range(points: Sequence[RunningHold], exact: float | None) -> tuple[float, float]:
    """Return the range of the axis: the interval after the first third of the rounds, the exact hold, and a margin."""
    settled = points[len(points) // 3 :]
    values = [hold + side * INTERVAL_ERRORS * error for _, hold, error in settled for side in (-1, 1)]
    values += [] if exact is None else [exact]
    low, high = min(values), max(values)
    margin = (high - low or abs(high) or 1.0) * 0.08
    return low - margin, high + margin


def _counts(first: int, last: int) -> list[int]:
    """Return round numbers of rounds between the ends: powers of ten, with doubles and fives if those are few."""
    powers = range(math.floor(math.log10(first)), math.ceil(math.log10(last)) + 1)
    factors = (1,) if last >= 100 * first else (1, 2, 5)
    return [factor * 10**power for power in powers for factor in factors if first <= factor * 10**power <= last]


INTERVAL_STEPS = 40  # of the curves
WIDEST_SHOWN = 10**4  # rounds: the interval after these is as high as the chart


def interval_svg(spread: HoldSpread, *, name: str, key: str, seen: tuple[int, Fraction] | None = None) -> SafeString:
    """Return the intervals of the actual hold over the rounds; with the rounds and the hold that were `seen`."""
    first, last = math.log10(TABLE_ROUNDS[0]), math.log10(TABLE_ROUNDS[-1])
    across = Scale(first, last, LEFT, RIGHT)
    up = Scale(*spread.interval(WIDEST_SHOWN, 99), FLOOR, TOP)
    steps = [first + (last - first) * step / INTERVAL_STEPS for step in range(INTERVAL_STEPS + 1)]

    def curve(confidence: int, side: int) -> list[tuple[float, float]]:
        """Return the lower (0) or upper (1) limit at each step, also where it is outside of the chart."""
        return [(step, spread.interval(round(10**step), confidence)[side]) for step in steps]

    band = [(across(step), up(min(max(hold, up.low), up.high))) for step, hold in [*curve(95, 0), *curve(95, 1)[::-1]]]
    outer = [
        [(across(step), up(hold)) for step, hold in curve(99, side) if up.low <= hold <= up.high] for side in (0, 1)
    ]
    is_inside = seen and first <= math.log10(seen[0]) <= last and up.low <= seen[1] <= up.high
    return draw_chart(
        "interval",
        key=key,
        name=name,
        band=svg_path(band),
        outer=[svg_path(corners) for corners in outer if corners],
        hold=up(float(spread.hold)),
        hold_percent=percent_label(float(spread.hold), 4),
        limits=[
            (f"{rounds:,}", *(percent_label(limit, 3) for limit in spread.interval(rounds, 95)))
            for rounds in (WIDEST_SHOWN, TABLE_ROUNDS[-1])
        ],
        seen=(across(math.log10(seen[0])), up(float(seen[1]))) if seen and is_inside else None,
        across=[(across(math.log10(rounds)), count_label(rounds)) for rounds in TABLE_ROUNDS],
        up=percent_ticks(up, 5),
    )


HISTOGRAM_EDGE = 8  # no vertical axis: the left margin is as small as the right one
HISTOGRAM_TICKS = 6
HISTOGRAM_ROOF = TOP + 12  # height of the label above the line


def spread_svg(spread: Mapping[str, Any], *, name: str, key: str) -> SafeString:
    """Return the chart of `spread` as frozen (`games.maths.statistics`); "" if there is only one result."""
    chances = spread["chances"]
    if len(chances) < 2:
        return SafeString("")
    first, width = spread["from"], spread["step"]
    across = Scale(*_ends(first, first + width * len(chances)), HISTOGRAM_EDGE, RIGHT)
    up = Scale(0, max(chances), FLOOR, HISTOGRAM_ROOF)
    fifth, *_, last = spread["quantiles"]
    return draw_chart(
        "spread",
        key=key,
        name=name,
        left=HISTOGRAM_EDGE,
        band_height=FLOOR - TOP,
        bars=[_bar(across, up, first + place * width, width, chance) for place, chance in enumerate(chances)],
        band=_bar(across, up, fifth, last - fifth, 0),
        zero=across(0) if across.low <= 0 <= across.high else None,
        mean=across(min(max(spread["mean"], across.low), across.high)),
        across=[
            (across(value), count_label(value)) for value in axis_steps(across.low, across.high, HISTOGRAM_TICKS)[1]
        ],
        rounds=f"{spread['rounds']:,}",
        fifth=integer_label(fifth),
        last=integer_label(last),
        expected=integer_label(spread["mean"]),
        ahead=f"{spread['ahead'] * 100:.1f} %",
    )


def _ends(low: float, high: float) -> tuple[float, float]:
    """Return the range of the results, extended to break-even if that is near."""
    near = high - low
    return (0.0 if 0 < low < near else low), (0.0 if -near < high < 0 else high)


def _bar(across: Scale, up: Scale, start: float, width: float, chance: float) -> dict[str, float]:
    """Return a bar, clipped to the chart."""
    left, right = (across(min(max(value, across.low), across.high)) for value in (start, start + width))
    return {"x": left, "width": round(right - left, 1), "y": up(chance), "height": round(up(0) - up(chance), 1)}


RETURN_BARS = 10  # more outcomes share the last bar
RETURN_ROW, RETURN_BAR = 21, 7
RETURN_MARGIN, RETURN_VALUE = 4, 52  # left margin, and the width of the value at the right
RETURN_LETTERS = 62  # of a name

Contribution = tuple[str, float]  # outcome, share of all money wagered


def returns_svg(contributions: Sequence[Contribution], *, name: str, key: str) -> SafeString:
    """Return the chart of the outcomes that return anything, largest contribution first; "" without one."""
    ordered = sorted(
        (contribution for contribution in contributions if contribution[1] > 0),
        key=lambda contribution: -contribution[1],
    )
    if not ordered:
        return SafeString("")
    shown = _fewer(ordered)
    along = Scale(0, max(share for _, share in shown), 0, WIDTH - RETURN_MARGIN - RETURN_VALUE)
    total = sum(share for _, share in ordered)
    return draw_chart(
        "returns",
        key=key,
        name=name,
        height=RETURN_ROW * len(shown) + 4,
        left=RETURN_MARGIN,
        height_of_bar=RETURN_BAR,
        bars=[
            {
                "name": short_label(outcome, RETURN_LETTERS),
                "value": percent_label(share, 3),
                "text_y": place * RETURN_ROW + 10,
                "y": place * RETURN_ROW + 13,
                "width": max(along(share), 0.4),
                "end": RETURN_MARGIN + along(share) + 4,
                "value_y": place * RETURN_ROW + 20,
            }
            for place, (outcome, share) in enumerate(shown)
        ],
        total=percent_label(total, 4),
        hold=percent_label(1 - total, 4),
        largest=ordered[0][0],
        largest_share=percent_label(ordered[0][1], 4),
    )


def _fewer(ordered: Sequence[Contribution]) -> list[Contribution]:
    if len(ordered) <= RETURN_BARS:
        return list(ordered)
    rest = ordered[RETURN_BARS - 1 :]
    return [*ordered[: RETURN_BARS - 1], (f"{len(rest)} other outcomes", sum(share for _, share in rest))]


ROW_NAMES = 128  # width of the labels of a chart with a row for each
ROW_LETTERS = 26  # of a label, in that width
ROW_FOOT = 26  # height of the axis


def draw_rows(template: str, row_height: int, rows: Sequence[Mapping[str, object]], **context: object) -> SafeString:
    """Return the chart with a row for each of these, their labels to the left, and an axis below."""
    floor = TOP + row_height * len(rows)
    return draw_chart(
        template,
        height=floor + ROW_FOOT,
        left=ROW_NAMES,
        floor=floor,
        label_y=floor + 12,
        rows=rows,
        count=len(rows),
        **context,
    )


DOT_ROW = 16
DOT_TICKS = 3

Holds = tuple[str, tuple[float, ...]]  # a label, and shares (0.05 = 5 %): several where a wager has several spots


def dots_svg(rows: Sequence[Holds], *, name: str, key: str) -> SafeString:
    """Return the chart of the rows in the given order; "" if all holds are equal."""
    values = [hold for _, holds in rows for hold in holds]
    if len(set(values)) < 2 or len({holds for _, holds in rows}) < 2:
        return SafeString("")
    margin = (max(values) - min(values)) * 0.06
    across = Scale(min(values) - margin, max(values) + margin, ROW_NAMES, RIGHT)
    return draw_rows(
        "dots",
        DOT_ROW,
        [_dot_row(place, row, across) for place, row in enumerate(rows)],
        key=key,
        name=name,
        across=percent_ticks(across, DOT_TICKS),
        low=percent_label(min(values), 3),
        high=percent_label(max(values), 3),
    )


def _dot_row(place: int, row: Holds, across: Scale) -> dict[str, object]:
    label, holds = row
    points = [across(hold) for hold in sorted(holds)]
    return {
        "label": short_label(label, ROW_LETTERS),
        "y": TOP + DOT_ROW * place + DOT_ROW // 2,
        "points": points,
        "first": points[0],
        "last": points[-1],
    }


TURNAROUND_ROW = 18
TURNAROUND_BAR = 9  # height
TURNAROUND_TICKS = 4

TurnaroundRow = tuple[str, float, float]  # label, median and 90th percentile in days


def turnaround_svg(rows: Sequence[TurnaroundRow], *, name: str, key: str) -> SafeString:
    """Return the chart of the rows in the given order; "" if there is nothing to compare."""
    longest = max((ninetieth for _, _, ninetieth in rows), default=0.0)
    if len(rows) < 2 or longest <= 0:
        return SafeString("")
    across = Scale(0, longest * 1.05, ROW_NAMES, RIGHT)
    return draw_rows(
        "turnaround",
        TURNAROUND_ROW,
        [_turnaround_row(place, row, across) for place, row in enumerate(rows)],
        key=key,
        name=name,
        across=[(across(value), f"{value:g}") for value in axis_steps(0, across.high, TURNAROUND_TICKS)[1]],
        longest=f"{longest:.1f}",
    )


def _turnaround_row(place: int, row: TurnaroundRow, across: Scale) -> dict[str, object]:
    label, middle, ninetieth = row
    top = TOP + TURNAROUND_ROW * place
    return {
        "label": short_label(label, ROW_LETTERS),
        "y": top + TURNAROUND_ROW // 2,
        "top": top + (TURNAROUND_ROW - TURNAROUND_BAR) / 2,
        "width": round(across(middle) - ROW_NAMES, 1),
        "mark": across(ninetieth),
    }
