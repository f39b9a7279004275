"""`python -m games published [N …] [--json]`: every figure that the Board printed beside ours, as a Markdown page.

tests/recorded/published.md is one. As JSON: `engine`, and `chapters` with the `figures` as `errata --json` has them.
"""

import argparse
import json
from typing import Any

from games.commands.inputs import add_json, read_chapter
from games.maths.published import Printed, Verdict, printed
from games.registry import folders
from games.rules.model import Chapter
from games.runs.engine import ENGINE, analyze
from games.runs.errata import figure_data

HEADER = "| Wager | Paytable | The Board | Here | Result | Note |\n| :-- | :-- | --: | --: | :-- | :-- |"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapters", nargs="*", metavar="N", help="chapter numbers; none = all")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    chapters = [read_chapter(number) for number in arguments.chapters or folders()]
    if arguments.json:
        data = {"engine": ENGINE, "chapters": [_chapter_data(chapter) for chapter in chapters]}
        print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))
        return 0
    print(
        "# The Board's printed figures\n\nEvery hold and payback that the Board printed of these games, beside what "
        "follows from the printed text, to the digits printed. Made by `python -m games published` "
        f"(`make crosscheck`), {ENGINE}."
    )
    for chapter in chapters:
        _chapter(chapter)
    return 0


def _figures(chapter: Chapter) -> list[Printed]:
    return printed(chapter, analyze(chapter).wagers) if chapter.published else []


def _chapter_data(chapter: Chapter) -> dict[str, Any]:
    figures = [figure_data(row) for row in _figures(chapter)]
    return {"chapter": chapter.number, "title": chapter.title, "rules_digest": chapter.digest, "figures": figures}


def _chapter(chapter: Chapter) -> None:
    rows = _figures(chapter)
    print(f"\n## {chapter.number} {chapter.title}\n")
    print("\n".join([HEADER, *map(_line, rows)]) if rows else "None is printed.", flush=True)


def _line(row: Printed) -> str:
    shown = f"**{row.verdict}**" if row.verdict == Verdict.DIFFERS else row.verdict
    cells = (row.wager, row.paytable or "–", row.figure, row.ours or "–", shown, row.note)
    return f"| {' | '.join(cells)} |"
