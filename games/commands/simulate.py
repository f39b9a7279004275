"""`python -m games simulate N --config FILE --rounds N --seed S`: rounds dealt, compared to the exact figures.

Exit status 1 where a wager does not agree with its exact figure. Progress goes to stderr.
"""

import argparse
import json
import sys
import time

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
from games.maths.export import percent, to_json
from games.maths.results import SimulationResult
from games.runs.engine import simulate

MOST_WORKERS = 256


def configure(parser: argparse.ArgumentParser) -> None:
    add_chapter(parser)
    add_day(parser)
    add_config(parser, required=True)
    parser.add_argument("--rounds", type=int, required=True, metavar="N", help="how many rounds to deal")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="the same seed, the same result")
    parser.add_argument("--workers", type=int, default=1, metavar="W", help="threads; the result is the same for all")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    chapter = asked_chapter(arguments)
    answers = read_answers(arguments.config)
    refuse_blocked(chapter, answers)
    if not 1 <= arguments.workers <= MOST_WORKERS:
        raise BadUse(f"--workers {arguments.workers}: allowed are 1 to {MOST_WORKERS}")
    progress = Progress(arguments.rounds)
    try:
        result = simulate(chapter, answers, arguments.rounds, arguments.seed, arguments.workers, progress)
    except ValueError as error:
        raise BadUse(f"chapter {chapter.number}: {error}") from None
    if arguments.json:
        print(json.dumps(to_json(result), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _print(result)
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


def _print(result: SimulationResult) -> None:
    print(f"Chapter {result.chapter}: {result.rounds:,} rounds, seed {result.seed}, {result.generator}")
    if not result.wagers:
        print("No wager is made against the house: there is nothing to deal.")
    for row in result.wagers:
        exact = "" if row.exact_hold is None else f"exact {percent(row.exact_hold):.6f} %   "
        z = "" if row.z is None else f"z {row.z:+.2f}   "
        p_value = (
            "" if row.p_value is None else f"chi-square {row.chi_square:.1f} ({row.degrees}), p {row.p_value:.4f}   "
        )
        interval = f"{percent(row.low):.6f} to {percent(row.high):.6f} %"
        verdict = "agrees" if row.passed else "DOES NOT AGREE"
        name = " ".join(filter(None, (row.wager, row.spot, row.paytable)))
        print(f"{name}: hold {percent(row.hold):.6f} % ({interval})   {exact}{z}{p_value}{verdict}")
