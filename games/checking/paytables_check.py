"""Every paytable compared to the chapter's text and to the second reading of the printed source.

In the text a paytable may be a table headed by its name in bold, a column headed by its name, or the one table that has
no name; its Envy Bonuses may stand apart, in a schedule headed by the paytable's name, and odds in sentences. A table
that only secondary sources have is named so: it is compared to neither, and a reading says what it stands for.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from games.checking.chapter_files import PRINTED, SECOND_READING, ChapterFiles, Problem, differing
from games.rules.files import PAYTABLES, RULES
from games.rules.model import Paytable
from games.rules.phrases import in_the_text

SENTENCES = "Payout odds"  # the name of a paytable that is printed in sentences


def check_paytables(files: ChapterFiles) -> Iterator[Problem]:
    tables = files.chapter.paytables
    rows = {table.key: len(table.rows) for table in tables}
    yield from differing(files.label(PAYTABLES), "number of rows", rows, files.printed["rows"])
    for citation, name in dict.fromkeys((table.citation, table.name) for table in tables):
        alike = [table for table in tables if (table.citation, table.name) == (citation, name)]
        where = f"{citation} {name}"
        if name == SENTENCES:
            yield from _against_sentences(files, where, alike)
        elif in_the_text(alike[0]):
            yield from _against_text(files, where, alike)
    yield from _without_a_reading(files)
    yield from _against_second_reading(files)


# ---- against the text


def _against_text(files: ChapterFiles, where: str, tables: list[Paytable]) -> Iterator[Problem]:
    """Yield the differences from the text of `tables`: ours of one printed table, which may serve several wagers."""
    label, text = files.label(PAYTABLES), files.chapter.sections[tables[0].citation]
    rows, subheads, words = printed_paytable(text, tables[0].name)
    ours = [row for table in tables for row in _lines(files, table, subheads)]
    yield from differing(label, where, ours, [_line(row) for row in rows])
    yield from _words_with(files, where, tables[0], words)


def _lines(files: ChapterFiles, table: Paytable, subheads: list[str]) -> Iterator[str]:
    """Yield the table's rows in our data that the source prints."""
    for row in table.rows:
        place = [table.key, row.outcome]
        envy = "" if row.envy is None or place in files.printed.get("envy_not_printed", []) else f"${row.envy:,}"
        if place not in files.printed.get("rows_not_printed", []):
            yield _line([_below(row.outcome, subheads), *map(str, row.pays), envy])


def _line(cells: Iterable[str]) -> str:
    """Return a row on one line, without empty cells at its end; "$ 25" is $25."""
    return " | ".join(cells).replace("$ ", "$").rstrip(" |")


def _below(outcome: str, subheads: list[str]) -> str:
    """Return the outcome as printed below its subhead: "Third card drawn is a: 6" is printed "6"."""
    return next((outcome.removeprefix(f"{head} ") for head in subheads if outcome.startswith(head)), outcome)


def _against_sentences(files: ChapterFiles, where: str, tables: list[Paytable]) -> Iterator[Problem]:
    label, text = files.label(PAYTABLES), files.chapter.sections[tables[0].citation]
    rows = [row for table in tables for row in table.rows]
    cells = {str(pay) for row in rows for pay in row.pays} | {f"${row.envy:,}" for row in rows if row.envy}
    yield from differing(label, f"{where}: odds that no sentence has", sorted(c for c in cells if c not in text), [])
    yield from differing(label, f"{where}: odds that are not here", sorted(printed_odds(text) - cells), [])


