"""The workbook that an organization downloads.

It has a sheet for each chapter, and a row for each configuration that it can change now by `update` or `amend`.

Cells have drop-downs of the allowed answers, and each line its section. The changed workbook is read by `item_sheets`.
The locks of a workbook only prevent slips: they protect nothing. Not here: permissions, which are checked when a change
is made.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import groupby
from typing import Any

from django.utils import timezone
from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from games.rules.evaluate import judge
from games.rules.model import Answer, Answers, Chapter, Option
from games.rules.phrases import in_words
from submissions import permissions
from submissions.bulk.item_sheets import EMPTY, GUIDE, IDENTITY, LISTS, STAMP_COLUMN, stamp_of
from submissions.bulk.sheet_files import workbook_file, write_cell
from submissions.bulk.sheet_rows import cell_text
from submissions.core.configurations import group_at
from submissions.core.errors import Refusal
from submissions.filings import versions
from submissions.filings.answer_values import format_answer
from submissions.filings.copies import open_amendment
from submissions.filings.questions import locked_lines
from submissions.models import OPEN_STATUSES, WITH_BOARD, Person, Revision, Status, Submission
from submissions.permissions import visible_to
from submissions.rules import chapter_on, draft_chapter


@dataclass(frozen=True, slots=True)
class ExportableRow:
    """One configuration as the next item of a batch would name it."""

    action: str  # update or amend
    submission: str
    version: int  # that the action names
    group: int
    name: str  # "All tables"; "High limit (3, 7-9)"
    chapter: Chapter  # on the day that counts: the planned one of a draft, else today
    answers: Answers
    locked: frozenset[str] = frozenset()  # lines that a return left locked


def exportable_games(person: Person) -> tuple[list[ExportableRow], dict[str, str]]:
    """Return the organization's open and approved submissions, and the numbers of those that cannot be changed.

    The submissions of the person's own organization, by chapter, then by number and group; and number → why nothing of
    it can be changed now.
    """
    rows: list[ExportableRow] = []
    unavailable: dict[str, str] = {}
    statuses = (*OPEN_STATUSES, Status.APPROVED)
    own = visible_to(person).filter(organization=person.organization, status__in=statuses)
    for submission in own.select_related("organization").order_by("pk"):
        if submission.editable:
            rows += _of_draft(submission)
        elif submission.status in WITH_BOARD:
            unavailable[submission.number] = f"{submission.get_status_display()}: withdraw it, or wait for the Board."
        elif versions.is_latest_version(submission):
            if begun := open_amendment(submission):
                unavailable[submission.number] = f"Approved, and amended by {begun.number} already: change that one."
            else:
                rows += _of_approved(submission)
    return sorted(rows, key=lambda row: row.chapter.number), unavailable


def _of_draft(submission: Submission) -> Iterator[ExportableRow]:
    chapter = draft_chapter(submission)
    configurations = list(submission.configurations.all())
    for row in configurations:
        name = _with_tables(row.display_name(several=len(configurations) > 1), row.tables)
        locked = locked_lines(chapter, submission, row.position, row.answers)
        yield ExportableRow("update", submission.number, row.version, row.position, name, chapter, row.answers, locked)


def _of_approved(submission: Submission) -> Iterator[ExportableRow]:
    chapter = chapter_on(submission.chapter, timezone.localdate())
    content = Revision.objects.get(submission=submission, version__isnull=False).content
    for place, row in enumerate(content["configurations"]):
        group, name = group_at(content, place), _with_tables(row["name"], row["tables"])
        yield ExportableRow("amend", submission.number, submission.version, group, name, chapter, row["answers"])


def _with_tables(name: str, tables: str) -> str:
    return f"{name} ({tables})" if tables else name


TITLE, QUESTIONS, KEYS, FIRST_ROW = 1, 2, 3, 4  # rows
LARGEST_NUMBER = {"count": Decimal(10**6), "money": Decimal(10**12), "percent": Decimal(100)}
FORMATS = {"count": "0", "money": "#,##0.00", "percent": "0.######"}
LONGEST_MESSAGE = 250  # characters that Excel shows

_EDGE = Side(style="thin", color="A9AEB1")
BORDER = Border(left=_EDGE, right=_EDGE, top=_EDGE, bottom=_EDGE)
NAVY, PALE, GRAY, DARK = (PatternFill("solid", fgColor=color) for color in ("162E51", "DFE1E2", "F0F0F0", "C6CACE"))
WRAPPED = Alignment(wrap_text=True, vertical="top")
FREE, LOCKED = Protection(locked=False), Protection(locked=True)

Value = str | int | float | None


class Lists:
    """The sheet with the lists of the drop-downs: a column for each different list."""

    def __init__(self, sheet: Any) -> None:
        self.sheet = sheet
        sheet.sheet_state = "hidden"
        self._columns: dict[tuple[str, ...], str] = {}

    def reference(self, heading: str, values: Sequence[str]) -> str:
        """Return the cells with the values; "" without values."""
        if not values:
            return ""
        if tuple(values) not in self._columns:
            column = len(self._columns) + 1
            for row, value in enumerate([heading, *values], 1):
                write_cell(self.sheet.cell(row, column), value)
            letter = get_column_letter(column)
            self._columns[tuple(values)] = f"{self.sheet.title}!${letter}$2:${letter}${len(values) + 1}"
        return self._columns[tuple(values)]


def write_guide(sheet: Any, title: str, parts: Iterable[tuple[str, str]]) -> None:
    """Write the sheet with the instructions."""
    sheet.title = title
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 28, 90
    for row, (heading, text) in enumerate(parts, 1):
        write_cell(sheet.cell(row, 1), heading, alignment=WRAPPED, font=Font(bold=True))
        write_cell(sheet.cell(row, 2), text, alignment=WRAPPED)
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def number_or_text(answer: Answer) -> str | int | float:
    """Return a number as a number, any other text as typed."""
    if isinstance(answer, int):
        return answer
    try:
        value = Decimal(str(answer))
    except InvalidOperation:
        return str(answer)
    return float(value) if value.is_finite() and abs(value) < 10**15 else str(answer)


def bounds(option: Option) -> tuple[Decimal, Decimal | None]:
    """Return the smallest and the largest number of a line that takes one."""
    least = option.limits.at_least or Decimal(0)
    return least, option.limits.at_most or LARGEST_NUMBER.get(option.kind)


def _validation(option: Option, reference: str) -> DataValidation:
    least, most = bounds(option)
    if reference:
        rule = DataValidation("list", formula1=reference)
        message = "Choose one from the list."
    elif most is not None:
        kind = "whole" if option.kind == "count" else "decimal"
        rule = DataValidation(kind, operator="between", formula1=f"{least:f}", formula2=f"{most:f}")
        message = f"A number from {least:,f} to {most:,f}."
    else:
        longest = option.limits.longest
        rule = DataValidation("textLength", operator="lessThanOrEqual", formula1=str(longest))
        message = f"At most {longest:,} characters."
    rule.allow_blank, rule.showErrorMessage = True, True
    rule.errorTitle, rule.error = option.citation[:30], message[:LONGEST_MESSAGE]
    return rule


WIDTHS = {**dict(zip(IDENTITY, (10, 16, 9, 8), strict=True)), "(name)": 26, STAMP_COLUMN: 4}
WIDTH = 24  # of the other columns
NAME_COLUMNS = tuple(WIDTHS)  # they identify a row
NAMED = len(NAME_COLUMNS)
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
    """Return the workbook and the number of configurations in it; `address` is the page where it is uploaded."""
    permissions.require(person, "bulk")
    games, unavailable = exportable_games(person)
    if not games:
        raise Refusal("nothing-to-download")
    book = Workbook()
    write_guide(book.active, GUIDE, _guide_parts(games, unavailable, str(person.organization), address))
    lists = Lists(book.create_sheet(LISTS))
    for chapter, rows in groupby(games, key=lambda row: row.chapter):
        _write_chapter(book, chapter, list(rows), lists, address)
    book.move_sheet(LISTS, len(book.sheetnames))
    return workbook_file(book), len(games)


def _write_chapter(book: Workbook, chapter: Chapter, rows: Sequence[ExportableRow], lists: Lists, address: str) -> None:
    """Write a chapter's sheet: instructions; the questions with their sections; their keys; the configurations."""
    heading = f"Chapter {chapter.number}, {chapter.title}"
    options = [option for option in chapter.options if option.kind != "attachment"]
    sheet = book.create_sheet(chapter.number)
    text = f"{heading}. Change white and light gray cells, save, and upload at {address}."
    write_cell(sheet.cell(TITLE, 1), text, font=Font(bold=True, size=12))
    questions = [*WORDS, *(f"{option.question} {option.citation}" for option in options)]
    keys = [*NAME_COLUMNS, *(option.key for option in options)]
    _write_headings(sheet, questions, keys)
    for column, option in enumerate(options, NAMED + 1):
        letter = get_column_letter(column)
        sheet.cell(KEYS, column).comment = Comment(_note(chapter, option), "Portal", width=340, height=180)
        offered = lists.reference(f"{chapter.number} {option.key}", allowed_texts(chapter, option))
        rule = _validation(option, offered)
        rule.add(f"{letter}{FIRST_ROW}:{letter}{FIRST_ROW + len(rows) - 1}")
        sheet.add_data_validation(rule)
    for number, row in enumerate(rows, FIRST_ROW):
        _write_row(sheet, number, row, options)
    sheet.freeze_panes = sheet.cell(FIRST_ROW, NAMED + 1)
    sheet.protection.sheet = True
    sheet.protection.formatColumns = sheet.protection.formatRows = sheet.protection.deleteRows = False
    sheet.print_title_rows = f"{QUESTIONS}:{KEYS}"
    sheet.print_title_cols = f"A:{get_column_letter(NAMED - 1)}"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = sheet.PAPERSIZE_LETTER
    sheet.oddHeader.left.text = heading.replace("&", "&&")  # a single one starts a code
    sheet.oddFooter.right.text = "Page &P of &N"


