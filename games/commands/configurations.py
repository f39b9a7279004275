"""The commands on one configuration: `check`, `analyze`, `simulate`, `round`.

Not here: what a portal refuses because its text is missing (`games.rules.missing_text`); a command has no settings.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from games.commands import BadUse
from games.commands.inputs import add_configuration, asked_chapter, print_json, read_answers, refuse_blocked
from games.maths.cards import names, symbols
from games.maths.export import digits_of, dollars, percent, spread_digits, to_json
from games.maths.rake import Rake
from games.maths.results import Analysis, SimulationResult, WagerAnalysis, WagerSimulation
from games.registry import play
from games.rules.evaluate import gravest_first, judge
from games.rules.export import finding_data
from games.rules.model import Answers, Chapter, Finding
from games.runs.engine import ENGINE, MOST_BLOCK_ROUNDS, Replay, analyze, replay_round, simulate
from games.runs.hold_findings import on_holds
from games.runs.used_figures import used_wagers
from games.streams import BLOCKS, SEED_LIMIT

MOST_WORKERS = 256


def add_check(parser: argparse.ArgumentParser) -> None:
    add_configuration(parser)
    parser.set_defaults(run=run_check)


def run_check(arguments: argparse.Namespace) -> int:
    chapter = asked_chapter(arguments)
    answers = read_answers(arguments.config)
    judgment = judge(chapter, answers)
    analysis = Analysis(chapter.number, chapter.digest, ENGINE, used_wagers(chapter, judgment, answers))
    findings = gravest_first((*judgment.findings, *on_holds(chapter, to_json(analysis)["wagers"])))
    if arguments.json:
        report = {
            "chapter": chapter.number,
            "rules_digest": chapter.digest,
            "blocking": len(judgment.blocking),
            "findings": [finding_data(finding) for finding in findings],
            "offered": list(judgment.offered),
            "paytables": dict(judgment.paytables),
        }
        print_json(report)
    else:
        _print_findings(findings)
    return 1 if judgment.blocking else 0


def _print_findings(findings: Sequence[Finding]) -> None:
    for finding in findings:
        print(f"{finding.severity}: {finding.message} {finding.fix} ({finding.citation}; {finding.rule})")
    blocking = sum(finding.severity == "blocking" for finding in findings)
    print(f"{len(findings)} findings, {blocking} of them blocking")


def add_analyze(parser: argparse.ArgumentParser) -> None:
    add_configuration(parser, required=False)
    parser.set_defaults(run=run_analyze)


def run_analyze(arguments: argparse.Namespace) -> int:
    chapter = asked_chapter(arguments)
    answers = read_answers(arguments.config) if arguments.config else None
    if answers is not None:
        refuse_blocked(chapter, answers, partial=True)
    try:
        analysis = analyze(chapter, answers)
    except ValueError as error:
        raise BadUse(f"chapter {chapter.number}: {error}") from None
    if arguments.json:
        print_json(to_json(analysis))
    else:
        _print_analysis(analysis)
    return 0


def _print_analysis(analysis: Analysis) -> None:
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
        f"hits {percent(row.hit_frequency):.{spread_digits(row, 100, 4)}f} %",
        f"standard deviation {row.standard_deviation:.{spread_digits(row, 1, 4)}f}",
        f"largest win {float(row.largest_win):,g}",
    ]
    if row.standard_error is not None:
        parts.insert(0, f"± {percent(row.standard_error):.{digits_of(row, 6) + 1}f} %")
    if row.required:
        digits = digits_of(row, 6, row.required.average_wagered)
        parts.append(f"per Ante {percent(row.required.loss_per_ante):.{digits}f} %")
        parts.append(f"wagered on average {float(row.required.average_wagered):.4f}")
    return "   ".join(parts)


def _ready(arguments: argparse.Namespace) -> tuple[Chapter, Answers]:
    """Return the chapter and the answers, which nothing blocks."""
    chapter, answers = asked_chapter(arguments), read_answers(arguments.config)
    refuse_blocked(chapter, answers)
    return chapter, answers


def add_simulate(parser: argparse.ArgumentParser) -> None:
    add_configuration(parser)
    parser.add_argument("--rounds", type=int, required=True, metavar="N", help="how many rounds to deal")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="the same seed, the same result")
    parser.add_argument("--workers", type=int, default=1, metavar="W", help="threads; the result is the same for all")
    parser.add_argument(
        "--block-rounds", type=int, metavar="B", help="rounds of a block, as a filing's record names them"
    )
    parser.set_defaults(run=run_simulate)


def run_simulate(arguments: argparse.Namespace) -> int:
    chapter, answers = _ready(arguments)
    if not 1 <= arguments.workers <= MOST_WORKERS:
        raise BadUse(f"--workers {arguments.workers}: allowed are 1 to {MOST_WORKERS}")
    if arguments.block_rounds is not None and not 1 <= arguments.block_rounds <= MOST_BLOCK_ROUNDS:
        raise BadUse(f"--block-rounds {arguments.block_rounds}: allowed are 1 to {MOST_BLOCK_ROUNDS:,}")
    progress = Progress(arguments.rounds)
    run = (arguments.rounds, arguments.seed, arguments.workers, progress, arguments.block_rounds)
    try:
        result = simulate(chapter, answers, *run)
    except ValueError as error:
        raise BadUse(f"chapter {chapter.number}: {error}") from None
    if arguments.json:
        print_json(to_json(result))
    else:
        _print_simulation(result)
    return 0 if result.passed else 1


class Progress:
    """Says on stderr, once a second, how far the run is; from the pace since the first block, how long it will take."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.first: tuple[float, int] | None = None  # when the first block was done: compiling is behind us
        self.said = float("-inf")

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = now, done
        if now < self.said + 1 and done < self.rounds:
            return
        self.said = now
        since, already = self.first
        left = (now - since) / (done - already) * (self.rounds - done) if done > already else None
        words = "" if left is None else f", about {left:.0f} s left"
        print(f"{done:,} of {self.rounds:,} rounds ({100 * done // self.rounds} %){words}", file=sys.stderr)


