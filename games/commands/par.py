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
    HoldSpread,
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
    parser.add_argument("--actual-hold", metavar="PCT", help="how unusual this hold is after --rounds, in percent")
    parser.add_argument("--wager", metavar="X", help="dollars per unit of the wager: its expected loss per hour")
    parser.add_argument("--rounds-per-hour", metavar="R", help="of one player; needed with --wager")
    parser.set_defaults(run=run_par)


def run_par(arguments: argparse.Namespace) -> int:
    chapter, answers = asked_chapter(arguments), read_answers(arguments.config)
    refuse_blocked(chapter, answers)
    actual, loss = _actual_hold(arguments), _loss_terms(arguments)
    if arguments.rounds is not None and not 1 <= arguments.rounds <= MOST_ROUNDS:
        raise BadUse(f"--rounds {arguments.rounds}: allowed are 1 to {MOST_ROUNDS:,}")
    try:
        analysis = to_json(analyze(chapter, answers))
    except ValueError as error:
        raise BadUse(f"chapter {chapter.number}: {error}") from None
    rows = [row for row in analysis["wagers"] if arguments.only in (None, row["wager"])]
    if not rows:
        wagers = ", ".join(dict.fromkeys(row["wager"] for row in analysis["wagers"])) or "none"
        raise BadUse(f"chapter {chapter.number}: the wagers against the house are: {wagers}")
    rounds = TABLE_ROUNDS if arguments.rounds is None else (arguments.rounds,)
    if arguments.json:
        wagers_data = [_wager_data(row, rounds, actual, loss) for row in rows]
        print_json({name: analysis[name] for name in ("chapter", "rules_digest", "engine")} | {"wagers": wagers_data})
        return 0
    print(f"Chapter {analysis['chapter']}, rules {analysis['rules_digest'][:12]}, engine {analysis['engine']}")
    for row in rows:
        _print_wager(row, rounds, actual, loss)
    return 0


def _actual_hold(arguments: argparse.Namespace) -> Fraction | None:
    if arguments.actual_hold is None:
        return None
    if arguments.rounds is None:
        raise BadUse("--actual-hold needs --rounds, the number of rounds in which it was seen")
    return _number("--actual-hold", arguments.actual_hold) / 100


def _loss_terms(arguments: argparse.Namespace) -> tuple[Fraction, Fraction] | None:
    """Return the wager in dollars and the rounds per hour."""
    if arguments.wager is None and arguments.rounds_per_hour is None:
        return None
    if arguments.wager is None or arguments.rounds_per_hour is None:
        raise BadUse("--wager and --rounds-per-hour need each other")
    terms = _number("--wager", arguments.wager), _number("--rounds-per-hour", arguments.rounds_per_hour)
    if min(terms) <= 0:
        raise BadUse("--wager and --rounds-per-hour must be greater than 0")
    return terms


def _number(name: str, text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadUse(f"{name} {text}: is not a number like 2.5") from None


def _wager_data(
    row: WagerRow, rounds: tuple[int, ...], actual: Fraction | None, loss: tuple[Fraction, Fraction] | None
) -> dict[str, Any]:
    """Return the figures of one wager: holds in percent of all money wagered, fractions as text, money in dollars."""
    spread = hold_spread(row)
    data = {name: row[name] for name in ("wager", "spot", "paytable", "hold_pct")}
    data["jackpots"] = [_jackpot_data(jackpot) for jackpot in jackpots(row)]
    if spread is None:
        return data | {"intervals": []}
    if actual is not None:
        distance = spread.distance(rounds[0], actual)
        data["actual"] = {"hold_pct": percent(actual), "z": distance, "p_value": two_sided_p(distance)}
    if loss is not None:
        data["expected_loss_per_hour"] = str(spread.loss_per_hour(*loss))
    return data | {
        "average_wagered": str(spread.average_wagered),
        "deviation_of_hold_pct": percent(spread.deviation),
        "skewness_of_hold": spread.skewness,
        "fewest_rounds": spread.fewest_rounds,
        "intervals": [
            {
                "rounds": number,
                **{f"pct_{level}": [percent(limit) for limit in spread.interval(number, level)] for level in LEVELS},
                "reliable": number >= spread.fewest_rounds,
            }
            for number in rounds
        ],
    }


def _jackpot_data(jackpot: Jackpot) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Fraction) else value for name, value in asdict(jackpot).items()}


def _print_wager(
    row: WagerRow, rounds: tuple[int, ...], actual: Fraction | None, loss: tuple[Fraction, Fraction] | None
) -> None:
    print("\n" + " ".join(filter(None, (row["wager"], row["spot"], row["paytable"]))))
    spread = hold_spread(row)
    if spread is None:
        print(f"  hold {row['hold_pct']:.6f} % of all money wagered; its spread is not known")
        return
    print(
        f"  hold {percent(spread.hold):.6f} % of all money wagered, "
        f"{float(spread.average_wagered):.4f} units a round on average"
    )
    _print_intervals(spread, rounds)
    if actual is not None:
        print(f"  {unusual_sentences(spread, rounds[0], actual)}")
    if loss is not None:
        dollars, hourly = loss
        amount = f"${float(spread.loss_per_hour(*loss)):,.2f}".replace("$-", "-$")
        print(f"  expected loss {amount} per hour: ${float(dollars):,.2f} a unit, {float(hourly):g} rounds an hour")
    for jackpot in jackpots(row):
        print(f"  {_jackpot_words(jackpot)}")


def _print_intervals(spread: HoldSpread, rounds: tuple[int, ...]) -> None:
    """Print the limits of the actual hold, in percent of all money wagered."""
    print(f"  {'rounds':>17}" + "".join(f"{f'actual hold, {level} of 100, in %':>36}" for level in LEVELS))
    for number in rounds:
        limits = (spread.interval(number, level) for level in LEVELS)
        cells = (f"{percent(low):.4f} to {percent(high):.4f}" for low, high in limits)
        print(f"  {number:>17,}" + "".join(f"{cell:>36}" for cell in cells))
    print(f"  reliable from {spread.fewest_rounds:,} rounds on (25 × skewness², Cochran 1977)")


def _jackpot_words(jackpot: Jackpot) -> str:
    words = f"{jackpot.outcome} ({jackpot.pays}): won once in {float(jackpot.rounds_between):,.0f} wagers on average"
    if jackpot.average_meter is None:
        return words + "; what is then on the meter does not follow from the terms"
    return (
        f"{words}; the meter is then at ${float(jackpot.average_meter):,.2f} on average, "
        f"standard deviation ${jackpot.meter_deviation:,.2f}"
    )
