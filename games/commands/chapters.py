"""The commands on chapters: `list`, `show`, `check-chapter`, `new`, `coverage`."""

import argparse
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from games import registry
from games.checking.chapter_check import TO_BE_ENTERED, check_chapter
from games.checking.chapter_coverage import ChapterCoverage, coverage
from games.checking.chapter_files import FILES, PRINTED
from games.commands import BadUse
from games.commands.inputs import add_chapter, add_chapter_on_day, add_json, asked_chapter, print_json, read_chapter
from games.registry import UnknownChapter
from games.rules.coverage import COLUMNS, GAP, REASONS, UNACCOUNTED, AccountedSentence, title
from games.rules.errors import RuleError
from games.rules.export import chapter_data
from games.rules.files import CHAPTERS, ERRATA, RULES, TEXT
from games.rules.model import Chapter, Paytable


def add_list(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    parser.set_defaults(run=run_list)


def run_list(arguments: argparse.Namespace) -> int:
    known = registry.chapters()
    for number, problem in registry.unfinished().items():
        print(f"{number}  is not finished: {problem}", file=sys.stderr)
    if arguments.json:
        keys = ("number", "title", "status", "complete", "missing")
        print_json([{key: getattr(chapter, key) for key in keys} for chapter in known])
        return 0
    for chapter in known:
        print(f"{chapter.number}  {chapter.title}  ({chapter.status}{'' if chapter.complete else '; text incomplete'})")
    return 0


def add_show(parser: argparse.ArgumentParser) -> None:
    add_chapter_on_day(parser)
    parser.set_defaults(run=run_show)


def run_show(arguments: argparse.Namespace) -> int:
    chapter = asked_chapter(arguments)
    if arguments.json:
        print_json({**chapter_data(chapter), "words_digest": _words_digest(chapter)[0]})
    else:
        print("\n".join(_lines(chapter)))
    return 0


def _lines(chapter: Chapter) -> Iterator[str]:
    yield f"Chapter {chapter.number}. {chapter.title} ({chapter.status})"
    if chapter.begins or chapter.ends:
        yield f"As it is from {chapter.begins or 'the beginning'} to {chapter.ends or 'further notice'}"
    if chapter.missing:
        yield f"Missing in the sources: {chapter.missing}"
    yield from _options(chapter)
    yield "\nWagers"
    for wager in chapter.wagers:
        yield f"  {wager.name} ({wager.citation}): {wager.size}"
    for table in chapter.paytables:
        yield from _paytable(chapter, table)
    yield "\nRequirements"
    for requirement in chapter.requirements:
        yield f"  {requirement.id} ({requirement.citation}, {requirement.severity}): {requirement.fix}"
    yield "\nLayout"
    for element in chapter.layout:
        yield f"  {element.citation}: {element.element}"
    yield "\nReadings"
    for reading in chapter.readings:
        yield f"  {reading.citation} prints: {reading.printed}\n    read as: {reading.reading}"
    yield "\nPublished figures"
    for figure in chapter.published:
        name = chapter.wager(figure.wager).name + (f", {figure.paytable}" if figure.paytable else "")
        yield f"  {name}: {figure.measure} {figure.value} %"
    digest, fault = _words_digest(chapter)
    yield f"\nDigests\n  rules: {chapter.digest}\n  words: {digest or fault}"


def _words_digest(chapter: Chapter) -> tuple[str | None, str]:
    """Return the digest of the chapter's words; None and the fault while the words are incomplete."""
    try:
        return registry.words(chapter).digest, ""
    except RuleError as error:
        return None, str(error)


def _options(chapter: Chapter) -> Iterator[str]:
    group = ""
    for option in chapter.options:
        if option.group != group:
            group = option.group
            yield f"\n{group}"
        yield f"  {option.citation}  {option.question}  [{option.key}: {option.kind}]"


def _paytable(chapter: Chapter, table: Paytable) -> Iterator[str]:
    heading = f"{chapter.wager(table.wager).name}, {table.name} ({table.citation})"
    envy = any(row.envy for row in table.rows)
    columns = [*(table.columns or ("Pay",)), *(("Envy",) if envy else ())]
    cells = [
        [row.outcome, *map(str, row.pays), *((f"${row.envy:,}" if row.envy else "",) if envy else ())]
        for row in table.rows
    ]
    lines = [["", *columns], *cells]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns) + 1)]
    yield f"\n{heading}"
    for line in lines:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def add_check_chapter(parser: argparse.ArgumentParser) -> None:
    add_chapter(parser)
    add_json(parser)
    parser.set_defaults(run=run_check_chapter)


def run_check_chapter(arguments: argparse.Namespace) -> int:
    try:
        problems = check_chapter(arguments.chapter)
    except UnknownChapter as error:
        raise BadUse(str(error)) from None
    if arguments.json:
        print_json({"chapter": arguments.chapter, "problems": [asdict(problem) for problem in problems]})
        return 1 if problems else 0
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else "A filing under this chapter can be made.")
    return 1 if problems else 0


