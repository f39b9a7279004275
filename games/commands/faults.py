"""The command `faults`: does the evidence of a filing find what is wrong?"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence

from games import registry
from games.commands import BadUse
from games.commands.inputs import read_chapter
from games.runs.engine import MOST_ROUNDS
from games.runs.faults import Fault, exact_side_faults, judge_source_fault, source_faults

CHAPTERS = ("583", "655a", "678a", "682a", "686a")  # whose every payout is made wrong
SAID_EVERY = 25  # faults
LEAST_FOUND = 0.95  # of all faults; of payouts and odds all


def add_faults(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapters", nargs="*", metavar="N", help=f"chapter numbers; none = {', '.join(CHAPTERS)}")
    parser.add_argument("--rounds", type=int, metavar="N", help="of each run; default: as many as a filing has")
    parser.set_defaults(run=run_faults)


def run_faults(arguments: argparse.Namespace) -> int:
    """Print each fault that was not found, then a table by kind; 1 where the evidence finds too few."""
    if arguments.rounds is not None and not 1 <= arguments.rounds <= MOST_ROUNDS:
        raise BadUse(f"--rounds {arguments.rounds}: allowed are 1 to {MOST_ROUNDS:,}")
    numbers = [read_chapter(number).number for number in arguments.chapters or CHAPTERS]
    judged = []
    for fault in _judged(numbers, arguments.rounds, os.cpu_count() or 1):
        judged.append(fault)
        if fault.rounds is None:
            print(f"Not found: {fault.chapter}, {fault.kind}: {fault.subject}", flush=True)
        if len(judged) % SAID_EVERY == 0:
            print(f"{len(judged)} faults judged", file=sys.stderr, flush=True)
    print(_table(judged))
    certain = [fault for fault in judged if fault.kind in ("payout", "misread odds")]
    enough = _number_found(judged) >= LEAST_FOUND * len(judged) and _number_found(certain) == len(certain)
    return 0 if enough else 1


def _judged(numbers: Sequence[str], rounds: int | None, workers: int) -> Iterator[Fault]:
    for number in numbers:
        if registry.play(number).deals_rounds:
            yield from exact_side_faults(number, rounds, workers)
    for fault in source_faults(numbers):
        yield judge_source_fault(fault, rounds, workers)


def _number_found(faults: Sequence[Fault]) -> int:
    return sum(fault.rounds is not None for fault in faults)


def _table(faults: Sequence[Fault]) -> str:
    """Return the Markdown table: of each kind how many were made and found, and the most rounds that one needed."""
    lines = ["| Kind | Made | Found | Rounds, at most |", "| :-- | --: | --: | --: |"]
    for kind in dict.fromkeys(fault.kind for fault in faults):
        of_kind = [fault for fault in faults if fault.kind == kind]
        most = max((fault.rounds for fault in of_kind if fault.rounds is not None), default=0)
        lines.append(f"| {kind} | {len(of_kind)} | {_number_found(of_kind)} | {most:,} |")
    lines.append(f"| all | {len(faults)} | {_number_found(faults)} | – |")
    return "\n".join(lines)