def _write_headings(sheet: Any, questions: Sequence[str], keys: Sequence[str]) -> None:
    question_style = {"font": Font(bold=True), "fill": PALE, "alignment": WRAPPED}
    key_style = {"font": Font(color="FFFFFF", size=9), "fill": NAVY, "alignment": Alignment(shrink_to_fit=True)}
    for column, (question, key) in enumerate(zip(questions, keys, strict=True), 1):
        write_cell(sheet.cell(QUESTIONS, column), question, border=BORDER, **question_style)
        write_cell(sheet.cell(KEYS, column), key, border=BORDER, **key_style)
        sheet.column_dimensions[get_column_letter(column)].width = WIDTHS.get(keys[column - 1], WIDTH)
    sheet.column_dimensions[get_column_letter(NAME_COLUMNS.index(STAMP_COLUMN) + 1)].hidden = True
    sheet.row_dimensions[QUESTIONS].height = 15 * max(-(-len(text) // (WIDTH - 5)) for text in questions)


def _write_row(sheet: Any, number: int, row: ExportableRow, options: Sequence[Option]) -> None:
    """Write a configuration into the row with this number, with the stamp of its cells."""
    identity: list[str | int] = [row.action, row.submission, row.version, row.group]
    answers = [cell_value(row.chapter, option, row.answers.get(option.key)) for option in options]
    names = (*IDENTITY, *(option.key for option in options))
    texts = dict(zip(names, map(cell_text, (*identity, *answers)), strict=True))
    for column, value in enumerate([*identity, row.name, stamp_of(texts)], 1):
        style: dict[str, Any] = {"fill": DARK, "protection": LOCKED, "border": BORDER}
        style["alignment"] = Alignment(vertical="top", wrap_text=column < NAMED)
        write_cell(sheet.cell(number, column), value, **style)
    asked_lines = judge(row.chapter, row.answers).asked_keys
    for column, (option, answer) in enumerate(zip(options, answers, strict=True), NAMED + 1):
        style = {"number_format": FORMATS.get(option.kind, "@"), "alignment": WRAPPED, "border": BORDER}
        style["protection"] = LOCKED if option.key in row.locked else FREE
        if option.key in row.locked or option.key not in asked_lines:
            style["fill"] = DARK if option.key in row.locked else GRAY
        write_cell(sheet.cell(number, column), answer, **style)


def allowed_texts(chapter: Chapter, option: Option) -> list[str]:
    """Return the allowed answers of the line as cells show them; empty if there is no list."""
    if option.kind == "yes_no":
        return ["yes", "no"]
    if option.kind == "paytable":
        return [table.name for table in chapter.tables_of(option.wager)]
    return [choice.label for choice in option.choices]


def cell_value(chapter: Chapter, option: Option, answer: Answer) -> Value:
    """Return the answer as a cell: a number as a number, a choice by its label, anything else as typed."""
    if answer is None or answer == "":
        return None
    if option.kind in ("count", "money", "percent"):
        return number_or_text(answer)
    return in_words(chapter, option, answer) if option.kind == "choice" else format_answer(answer)


def _note(chapter: Chapter, option: Option) -> str:
    allowed = allowed_texts(chapter, option)
    least, most = bounds(option)
    limits = f"{least:,f} to {most:,f}" if most is not None else ""
    rule = "; ".join(allowed) or limits
    parts = (option.citation, option.question, f"Allowed: {rule}" if rule else "", option.help)
    return "\n".join(filter(None, parts))


def _guide_parts(
    rows: Sequence[ExportableRow], unavailable: Mapping[str, str], organization: str, address: str
) -> Iterator[tuple[str, str]]:
    """Yield (heading, text) of the guide."""
    yield "What this is", f"What {organization} can change now: a sheet for each game, a row for each table group."
    yield "Where it goes", f"Change cells, save the workbook as .xlsx, and upload it at {address}."
    yield from ADVICE
    if any(option.kind == "attachment" for row in rows for option in row.chapter.options):
        yield "Files", "Lines that take a file are not here: upload files on the checklist's page."
    for number, why in unavailable.items():
        yield f"Not here: {number}", why
