"""The plots of one wager, each with a caption and the numbers behind it."""

from __future__ import annotations

from typing import Any

from games.maths.results import CONFIDENCE
from submissions.charts import convergence_svg, returns_svg, spread_svg
from submissions.documents.figures import number, percent

Shown = dict[str, Any]
SMALLEST = 1e-6  # a chance to be ahead that is told


def plots(row: Shown, rows: list[Shown], result: Shown, *, name: str, key: str) -> Shown:
    """Return by outcome, convergence, what many rounds come to; whatever there is data for."""
    whole = f"{name}, {row['spot']}" if row.get("spot") else name
    tally = f"{row['wager']}/{row['spot']}" if row.get("spot") else row["wager"]
    points = [(int(count), float(hold), float(error)) for count, hold, error in _of(result, "convergence", tally) or ()]
    exact = row["hold_pct"] / 100 if row["method"] == "exact" else None
    spreads = _of(result, "spreads", tally) or {"by": "chances", "after": []}
    drawn = [
        (
            "Return by outcome",
            returns_svg([(one["outcome"], one["share"]) for one in rows], name=whole, key=f"{key}-returns"),
        ),
        ("Convergence", convergence_svg(points, exact, name=whole, key=f"{key}-convergence")),
        *(
            (f"Result after {after['rounds']:,} rounds", spread_svg(after, name=whole, key=f"{key}-{after['rounds']}"))
            for after in spreads["after"]
        ),
    ]
    return {
        "drawn": [{"title": title, "svg": svg} for title, svg in drawn if svg],
        "spreads": [_spread(after) for after in spreads["after"]],
        "by_frequencies": spreads["by"] == "frequencies",
        "points": [(f"{count:,}", percent(hold), percent(CONFIDENCE[95] * error)) for count, hold, error in points],
    }


def _of(result: Shown, what: str, tally: str) -> Any:
    """Older results lack some."""
    return (result.get(what) or {}).get(tally)


def _spread(after: Shown) -> Shown:
    return {
        "rounds": f"{after['rounds']:,}",
        "mean": number(after["mean"], 0),
        "deviation": number(after["deviation"], 0),
        "quantiles": [number(value, 0) for value in after["quantiles"]],
        "ahead": "< 0.0001" if after["ahead"] < SMALLEST else percent(after["ahead"]),
    }
