"""Every paytable against the chapter's own text: names, rows, cells, Envy Bonuses and what stands below."""

import re
from decimal import Decimal
from fractions import Fraction

import pytest

from games.rules.model import Paytable
from games.rules.registry import chapter, chapters

EVERY = [(one.number, table.wager, table.name) for one in chapters() for table in one.paytables]
ROWS = {
    "686a": {"bonus/Paytable": 7},
    "687a": {
        "blind/Paytable": 9,
        "progressive/Progressive Paytable 1": 7,
        "progressive/Progressive Paytable 2": 7,
        "trips/DJWT-04": 9,
        "trips/DJWT-05": 9,
        "trips/DJWT-06": 9,
        "trips/DJWT-07": 9,
        "bad_beat/DJWBB-03": 8,
        "bad_beat/DJWBB-04": 8,
    },
    "688a": {f"ace_high/Paytable {number}": 3 for number in range(1, 6)}
    | {f"fortune/Paytable {number}": 12 if number == 1 else 11 for number in range(1, 7)}
    | {f"progressive/Paytable {number}": rows for number, rows in enumerate((6, 7, 6, 11, 7, 6, 6), start=1)},
}
NOT_PRINTED = {("687a", "DJWT-07"): "Three-of-a-Kind"}  # the table breaks off before this row


def printed(number: str, table: Paytable) -> tuple[list[list[str]], str]:
    """The table's rows in the text, and the lines below it up to the next table."""
    text = chapter(number).sections[table.citation]
    name = re.escape(table.name if table.name.startswith(("Paytable", "Progressive")) else f"Paytable {table.name}")
    found = re.search(rf"\*\*{name}([^*]*)\*\*\n(.*?)(?=\*\*|\Z)", text, re.DOTALL)
    assert found, f"{table.name} is not in the text of {table.citation}"
    lines = [line.strip() for line in found[2].splitlines() if line.strip()]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return cells[2:], found[1] + "\n".join(line for line in lines if not line.startswith("|"))


@pytest.mark.parametrize(("number", "wager", "name"), EVERY)
def test_paytable_is_as_printed(number: str, wager: str, name: str) -> None:
    table = chapter(number).paytable(wager, name)
    rows, _ = printed(number, table)
    width = max(len(row) for row in rows)
    ours = []
    for row in table.rows:
        if row.outcome != NOT_PRINTED.get((number, name)):
            envy = f"${row.envy:,}" if row.envy else ""
            ours.append([row.outcome, *map(str, row.pays), envy][:width])
    assert ours == rows


@pytest.mark.parametrize(("number", "wager", "name"), EVERY)
def test_what_stands_with_the_paytable_is_as_printed(number: str, wager: str, name: str) -> None:
    table = chapter(number).paytable(wager, name)
    _, below = printed(number, table)
    amount = re.search(r"\$(\d+) [Ww]ager", below)
    seed = re.search(r"Meter Seed: \$([\d,]+)|\$([\d,]+) seed", below)
    rate, reserve = re.search(r"Rate of Progression: (\d+)%", below), re.search(r"Reserve Rate: (\d+)%", below)
    returned = re.search(r"Original wager (not )?returned", below)
    assert table.wager_amount == (Decimal(amount[1]) if amount else None)
    assert table.seed == (Decimal((seed[1] or seed[2]).replace(",", "")) if seed else None)
    assert table.rate == (Fraction(int(rate[1]), 100) if rate else None)
    assert table.reserve == (Fraction(int(reserve[1]), 100) if reserve else None)
    assert table.wager_returned == (not returned[1] if returned else None)
    assert table.fully_wild_joker == ("Fully Wild Joker" in below)


@pytest.mark.parametrize("number", ROWS)
def test_paytables_have_their_number_of_rows(number: str) -> None:
    found = {f"{table.wager}/{table.name}": len(table.rows) for table in chapter(number).paytables}
    assert found == ROWS[number]


@pytest.mark.parametrize(("number", "wager", "name"), EVERY)
def test_row_that_is_not_printed_has_a_reading(number: str, wager: str, name: str) -> None:
    touching = [one.id for one in chapter(number).readings if f"{wager}/{name}" in one.touches]
    assert (number, name) not in NOT_PRINTED or "687a.djwt-07-last-row" in touching


def test_odds_are_exact() -> None:
    straight = chapter("688a").paytable("progressive", "Paytable 4").rows[-1].pays[0]
    assert (straight.amount, straight.printed) == (Decimal("7.50"), "$7.50")
    top = chapter("688a").paytable("progressive", "Paytable 4").rows[1].pays[0]
    assert (top.amount, top.meter, top.printed) == (Decimal(5000), Fraction(1, 5), "$5,000/20% of meter")
    assert chapter("687a").paytable("blind", "Paytable").rows[0].pays[0].odds == Fraction(1000)
