"""Every paytable against a second reading of the printed source, entered apart from `text.md` and `paytables.toml`.

A chapter is held so as soon as `second_reading/<number>.toml` exists: for each table its wager and name, its section,
its printed cells in a plain list, and the words that stand with it. A cell in square brackets is not printed: it stands
in ours by a reading only. A table that only secondary sources have is named so, and has no second reading.
"""

import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.registry import chapter
from games.rules.model import Paytable

FOLDER = Path(__file__).parent / "second_reading"
READ = sorted(file.stem for file in FOLDER.glob("*.toml"))
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


@cache
def second(number: str) -> dict[str, Any]:
    """Wager and name of each table → what the second reading has of it."""
    return tomllib.loads((FOLDER / f"{number}.toml").read_text(encoding="utf-8"))


def ours(number: str, name: str) -> Paytable:
    return chapter(number).paytable(*name.split("/"))


@pytest.mark.parametrize("number", READ)
def test_second_reading_has_the_same_tables_in_the_same_order(number: str) -> None:
    tables = [table for table in chapter(number).paytables if not table.name.startswith(SECONDARY)]
    assert [f"{table.wager}/{table.name}" for table in tables] == list(second(number))


@pytest.mark.parametrize("number", READ)
def test_cells_are_those_of_the_second_reading(number: str, subtests: pytest.Subtests) -> None:
    for name, theirs in second(number).items():
        with subtests.test(name):
            assert cells(ours(number, name)) == [cell.strip("[]") for cell in theirs["cells"]]
            assert ours(number, name).citation == theirs["citation"]


@pytest.mark.parametrize("number", READ)
def test_words_with_the_tables_are_those_of_the_second_reading(number: str, subtests: pytest.Subtests) -> None:
    for name, theirs in second(number).items():
        with subtests.test(name):
            assert words_with(ours(number, name)) == {key: theirs[key] for key in WITH_THE_TABLE if key in theirs}
            assert set(theirs) <= {"citation", "cells", *WITH_THE_TABLE}


@pytest.mark.parametrize("number", READ)
def test_unprinted_cells_have_a_reading(number: str) -> None:
    unprinted = [name for name, theirs in second(number).items() if any("[" in cell for cell in theirs["cells"])]
    touched = {name for one in chapter(number).readings for name in one.touches}
    assert [name for name in unprinted if name not in touched] == []


def test_the_three_chapters_of_the_first_rulemaking_are_read_twice() -> None:
    assert sum(len(second(number)) for number in ("686a", "687a", "688a")) == 28
