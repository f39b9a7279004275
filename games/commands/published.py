"""`python -m games published [N …] [--json]`: every figure that the Board printed beside ours, as a Markdown page.

docs/published.md is one. As JSON: `engine`, and `chapters` with the `figures` as `errata --json` has them.
"""

import argparse
import json
from typing import Any

from games.commands import BadUse
from games.commands.inputs import add_json, read_chapter
from games.maths.published import Printed, printed
from games.registry import folders
from games.rules.model import ChangedCell, Chapter
from games.runs.engine import ENGINE, analyze
from games.runs.errata_export import figure_data
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
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    chapters = [read_chapter(number) for number in arguments.chapters or folders()]
    if arguments.search and arguments.json:
        raise BadUse("--search prints entries of rules.toml; leave out --json")
    if arguments.search:
        return _search(chapters)
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
    verdict = row.verdict or NO_FIGURE
    shown = verdict if row.reproduced or not row.verdict else f"**{verdict}**"
    said = f"{row.evidence} {row.note}".strip()
    cells = (row.wager, row.paytable or "–", row.figure, row.ours or "–", shown, said)
    return f"| {' | '.join(cells)} |"
