"""`python -m games check-chapter N`: all that is missing or does not agree in its folder; exit status 0 if nothing."""

import argparse
import json
from dataclasses import asdict

from games.checking.chapter_check import check_chapter
from games.commands import BadUse
from games.commands.inputs import add_chapter, add_json
from games.registry import UnknownChapter


def configure(parser: argparse.ArgumentParser) -> None:
    add_chapter(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        problems = check_chapter(arguments.chapter)
    except UnknownChapter as error:
        raise BadUse(str(error)) from None
    if arguments.json:
        print(
            json.dumps(
                {"chapter": arguments.chapter, "problems": [asdict(problem) for problem in problems]},
                indent=2,
                ensure_ascii=False,
            )
        )
        return 1 if problems else 0
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else "A filing under this chapter can be made.")
    return 1 if problems else 0
