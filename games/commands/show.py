"""`python -m games show N`: everything a chapter leaves open, pays and demands, and the digests of its files."""

import argparse
import json
from collections.abc import Iterator

from games.commands.inputs import add_chapter, add_day, add_json, asked_chapter
from games.registry import words
from games.rules.errors import RuleError
from games.rules.export import chapter_data
from games.rules.model import Chapter, Paytable


def configure(parser: argparse.ArgumentParser) -> None:
    add_chapter(parser)
    add_day(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    chapter = asked_chapter(arguments)
    if arguments.json:
        data = {**chapter_data(chapter), "words_digest": _words_digest(chapter)[0]}
        print(json.dumps(data, indent=2, ensure_ascii=False))
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
        return words(chapter).digest, ""
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
