"""The evidence of one configuration, worded: exact hold beside simulated hold, what the Board printed, the plots.

The exact fractions stand in the attached record; on paper they are decimals of four digits.
"""

from __future__ import annotations

from typing import Any

from submissions.charts import convergence_svg

Shown = dict[str, Any]
DIGITS = 4  # of a percentage


def evidence(configuration: Shown, run: Shown, *, key: str) -> Shown:
    """Rows for the tables, in the order of the analysis; `key` makes the plots' ids unique."""
    names = {wager["key"]: wager["name"] for wager in configuration["wagers"]}
    analysed = run["analysis"]["wagers"]
    simulated = {(row["wager"], row["paytable"]): row for row in run["result"]["wagers"]}
    rows = [
        _row(names.get(row["wager"]) or str(row["wager"]), row, simulated.get((row["wager"], row["paytable"])))
        for row in analysed
    ]
    return {
        "rows": rows,
        "plots": [plot for plot in (_plot(run, row, names, key) for row in analysed) if plot],
        "required": [_required(row["name"], row) for row in rows if row.get("average_wagered") is not None],
        "strategy": [
            {"name": row["name"], "steps": steps}
            for row in rows
            if (steps := _steps(row, printed_apart=configuration["house_way"] is not None))
        ],
        "published": [{"name": row["name"], **figure} for row in rows for figure in row.get("published") or ()],
        "estimated": any(row["estimate"] for row in rows),
        "rounds": f"{run['result']['rounds']:,}",
        "blocks": f"{run['blocks']:,}",
        "seed": str(run["seed"]),
        "generator": run["result"]["generator"],
        "engine": run["result"]["engine"],
        "passed": run["passed"],
    }


def _row(name: str, analysed: Shown, simulated: Shown | None) -> Shown:
    exact = analysed["method"] == "exact"
    return {
        **analysed,
        "name": name,
        "exact": percent(analysed["hold_pct"] / 100),
        "estimate": not exact,
        **(_simulated(simulated) if simulated else {}),
    }


def _simulated(row: Shown) -> Shown:
    p_value, chi_square = row["p_value"], row["chi_square"]
    return {
        "hold": percent(row["hold"]),
        "interval": f"{percent(row['low'])} to {percent(row['high'])}",
        "z": "–" if row["z"] is None else f"{row['z']:+.2f}".replace("-", "−"),
        "chi_square": "–" if chi_square is None else f"{chi_square:.1f} ({row['degrees']})",
        "p": "–" if p_value is None else "< 0.0001" if p_value < 0.0001 else f"{p_value:.4f}",
        "agrees": row["passed"],
    }


def _required(name: str, row: Shown) -> Shown:
    return {
        "name": name,
        "per_ante": percent(float(row["loss_per_ante_pct"]) / 100),
        "per_total": percent(float(row["loss_per_total_wagered_pct"]) / 100),
        "average": f"{float(row['average_wagered']):.4f}",
    }


def _steps(row: Shown, *, printed_apart: bool) -> list[Shown]:
    """The player's decisions; the dealer's are left to the house way where that is printed apart."""
    return [
        {**step, "share": percent(float(step["frequency_pct"]) / 100, 2)}
        for step in row.get("strategy") or ()
        if not (printed_apart and step["decision"].startswith("Dealer: "))
    ]


def _plot(run: Shown, row: Shown, names: dict[str, str], key: str) -> Shown | None:
    points = (run["result"].get("convergence") or {}).get(row["wager"])
    name = names.get(row["wager"]) or str(row["wager"])
    svg = convergence_svg(
        [(int(count), float(hold), float(error)) for count, hold, error in points or ()],
        row["hold_pct"] / 100 if row["method"] == "exact" else None,
        name=name,
        key=f"{key}-{row['wager']}",
    )
    return {"name": name, "svg": svg} if svg else None


def percent(share: float, digits: int = DIGITS) -> str:
    """A share as a percentage with a true minus sign; the unit stands in the table's heading."""
    return f"{share * 100:.{digits}f}".replace("-", "−")
