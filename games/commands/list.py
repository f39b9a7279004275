"""`python -m games list`: the chapters that the portal knows."""

import argparse
import json
import sys

from games.commands.inputs import add_json
from games.registry import chapters, unfinished


def configure(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    known = chapters()
    for number, problem in unfinished().items():
        print(f"{number}  is not finished: {problem}", file=sys.stderr)
    if arguments.json:
        keys = ("number", "title", "status", "complete", "missing")
        print(
            json.dumps(
                [{key: getattr(chapter, key) for key in keys} for chapter in known], indent=2, ensure_ascii=False
            )
        )
        return 0
    for chapter in known:
        print(f"{chapter.number}  {chapter.title}  ({chapter.status}{'' if chapter.complete else '; text incomplete'})")
    return 0
