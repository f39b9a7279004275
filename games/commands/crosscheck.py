"""`python -m games crosscheck [N …]`: every wager and paytable simulated beside its exact hold, as a Markdown page.

Exit status 1 where a wager does not agree. Progress goes to stderr, the page to stdout: `tests/recorded/crosscheck.md`.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator

from games.commands import BadUse
from games.commands.inputs import read_chapter
from games.maths.export import digits_of, percent
from games.maths.statistics import LARGEST_Z, LEAST_EXPECTED, SMALLEST_P
from games.maths.streams import GENERATOR, SEED_LIMIT
from games.registry import folders
from games.rules.model import Chapter
from games.runs.engine import ENGINE, MOST_ROUNDS, Checked, crosscheck

SEED = 58  # the title of the Code; any number does
HEADER = ("Wager", "Paytable", "Hold, %", "±", "Rounds", "Simulated, %", "±", "z", "chi-square", "p")
NUMBERS = 2  # columns before the first number


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapters", nargs="*", metavar="N", help="chapter numbers; none = all")
    parser.add_argument("--rounds", type=int, metavar="N", help="for every wager; default: as its rarest outcome asks")
    parser.add_argument("--seed", type=int, default=SEED, metavar="S", help=f"default: {SEED}")


def run(arguments: argparse.Namespace) -> int:
    rounds, seed = arguments.rounds, arguments.seed
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        raise BadUse(f"--rounds {rounds}: allowed are 1 to {MOST_ROUNDS:,}")
    if not 0 <= seed < SEED_LIMIT - len(folders()):
        raise BadUse(f"--seed {seed}: allowed are 0 to {SEED_LIMIT - len(folders()) - 1:,}")
    chapters = [read_chapter(number) for number in arguments.chapters or folders()]
    print(_opening(rounds, seed))
    agree = [_chapter(chapter, seed, rounds) for chapter in chapters]
    return 0 if all(agree) else 1


def _opening(rounds: int | None, seed: int) -> str:
    command = f"python -m games crosscheck --seed {seed}" + (f" --rounds {rounds}" if rounds else "")
    return (
        f"# Exact and simulated\n\nEvery wager under every paytable: what is computed, and what dealt rounds gave. "
        f"Made by `{command}` (`make crosscheck`), {ENGINE}, {GENERATOR}. A wager agrees where |z| < {LARGEST_Z:g} and "
        f"the chi-square of its outcomes has p ≥ {SMALLEST_P:f}. If |z| is larger only by payouts that are expected in "
        f"fewer than {LEAST_EXPECTED} rounds, their numbers must have a Poisson probability of at least "
        f"{SMALLEST_P:f}, and z without them must be small. Hold of required wagers: per total wagered. "
        f"± is one standard error; the first, where the figure is itself an estimate."
    )


def _chapter(chapter: Chapter, seed: int, rounds: int | None) -> bool:
    """Print the chapter's table; whether all of it agrees."""
    order = [wager.key for wager in chapter.wagers]
    checks = sorted(
        crosscheck(chapter, seed, rounds, os.cpu_count() or 1), key=lambda check: order.index(check.analysis.wager)
    )
    agree = all(check.simulation.passed for check in checks)
    print(f"\n## {chapter.number} {chapter.title}\n")
    rows = (HEADER, [":--"] * NUMBERS + ["--:"] * (len(HEADER) - NUMBERS), *map(_cells, checks))
    print("\n".join(map(_line, rows)), flush=True)
    print(f"{chapter.number}: {'agrees' if agree else 'DOES NOT AGREE'}", file=sys.stderr)
    return agree


def _cells(check: Checked) -> Iterator[str]:
    exact, seen = check.analysis, check.simulation
    yield from (exact.key.replace("_", " ").replace("/", ": ", 1), exact.paytable or "–")
    yield f"{percent(exact.hold):.{digits_of(exact, 6)}f}"
    yield "exact" if exact.standard_error is None else f"{percent(exact.standard_error):.{digits_of(exact, 6) + 1}f}"
    yield from (f"{seen.rounds:,}", f"{percent(seen.hold):.4f}", f"{percent(seen.standard_error):.4f}")
    yield "–" if seen.z is None else f"{seen.z:+.2f}"
    yield "–" if seen.chi_square is None else f"{seen.chi_square:.1f} ({seen.degrees})"
    yield ("–" if seen.p_value is None else f"{seen.p_value:.4f}") + ("" if seen.passed else " **does not agree**")


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
