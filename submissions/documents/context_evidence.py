"""The evidence of one configuration: exact and simulated hold, each wager; for pages, the figures that the Board
published.

The attached record has long fractions in full; on paper percentages have four digits. Not here: one wager's figures and
charts (`context_wager`).
"""

import re
from itertools import groupby

from games.maths.published import NOTHING_TO_COMPARE, Verdict
from games.maths.statistics import LARGEST_Z, SMALLEST_P
from submissions.documents.context_wager import wager_context
from submissions.documents.document_record import Fields
from submissions.documents.number_format import NONE, chance, number, percent, units


def evidence_context(configuration: Fields, run: Fields, *, key: str) -> Fields:
    """The rows of the tables, in the order of the analysis; `key` makes ids unique. Dollars of a rake are as frozen.

    `highest_first`: the same rows for a list of the holds, the highest one first.
    """
    names = {wager["key"]: wager["name"] for wager in configuration["wagers"]}
    simulated = {_key(row): row for row in run["result"]["wagers"]}
    rows = [
        _row(names.get(row["wager"]) or str(row["wager"]), row, simulated.get(_key(row)), f"{key}-w{place}")
        for place, row in enumerate(run["analysis"]["wagers"])
    ]
    rake = run["analysis"].get("rake")  # of a game without a house wager
    pots = [{**pot, "rake_pct": number(pot["rake_pct"], 2)} for pot in rake["pots"]] if rake else []
    required = [row for row in rows if row.get("average_wagered") is not None]
    return {
        "rows": rows,
        "highest_first": sorted(rows, key=lambda row: row["hold_pct"], reverse=True),
        "required": [_required(row) for row in required],
        "unit": "Ante" if all(row["unit"] == "Ante" for row in required) else "first wager",
        "wagers": _groups(rows, configuration, run["result"]),
        "published": [_published(row["name"], figure) for row in rows for figure in row.get("published") or ()],
        "estimated": [row["name"] for row in rows if row["estimate"]],
        "rake": {**rake, "pots": pots} if rake else None,
        "rounds": f"{run['result']['rounds']:,}",
        "blocks": f"{run['blocks']:,}",
        "seed": str(run["seed"]),
        "generator": run["result"]["generator"],
        "engine": run["result"]["engine"],
        "passed": run["passed"],
        "limits": {"z": f"{LARGEST_Z:g}", "p": f"{SMALLEST_P:f}"},
        "position": run["configuration"],
    }


def _published(name: str, figure: Fields) -> Fields:
    """A figure of the Board. Earlier records have other verdicts, or none."""
    compared = figure["ours"] != NOTHING_TO_COMPARE and figure.get("verdict") != Verdict.NOT_COMPARABLE
    differs = Verdict.DIFFERS if compared else Verdict.NOT_COMPARABLE
    verdict = Verdict.REPRODUCED if figure["reproduced"] else differs
    return {"name": name, **figure, "verdict": verdict}


def _key(row: Fields) -> tuple[str, str, str]:
    return row["wager"], row["paytable"], row.get("spot") or ""


def _row(name: str, analysis: Fields, simulated: Fields | None, anchor: str) -> Fields:
    index = (analysis.get("volatility_index") or {}).get("95")
    return {
        **analysis,
        "anchor": anchor,
        "name": name,
        "unit": "Ante" if re.search(r"\bAnte\b", name) else "unit of the wager",
        "exact": number(analysis["hold_pct"], 4),
        "estimate": analysis["method"] != "exact",
        "volatility": NONE if index is None else number(index),
        "hits": chance(analysis["hit_frequency_pct"] / 100),
        "deviation": number(analysis["standard_deviation"], 4),
        "largest": units(analysis["largest_win"]).lstrip("+"),
        "seen": (simulated or {}).get("observed") or {},
        **(_simulated(simulated) if simulated else {}),
    }


def _simulated(row: Fields) -> Fields:
    p_value, chi_square = row["p_value"], row["chi_square"]
    return {
        "hold": percent(row["hold"]),
        "error": percent(row["standard_error"]),
        "interval": f"{percent(row['low'])} to {percent(row['high'])}",
        "z": NONE if row["z"] is None else f"{row['z']:+.2f}".replace("-", "−"),
        "chi_square": NONE if chi_square is None else f"{chi_square:.1f} ({row['degrees']})",
        "p": NONE if p_value is None else _probability(p_value),
        "agrees": row["passed"],
    }


def _probability(p_value: float) -> str:
    """Four decimals; one that is too small for them as many as the limit."""
    if p_value < SMALLEST_P:
        return f"< {SMALLEST_P:f}"
    return f"{p_value:f}" if p_value < 0.0001 else f"{p_value:.4f}"


def _required(row: Fields) -> Fields:
    """The three denominators of a required wager; an older analysis has two."""
    initial = row.get("loss_per_initial_pct")
    return {
        "name": row["name"],
        "per_ante": number(float(row["loss_per_ante_pct"]), 4),
        "per_initial": NONE if initial is None else number(initial, 4),
        "per_total": number(float(row["loss_per_total_wagered_pct"]), 4),
        "average": number(float(row["average_wagered"]), 4),
    }


def _groups(rows: list[Fields], configuration: Fields, result: Fields) -> list[Fields]:
    """Each wager; one that may be placed on several spots has a part for each."""
    sections = {(table["wager"], table["name"]): table["citation"] for table in configuration["paytables"]}
    house_way_printed = configuration["house_way"] is not None
    return [
        {
            "name": name,
            "paytable": paytable,
            "parts": [wager_context(row, result, sections, house_way_printed=house_way_printed) for row in parts],
        }
        for (name, paytable), parts in groupby(rows, key=lambda row: (row["name"], row["paytable"]))
    ]
