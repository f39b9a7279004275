"""`python -m games COMMAND`: the regulations and their mathematics from the command line.

Here lives the table of commands.
"""

import argparse
import sys
from collections.abc import Sequence

from games.commands import BadUse, chapters, configurations, faults, figures, par, reproduce
from games.rules.errors import RuleError

COMMANDS = {  # name → what adds its arguments, and its purpose
    "list": (chapters.add_list, "the chapters that the portal knows"),
    "show": (chapters.add_show, "everything a chapter leaves open, pays and demands"),
    "check": (configurations.add_check, "judge a configuration; exit status 1 where a finding blocks"),
    "check-chapter": (
        chapters.add_check_chapter,
        "all that is missing in a chapter's folder; exit status 0 where a filing could be made",
    ),
    "new": (chapters.add_new, "the folder of a new chapter, like another one, complete but for its text"),
    "analyze": (configurations.add_analyze, "the exact hold of every wager"),
    "simulate": (
        configurations.add_simulate,
        "deal and settle rounds of a configuration, compared with the exact figures",
    ),
    "round": (configurations.add_round, "one simulated round, step by step"),
    "reproduce": (
        reproduce.add_reproduce,
        "compute the figures in a signed PDF and deal its rounds again, from the PDF alone; exit status 0 where equal",
    ),
    "par": (par.add_par, "what a par sheet adds: intervals of the actual hold, loss per hour, jackpots"),
    "published": (figures.add_published, "every figure that the Board printed, beside ours"),
    "errata": (
        figures.add_errata,
        "every interpretation note with its proposed wording, and what it changes of the hold",
    ),
    "coverage": (
        chapters.add_coverage,
        "what implements each sentence of a chapter's text; without a chapter, how many of each kind",
    ),
    "faults": (faults.add_faults, "faults made on purpose, and whether the evidence of a filing finds them"),
    "crosscheck": (figures.add_crosscheck, "simulate every paytable of every wager beside its exact hold"),
}


def main(argv: Sequence[str]) -> int:
    """Run one command; 0 = all well, 1 = not, 2 = bad use (with one line on stderr)."""
    parser = argparse.ArgumentParser(prog="python -m games", description="Pennsylvania table games as data.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (add_arguments, purpose) in COMMANDS.items():
        add_arguments(commands.add_parser(name, help=purpose, description=purpose))
    arguments = parser.parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except (BadUse, RuleError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        sys.stderr.close()
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
