"""`python -m games published [N …]`: every figure that the Board printed beside ours, as a Markdown page.

docs/published.md is one.
"""

import argparse
import json

from games.commands.inputs import read_chapter
from games.maths.published import Printed, printed
from games.registry import folders
from games.rules.model import ChangedCell, Chapter
from games.runs.engine import ENGINE, analyze
from games.runs.published_search import is_searched, search

HEADER = "| Wager | Paytable | The Board | Here | Verdict | Evidence and note |\n| :-- | :-- | --: | --: | :-- | :-- |"
NO_FIGURE = "nothing to compare it to"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapters", nargs="*", metavar="N", help="chapter numbers; none = all")
    parser.add_argument(
        "--search",
        action="store_true",
        help="only: every cell of a required wager that, changed, gives a printed figure, as `changed_cells` of the "
        "chapter's data; minutes",
    )


def run(arguments: argparse.Namespace) -> int:
    chapters = [read_chapter(number) for number in arguments.chapters or folders()]
    if arguments.search:
        return _search(chapters)
    print(
        "# The Board's printed figures\n\nEvery hold and payback that the Board printed of these games, beside what "
        "follows from the printed text, to the digits printed. Made by `python -m games published` "
        f"(`make crosscheck`), {ENGINE}."
    )
    for chapter in chapters:
        _chapter(chapter)
    return 0


def _search(chapters: list[Chapter]) -> int:
    """Exit status 1 where the chapter's data say something else."""
    differs = False
    for chapter, figure in ((each, figure) for each in chapters for figure in each.published):
        if is_searched(chapter, figure):
            cells = search(chapter, figure)
            differs = differs or cells != figure.changed_cells
            print(f"{figure.id}\nchanged_cells = {_as_data(cells)}", flush=True)
    return int(differs)


def _as_data(cells: tuple[ChangedCell, ...]) -> str:
    return json.dumps([[cell.wager, cell.outcome, f"{cell.odds} {cell.per} 1", cell.denominator] for cell in cells])


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
