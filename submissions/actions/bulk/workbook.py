"""The workbook that an organisation downloads: what it can change now, a sheet for each chapter, a row for each
configuration; with drop-downs of what may be answered, and the section beside each line.

What comes back is read by `sheets`, which knows from the column `stamps.COLUMN` which cells were changed. Not here:
what is in it (`changeable`), how it is drawn (`drawing`). A workbook holds no secret and protects nothing: its locks
only keep people from slips.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import groupby

from openpyxl import Workbook

from games.rules.model import Answer, Chapter, Option
from games.rules.phrases import in_words
from submissions import access
from submissions.actions.bulk import changeable, drawing, stamps
from submissions.actions.bulk.changeable import Changeable, Row
from submissions.actions.bulk.columns import alike
from submissions.actions.bulk.sheets import EMPTY, GUIDE, IDENTITY, LISTS
from submissions.actions.bulk.xlsx_rows import text
from submissions.errors import Refusal
from submissions.models import Person
from submissions.typed import shown

NAMED = (*IDENTITY, "(name)", stamps.COLUMN)
WORDS = ("What is done", "Number", "Version", "Group", "Which tables", "As downloaded")

ADVICE = (
    ("What happens", "Nothing, before you have seen there what would change, and confirmed it."),
    ("White cells", "They can be answered."),
    ("Light grey cells", "They are not asked as the row is answered now, and may be once another answer changes."),
    ("Dark grey cells", "They stay as they are: what the row is about, and lines that a return left closed."),
    ("Values", "Where a cell has a drop-down, choose from it. Amounts are dollars; percentages are written as 2.5."),
    ("Notes", "The note at each line's key says its section and what is allowed."),
    ("Clearing a cell", f"A cell that you clear empties its line, and so does {EMPTY}."),
    ("Rows", "A row that you do not change is left alone, whatever others change meanwhile."),
    ("The first column", "“update” changes a draft; “amend” begins an amendment of what is approved."),
    ("Formulas", "They are refused: what is filed is what stands in the cell. Paste values."),
    ("Sheets of your own", "They need a header row that begins with “action”, or have to be removed before uploading."),
)


def download(person: Person, address: str) -> bytes:
    """The workbook; `address` is where it is uploaded again."""
    access.demand(person, "bulk")
    found = changeable.of(person)
    if not found.rows:
        raise Refusal(
            "nothing-to-download", "There is no submission that could be changed now.",
            fix="Start one, or wait until the Board has decided on those that are filed.",
        )  # fmt: skip
    book = Workbook()
    drawing.guide(book.active, GUIDE, _guide(found, str(person.organisation), address))
    lists = drawing.Lists(book.create_sheet(LISTS))
    for chapter, rows in groupby(found.rows, key=lambda row: row.chapter):
        _sheet(book, chapter, list(rows), lists, address)
    book.move_sheet(LISTS, len(book.sheetnames))
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _sheet(book: Workbook, chapter: Chapter, rows: Sequence[Row], lists: drawing.Lists, address: str) -> None:
    """What to do; the lines in words, with their sections; their keys; the configurations."""
    called = f"Chapter {chapter.number}, {chapter.title}"
    options = [option for option in chapter.options if option.kind != "attachment"]
    sheet = drawing.Sheet(book.create_sheet(chapter.number), len(NAMED), NAMED.index(stamps.COLUMN))
    sheet.title(f"{called}. Change white and light grey cells, save, and upload at {address}.")
    sheet.words([*WORDS, *(f"{option.question} {option.citation}" for option in options)])
    sheet.keys([*NAMED, *(option.key for option in options)])
    for index, option in enumerate(options):
        offered = lists.reference(f"{chapter.number} {option.key}", values(chapter, option))
        sheet.note(index, _note(chapter, option))
        sheet.allow(index, option, offered, len(rows))
    for row in rows:
        cells = [cell(chapter, option, row.answers.get(option.key)) for option in options]
        asked, closed = row.asked, row.closed
        sheet.row(
            [*_identity(row), row.called, _stamp(row, options, cells)],
            [
                drawing.Cell(value, option, option.key in asked, option.key in closed)
                for option, value in zip(options, cells, strict=True)
            ],
        )
    sheet.finish(called)


def _identity(row: Row) -> list[str | int]:
    return [row.action, row.submission, row.version, row.group]


def _stamp(row: Row, options: Sequence[Option], cells: Sequence[drawing.Value]) -> str:
    names = [*IDENTITY, *(option.key for option in options)]
    texts = {name: text(value) for name, value in zip(names, [*_identity(row), *cells], strict=True)}
    return stamps.stamp(alike(texts))


def values(chapter: Chapter, option: Option) -> list[str]:
    """What the line may be answered with, as it stands in a cell; empty where it is no list."""
    if option.kind == "yes_no":
        return ["yes", "no"]
    if option.kind == "paytable":
        return [table.name for table in chapter.tables_of(option.wager)]
    return [choice.label for choice in option.choices]


def cell(chapter: Chapter, option: Option, answer: Answer) -> drawing.Value:
    """The answer as a cell: numbers as numbers, a choice in its words; what is no such thing as it was typed."""
    if answer is None or answer == "":
        return None
    if option.kind in ("count", "money", "percent"):
        return drawing.number(answer)
    return in_words(chapter, option, answer) if option.kind == "choice" else shown(answer)


def _note(chapter: Chapter, option: Option) -> str:
    allowed = values(chapter, option)
    least, most = drawing.bounds(option)
    parts = [option.citation, option.question]
    if allowed:
        parts.append("Allowed: " + "; ".join(allowed))
    elif most is not None:
        parts.append(f"Allowed: {least:,f} to {most:,f}")
    if option.help:
        parts.append(option.help)
    return "\n".join(parts)


def _guide(found: Changeable, organisation: str, address: str) -> Iterator[tuple[str, str]]:
    """(heading, text); what is read before anything is changed."""
    yield "What this is", f"What {organisation} can change now: a sheet for each game, a row for each group of tables."
    yield "Where it goes", f"Change cells, save the workbook as .xlsx, and upload it at {address}."
    yield from ADVICE
    if any(option.kind == "attachment" for row in found.rows for option in row.chapter.options):
        yield "Files", "Lines that take a file are not here: upload files on the checklist's page."
    for number, why in found.others.items():
        yield f"Not here: {number}", why
