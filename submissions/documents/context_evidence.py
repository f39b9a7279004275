"""The evidence of one configuration in the template's context: wagers, strategies, outcomes and charts.

The row of a wager is that of the frozen analysis: fields that an older analysis does not have are left out.
"""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from math import floor, log10

from games.maths.published import NOTHING_TO_COMPARE, Verdict
from games.maths.results import CONFIDENCE
from games.runs.agreement import FOUND_IN, REJECTION, RETEST_ROUNDS, SUSPICION
from submissions.documents.document_record import Fields
from submissions.filings.evidence.charts import convergence_svg, returns_svg, spread_svg


def evidence_context(configuration: Fields, run: Fields, *, key: str) -> Fields:
    """Return the rows of the tables, in the order of the analysis; `key` makes ids unique."""
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
        "seed": str(run["result"].get("seed", run["seed"])),
        "first": _first_stage(run["result"].get("first")),
        "command": _command(run) if run["result"]["wagers"] else "",
        "settled": _settled(run["result"]["wagers"]),
        "generator": run["result"]["generator"],
        "engine": run["result"]["engine"],
        "passed": run["passed"],
        "limits": {
            "suspicion": f"{SUSPICION:.4f}",
            "rejection": f"{REJECTION:g}",
            "times": RETEST_ROUNDS,
            "found_in": round(10 * FOUND_IN),
        },
        "position": run["configuration"],
    }


def _first_stage(stage: Fields | None) -> Fields | None:
    """Return the stage that raised a suspicion, as it reads; None for a run of one stage, as earlier runs are."""
    if not stage:
        return None
    named = (text.partition(": ") for text in stage["suspected"])
    suspected = "; ".join(f"{wager.replace('_', ' ')}: {_subject(subject)}" for wager, _, subject in named)
    return {**stage, "rounds": f"{stage['rounds']:,}", "suspected": suspected}


def _settled(wagers: Iterable[Fields]) -> bool | None:
    """Return True if the second side settled all of them by itself; None for a run of an earlier version."""
    settled = [row.get("settled") for row in wagers]
    return None if None in settled else all(settled)


def _command(run: Fields) -> str:
    """Return the command that deals the same rounds again, from the answers of the configuration."""
    first = run["result"].get("first") or run
    given = f"--rounds {first['rounds']} --seed {first['seed']} --block-rounds {run['block_rounds']}"
    return f"python -m games simulate {run['analysis']['chapter']} --config ANSWERS.json {given}"


def _published(name: str, figure: Fields) -> Fields:
    """Return a figure of the Board. Earlier records have other verdicts, or none."""
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


SMALLEST_P = 0.0001  # that is printed as a figure
MAGNITUDES = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))


def _simulated(row: Fields) -> Fields:
    least, finds, needed = row.get("least_p"), row.get("finds"), row.get("rounds_for_a_hundredth")
    return {
        "hold": percent(row["hold"]),
        "error": percent(row["standard_error"]),
        "interval": f"{percent(row['low'])} to {percent(row['high'])}",
        "z": NONE if row["z"] is None else f"{row['z']:+.2f}".replace("-", "−"),
        "p": NONE if least is None else _probability(least),
        "finds": NONE if finds is None else percent(finds),
        "needed": NONE if needed is None else _rounds(needed),
        "agrees": row["passed"],
        "differs": ", ".join(_subject(name) for name in (*row.get("pays_differ", ()), *row.get("disagrees", ()))),
    }


def _subject(name: str) -> str:
    """Return what disagrees: an outcome, or one of the two sums."""
    return {"won": "sum won", "wagered": "sum wagered"}.get(name, name)


def _probability(p_value: float) -> str:
    """Return four decimals."""
    return f"{p_value:.4f}" if p_value >= SMALLEST_P else f"< {SMALLEST_P:.4f}"


def _rounds(number: float) -> str:
    """Return a number of rounds to two digits: "240 million", "1.2 billion"."""
    unit, name = next(((unit, name) for unit, name in MAGNITUDES if number >= unit), (1, ""))
    shown = float(f"{number / unit:.2g}")
    return f"{shown:,.{0 if shown >= 10 else 1}f} {name}".strip()


def _required(row: Fields) -> Fields:
    """Return the three denominators of a required wager; an older analysis has two."""
    initial = row.get("loss_per_initial_pct")
    return {
        "name": row["name"],
        "per_ante": number(float(row["loss_per_ante_pct"]), 4),
        "per_initial": NONE if initial is None else number(initial, 4),
        "per_total": number(float(row["loss_per_total_wagered_pct"]), 4),
        "average": number(float(row["average_wagered"]), 4),
    }


def _groups(rows: list[Fields], configuration: Fields, result: Fields) -> list[Fields]:
    """Return each wager; one that may be placed on several spots has a part for each."""
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


