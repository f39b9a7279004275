"""The rows of odds that a drawing must print, from the paytables chosen and the sentences of the chapter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.rules.model import Chapter
from submissions.layouts.inspection.odds_cells import amount
from submissions.layouts.inspection.statements import Said, statements_of
from submissions.layouts.inspection.tokens import name_of, phrase
from submissions.layouts.required_elements import ENVY, PostedOdds

Key = tuple[str, ...]
_CANNOT = phrase("n/a")  # such a cell need not be printed


@dataclass(frozen=True, slots=True)
class ChosenRow:
    """A row that must be printed: an outcome with the payout of each column."""

    wager: str
    wager_name: str
    outcome: str
    pays: tuple[tuple[str, str], ...]  # (column, pay)
    citation: str

    @property
    def cells(self) -> dict[Key, tuple[str, ...]]:
        """Tokens that a row may begin with → its cells: the outcome with all, or with a column's name and that one."""
        words = phrase(self.outcome)
        every = tuple(amount(pay) for _, pay in self.pays)
        single = {(*words, *phrase(column)): (amount(pay),) for column, pay in self.pays if column}
        return {**single, **dict.fromkeys(_names(self.outcome), every), name_of(self.outcome): every, words: every}

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, if it has several with a name of their own."""
        names = tuple(column for column, _ in self.pays if column and column != ENVY)
        return names if len(names) == len(self.pays) > 1 else ()

    @property
    def pays_text(self) -> str:
        return ", ".join(f"{pay} ({column})" if column else pay for column, pay in self.pays)

    @property
    def statement(self) -> tuple[str, Said]:
        """The row as a sentence states it; two empty texts if no sentence can."""
        statements = statements_of(f"{self.outcome} pays {self.pays[0][1]}") if len(self.pays) == 1 else ()
        said = [(statement.matter, said) for statement in statements for said in statement.said]
        return said[0] if len(said) == 1 else ("", ("", ""))


def chosen_rows(chapter: Chapter, odds: Sequence[PostedOdds]) -> Iterator[ChosenRow]:
    for posted in odds:
        tables = [table for table in chapter.tables_of(posted.wager) if table.name == posted.table]
        citation = tables[0].citation if tables else chapter.wager(posted.wager).citation
        for outcome in dict.fromkeys(row[0] for row in posted.rows):
            rows = ((column, pay) for name, column, pay in posted.rows if name == outcome)
            if pays := tuple((column, pay) for column, pay in rows if phrase(pay) != _CANNOT):
                yield ChosenRow(posted.wager, posted.wager_name, outcome, pays, citation)


def _names(outcome: str) -> Iterator[Key]:
    """Other words for “Winning Ante Wager”: “Ante Wager”, “Winning Ante Wagers”, “Ante Wagers”."""
    words = phrase(outcome)
    if words[0] == "winning" and words[-1] == "wager":
        for begin in (words[:-1], words[1:-1]):
            yield (*begin, "wager")
            yield (*begin, "wagers")
