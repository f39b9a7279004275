"""`python -m games list`: the chapters that the portal knows."""

import argparse
import json

from games.commands.inputs import add_json
from games.registry import chapters


def configure(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    known = chapters()
    if arguments.json:
        keys = ("number", "title", "status", "complete", "missing")
        print(json.dumps([{key: getattr(one, key) for key in keys} for one in known], indent=2, ensure_ascii=False))
        return 0
    for one in known:
        print(f"{one.number}  {one.title}  ({one.status}{'' if one.complete else '; text incomplete'})")
    return 0
