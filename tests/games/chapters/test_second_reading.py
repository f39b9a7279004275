"""Every paytable against a second reading of the printed source, entered apart from `text.md` and `paytables.toml`.

A chapter is held so as soon as `second_reading/<number>.toml` exists: for each table its wager and name, its section,
its printed cells in a plain list, and the words that stand with it. A cell in square brackets is not printed: it stands
in ours by a reading only. A table that only secondary sources have is named so, and has no second reading.
"""

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from games.rules.model import Paytable
from games.rules.registry import chapter

FOLDER = Path(__file__).parent / "second_reading"
READ = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.toml"))}
EACH = [(number, name) for number, tables in READ.items() for name in tables]
UNPRINTED = [(number, name) for number, name in EACH if any("[" in cell for cell in READ[number][name]["cells"])]
SECONDARY = "Not in the source text"
WITH_THE_TABLE = ("bet", "seed", "rate", "reserve", "original_wager", "joker")


def cells(table: Paytable) -> list[str]:
    """The table as a reader meets it: outcome, payouts, Envy Bonus, and the next line."""
    found: list[str] = []
    for row in table.rows:
        found += [row.outcome, *(pay.printed for pay in row.pays)]
        found += [f"${row.envy:,}"] if row.envy else []
    return found


def words_with(table: Paytable) -> dict[str, str]:
    """What stands above and below the table, in the words of the second reading."""
    found = {
        "bet": table.wager_amount and f"${table.wager_amount:,}",
        "seed": table.seed and f"${table.seed:,}",
        "rate": table.rate and percent(table.rate),
        "reserve": table.reserve and percent(table.reserve),
        "original_wager": {None: "", True: "returned", False: "not returned"}[table.wager_returned],
        "joker": "Fully Wild" if table.fully_wild_joker else "",
    }
    return {key: value for key, value in found.items() if value}


def percent(share: Fraction) -> str:
    return f"{float(share * 100):g}%"


def read(number: str, name: str) -> tuple[Paytable, dict[str, Any]]:
    return chapter(number).paytable(*name.split("/")), READ[number][name]


@pytest.mark.parametrize("number", READ)
def test_second_reading_has_the_same_tables_in_the_same_order(number: str) -> None:
    tables = [table for table in chapter(number).paytables if not table.name.startswith(SECONDARY)]
    assert [f"{table.wager}/{table.name}" for table in tables] == list(READ[number])


@pytest.mark.parametrize(("number", "name"), EACH)
def test_cells_are_those_of_the_second_reading(number: str, name: str) -> None:
    ours, theirs = read(number, name)
    assert cells(ours) == [cell.strip("[]") for cell in theirs["cells"]]
    assert ours.citation == theirs["citation"]


@pytest.mark.parametrize(("number", "name"), EACH)
def test_words_with_the_table_are_those_of_the_second_reading(number: str, name: str) -> None:
    ours, theirs = read(number, name)
    assert words_with(ours) == {key: theirs[key] for key in WITH_THE_TABLE if key in theirs}


@pytest.mark.parametrize(("number", "name"), EACH)
def test_second_reading_says_nothing_that_is_not_compared(number: str, name: str) -> None:
    assert set(READ[number][name]) <= {"citation", "cells", *WITH_THE_TABLE}


@pytest.mark.parametrize(("number", "name"), UNPRINTED)
def test_unprinted_cells_have_a_reading(number: str, name: str) -> None:
    assert [one for one in chapter(number).readings if name in one.touches]


def test_the_three_chapters_of_the_first_rulemaking_are_read_twice() -> None:
    assert {"686a", "687a", "688a"} <= set(READ)
    assert sum(len(READ[number]) for number in ("686a", "687a", "688a")) == 28
