"""The results of a batch, for pages and API.

They are item counts by state, its progress, and each item's result as CSV; and a workbook of the items that were not
applied, to be corrected in place and sent again, and of those that were.

In the workbook a wrong cell has a color, a thick border and a note with the message. The columns at the right have it
as text, so that it can be read without color. `item_sheets` reads the first sheet again, and leaves the second one out.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter

from submissions.bulk.item_handlers import UNREPORTED
from submissions.bulk.item_sheets import EMPTY, option_keys
from submissions.bulk.items import ITEM_FIELDS
from submissions.bulk.sheet_files import workbook_file, write_cell
from submissions.bulk.sheet_rows import ANSWERS
from submissions.core.csv_export import csv_lines
from submissions.jobs.progress import Progress
from submissions.models import Batch, Item, Job

RESULT_NAMES = ("submission", "version", "group", "configuration_version", "remark", "receipt", "sha256")
RESULT_COLUMNS = (
    "place", "row", "action", "submission", "state", "status", "code", "message", "section", "fix", "option",
    "findings", "changes", *(f"made.{name}" for name in RESULT_NAMES),
)  # fmt: skip
ITEMS_AT_A_TIME = 500
JOBS = {Batch.State.CHECKING: Job.Kind.CHECK, Batch.State.RUNNING: Job.Kind.BULK}


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """The state of a batch: `counts` of its items by state; `progress` is None while no job works on it."""

    batch: Batch
    counts: dict[str, int]
    progress: Progress | None


def batch_progress(batches: Sequence[Batch]) -> list[BatchProgress]:
    """Return the state of each of these batches, in two queries."""
    rows = Item.objects.filter(batch__in=batches).order_by().values_list("batch", "state")
    counts = {(batch, state): count for batch, state, count in rows.annotate(count=Count("pk"))}
    jobs = Job.objects.filter(kind__in=list(JOBS.values()), subject__in=[batch.pk for batch in batches])
    by_kind = {(job.kind, job.subject): job for job in jobs}
    progress = []
    for batch in batches:
        job = by_kind.get((JOBS.get(Batch.State(batch.state), ""), batch.pk))
        by_state = {state: counts.get((batch.pk, state), 0) for state in Item.State.values}
        progress.append(BatchProgress(batch, by_state, Progress.of([job]) if job else None))
    return progress


def reported_result(item: Item) -> dict[str, Any]:
    """Return the numbers and versions that an item resulted in, without those that are only for the portal."""
    return {name: value for name, value in item.made.items() if name not in UNREPORTED}


def changes_in_words(item: Item) -> str:
    """Return the changes of the item, one line each."""
    return "\n".join(f"{row['question']} {row['before']} → {row['after']}" for row in item.changes)


def result_table(batch: Batch) -> Iterator[str]:
    """Return every item and its result as CSV, line by line."""
    return csv_lines(RESULT_COLUMNS, map(_result_cells, batch.items.iterator(ITEMS_AT_A_TIME)))


def _result_cells(item: Item) -> tuple[str, ...]:
    """Return the cells in the order of the columns; findings have a line each."""
    findings = (f"{row['message']} {row['fix']} [{row['citation']}]" for row in item.findings)
    return (
        str(item.place), item.row, item.action, item.submission, item.state, str(item.status or ""), item.code,
        item.message, item.section, item.fix, item.option, "\n".join(findings), changes_in_words(item),
        *(str(item.made.get(name, "")) for name in RESULT_NAMES),
    )  # fmt: skip


NOT_APPLIED, APPLIED = "Not applied", "Applied"  # sheets
ADVICE = (
    "Correct the marked cells, save, and upload this workbook again. The portal reads only this sheet, and ignores the "
    f"columns whose headings are in parentheses. Items that were applied are on the sheet “{APPLIED}”."
)
NO_FIELDS, NO_LINES, NO_ANSWERS = "(fields that do not exist)", "(lines that do not exist)", "(answers)"
REMARKS = ("(row)", "(result)", "(what is wrong)", "(what to do)", "(section)")
MADE = {
    "submission": "(submission)", "version": "(version)", "group": "(table group)",
    "configuration_version": "(version of the answers)", "remark": "(comment)", "receipt": "(receipt)",
    "sha256": "(SHA-256)",
}  # fmt: skip
DONE_COLUMNS = ("(item)", "(row)", "(action)", "(submission as sent)", *MADE.values(), "(changes)")
WIDTH, WIDE = 18, 60  # characters
LONGEST_CELL = 32_767  # characters that Excel stores; a longer text is refused as too long, cut or not
LONGEST_NOTE = 1_000

WRONG = PatternFill("solid", fgColor="F8DFE2")
_EDGE = Side(style="medium", color="B50909")
BORDER = Border(left=_EDGE, right=_EDGE, top=_EDGE, bottom=_EDGE)
WRAPPED = Alignment(wrap_text=True, vertical="top")


@dataclass(frozen=True, slots=True)
class CellError:
    """A fault of the item's cell in a column, and the remedy."""

    column: str
    message: str
    fix: str
    section: str


