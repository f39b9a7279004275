"""The hold of a wager at each licensee: a row each, and a dot for each hold."""

from collections.abc import Sequence

from django.utils.safestring import SafeString

from submissions.evidence.charts.axes import RIGHT, TOP, Scale, draw, percent, percent_ticks, shortened

ROW = 16
NAMES = 128  # width of the labels
LETTERS = 26  # of a label, in that width
FOOT = 26  # height of the axis
TICKS = 3

Holds = tuple[str, tuple[float, ...]]  # a label, and shares (0.05 = 5 %): several where a wager has several spots


def dots_svg(rows: Sequence[Holds], *, name: str, key: str) -> SafeString:
    """The rows in the given order. "" if all holds are equal."""
    values = [hold for _, holds in rows for hold in holds]
    if len(set(values)) < 2 or len({holds for _, holds in rows}) < 2:
        return SafeString("")
    margin = (max(values) - min(values)) * 0.06
    across = Scale(min(values) - margin, max(values) + margin, NAMES, RIGHT)
    floor = TOP + ROW * len(rows)
    return draw(
        "dots",
        key=key,
        name=name,
        height=floor + FOOT,
        left=NAMES,
        floor=floor,
        label_y=floor + 12,
        rows=[_row(place, row, across) for place, row in enumerate(rows)],
        across=percent_ticks(across, TICKS),
        count=len(rows),
        low=percent(min(values), 3),
        high=percent(max(values), 3),
    )


def _row(place: int, row: Holds, across: Scale) -> dict[str, object]:
    label, holds = row
    points = [across(hold) for hold in sorted(holds)]
    return {
        "label": shortened(label, LETTERS),
        "y": TOP + ROW * place + ROW // 2,
        "points": points,
        "first": points[0],
        "last": points[-1],
    }