def _words_with(files: ChapterFiles, where: str, table: Paytable, words: str) -> Iterator[Problem]:
    """Yield the amount of the wager, the meter and the words below the table."""
    amount = re.search(r"\$(\d+) (?:[A-Z]\w+ )*[Ww]ager", words)
    seed = re.search(r"Meter Seed: \$([\d,]+)|\$([\d,]+) seed", words)
    rate, reserve = re.search(r"Rate of Progression: (\d+)%", words), re.search(r"Reserve Rate: (\d+)%", words)
    returned = re.search(r"Original wager (not )?returned", words)
    printed = {
        "wager_amount": Decimal(amount[1]) if amount else None,
        "seed": Decimal((seed[1] or seed[2]).replace(",", "")) if seed else None,
        "rate": Fraction(int(rate[1]), 100) if rate else None,
        "reserve": Fraction(int(reserve[1]), 100) if reserve else None,
        "wager_returned": not returned[1] if returned else None,
        "fully_wild_joker": "Fully Wild Joker" in words,
    }
    section = files.chapter.sections[files.chapter.wager(table.wager).citation]
    if amount is None and table.wager_amount and f"${table.wager_amount}" in section:
        printed["wager_amount"] = table.wager_amount  # the section on the wager says it instead
    ours = {key: getattr(table, key) for key in printed}
    yield from differing(files.label(PAYTABLES), f"{where}: what is printed with the table", ours, printed)


def _without_a_reading(files: ChapterFiles) -> Iterator[Problem]:
    """Yield a problem for each part that the source lacks and no reading touches."""
    readings = files.chapter.readings
    touched = {name for reading in readings for name in reading.touches}
    lost = {table.key for table in files.chapter.paytables if not in_the_text(table)}
    unprinted = {name for name, second in files.second_reading.items() if any("[" in c for c in second["cells"])}
    for name in sorted((lost | unprinted) - touched):
        yield Problem(files.label(RULES), "readings", f"none touches {name}, which the source lacks in part")
    for key in ("rows_not_printed", "envy_not_printed"):
        for name, outcome in files.printed.get(key, []):
            if not any(name in reading.touches and outcome.lower() in reading.reading.lower() for reading in readings):
                yield Problem(files.label(PRINTED), f"`{key}`", f"no reading says what replaces {name}, {outcome}")


# ---- against the second reading


def _against_second_reading(files: ChapterFiles) -> Iterator[Problem]:
    """Yield the differences in each table's section, printed cells in a plain list, and words around it.

    A cell in square brackets is not printed: it stands in ours by a reading only.
    """
    label = files.label(SECOND_READING)
    read_twice = {table.key: table for table in files.chapter.paytables if in_the_text(table)}
    yield from differing(label, "paytables, in their order", list(files.second_reading), list(read_twice))
    for name, table in read_twice.items():
        second = files.second_reading.get(name)
        if second is not None:
            cells = [cell.strip("[]") for cell in second["cells"]]
            with_it = {key: words for key, words in second.items() if key != "cells"}
            yield from differing(label, f"`{name}`, cells", cells, _cells(table))
            yield from differing(label, f"`{name}`, words with it", with_it, _words(table))


def _cells(table: Paytable) -> list[str]:
    """Return the table as a reader meets it: outcome, payouts, Envy Bonus, and the next line."""
    cells: list[str] = []
    for row in table.rows:
        cells += [row.outcome, *(pay.printed for pay in row.pays)]
        cells += [f"${row.envy:,}"] if row.envy else []
    return cells


def _words(table: Paytable) -> dict[str, Any]:
    """Return the table's section, and the words above and below the table, in those of the second reading."""
    words = {
        "citation": table.citation,
        "bet": table.wager_amount and f"${table.wager_amount:,}",
        "seed": table.seed and f"${table.seed:,}",
        "rate": table.rate and _percent(table.rate),
        "reserve": table.reserve and _percent(table.reserve),
        "original_wager": {None: "", True: "returned", False: "not returned"}[table.wager_returned],
        "joker": "Fully Wild" if table.fully_wild_joker else "",
    }
    return {key: value for key, value in words.items() if value}


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):g}%"


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


def printed_tables(text: str) -> list[Table]:
    """Return every table of the text; a heading reaches to the next one, or to the next label."""
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


def printed_paytable(text: str, name: str) -> tuple[list[list[str]], list[str], str]:
    """Return the paytable's rows, the subheads among them, and the words that stand with it."""
    every = printed_tables(text)
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


def printed_odds(text: str) -> set[str]:
    """Return the odds that the section's sentences name."""
    sentences = re.sub(r"(?m)^ *\|.*$", "", text)
    return set(re.findall(r"\b\d+ (?:to|for) \d+\b", sentences))
