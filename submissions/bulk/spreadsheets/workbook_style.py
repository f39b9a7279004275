"""The style of the downloaded workbook: input rules, colors, frozen panes, print settings.

Not here: the content of its cells (`export_workbook`).
"""

from collections.abc import Iterable, Sequence, Set
from decimal import Decimal, InvalidOperation
from typing import Any

from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from games.rules.model import Answer, Option
from submissions.bulk.spreadsheets.sheet_rows import escaped

TITLE, QUESTIONS, KEYS, FIRST_ROW = 1, 2, 3, 4  # rows
WIDTHS = (10, 16, 9, 8, 26, 4)  # of the columns that identify the row; then
WIDTH = 24
LARGEST = {"count": Decimal(10**6), "money": Decimal(10**12), "percent": Decimal(100)}
FORMATS = {"count": "0", "money": "#,##0.00", "percent": "0.######"}
LONGEST_MESSAGE = 250  # characters that Excel shows

_edge = Side(style="thin", color="A9AEB1")
BORDER = Border(left=_edge, right=_edge, top=_edge, bottom=_edge)
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
        """The cells with the values; "" without values."""
        if not values:
            return ""
        if tuple(values) not in self._columns:
            column = len(self._columns) + 1
            for row, value in enumerate([heading, *values], 1):
                _write(self.sheet, row, column, value)
            letter = get_column_letter(column)
            self._columns[tuple(values)] = f"{self.sheet.title}!${letter}$2:${letter}${len(values) + 1}"
        return self._columns[tuple(values)]


class ChapterSheet:
    """A chapter's sheet, from the top down. The first `named` columns identify a row; column `hidden` is hidden."""

    def __init__(self, sheet: Any, named: int, hidden: int) -> None:
        self.sheet, self.named, self.next = sheet, named, FIRST_ROW
        for index, width in enumerate(WIDTHS, 1):
            sheet.column_dimensions[get_column_letter(index)].width = width
        sheet.column_dimensions[get_column_letter(hidden + 1)].hidden = True

    def title(self, text: str) -> None:
        _write(self.sheet, TITLE, 1, text, font=Font(bold=True, size=12))

    def words(self, texts: Sequence[str]) -> None:
        style = {"font": Font(bold=True), "fill": PALE, "alignment": WRAPPED, "border": BORDER}
        for index, text in enumerate(texts, 1):
            _write(self.sheet, QUESTIONS, index, text, **style)
            if index > self.named:
                self.sheet.column_dimensions[get_column_letter(index)].width = WIDTH
        self.sheet.row_dimensions[QUESTIONS].height = 15 * max(-(-len(text) // (WIDTH - 5)) for text in texts)

    def keys(self, names: Sequence[str]) -> None:
        font, alignment = Font(color="FFFFFF", size=9), Alignment(shrink_to_fit=True)
        for index, name in enumerate(names, 1):
            _write(self.sheet, KEYS, index, name, font=font, fill=NAVY, border=BORDER, alignment=alignment)

    def note(self, index: int, text: str) -> None:
        self.sheet.cell(KEYS, self.named + index + 1).comment = Comment(text, "Portal", width=340, height=180)

    def allow(self, index: int, option: Option, reference: str, rows: int) -> None:
        """Restrict the cells of the line, with a message for any other value."""
        rule = _validation(option, reference)
        letter = get_column_letter(self.named + index + 1)
        rule.add(f"{letter}{FIRST_ROW}:{letter}{FIRST_ROW + rows - 1}")
        self.sheet.add_data_validation(rule)

    def row(
        self,
        named: Sequence[str | int],
        answers: Iterable[tuple[Option, Value]],
        *,
        asked_lines: Set[str],
        locked: Set[str],
    ) -> None:
        """A configuration; `asked_lines` and `locked` are keys of lines."""
        for index, value in enumerate(named, 1):
            alignment = Alignment(vertical="top", wrap_text=index < len(named))
            _write(
                self.sheet, self.next, index, value, fill=DARK, protection=LOCKED, border=BORDER, alignment=alignment
            )
        for index, (option, answer) in enumerate(answers, self.named + 1):
            style = {"number_format": FORMATS.get(option.kind, "@"), "alignment": WRAPPED, "border": BORDER}
            style["protection"] = LOCKED if option.key in locked else FREE
            if option.key in locked or option.key not in asked_lines:
                style["fill"] = DARK if option.key in locked else GRAY
            _write(self.sheet, self.next, index, answer, **style)
        self.next += 1

    def finish(self, title: str) -> None:
        """Freeze, protect, and set up for printing."""
        sheet = self.sheet
        sheet.freeze_panes = sheet.cell(FIRST_ROW, self.named + 1)
        sheet.protection.sheet = True
        sheet.protection.formatColumns = sheet.protection.formatRows = sheet.protection.deleteRows = False
        sheet.print_title_rows = f"{QUESTIONS}:{KEYS}"
        sheet.print_title_cols = f"A:{get_column_letter(self.named - 1)}"
        sheet.page_setup.orientation = "landscape"
        sheet.page_setup.paperSize = sheet.PAPERSIZE_LETTER
        sheet.oddHeader.left.text = title.replace("&", "&&")  # a single one starts a code
        sheet.oddFooter.right.text = "Page &P of &N"


def guide(sheet: Any, title: str, parts: Iterable[tuple[str, str]]) -> None:
    """The sheet with the instructions."""
    sheet.title = title
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 28, 90
    for row, (heading, text) in enumerate(parts, 1):
        _write(sheet, row, 1, heading, alignment=WRAPPED, font=Font(bold=True))
        _write(sheet, row, 2, text, alignment=WRAPPED)
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def number(answer: Answer) -> str | int | float:
    """A number as a number, any other text as typed."""
    if isinstance(answer, int):
        return answer
    try:
        value = Decimal(str(answer))
    except InvalidOperation:
        return str(answer)
    return float(value) if value.is_finite() and abs(value) < 10**15 else str(answer)


def bounds(option: Option) -> tuple[Decimal, Decimal | None]:
    """The smallest and the largest number of a line that takes one."""
    least = option.limits.at_least or Decimal(0)
    return least, option.limits.at_most or LARGEST.get(option.kind)


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


def _write(sheet: Any, row: int, column: int, value: Value, **style: Any) -> None:
    """A cell with its style. A text stays a text, even if it begins like a formula."""
    cell = sheet.cell(row, column)
    cell.value = escaped(value) if isinstance(value, str) else value
    if isinstance(value, str):
        cell.data_type = "s"
    for name, part in style.items():
        setattr(cell, name, part)
