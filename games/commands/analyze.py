"""`python -m games analyze N [--config FILE]`: the exact hold of every wager, beside what the Board printed."""

import argparse
import json

from games.commands import BadUse
from games.commands.inputs import (
    add_chapter,
    add_config,
    add_day,
    add_json,
    asked_chapter,
    read_answers,
    refuse_blocked,
)
from games.maths.export import digits_of, dollars, percent, to_json
from games.maths.rake import Rake
from games.maths.results import Analysis, WagerAnalysis
from games.runs.engine import analyze


def configure(parser: argparse.ArgumentParser) -> None:
    add_chapter(parser)
    add_day(parser)
    add_config(parser, required=False)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    chapter = asked_chapter(arguments)
    answers = read_answers(arguments.config) if arguments.config else None
    if answers is not None:
        refuse_blocked(chapter, answers, partial=True)
    try:
        analysis = analyze(chapter, answers)
    except ValueError as error:
        raise BadUse(f"chapter {chapter.number}: {error}") from None
    if arguments.json:
        print(json.dumps(to_json(analysis), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _print(analysis)
    return 0


def _print(analysis: Analysis) -> None:
    print(f"Chapter {analysis.chapter}, rules {analysis.rules_digest[:12]}, engine {analysis.engine}")
    for row in analysis.wagers:
        print(f"\n{row.key} {row.paytable}".rstrip())
        print(f"  hold {percent(row.hold):.{digits_of(row, 6)}f} % ({row.method})   {_other_figures(row)}")
        for choice in row.strategy:
            print(f"  {choice.decision} ({percent(choice.frequency):.2f} %): {choice.when}")
        for figure in row.published:
            print(f"  the Board: {figure.figure}; here {figure.ours}: {figure.verdict}. {figure.note}".rstrip())
        for note in row.notes:
            print(f"  {note}")
    if analysis.rake:
        _print_rake(analysis.rake)
    elif not analysis.wagers:
        print("No wager is made against the house; with answers (--config) its rake is shown.")


def _print_rake(rake: Rake) -> None:
    print(f"\n{rake.schedule}: what is taken from a pot, in dollars")
    print(
        "       pot      rake   of the pot   jackpots   " + "   ".join(f"{pots} pots/h" for pots in rake.pots_per_hour)
    )
    for row in rake.pots:
        hours = "  ".join(f"{dollars(amount):>9}" for amount in row.per_hour)
        print(
            f"{dollars(row.pot):>10}{dollars(row.rake):>10}{percent(row.rake / row.pot):>11.2f} %"
            f"{dollars(row.contributions):>11}  {hours}"
        )
    for players, amount in rake.by_players:
        print(f"  {players} players: {dollars(amount)} per hour")
    for note in rake.notes:
        print(note)


def _other_figures(row: WagerAnalysis) -> str:
    parts = [
        f"hits {percent(row.hit_frequency):.4f} %",
        f"standard deviation {row.standard_deviation:.4f}",
        f"largest win {float(row.largest_win):,g}",
    ]
    if row.standard_error is not None:
        parts.insert(0, f"± {percent(row.standard_error):.{digits_of(row, 6) + 1}f} %")
    if row.required:
        digits = digits_of(row, 6, row.required.average_wagered)
        parts.append(f"per Ante {percent(row.required.loss_per_ante):.{digits}f} %")
        parts.append(f"wagered on average {float(row.required.average_wagered):.4f}")
    return "   ".join(parts)
