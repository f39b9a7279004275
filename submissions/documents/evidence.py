"""The evidence of one configuration, worded: exact hold beside simulated hold, what the Board printed, each wager.

Long fractions stand in the attached record; on paper percentages have four digits. Not here: one wager's figures and
plots (`wager`).
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from submissions.documents.figures import NONE, chance, number, percent, units
from submissions.documents.wager import unit_of, wager

Shown = dict[str, Any]
Key = tuple[str, str, str]
IN_A_ROW = ("exact", "estimate", "volatility", "hits", "deviation", "largest")  # what compares the spots of a wager


def evidence(configuration: Shown, run: Shown, *, key: str) -> Shown:
    """Rows for the tables, in the order of the analysis; `key` makes ids unique."""
    names = {one["key"]: one["name"] for one in configuration["wagers"]}
    simulated = {_key(row): row for row in run["result"]["wagers"]}
    rows = [
        _row(names.get(row["wager"]) or str(row["wager"]), row, simulated.get(_key(row)), f"{key}-w{place}")
        for place, row in enumerate(run["analysis"]["wagers"])
    ]
    required = [row for row in rows if row.get("average_wagered") is not None]
    return {
        "rows": rows,
        "required": [_required(row) for row in required],
        "unit": "Ante" if all(row["unit"] == "Ante" for row in required) else "first wager",
        "wagers": _groups(rows, configuration, run["result"]),
        "published": [{"name": row["name"], **figure} for row in rows for figure in row.get("published") or ()],
        "estimated": [row["name"] for row in rows if row["estimate"]],
        "rake": _rake(run["analysis"].get("rake")),
        "rounds": f"{run['result']['rounds']:,}",
        "blocks": f"{run['blocks']:,}",
        "seed": str(run["seed"]),
        "generator": run["result"]["generator"],
        "engine": run["result"]["engine"],
        "passed": run["passed"],
        "position": run["configuration"],
    }


def _key(row: Shown) -> Key:
    return row["wager"], row["paytable"], row.get("spot") or ""


def _row(name: str, analysed: Shown, simulated: Shown | None, anchor: str) -> Shown:
    index = (analysed.get("volatility_index") or {}).get("95")
    return {
        **analysed,
        "anchor": anchor,
        "name": name,
        "unit": unit_of(name),
        "exact": number(analysed["hold_pct"], 4),
        "estimate": analysed["method"] != "exact",
        "volatility": NONE if index is None else number(index),
        "hits": chance(analysed["hit_frequency_pct"] / 100),
        "deviation": number(analysed["standard_deviation"], 4),
        "largest": units(analysed["largest_win"]).lstrip("+"),
        "seen": (simulated or {}).get("observed") or {},
        **(_simulated(simulated) if simulated else {}),
    }


def _simulated(row: Shown) -> Shown:
    p_value, chi_square = row["p_value"], row["chi_square"]
    return {
        "hold": percent(row["hold"]),
        "error": percent(row["standard_error"]),
        "interval": f"{percent(row['low'])} to {percent(row['high'])}",
        "z": NONE if row["z"] is None else f"{row['z']:+.2f}".replace("-", "−"),
        "chi_square": NONE if chi_square is None else f"{chi_square:.1f} ({row['degrees']})",
        "p": NONE if p_value is None else "< 0.0001" if p_value < 0.0001 else f"{p_value:.4f}",
        "agrees": row["passed"],
    }


def _required(row: Shown) -> Shown:
    """The three denominators of a required wager; an older analysis has two."""
    initial = row.get("loss_per_initial_pct")
    return {
        "name": row["name"],
        "per_ante": number(float(row["loss_per_ante_pct"]), 4),
        "per_initial": NONE if initial is None else number(initial, 4),
        "per_total": number(float(row["loss_per_total_wagered_pct"]), 4),
        "average": number(float(row["average_wagered"]), 4),
    }


def _groups(rows: list[Shown], configuration: Shown, result: Shown) -> list[Shown]:
    """The wagers one by one; one that may be placed on several spots has a part for each."""
    sections = {(table["wager"], table["name"]): table["citation"] for table in configuration["paytables"]}
    apart = configuration["house_way"] is not None
    return [
        {
            "name": name,
            "paytable": paytable,
            "parts": [
                {
                    **{word: row[word] for word in IN_A_ROW},
                    **wager(
                        row,
                        name,
                        result,
                        key=row["anchor"],
                        section=sections.get((row["wager"], row["paytable"]), ""),
                        printed_apart=apart,
                    ),
                }
                for row in parts
            ],
        }
        for (name, paytable), parts in groupby(rows, key=lambda row: (row["name"], row["paytable"]))
    ]


def _rake(rake: Shown | None) -> Shown | None:
    """What a game without a house wager takes; dollars as frozen."""
    if not rake:
        return None
    pots = [{**row, "rake_pct": number(row["rake_pct"], 2)} for row in rake["pots"]]
    return {**rake, "pots": pots}
