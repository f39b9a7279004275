"""How one table is on a casino's table list on a day, and whether a game's rules can be said to govern it.

Only a table that is listed and open for the game is confirmed by the list. A table that is closed, listed for another
game or not listed never is. Not here: what governs a game (`filings.versions`).
"""

from dataclasses import dataclass
from datetime import date

from django.db import models

from games.registry import title_of
from submissions.core.dates import date_text
from submissions.models import Organization, TableEntry, TableState
from submissions.table_list.listed_tables import entries_of_tables, has_list


class ListStatus(models.TextChoices):
    """How the table is on the list, for one game or, where none is asked about, for any."""

    OPEN = "open", "Open on the table list"
    CLOSED = "closed", "Closed on the table list"
    OTHER_GAME = "other-game", "Listed for another game"
    NOT_LISTED = "not-listed", "Not on the table list"
    NO_LIST = "no-list", "The casino has no table list"


@dataclass(frozen=True, slots=True)
class TableStatus:
    """One table on a day. `chapter`: the game that is asked about, "" for the one of the list."""

    licensee: str  # the name
    number: str
    chapter: str
    day: date
    status: ListStatus
    entry: TableEntry | None = None

    @property
    def is_confirmed(self) -> bool:
        """Whether the list says that this table is open for the game."""
        return self.status == ListStatus.OPEN

    @property
    def game(self) -> str:
        """The title of the game that is asked about, or else of the list's."""
        return title_of(self.chapter or (self.entry.chapter if self.entry else ""))

    @property
    def heading(self) -> str:
        """ "Table 999 is not on the table list"; "" where there is no list."""
        return {
            ListStatus.OPEN: f"Table {self.number} is open for {self.game}",
            ListStatus.CLOSED: f"Table {self.number} is closed on {date_text(self.day)}",
            ListStatus.OTHER_GAME: f"Table {self.number} is not listed for {self.game}",
            ListStatus.NOT_LISTED: f"Table {self.number} is not on the table list",
            ListStatus.NO_LIST: "",
        }[self.status]

    @property
    def words(self) -> str:
        """What the list says of the table, in a sentence or two."""
        table, condition = f"Table {self.number}", self._condition
        if self.entry is None:
            if self.status == ListStatus.NO_LIST:
                return f"The portal has no table list of this casino.{condition}"
            return f"{table} is not on {self.licensee}'s table list.{condition}"
        since, listed_game = f"since {date_text(self.entry.from_day)}", title_of(self.entry.chapter)
        if self.status == ListStatus.OTHER_GAME:
            return f"{self.licensee}'s table list has table {self.number} for {listed_game} {since}.{condition}"
        state = "open" if self.status == ListStatus.OPEN else "closed"
        sentence = f"{self.licensee}'s table list has table {self.number} for {listed_game}, {state} {since}."
        return sentence if self.is_confirmed else f"{sentence} When it opens for {self.game}, these rules apply."

    @property
    def _condition(self) -> str:
        return f" If it offers {self.game}, these rules apply." if self.chapter else ""


def table_status(organization: Organization, number: str, day: date, chapter: str = "") -> TableStatus:
    """How the table (as `parse_table` returns it) is on the licensee's list on the day; one query, two if it is not."""
    entry = entries_of_tables(organization, [number], day).get(number)
    if entry is None:
        status = ListStatus.NOT_LISTED if has_list(organization, day) else ListStatus.NO_LIST
    elif chapter and entry.chapter != chapter:
        status = ListStatus.OTHER_GAME
    else:
        status = ListStatus.OPEN if entry.state == TableState.OPEN else ListStatus.CLOSED
    return TableStatus(organization.name, number, chapter, day, status, entry)
