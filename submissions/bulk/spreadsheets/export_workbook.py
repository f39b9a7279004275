"""The workbook that an organization downloads: a sheet for each chapter, a row for each editable configuration.

Cells have drop-downs of the allowed answers, and each line its section. The changed workbook is read by `import_rows`,
with the stamp of `columns`. Not here: the rows (`exportable`), the style (`workbook_style`). The locks of a workbook
only prevent slips: they protect nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from openpyxl import Workbook

from games.rules.model import Answer, Chapter, Option
from games.rules.phrases import in_words
from submissions import permissions
from submissions.bulk.exportable import ExportableRow, exportable_games
from submissions.bulk.spreadsheets import workbook_style
from submissions.bulk.spreadsheets.columns import STAMP_COLUMN, stamp
from submissions.bulk.spreadsheets.import_rows import EMPTY, GUIDE, IDENTITY, LISTS
from submissions.bulk.spreadsheets.sheet_rows import cell_text
from submissions.bulk.spreadsheets.workbook_file import workbook_file
from submissions.core.errors import Refusal
from submissions.filings.answer_parsing import format_answer
from submissions.models import Person

NAME_COLUMNS = (*IDENTITY, "(name)", STAMP_COLUMN)
WORDS = ("What is done", "Number", "Version", "Group", "Which tables", "As downloaded")

ADVICE = (
    ("What happens", "Nothing changes until you have seen the changes there and confirmed them."),
    ("White cells", "You can answer these lines."),
    ("Light gray cells", "The row does not require these lines now. It may, if another answer changes."),
    ("Dark gray cells", "Do not change them. They name the row, or the Board's return locked them."),
    ("Values", "Where a cell has a drop-down, choose from it. Amounts are dollars; percentages are written as 2.5."),
    ("Notes", "The note on each line's key shows its section and the allowed values."),
    ("Clearing a cell", f"If you clear a cell, its line becomes empty. The same is true for {EMPTY}."),
    ("Rows", "The portal leaves a row alone if you do not change it, even if you change others."),
    ("The first column", "“update” changes a draft; “amend” begins an amendment of what is approved."),
    ("Formulas", "The portal refuses formulas, because it files the values of the cells. Paste values."),
    ("Sheets of your own", "Begin their header row with “action”, or delete them before you upload the workbook."),
)


def download(person: Person, address: str) -> tuple[bytes, int]:
    """The workbook and the number of configurations in it; `address` is the page where it is uploaded."""
    permissions.require(person, "bulk")
    games, unavailable = exportable_games(person)
    if not games:
        raise Refusal("nothing-to-download")
    book = Workbook()
    workbook_style.guide(book.active, GUIDE, _guide(games, unavailable, str(person.organization), address))
    lists = workbook_style.Lists(book.create_sheet(LISTS))
    for chapter, rows in groupby(games, key=lambda row: row.chapter):
        _sheet(book, chapter, list(rows), lists, address)
    book.move_sheet(LISTS, len(book.sheetnames))
    return workbook_file(book), len(games)


def _sheet(
    book: Workbook, chapter: Chapter, rows: Sequence[ExportableRow], lists: workbook_style.Lists, address: str
) -> None:
    """Instructions; the questions with their sections; their keys; the configurations."""
    heading = f"Chapter {chapter.number}, {chapter.title}"
    options = [option for option in chapter.options if option.kind != "attachment"]
    sheet = workbook_style.ChapterSheet(
        book.create_sheet(chapter.number), len(NAME_COLUMNS), NAME_COLUMNS.index(STAMP_COLUMN)
    )
    keys = [option.key for option in options]
    sheet.title(f"{heading}. Change white and light gray cells, save, and upload at {address}.")
    sheet.words([*WORDS, *(f"{option.question} {option.citation}" for option in options)])
    sheet.keys([*NAME_COLUMNS, *keys])
    for index, option in enumerate(options):
        offered = lists.reference(f"{chapter.number} {option.key}", values(chapter, option))
        sheet.note(index, _note(chapter, option))
        sheet.allow(index, option, offered, len(rows))
    for row in rows:
        identity: list[str | int] = [row.action, row.submission, row.version, row.group]
        answers = [cell(chapter, option, row.answers.get(option.key)) for option in options]
        texts = dict(zip((*IDENTITY, *keys), map(cell_text, (*identity, *answers)), strict=True))
        by_option = zip(options, answers, strict=True)
        sheet.row([*identity, row.name, stamp(texts)], by_option, asked_lines=row.asked_lines, locked=row.locked)
    sheet.finish(heading)


def values(chapter: Chapter, option: Option) -> list[str]:
    """The allowed answers of the line as cells show them; empty if there is no list."""
    if option.kind == "yes_no":
        return ["yes", "no"]
    if option.kind == "paytable":
        return [table.name for table in chapter.tables_of(option.wager)]
    return [choice.label for choice in option.choices]


def cell(chapter: Chapter, option: Option, answer: Answer) -> workbook_style.Value:
    """The answer as a cell: a number as a number, a choice by its label, anything else as typed."""
    if answer is None or answer == "":
        return None
    if option.kind in ("count", "money", "percent"):
        return workbook_style.number(answer)
    return in_words(chapter, option, answer) if option.kind == "choice" else format_answer(answer)


def _note(chapter: Chapter, option: Option) -> str:
    allowed = values(chapter, option)
    least, most = workbook_style.bounds(option)
    limits = f"{least:,f} to {most:,f}" if most is not None else ""
    rule = "; ".join(allowed) or limits
    parts = (option.citation, option.question, f"Allowed: {rule}" if rule else "", option.help)
    return "\n".join(filter(None, parts))


def _guide(
    rows: Sequence[ExportableRow], unavailable: Mapping[str, str], organization: str, address: str
) -> Iterator[tuple[str, str]]:
    """(heading, text) of the guide."""
    yield "What this is", f"What {organization} can change now: a sheet for each game, a row for each table group."
    yield "Where it goes", f"Change cells, save the workbook as .xlsx, and upload it at {address}."
    yield from ADVICE
    if any(option.kind == "attachment" for row in rows for option in row.chapter.options):
        yield "Files", "Lines that take a file are not here: upload files on the checklist's page."
    for number, why in unavailable.items():
        yield f"Not here: {number}", why