def result_workbook(batch: Batch) -> bytes:
    """Return the workbook. Items that were only checked are on the first sheet, as those that were refused are."""
    book = Workbook(write_only=True)
    _write_not_applied(book, batch)
    _write_applied(book, batch)
    return workbook_file(book)


def _write_not_applied(book: Any, batch: Batch) -> None:
    items = batch.items.exclude(state=Item.State.DONE)
    keys = option_keys()
    columns = _sheet_columns(items.iterator(ITEMS_AT_A_TIME), keys)
    sheet = _sheet(book, NOT_APPLIED, [*(WIDTH for _ in columns), WIDTH, WIDTH, WIDE, WIDE, WIDTH], frozen="B3")
    sheet.append([_cell(sheet, ADVICE, font=Font(bold=True))])
    sheet.append([_cell(sheet, name, font=Font(bold=True)) for name in (*columns, *REMARKS)])
    references = _references(batch)
    for item in items.iterator(ITEMS_AT_A_TIME):
        values, errors = _sent_values(item, keys), _cell_errors(item, keys)
        if "submission" in values:
            values["submission"] = references.get(item.submission, values["submission"])
        cells = [
            _cell(sheet, values.get(column), [error for error in errors if error.column == column])
            for column in columns
        ]
        sheet.append([*cells, *(_cell(sheet, text, alignment=WRAPPED) for text in _remarks(item, errors))])


def _write_applied(book: Any, batch: Batch) -> None:
    sheet = _sheet(book, APPLIED, [*(WIDTH for _ in DONE_COLUMNS[:-1]), WIDE], frozen="A2")
    sheet.append([_cell(sheet, name, font=Font(bold=True)) for name in DONE_COLUMNS])
    for item in batch.items.filter(state=Item.State.DONE).iterator(ITEMS_AT_A_TIME):
        made = [item.made.get(name, "") for name in MADE]
        sheet.append(
            [
                _cell(sheet, value)
                for value in (item.place, item.row, item.action, item.submission, *made, changes_in_words(item))
            ]
        )


def _sheet_columns(items: Iterable[Item], keys: Collection[str]) -> list[str]:
    """Return the columns: `action`, the fields and answers that some item has or lacks, then those no item can have."""
    names: dict[str, None] = {}
    for item in items:
        names |= dict.fromkeys((*_sent_values(item, keys), *(error.column for error in _cell_errors(item, keys))))
    fields = [name for name in ITEM_FIELDS if name in names]
    other_names = [name for name in names if name not in ITEM_FIELDS and name != "action"]
    return ["action", *fields, *sorted(other_names, key=lambda name: name.startswith("("))]


