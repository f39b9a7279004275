"""`python -m games coverage [N]`: what implements each sentence of a chapter's text, or why nothing needs to.

Without a chapter, a table of all: how many sentences of each kind; with `--page` as `tests/recorded/coverage.md`. Exit
status 1 where a sentence has no account.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from games.checking.chapter_coverage import ChapterCoverage, coverage
from games.commands import BadUse
from games.commands.inputs import add_json, read_chapter
from games.registry import chapters
from games.rules.coverage import COLUMNS, GAP, REASONS, UNACCOUNTED, AccountedSentence, title

Counts = dict[str, Counter[str]]
"""Chapter number → kind of account → sentences."""
_ABOUT = """\
Records of the data files, steps of a round or the mathematics implement each sentence of a chapter's text, or there is
a reason why nothing needs to. A sentence with several is counted at the first in the order of the table. A sentence is
what ends with a full stop, an item of a list, a row of a table, or a heading.

`python -m games coverage 687a` lists the sentences of a chapter; its page shows them with links both ways. The entries
are in `games/chapters/coverage.toml` and in each chapter's `coverage.toml`. This page is made by
`python -m games coverage --page`.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapter", nargs="?", help="the chapter's number, for example 687a; without it, all chapters")
    parser.add_argument("--page", action="store_true", help="print the table of all chapters in Markdown")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.page and (arguments.chapter or arguments.json):
        raise BadUse("--page is the table of all chapters in Markdown; leave out the chapter and --json")
    if arguments.chapter:
        accounted = {arguments.chapter: coverage(read_chapter(arguments.chapter).number)}
    else:
        accounted = {chapter.number: coverage(chapter.number) for chapter in chapters()}
    counts = {number: kinds(rows) for number, rows in accounted.items()}
    if arguments.json and arguments.chapter:
        rows = accounted[arguments.chapter].accounted
        print(json.dumps([sentence_data(row) for row in rows], indent=2, ensure_ascii=False))
    elif arguments.json:
        print(json.dumps(counts, indent=2))
    elif arguments.page:
        print("\n".join(page(counts)))
    else:
        print("\n".join(_sentences(accounted[arguments.chapter]) if arguments.chapter else table(counts)))
    return int(any(count[UNACCOUNTED] or count[GAP] for count in counts.values()))


def kinds(chapter: ChapterCoverage) -> Counter[str]:
    """Return kind of account → sentences of the chapter."""
    return Counter(row.account.kind for row in chapter.accounted)


def sentence_data(row: AccountedSentence) -> dict[str, Any]:
    """Return one sentence as `--json` prints it."""
    return {
        "citation": row.sentence.citation,
        "n": row.sentence.ordinal,
        "text": row.sentence.text,
        "by": list(row.account.by),
        "needs_nothing": row.account.needs_nothing or None,
        "why": row.account.why or REASONS.get(row.account.needs_nothing),
        "gap": row.account.gap or None,
    }


def table(counts: Counts) -> Iterator[str]:
    """Yield the table by chapter, in Markdown: a row per kind of account, a column per chapter."""
    used = [kind for kind in COLUMNS if kind == UNACCOUNTED or any(count[kind] for count in counts.values())]
    rows = [[title(kind), *_numbers(counts, kind)] for kind in used]
    totals = [sum(count.values()) for count in counts.values()]
    lines = [["", *counts, "all"], *rows, ["sentences", *map(str, totals), str(sum(totals))]]
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    for number, line in enumerate(lines):
        yield f"| {line[0].ljust(widths[0])} | {' | '.join(map(str.rjust, line[1:], widths[1:]))} |"
        if number == 0:
            yield f"| {'-' * widths[0]} | {' | '.join('-' * (width - 1) + ':' for width in widths[1:])} |"


def page(counts: Counts) -> Iterator[str]:
    """Yield the page `tests/recorded/coverage.md`, line by line."""
    yield "# Every sentence accounted for\n"
    yield _ABOUT
    yield from table(counts)
    yield "\n## Reasons why nothing needs to implement a sentence\n"
    yield from (f"- **{title(reason)}**: {words}" for reason, words in REASONS.items())


def _numbers(counts: Counts, kind: str) -> list[str]:
    numbers = [count[kind] for count in counts.values()]
    return [str(number or "") for number in (*numbers, sum(numbers))]


def _sentences(chapter: ChapterCoverage) -> Iterator[str]:
    for row in chapter.accounted:
        account = row.account
        reason = ": ".join(part for part in (account.needs_nothing, account.why) if part)
        gap = f"GAP: {account.gap}" if account.gap else "NOT ACCOUNTED FOR"
        yield f"{row.sentence.citation} [{row.sentence.ordinal}] {row.sentence.text}"
        yield f"    {', '.join(account.by) or reason or gap}"
    yield "\nRecords and steps without a sentence"
    for name in chapter.without_sentence:
        yield f"  {name}  {', '.join(chapter.known.citations[name])}"
