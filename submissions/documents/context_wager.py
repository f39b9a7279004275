"""One wager's evidence: its theoretical hold, strategy, outcomes and charts.

`row` is a wager of the frozen analysis (`games.maths.export`); what an older analysis does not have is left out. Not
here: the tables of all wagers and the simulation's figures (`context_evidence`).
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from games.maths.results import CONFIDENCE
from submissions.documents.document_record import Fields
from submissions.documents.number_format import NONE, chance, dollars, fraction, number, percent, units
from submissions.evidence.charts.convergence import convergence_svg
from submissions.evidence.charts.outcome_histogram import spread_svg
from submissions.evidence.charts.return_contributions import returns_svg

COPIED = ("name", "paytable", "unit", "exact", "estimate", "volatility", "hits", "deviation", "largest")
TIMES_RESET = (1, 2, 5, 10)  # meters for which a progressive's return is shown, in reset amounts
SMALLEST_CHANCE = 1e-6  # of being ahead, that is printed as a figure


def wager_context(
    row: Fields, result: Fields, sections: Mapping[tuple[str, str], str], *, house_way_printed: bool
) -> Fields:
    """All evidence of one wager. `sections`: of its paytable, for outcomes that name none."""
    rows = outcomes(row, row["seen"], sections.get((row["wager"], row["paytable"]), ""))
    returned = sum(outcome["share"] for outcome in rows)
    return {
        **{name: row[name] for name in COPIED},
        "id": row["anchor"],
        "spot": row.get("spot") or "",
        "method": _method(row),
        "facts": [fact for fact in _facts(row, row["unit"]) if fact[1]],
        "steps": _steps(row, house_way_printed=house_way_printed),
        "strategy_tables": row.get("strategy_tables") or [],
        "plain_play": _plain_play(row),
        "plain_unit": row["unit"] if _is_required(row) else "round",
        "progressive": _progressive(row.get("progressive")),
        "outcomes": rows,
        "by_frequencies": any(outcome.get("probability") is None for outcome in row.get("outcomes") or ()),
        "stakes_differ": any(outcome["wagered"] != "1" for outcome in rows),
        "total": {"count": _count(row.get("cycle")), "returned": percent(returned), "hold": percent(1 - returned)},
        "plots": _charts(row, rows, result),
        "notes": row.get("notes") or [],
    }


def _method(row: Fields) -> str:
    if row["method"] == "estimate":
        error = row.get("standard_error_pct")
        beside = f", with a standard error of {number(error, 4)} %" if error is not None else ""
        return f"Estimated from many deals under the play stated{beside}."
    if not row.get("hold_fraction"):
        return "Exact to all the digits shown, computed by floating point."
    cycle = row.get("cycle")
    return f"Exact: {cycle:,} equally likely deals counted." if cycle else "Exact, by fractions."


def _facts(row: Fields, unit: str) -> Iterable[tuple[str, str]]:
    """(name, value), the hold and its denominators first; an empty value is not known."""
    meter = ", its meter at the reset amount" if row.get("progressive") else ""
    yield "Hold", f"{number(row['hold_pct'], 4)} % of all money wagered{meter}"
    yield "Hold as a fraction", fraction(row["hold_fraction"]) if row.get("hold_fraction") else ""
    if row.get("average_wagered") is not None:
        yield f"Loss per {unit}", _pct(row, "loss_per_ante_pct")
        yield "Loss per initial wager", _pct(row, "loss_per_initial_pct")
        yield "Loss per total wagered", _pct(row, "loss_per_total_wagered_pct")
        yield f"Wagered on average, per {unit}", number(row["average_wagered"], 4)
    yield "Wins", f"{chance(row['hit_frequency_pct'] / 100)} % of rounds"
    yield "Standard deviation", f"{number(row['standard_deviation'], 4)} per {unit}"
    index = row.get("volatility_index") or {}
    yield "Volatility index", ", ".join(f"{number(index[level])} at {level} %" for level in sorted(index))
    share = row.get("largest_share_pct")
    of_all = f", {chance(share / 100)} % of all that is returned" if share is not None else ""
    yield "Largest win", f"{units(row['largest_win']).lstrip('+')} to 1{of_all}"
    envy = row.get("envy_per_other_player")
    yield "Envy bonus, expected", f"{dollars(float(Fraction(envy)))} per round and other player" if envy else ""


def _pct(row: Fields, key: str) -> str:
    return f"{number(row[key], 4)} %" if row.get(key) is not None else ""


def _steps(row: Fields, *, house_way_printed: bool) -> list[Fields]:
    """The player's decisions; the dealer's only where the house way is not printed separately."""
    return [
        {**step, "share": percent(float(step["frequency_pct"]) / 100, 2)}
        for step in row.get("strategy") or ()
        if not (house_way_printed and step["decision"].startswith("Dealer: "))
    ]


def _is_required(row: Fields) -> bool:
    return row.get("loss_per_ante_pct") is not None


def _plain_play(row: Fields) -> list[Fields]:
    """The loss under each simplified strategy, and how much more that is than under the assumed strategy.

    An optional wager that is placed after the cards are seen has no denominators of its own: its outcomes give the loss
    per round.
    """
    assumed = row["loss_per_ante_pct"] if _is_required(row) else _loss_per_round(row)
    return [
        {
            "name": plain["name"],
            "when": plain["when"],
            "per_ante": number(plain["loss_per_ante_pct"], 4),
            "per_total": number(plain["loss_per_total_wagered_pct"], 4),
            "more": number(plain["loss_per_ante_pct"] - assumed, 4),
        }
        for plain in row.get("plain_play") or ()
    ]


def _loss_per_round(row: Fields) -> float:
    """Percent of one unit, over all rounds; 0 without exact chances."""
    chances = ((outcome.get("probability"), outcome["net"]) for outcome in row.get("outcomes") or ())
    return float(-100 * sum(Fraction(chance) * Fraction(net) for chance, net in chances if chance is not None))


def outcomes(row: Fields, seen: Mapping[str, int], section: str = "") -> list[Fields]:
    """A row for each outcome: its count and chance, what it pays and by which section, its share of the payback.

    Without exact chances (a wager known by simulation only) from the frequencies of the rounds dealt. The shares add up
    to 100 % less the hold.
    """
    given = row.get("outcomes") or []
    known = all(outcome.get("probability") is not None for outcome in given)
    rounds = sum(seen.values())
    if not given or not (known or rounds):
        return []
    chances = [
        Fraction(outcome["probability"] if known else Fraction(seen.get(outcome["outcome"], 0), rounds))
        for outcome in given
    ]
    stakes = [Fraction(outcome.get("wagered", 1)) for outcome in given]
    wagered = sum(share * stake for share, stake in zip(chances, stakes, strict=True))
    returned = [
        float(share * (Fraction(outcome["net"]) + stake) / wagered)
        for outcome, share, stake in zip(given, chances, stakes, strict=True)
    ]
    return [
        {
            "outcome": outcome["outcome"],
            "count": _count(outcome["count"] if known else seen.get(outcome["outcome"], 0)),
            "chance": chance(float(likely)),
            "pays": outcome.get("pays") or NONE,
            "net": units(outcome["net"]),
            "wagered": units(outcome.get("wagered", 1)).lstrip("+"),
            "returned": percent(share),
            "share": share,
            "section": outcome.get("section") or section,
        }
        for outcome, likely, share in zip(given, chances, returned, strict=True)
    ]


def _count(count: int | None) -> str:
    return NONE if count is None else f"{count:,}"


def _progressive(meter: Fields | None) -> Fields | None:
    """The payback as a function of the meter: at some meters and at break-even."""
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


def _charts(row: Fields, rows: list[Fields], result: Fields) -> Fields:
    """The charts that there is data for, each with a caption and the numbers behind it."""
    key, name, spot = row["anchor"], row["name"], row.get("spot")
    title, tally = (f"{name}, {spot}", f"{row['wager']}/{spot}") if spot else (name, row["wager"])
    convergence = (result.get("convergence") or {}).get(tally) or ()  # older results do not have every part
    spreads = (result.get("spreads") or {}).get(tally) or {"by": "chances", "after": []}
    points = [(int(count), float(hold), float(error)) for count, hold, error in convergence]
    exact = row["hold_pct"] / 100 if row["method"] == "exact" else None
    shares = [(outcome["outcome"], outcome["share"]) for outcome in rows]
    charts = [
        ("Payback by outcome", returns_svg(shares, name=title, key=f"{key}-returns")),
        ("Convergence", convergence_svg(points, exact, name=title, key=f"{key}-convergence")),
        *(
            (f"Result after {after['rounds']:,} rounds", spread_svg(after, name=title, key=f"{key}-{after['rounds']}"))
            for after in spreads["after"]
        ),
    ]
    return {
        "drawn": [{"title": heading, "svg": svg} for heading, svg in charts if svg],
        "spreads": [_result_after(after) for after in spreads["after"]],
        "by_frequencies": spreads["by"] == "frequencies",
        "points": [(f"{count:,}", percent(hold), percent(CONFIDENCE[95] * error)) for count, hold, error in points],
    }


def _result_after(after: Fields) -> Fields:
    return {
        "rounds": f"{after['rounds']:,}",
        "mean": number(after["mean"], 0),
        "deviation": number(after["deviation"], 0),
        "quantiles": [number(value, 0) for value in after["quantiles"]],
        "ahead": "< 0.0001" if after["ahead"] < SMALLEST_CHANCE else percent(after["ahead"]),
    }