_NUMBER = re.compile(r"\d+[a-h]?", re.ASCII)


def add_new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("number", help="the new chapter's number, for example 699a")
    parser.add_argument("--title", required=True, help="the name of the game")
    parser.add_argument("--like", required=True, metavar="CHAPTER", help="the chapter that it is closest to")
    parser.add_argument("--in", dest="parent", type=Path, default=CHAPTERS, metavar="FOLDER",
                        help="where its folder is made (games/chapters)")  # fmt: skip
    parser.set_defaults(run=run_new)


def run_new(arguments: argparse.Namespace) -> int:
    """Copy all of the other chapter under the new number, so that it works at once.

    Each section of the text is marked as still to be entered, and the Board's figures, which are not this game's, are
    left out.
    """
    folder = _folder(arguments.number, arguments.title, arguments.parent)
    try:
        like = registry.folder_of(arguments.like)
    except UnknownChapter as error:
        raise BadUse(f"--like: {error}") from None
    title = registry.chapter(arguments.like).title
    if not (like / ERRATA).is_file():
        raise BadUse(f"--like: {like.name} has no {ERRATA} to copy yet")
    shutil.copytree(like, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in filter(Path.is_file, folder.rglob("*")):
        words = re.sub(rf"\b{arguments.like}\b", arguments.number, file.read_text("utf-8"))
        file.write_text(words.replace(title, arguments.title), encoding="utf-8")
    _change(folder / TEXT, r"(?m)^(## § .*)$", rf"\1\n\n{TO_BE_ENTERED}")
    _change(folder / RULES, r"(?ms)^\[\[published\]\]\n.*?(?=^\[|^#|\Z)", "")
    _change(folder / ERRATA, r'(?m)^document = ".*"$', f'document = "{TO_BE_ENTERED}"')
    _change(folder / PRINTED, r'(?m)^figures = ".*"$', 'figures = ""')
    print(f"{folder}: {len(FILES)} files, from {like.name}")
    print(f"Enter its text in {TEXT}, then all that differs. This says what is left to do:")
    print(f"python -m games check-chapter {arguments.number}")
    return 0


def _folder(number: str, title: str, parent: Path) -> Path:
    if not _NUMBER.fullmatch(number):
        raise BadUse(f"{number}: is not the number of a chapter, such as 699a")
    if number in registry.folders():
        raise BadUse(f"{number}: there is a chapter of this number, {registry.folder_of(number).name}")
    name = "_".join(re.findall(r"[a-z0-9]+", title.lower()))
    if not name:
        raise BadUse(f"--title {title!r}: has no letter and no digit")
    if not title.isprintable() or set(title) & set('"\\'):
        raise BadUse(f"--title {title!r}: quotation marks, backslashes and line breaks cannot be part of it")
    if not parent.is_dir():
        raise BadUse(f"--in {parent}: is not a folder")
    folder = parent / f"ch{number}_{name}"
    if folder.exists():
        raise BadUse(f"{folder}: is there already; remove it, or choose another title")
    return folder


def _change(file: Path, pattern: str, replacement: str) -> None:
    file.write_text(re.sub(pattern, replacement, file.read_text("utf-8")), encoding="utf-8")


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


def add_coverage(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapter", nargs="?", help="the chapter's number, for example 687a; without it, all chapters")
    parser.add_argument("--page", action="store_true", help="print the table of all chapters in Markdown")
    add_json(parser)
    parser.set_defaults(run=run_coverage)


def run_coverage(arguments: argparse.Namespace) -> int:
    if arguments.page and (arguments.chapter or arguments.json):
        raise BadUse("--page is the table of all chapters in Markdown; leave out the chapter and --json")
    if arguments.chapter:
        accounted = {arguments.chapter: coverage(read_chapter(arguments.chapter).number)}
    else:
        accounted = {chapter.number: coverage(chapter.number) for chapter in registry.chapters()}
    counts = {number: Counter(row.account.kind for row in rows.accounted) for number, rows in accounted.items()}
    if arguments.json and arguments.chapter:
        print_json([_sentence_data(row) for row in accounted[arguments.chapter].accounted])
    elif arguments.json:
        print_json(counts)
    elif arguments.page:
        print("\n".join(_coverage_page(counts)))
    else:
        print("\n".join(_sentences(accounted[arguments.chapter]) if arguments.chapter else _coverage_table(counts)))
    return int(any(count[UNACCOUNTED] or count[GAP] for count in counts.values()))


def _sentence_data(row: AccountedSentence) -> dict[str, Any]:
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


def _coverage_table(counts: Counts) -> Iterator[str]:
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


def _coverage_page(counts: Counts) -> Iterator[str]:
    """Yield the page `tests/recorded/coverage.md`, line by line."""
    yield "# Every sentence accounted for\n"
    yield _ABOUT
    yield from _coverage_table(counts)
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
