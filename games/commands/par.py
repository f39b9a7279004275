"""The command `par`: intervals of the actual hold, how unusual one is, the expected loss per hour, jackpots."""

import argparse
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from games.commands import BadUse
from games.commands.inputs import add_configuration, asked_chapter, print_json, read_answers, refuse_blocked
from games.maths.export import percent, to_json
from games.runs.board_figures import (
    LEVELS,
    MOST_ROUNDS,
    TABLE_ROUNDS,
    Jackpot,
    WagerRow,
    hold_spread,
    jackpots,
    two_sided_p,
    unusual_sentences,
)
from games.runs.engine import analyze


def add_par(parser: argparse.ArgumentParser) -> None:
    add_configuration(parser)
    parser.add_argument("--only", metavar="WAGER", help="this wager only, by its key")
    parser.add_argument("--rounds", type=int, metavar="N", help="the interval after so many rounds; else a table")
    parser.add_argument(
        "--actual-hold", type=_number, metavar="PCT", help="how unusual it is after --rounds, in percent"
    )
    parser.add_argument("--wager", type=_number, metavar="X", help="dollars per unit: the expected loss per hour")
    parser.add_argument("--rounds-per-hour", type=_number, metavar="R", help="of one player; needed with --wager")
    parser.set_defaults(run=run_par)


def _number(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"{text}: is not a number like 2.5") from None


def run_par(arguments: argparse.Namespace) -> int:
    chapter, answers = asked_chapter(arguments), read_answers(arguments.config)
    refuse_blocked(chapter, answers)
    _refuse_incomplete(arguments)
    try:
        analysis = to_json(analyze(chapter, answers))
    except ValueError as error:
        raise BadUse(f"chapter {chapter.number}: {error}") from None
    rows = [row for row in analysis["wagers"] if arguments.only in (None, row["wager"])]
    if not rows:
        wagers = ", ".join(dict.fromkeys(row["wager"] for row in analysis["wagers"])) or "none"
        raise BadUse(f"chapter {chapter.number}: the wagers against the house are: {wagers}")
    figures = [_figures(row, arguments) for row in rows]
    if arguments.json:
        print_json({name: analysis[name] for name in ("chapter", "rules_digest", "engine")} | {"wagers": figures})
        return 0
    print(f"Chapter {analysis['chapter']}, rules {analysis['rules_digest'][:12]}, engine {analysis['engine']}")
    for row, wager in zip(rows, figures, strict=True):
        _print_wager(wager, jackpots(row))
    return 0


def _refuse_incomplete(arguments: argparse.Namespace) -> None:
    if arguments.rounds is not None and not 1 <= arguments.rounds <= MOST_ROUNDS:
        raise BadUse(f"--rounds {arguments.rounds}: allowed are 1 to {MOST_ROUNDS:,}")
    if arguments.actual_hold is not None and arguments.rounds is None:
        raise BadUse("--actual-hold needs --rounds, the number of rounds in which it was seen")
    if (arguments.wager is None) != (arguments.rounds_per_hour is None):
        raise BadUse("--wager and --rounds-per-hour need each other")


def _figures(row: WagerRow, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of one wager: holds in percent of all money wagered, exact fractions as text, dollars."""
    spread, rounds, actual = hold_spread(row), arguments.rounds, arguments.actual_hold
    figures = {name: row[name] for name in ("wager", "spot", "paytable", "hold_pct")}
    figures["jackpots"] = [_jackpot_data(jackpot) for jackpot in jackpots(row)]
    if spread is None:
        return figures | {"intervals": []}
    if actual is not None:
        distance, words = spread.distance(rounds, actual / 100), unusual_sentences(spread, rounds, actual / 100)
        figures["actual"] = {"hold_pct": float(actual), "z": distance, "p": two_sided_p(distance), "words": words}
    if arguments.wager is not None:
        figures["loss_per_hour"] = str(spread.loss_per_hour(arguments.wager, arguments.rounds_per_hour))
    return figures | {
        "average_wagered": str(spread.average_wagered),
        "deviation_of_hold_pct": percent(spread.deviation),
        "skewness_of_hold": spread.skewness,
        "fewest_rounds": spread.fewest_rounds,
        "intervals": [
            {"rounds": number, "limits_pct": [percent(limit) for limit in limits], "reliable": is_reliable}
            for number, limits, is_reliable in spread.table([rounds] if rounds else TABLE_ROUNDS)
        ],
    }


def _jackpot_data(jackpot: Jackpot) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Fraction) else value for name, value in asdict(jackpot).items()}


def _print_wager(figures: dict[str, Any], won: list[Jackpot]) -> None:
    print("\n" + " ".join(filter(None, (figures["wager"], figures["spot"], figures["paytable"]))))
    print(f"  hold {figures['hold_pct']:.6f} % of all money wagered")
    if figures["intervals"]:
        print(f"  wagered per round on average: {float(Fraction(figures['average_wagered'])):.4f} units")
        print(f"  {'rounds':>17}" + "".join(f"{f'actual hold, {level} of 100, in %':>36}" for level in LEVELS))
        for interval in figures["intervals"]:
            low, high, lower, higher = interval["limits_pct"]
            cells = f"{f'{low:.4f} to {high:.4f}':>36}{f'{lower:.4f} to {higher:.4f}':>36}"
            print(f"  {interval['rounds']:>17,}{cells}")
        print(f"  reliable from {figures['fewest_rounds']:,} rounds on (25 × skewness², Cochran 1977)")
    if "actual" in figures:
        print(f"  {figures['actual']['words']}")
    if "loss_per_hour" in figures:
        print(f"  expected loss per hour, in dollars: {float(Fraction(figures['loss_per_hour'])):,.2f}")
    for jackpot in won:
        print(f"  {_jackpot_words(jackpot)}")


def _jackpot_words(jackpot: Jackpot) -> str:
    words = f"{jackpot.outcome} ({jackpot.pays}): won once in {float(jackpot.rounds_between):,.0f} wagers on average"
    if jackpot.average_meter is None:
        return words + "; what is then on the meter does not follow from the terms"
    return (
        f"{words}; the meter is then at ${float(jackpot.average_meter):,.2f} on average, "
        f"standard deviation ${jackpot.meter_deviation:,.2f}"
    )
