"""The tables of a section as its text prints them, and the paytable of a name among them.

A paytable may be a table headed by its name in bold, a column headed by its name, or the one table that has no name;
its Envy Bonuses may stand apart, in a schedule headed by the paytable's name. Odds printed in sentences: `odds`.
"""

import re
from dataclasses import dataclass

ENVY = ["Envy Bonus"]


@dataclass(frozen=True, slots=True)
class Table:
    """One table: the bold heading and the other words around it, its columns of pay, outcome → cells."""

    heading: str
    words: str
    columns: list[str]
    rows: list[tuple[str, list[str]]]

    @property
    def subheads(self) -> list[str]:
        """Rows without a cell, such as "Third card drawn is a:", which head those below them."""
        return [outcome for outcome, cells in self.rows if not any(cells)]

    def picked(self, column: str) -> list[list[str]]:
        place = self.columns.index(column)
        return [[outcome, cells[place]] for outcome, cells in self.rows if cells[place]]


def tables(text: str) -> list[Table]:
    """Every table of the text; a heading reaches to the next one, or to the next label."""
    printed = []
    for part in re.split(r"(?m)^\s*(?=\*\*|- \()", re.sub(r" *\[[^]]*\]", "", text)):  # in brackets: added by us
        lines = part.splitlines()
        heading = re.match(r"\*\*(.+)\*\*", part)
        words = "\n".join(line.strip() for line in lines if not line.lstrip().startswith("|"))
        for grid in re.findall(r"(?:^ *\|.*\n?)+", part, re.MULTILINE):
            head, _, *rows = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in grid.splitlines()]
            cells = [(row[0], row[1:]) for row in rows]
            printed.append(Table(heading[1] if heading else "", words, head[1:], cells))
    return printed


def paytable(text: str, name: str) -> tuple[list[list[str]], list[str], str]:
    """The paytable's rows, the subheads among them, and the words that stand with it."""
    every = tables(text)
    own = [table for table in every if table.heading.startswith((name, f"Paytable {name}"))]
    words = "\n".join(table.words for table in own)
    envy = {outcome: cells[0] for table in own if table.columns == ENVY for outcome, cells in table.rows}
    if whole := [table for table in own if table.columns != ENVY]:
        return [[outcome, *cells] for table in whole for outcome, cells in table.rows], [], words
    headed = [table for table in every if name in table.columns]
    unnamed = [table for table in every if not table.heading and len(table.columns) == 1]
    source = [(table, name) for table in headed] or [(table, table.columns[0]) for table in unnamed]
    rows = [row + ([envy[row[0]]] if row[0] in envy else []) for table, at in source for row in table.picked(at)]
    return rows, [head for table, _ in source for head in table.subheads], words


def odds(text: str) -> set[str]:
    """The odds that the section's sentences name."""
    sentences = re.sub(r"(?m)^ *\|.*$", "", text)
    return set(re.findall(r"\b\d+ (?:to|for) \d+\b", sentences))
