"""Turnaround in days: a row each, a bar to the median and a mark at the 90th percentile."""

from collections.abc import Sequence

from django.utils.safestring import SafeString

from submissions.evidence.charts.axes import RIGHT, TOP, Scale, draw, shortened, steps

ROW = 18
BAR = 9  # height
NAMES = 128  # width of the labels
LETTERS = 26  # of a label, in that width
FOOT = 26  # height of the axis
TICKS = 4

Row = tuple[str, float, float]  # label, median and 90th percentile in days


def turnaround_svg(rows: Sequence[Row], *, name: str, key: str) -> SafeString:
    """The rows in the given order; "" if there is nothing to compare."""
    longest = max((ninetieth for _, _, ninetieth in rows), default=0.0)
    if len(rows) < 2 or longest <= 0:
        return SafeString("")
    across = Scale(0, longest * 1.05, NAMES, RIGHT)
    floor = TOP + ROW * len(rows)
    return draw(
        "turnaround",
        key=key,
        name=name,
        height=floor + FOOT,
        left=NAMES,
        floor=floor,
        label_y=floor + 12,
        rows=[_row(place, row, across) for place, row in enumerate(rows)],
        across=[(across(value), f"{value:g}") for value in steps(0, across.high, TICKS)[1]],
        count=len(rows),
        longest=f"{longest:.1f}",
    )


def _row(place: int, row: Row, across: Scale) -> dict[str, object]:
    label, middle, ninetieth = row
    top = TOP + ROW * place
    return {
        "label": shortened(label, LETTERS),
        "y": top + ROW // 2,
        "top": top + (ROW - BAR) / 2,
        "width": round(across(middle) - NAMES, 1),
        "mark": across(ninetieth),
    }