def _sent_values(item: Item, keys: Collection[str]) -> dict[str, Any]:
    """Return the sent values by column.

    Those that no item can have are together in a column in parentheses, which is not read again.
    """
    known = {name: value for name, value in item.given.items() if name == "action" or name in ITEM_FIELDS}
    answers = known.pop("answers", None)
    lines = answers if isinstance(answers, Mapping) else {}
    known |= {ANSWERS + key: EMPTY if lines[key] is None else lines[key] for key in lines if key in keys}
    unknown = {
        NO_ANSWERS: None if isinstance(answers, Mapping) else answers,
        NO_LINES: {key: answer for key, answer in lines.items() if key not in keys},
        NO_FIELDS: {name: value for name, value in item.given.items() if name != "action" and name not in ITEM_FIELDS},
    }
    return known | {column: value for column, value in unknown.items() if value}


def _cell_errors(item: Item, keys: Collection[str]) -> list[CellError]:
    """Return the errors of the findings, each of which names its lines; without findings, that of the refusal."""
    if item.findings:
        return [
            CellError(column, row["message"], row["fix"], row["citation"])
            for row in item.findings
            for column in ([ANSWERS + key for key in row["options"]] or ["action"])
        ]
    if item.state != Item.State.REFUSED:
        return []
    return [CellError(_column_of(item, keys), item.message, item.fix, item.section)]


def _column_of(item: Item, keys: Collection[str]) -> str:
    """Return the column of the cell that the refusal names; that of the action if it names no cell."""
    option, values = item.option, _sent_values(item, keys)
    if option in keys:
        return ANSWERS + option
    if option in ITEM_FIELDS and option != "answers":
        return option
    return next(
        (column for column in (NO_FIELDS, NO_LINES) if option in values.get(column, ())),
        NO_ANSWERS if option == "answers" else "action",
    )


def _references(batch: Batch) -> dict[str, str]:
    """Return #3 → the sheet's text for it: the submission that item 3 created, or the place of its row here."""
    references = {}
    rows = 0
    for place, state, made in batch.items.values_list("place", "state", "made"):
        if state == Item.State.DONE:
            references[f"#{place}"] = str(made.get("submission", f"#{place}"))
        else:
            rows += 1
            references[f"#{place}"] = f"#{rows}"
    return references


def _remarks(item: Item, errors: Sequence[CellError]) -> tuple[str, ...]:
    """Return the cells of `REMARKS`."""
    what = _lines(error.message for error in errors) or item.message
    todo = _lines(error.fix for error in errors) or item.fix
    sections = _lines(error.section for error in errors) or item.section
    return item.row or str(item.place), item.get_state_display(), what, todo, sections


def _lines(texts: Iterable[str]) -> str:
    """Each text once, a line each."""
    return "\n".join(dict.fromkeys(filter(None, texts)))


def _sheet(book: Any, title: str, widths: Sequence[int], *, frozen: str) -> Any:
    sheet = book.create_sheet(title)
    for index, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(index)].width = width
    sheet.freeze_panes = frozen
    return sheet


def _cell(sheet: Any, value: object, errors: Sequence[CellError] = (), **style: Any) -> Any:
    """Return the cell with a note of its errors; None if it has nothing."""
    plain = _plain(value)
    if plain is None and not errors:
        return None
    cell = WriteOnlyCell(sheet)
    if errors:
        style |= {"fill": WRONG, "border": BORDER}
        words = _lines(f"{error.message} {error.fix} {error.section}".strip() for error in errors)
        cell.comment = Comment(words[:LONGEST_NOTE], "Portal", width=340, height=180)
    return write_cell(cell, plain, **style)


def _plain(value: object) -> str | int | float | None:
    """Return the value as a person would type it; one that is no text, number or yes and no as JSON."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or isinstance(value, int | float):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return str(ILLEGAL_CHARACTERS_RE.sub("\ufffd", text)[:LONGEST_CELL])
