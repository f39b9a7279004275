"""Paytables from `paytables.toml`: one `[[paytable]]` per printed table, its rows in the printed order.

    [[paytable]]
    wager = "trips"
    name = "DJWT-04"
    citation = ".12(d)"
    columns = ["Natural", "With Wild"]
    rows = [["Five Wilds", "n/a", [2000, 1]], …]

A row is the outcome, a cell per column, and last, where the table has one, the Envy Bonus in dollars.
"""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from games.rules.loading.cells import read_cell
from games.rules.loading.fields import Fields
from games.rules.model import Paytable, Row


def read_paytable(table: Fields) -> Paytable:
    columns = table.texts("columns")
    commas = table.flag("thousands_commas", True)
    listed = table.take("rows", list)
    rows = tuple(_row(values, max(1, len(columns)), table, commas) for values in listed)
    outcomes = [row.outcome for row in rows]
    twice = next((outcome for outcome in outcomes if outcomes.count(outcome) > 1), None)
    if twice or not rows:
        table.refuse(f"the row {twice!r} occurs twice" if twice else "`rows` is empty")
    return Paytable(
        wager=table.text("wager"),
        name=table.text("name"),
        citation=table.citation(),
        rows=rows,
        columns=columns,
        wager_amount=_positive(table, "wager_amount"),
        seed=_positive(table, "seed"),
        rate=_share(table, "rate"),
        reserve=_share(table, "reserve"),
        wager_returned=table.flag("wager_returned", None),
        fully_wild_joker=table.flag("fully_wild_joker"),
        period=table.period(),
    )


def _row(values: Any, cells: int, table: Fields, commas: bool) -> Row:
    if not (isinstance(values, list) and values and type(values[0]) is str and values[0].strip()):
        table.refuse(f"the row {values!r} is not [outcome, payout …]")
    row = Fields(table.file, f"{table.where}, row {values[0]!r}", {})
    if len(values) not in (cells + 1, cells + 2):
        row.refuse(f"has {len(values) - 1} cells; {cells} and at most an Envy Bonus in addition are allowed here")
    envy = row.exact(values[-1], "the Envy Bonus") if len(values) == cells + 2 else None
    if envy is not None and envy <= 0:
        row.refuse(f"the Envy Bonus is {envy}; more than 0 dollars is allowed here")
    return Row(values[0], tuple(read_cell(value, row, commas) for value in values[1 : cells + 1]), envy)


def _positive(table: Fields, key: str) -> Decimal | None:
    amount = table.decimal(key)
    if amount is not None and amount <= 0:
        table.refuse(f"`{key}` is {amount}; more than 0 dollars is allowed here")
    return amount


def _share(table: Fields, key: str) -> Fraction | None:
    """`rate = "28%"`: a share of the wager, as the regulation prints it."""
    if not table.has(key):
        return None
    printed = table.text(key)
    share = Fraction(table.exact(printed.removesuffix("%"), f"`{key}`")) / 100
    if not printed.endswith("%") or not 0 < share < 1:
        table.refuse(f"`{key}` is {printed!r}; a percentage between 0% and 100% is allowed here")
    return share
