"""`python -m games check-chapter N`: all that is missing or does not agree in its folder; exit status 0 if nothing."""

import argparse

from games.checking.chapter_check import check_chapter
from games.commands import BadUse
from games.commands.inputs import add_chapter
from games.registry import UnknownChapter


def configure(parser: argparse.ArgumentParser) -> None:
    add_chapter(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        problems = check_chapter(arguments.chapter)
    except UnknownChapter as error:
        raise BadUse(str(error)) from None
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else "A filing under this chapter can be made.")
    return 1 if problems else 0