def _print_simulation(result: SimulationResult) -> None:
    print(f"Chapter {result.chapter}: {result.rounds:,} rounds, seed {result.seed}, {result.generator}")
    if result.first:
        print(
            f"The first {result.first.rounds:,} rounds, seed {result.first.seed}, gave reason to deal again "
            f"({'; '.join(result.first.suspected)}): these are judged by themselves."
        )
    if not result.wagers:
        print("No wager is made against the house: there is nothing to deal.")
    for row in result.wagers:
        exact = "" if row.exact_hold is None else f"exact {percent(row.exact_hold):.6f} %   "
        z = "" if row.z is None else f"z {row.z:+.2f}   "
        interval = f"{percent(row.low):.6f} to {percent(row.high):.6f} %"
        name = " ".join(filter(None, (row.wager, row.spot, row.paytable)))
        print(f"{name}: hold {percent(row.hold):.6f} % ({interval})   {exact}{z}p {row.least_p:.4f}   {_verdict(row)}")


def _verdict(row: WagerSimulation) -> str:
    if row.pays_differ:
        return f"DOES NOT AGREE: the two sides settle differently: {', '.join(row.pays_differ)}"
    if row.disagrees:
        return f"DOES NOT AGREE: {', '.join(row.disagrees)}"
    finds = "" if row.finds is None else f"; would have found an error of {percent(row.finds):.4f} points"
    return f"agrees{finds}"


def add_round(parser: argparse.ArgumentParser) -> None:
    add_configuration(parser)
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="the seed of the run")
    parser.add_argument("--block", type=int, default=0, metavar="B", help="its block, from 0")
    parser.add_argument("--index", type=int, default=0, metavar="I", help="the round within the block, from 0")
    parser.set_defaults(run=run_round)


def run_round(arguments: argparse.Namespace) -> int:
    chapter, answers = _ready(arguments)
    for name, limit in (("seed", SEED_LIMIT), ("block", BLOCKS), ("index", play(chapter.number).block_rounds)):
        if not 0 <= getattr(arguments, name) < limit:
            raise BadUse(f"--{name} {getattr(arguments, name)}: allowed are 0 to {limit - 1:,}")
    try:
        place = (arguments.seed, arguments.block, arguments.index)
        replay = replay_round(chapter, answers, analyze(chapter, answers), *place)
    except ValueError as error:
        raise BadUse(f"chapter {chapter.number}: {error}") from None
    if arguments.json:
        print_json(_round_data(replay))
    else:
        _print_round(replay)
    return 0


def _round_data(replay: Replay) -> dict[str, Any]:
    """Return the round's data: cards as "As Kd Jk"; nets and amounts wagered as fractions of a unit."""
    return {
        "chapter": replay.chapter,
        "seed": replay.seed,
        "block": replay.block,
        "index": replay.index,
        "steps": [{**asdict(step), "cards": names(step.cards)} for step in replay.steps],
        "settlements": [
            {
                "wager": settlement.wager,
                "paytable": settlement.paytable,
                "outcome": settlement.row.outcome,
                "pays": settlement.row.pays,
                "wagered": str(settlement.row.wagered),
                "net": str(settlement.row.net),
                "section": settlement.section,
            }
            for settlement in replay.settlements
        ],
    }


def _print_round(replay: Replay) -> None:
    print(f"Chapter {replay.chapter}, seed {replay.seed}, block {replay.block}, round {replay.index} of it")
    for step in replay.steps:
        cards = f": {symbols(step.cards)}" if step.cards else ""
        print(f"  {step.who} {step.what}{cards}   {step.section}")
    for settlement in replay.settlements:
        odds = f", {settlement.row.pays}" if settlement.row.pays else ""
        name = " ".join(filter(None, (settlement.wager, settlement.paytable)))
        print(f"{name}: {settlement.row.outcome}{odds}: {float(settlement.row.net):+g} units   {settlement.section}")