COPIED = ("name", "paytable", "unit", "exact", "estimate", "volatility", "hits", "deviation", "largest")
TIMES_RESET = (1, 2, 5, 10)  # meters for which a progressive's return is shown, in reset amounts
SMALLEST_CHANCE = 1e-6  # of being ahead, that is printed as a figure


def wager_context(
    row: Fields, result: Fields, sections: Mapping[tuple[str, str], str], *, house_way_printed: bool
) -> Fields:
    """Return all evidence of one wager. `sections`: of its paytable, for outcomes that name none."""
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
        error = row.get("spread_error")
        but = f"; but for deviation and chances, which are within {number(error, 7)}" if error else ""
        return f"Exact to all the digits shown, computed by floating point{but}."
    cycle = row.get("cycle")
    return f"Exact: {cycle:,} equally likely deals counted." if cycle else "Exact, by fractions."


def _facts(row: Fields, unit: str) -> Iterable[tuple[str, str]]:
    """Return (name, value), the hold and its denominators first; an empty value is not known."""
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
    share = _largest_share(row)
    of_all = f", {share} % of all that is returned" if share else ""
    yield "Largest win", f"{units(row['largest_win']).lstrip('+')} to 1{of_all}"
    envy = row.get("envy_per_other_player")
    yield "Envy bonus, expected", f"{dollars(float(Fraction(envy)))} per round and other player" if envy else ""


def _largest_share(row: Fields) -> str:
    """Return the largest prize's share; one that has an error is shown as far as it is given, or not at all."""
    share = row.get("largest_share_pct")
    if row.get("spread_error"):
        return f"{share:g}" if share else ""
    return "" if share is None else chance(share / 100)


def _pct(row: Fields, key: str) -> str:
    return f"{number(row[key], 4)} %" if row.get(key) is not None else ""


def _steps(row: Fields, *, house_way_printed: bool) -> list[Fields]:
    """Return the player's decisions; the dealer's only where the house way is not printed separately."""
    return [
        {**step, "share": percent(float(step["frequency_pct"]) / 100, 2)}
        for step in row.get("strategy") or ()
        if not (house_way_printed and step["decision"].startswith("Dealer: "))
    ]


def _is_required(row: Fields) -> bool:
    return row.get("loss_per_ante_pct") is not None


def _plain_play(row: Fields) -> list[Fields]:
    """Return the loss under each simplified strategy, and how much more that is than under the assumed strategy.

    An optional wager that is placed after the cards are seen has no denominators of its own: its outcomes give the loss
    per round in percent of one unit, 0 without exact chances.
    """
    if _is_required(row):
        assumed = row["loss_per_ante_pct"]
    else:
        chances = ((outcome.get("probability"), outcome["net"]) for outcome in row.get("outcomes") or ())
        assumed = float(-100 * sum(Fraction(chance) * Fraction(net) for chance, net in chances if chance is not None))
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


def outcomes(row: Fields, seen: Mapping[str, int], section: str = "") -> list[Fields]:
    """Return a row for each outcome: its count and chance, what it pays and by which section, its share of the payback.

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
    """Return the payback as a function of the meter: at some meters and at break-even."""
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
    """Return the charts that there is data for, each with a caption and the numbers behind it."""
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


DIGITS = 4  # of a percentage
LONGEST = 40  # characters of a fraction that is written out
SIGNIFICANT = 3  # digits of a small percentage
NONE = "–"


def percent(share: float, digits: int = DIGITS) -> str:
    """Return a share as a percentage without the unit, which is in the table's heading."""
    return number(share * 100, digits)


def number(value: float, digits: int = 2) -> str:
    """Return the number as "1,234.50", without a minus before a zero."""
    text = f"{value:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.removeprefix("-")


def chance(share: float) -> str:
    """Return a chance in percent with four digits, if small with three significant: "12.3400", "0.0000348"."""
    if not share or share * 100 >= 0.1:
        return percent(share)
    return number(share * 100, SIGNIFICANT - 1 - floor(log10(share * 100)))


def units(net: str | float) -> str:
    """Return a frozen amount in units ("1/2", "-1", 19.95): "+0.5", "−1", "+19.95", "0"."""
    value = float(Fraction(net))
    text = f"{value:+,.4f}".rstrip("0").rstrip(".")
    return text.replace("-", "−") if value else "0"


def fraction(text: str) -> str:
    """Return "3/8" with a true division sign; a long one by its size: the attached record has it in full."""
    if len(text) <= LONGEST:
        return text.replace("-", "−").replace("/", " ∕ ")
    above, _, below = text.lstrip("-").partition("/")
    return f"a fraction with a numerator of {len(above)} and a denominator of {len(below)} digits"


def dollars(amount: float) -> str:
    """Return the amount as "$1,234.50"; below a dollar with four digits."""
    return f"${number(amount, 2 if abs(amount) >= 1 or not amount else 4)}".replace("$−", "−$")
