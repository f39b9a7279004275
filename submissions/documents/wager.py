"""One wager's evidence in words and rows: what it holds, under which play, by which outcomes, and its plots.

`row` is a wager of the frozen analysis (`games.maths.export`); what an older one does not have is left out. Not here:
the tables over all wagers, the simulation's figures (`evidence`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from submissions.documents.figures import NONE, chance, dollars, fraction, number, percent, units
from submissions.documents.plots import plots

Shown = dict[str, Any]
TIMES_RESET = (1, 2, 5, 10)  # meters for which a progressive's return is shown, in reset amounts


def wager(row: Shown, name: str, result: Shown, *, key: str, section: str, printed_apart: bool) -> Shown:
    """Everything known of one wager. `key` makes ids unique on a page; `section`, where an outcome names none."""
    rows = outcomes(row, row["seen"], section)
    return {
        "id": key,
        "name": name,
        "spot": row.get("spot") or "",
        "paytable": row["paytable"],
        "unit": unit_of(name),
        "method": _method(row),
        "facts": [fact for fact in _facts(row, unit_of(name)) if fact[1]],
        "steps": _steps(row, printed_apart=printed_apart),
        "strategy_tables": row.get("strategy_tables") or [],
        "plain_play": _plain_play(row),
        "progressive": _progressive(row.get("progressive")),
        "outcomes": rows,
        "by_frequencies": any(one.get("probability") is None for one in row.get("outcomes") or ()),
        "stakes_differ": any(one["wagered"] != "1" for one in rows),
        "total": _total(row, rows),
        "plots": plots(row, rows, result, name=name, key=key),
        "notes": row.get("notes") or [],
    }


def unit_of(name: str) -> str:
    """What the figures of a wager are counted in."""
    return "Ante" if re.search(r"\bAnte\b", name) else "unit of the wager"


def _method(row: Shown) -> str:
    if row["method"] == "estimate":
        error = row.get("standard_error_pct")
        beside = f", with a standard error of {number(error, 4)} %" if error is not None else ""
        return f"Estimated from many deals under the play stated{beside}."
    if not row.get("hold_fraction"):
        return "Exact to all the digits shown, computed by floating point."
    cycle = row.get("cycle")
    return f"Exact: {cycle:,} equally likely deals counted." if cycle else "Exact, by fractions."


def _facts(row: Shown, unit: str) -> Iterable[tuple[str, str]]:
    """(what, how much), the hold and its denominators first; an empty one is not known."""
    meter = ", its meter at the reset amount" if row.get("progressive") else ""
    yield "Hold", f"{number(row['hold_pct'], 4)} % of all money wagered{meter}"
    yield "Hold as a fraction", fraction(row["hold_fraction"]) if row.get("hold_fraction") else ""
    if row.get("average_wagered") is not None:
        yield f"Loss per {unit}", _pct(row, "loss_per_ante_pct")
        yield "Loss per initial wagers", _pct(row, "loss_per_initial_pct")
        yield "Loss per total wagered", _pct(row, "loss_per_total_wagered_pct")
        yield f"Wagered on average, per {unit}", number(row["average_wagered"], 4)
    yield "Wins", f"{chance(row['hit_frequency_pct'] / 100)} % of rounds"
    yield "Standard deviation", f"{number(row['standard_deviation'], 4)} per {unit}"
    index = row.get("volatility_index") or {}
    yield "Volatility index", ", ".join(f"{number(index[level])} at {level} %" for level in sorted(index))
    yield "Largest win", f"{units(row['largest_win']).lstrip('+')} to 1{_share(row)}"
    envy = row.get("envy_per_other_player")
    yield "Envy bonus, expected", f"{dollars(float(Fraction(envy)))} per round and other player" if envy else ""


def _pct(row: Shown, key: str) -> str:
    return f"{number(row[key], 4)} %" if row.get(key) is not None else ""


def _share(row: Shown) -> str:
    share = row.get("largest_share_pct")
    return f", {chance(share / 100)} % of all that is returned" if share is not None else ""


def _steps(row: Shown, *, printed_apart: bool) -> list[Shown]:
    """The player's decisions; the dealer's are left to the house way where that is printed apart."""
    return [
        {**step, "share": percent(float(step["frequency_pct"]) / 100, 2)}
        for step in row.get("strategy") or ()
        if not (printed_apart and step["decision"].startswith("Dealer: "))
    ]


def _plain_play(row: Shown) -> list[Shown]:
    """What somebody loses who plays by a plain rule, and how much more that is than under the play assumed."""
    return [
        {
            "name": plain["name"],
            "when": plain["when"],
            "per_ante": number(plain["loss_per_ante_pct"], 4),
            "per_total": number(plain["loss_per_total_wagered_pct"], 4),
            "more": number(plain["loss_per_ante_pct"] - row["loss_per_ante_pct"], 4),
        }
        for plain in row.get("plain_play") or ()
    ]


def outcomes(row: Shown, seen: Mapping[str, int], section: str = "") -> list[Shown]:
    """One row an outcome: its count and chance, what it pays and by which section, its share of the return.

    Without chances (a wager known by simulation only) by the frequencies of the rounds dealt. The shares add up to
    100 % less the hold.
    """
    given = row.get("outcomes") or []
    known = all(one.get("probability") is not None for one in given)
    rounds = sum(seen.values())
    if not given or not (known or rounds):
        return []
    chances = [
        Fraction(one["probability"] if known else Fraction(seen.get(one["outcome"], 0), rounds)) for one in given
    ]
    stakes = [Fraction(one.get("wagered", 1)) for one in given]
    wagered = sum(share * stake for share, stake in zip(chances, stakes, strict=True))
    return [
        {
            **_outcome(one, share, share * (Fraction(one["net"]) + stake) / wagered),
            "count": _count(one["count"] if known else seen.get(one["outcome"], 0)),
            "section": one.get("section") or section,
        }
        for one, share, stake in zip(given, chances, stakes, strict=True)
    ]


def _outcome(one: Shown, share: Fraction, returned: Fraction) -> Shown:
    return {
        "outcome": one["outcome"],
        "chance": chance(float(share)),
        "pays": one.get("pays") or NONE,
        "net": units(one["net"]),
        "wagered": units(one.get("wagered", 1)).lstrip("+"),
        "returned": percent(float(returned)),
        "share": float(returned),
    }


def _count(count: int | None) -> str:
    return NONE if count is None else f"{count:,}"


def _total(row: Shown, rows: list[Shown]) -> Shown:
    returned = sum(one["share"] for one in rows)
    return {
        "count": _count(row.get("cycle")),
        "returned": percent(returned),
        "hold": percent(1 - returned),
    }


def _progressive(meter: Shown | None) -> Shown | None:
    """The return as a function of the meter, at some meters and where the wager breaks even."""
    if not meter:
        return None
    fixed, coefficient = meter["fixed_return_pct"] / 100, float(Fraction(meter["meter_coefficient"] or 0))
    reset, even = float(Fraction(meter["reset"])), meter["break_even_meter"]
    meters = [(times * reset, "reset amount" if times == 1 else f"{times} × reset") for times in TIMES_RESET if reset]
    meters += [(float(even), "break-even")] if even else []
    long_run = meter.get("long_run_return_pct")
    return {
        "fixed": f"{number(100 * fixed, 4)} %",
        "per_thousand": f"{number(100_000 * coefficient, 4)} %",
        "rate": f"{number(100 * float(Fraction(meter['rate'])), 2)} %" if meter.get("rate") else "",
        "long_run": f"{number(long_run, 4)} %" if long_run is not None else "",
        "rows": [
            (dollars(amount), words, percent(fixed + coefficient * amount), percent(1 - fixed - coefficient * amount))
            for amount, words in sorted(meters)
        ],
    }
