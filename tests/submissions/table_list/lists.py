"""Table lists for tests: entered by the action, from today on or from another day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from django.utils import timezone
from openpyxl import Workbook

from games.registry import folders
from submissions.filings.tables.table_lists import TableRow, change_table_list
from submissions.models import Person, TableEntry, TableState
from tests.submissions.bulk.made import saved


def enter(actor: Person, *rows: tuple[str, ...], from_day: date | None = None) -> list[TableEntry]:
    """Each row: number, chapter, and if they matter pit and state."""
    return change_table_list(actor, [table_row(*row) for row in rows], from_day=from_day or timezone.localdate())


def table_row(number: str, chapter: str, pit: str = "", state: str = TableState.OPEN, where: str = "") -> TableRow:
    """A row that leaves nothing out."""
    return TableRow(number, chapter, state, {"pit": pit}, where)


def sheet_with_a_hidden_row() -> bytes:
    """A workbook with the tables 12 and 13; row 3, that of table 13, is hidden."""
    book = Workbook()
    for cells in (("number", "game"), ("12", "683a"), ("13", "687a")):
        book.active.append(cells)
    book.active.row_dimensions[3].hidden = True
    return saved(book)


TABLES = 210  # of a licensee in full use


def table_entries(managers: Sequence[Person], first_day: date) -> Iterator[TableEntry]:
    """A list of each licensee, as rows: tables of every game, some closed, some that changed their game since."""
    games = list(folders())
    for manager in managers:
        made = {"organization": manager.organization, "by": manager, "at": timezone.now()}
        for number in range(1, TABLES + 1):
            state = TableState.CLOSED if number % 9 == 0 else TableState.OPEN
            for day in range(1 + (number % 5 == 0)):
                since, game = first_day + timedelta(days=day), games[(number + day) % len(games)]
                yield TableEntry(number=str(number), pit="1", chapter=game, state=state, from_day=since, **made)
