"""`python -m games published [N …]`: every figure that the Board printed beside ours, as a Markdown page.

docs/published.md is one.
"""

import argparse

from games.commands.inputs import read_chapter
from games.maths.published import Printed, printed
from games.registry import folders
from games.rules.model import Chapter
from games.runs.engine import ENGINE, analyze

HEADER = "| Wager | Paytable | The Board | Here | Verdict | Evidence and note |\n| :-- | :-- | --: | --: | :-- | :-- |"
NO_FIGURE = "nothing to compare it to"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapters", nargs="*", metavar="N", help="chapter numbers; none = all")


def run(arguments: argparse.Namespace) -> int:
    chapters = [read_chapter(number) for number in arguments.chapters or folders()]
    print(
        "# The Board's printed figures\n\nEvery hold and payback that the Board printed of these games, beside what "
        "follows from the printed text, to the digits printed. Made by `python -m games published` "
        f"(`make crosscheck`), {ENGINE}."
    )
    for chapter in chapters:
        _chapter(chapter)
    return 0


def _chapter(chapter: Chapter) -> None:
    rows = printed(chapter, analyze(chapter).wagers) if chapter.published else []
    print(f"\n## {chapter.number} {chapter.title}\n")
    print("\n".join([HEADER, *map(_line, rows)]) if rows else "None is printed.", flush=True)


def _line(row: Printed) -> str:
    verdict = row.verdict or NO_FIGURE
    shown = verdict if row.reproduced or not row.verdict else f"**{verdict}**"
    said = f"{row.evidence} {row.note}".strip()
    cells = (row.wager, row.paytable or "–", row.figure, row.ours or "–", shown, said)
    return f"| {' | '.join(cells)} |"
