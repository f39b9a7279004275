"""`python -m games COMMAND`: the regulations and their mathematics from the command line.

Here lives the table of commands. Each command is a module of `games.commands` with `configure(parser)`
and `run(arguments) -> int`, loaded only when it is called.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from games.commands import BadUse
from games.rules.errors import RuleError

COMMANDS = {
    "list": "the chapters that the portal knows",
    "show": "everything a chapter leaves open, pays and demands",
    "check": "judge a configuration; exit status 1 where a finding blocks",
    "check-chapter": "all that is missing in a chapter's folder; exit status 0 where a filing could be made",
    "new": "the folder of a new chapter, like another one, complete but for its text",
    "analyze": "the exact hold of every wager",
    "simulate": "deal and settle rounds of a configuration, compared with the exact figures",
    "round": "one simulated round, step by step",
    "published": "every figure that the Board printed, beside ours",
    "errata": "every interpretation note with its proposed wording, and what it changes of the hold",
    "coverage": "what implements each sentence of a chapter's text; without a chapter, how many of each kind",
    "crosscheck": "simulate every paytable of every wager beside its exact hold",
}


def main(argv: Sequence[str]) -> int:
    """Run one command; 0 = all well, 1 = not, 2 = bad use (with one line on stderr)."""
    parser = argparse.ArgumentParser(prog="python -m games", description="Pennsylvania table games as data.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, purpose in COMMANDS.items():
        command = commands.add_parser(name, help=purpose, description=purpose)
        if name in argv[:1]:
            module = import_module(f"games.commands.{name.replace('-', '_')}")
            module.configure(command)
            command.set_defaults(run=module.run)
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
