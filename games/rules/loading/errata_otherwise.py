"""What a payout note says of its other reading: cells, rates of progression, recorded holds.

The keys are explained in `loading.errata`, which reads the rest of the note.
"""

import re
from collections.abc import Collection
from decimal import Decimal
from fractions import Fraction
from typing import Any

from games.rules.errata import OtherPay, OtherRate, RecordedHold
from games.rules.loading.cells import read_cell
from games.rules.loading.fields import Fields
from games.rules.model import Pay, Paytable

ALLOWED_PAYS = '"50 to 1", "25 for 1", "push", "loss", "$5,000", "10% of meter" or "$5,000/20% of meter"'
_ODDS = re.compile(r"([\d,]+) (to|for) ([\d,]+)")
_RATE = re.compile(r"(\d+(?:\.\d+)?)%")
_PERCENT = re.compile(r"-?\d+\.\d+")
_MONEY = re.compile(r"(?:\$([\d,]+(?:\.\d\d)?))?/?(?:(\d+(?:\.\d+)?)% of (.+))?")


def read_recorded(row: Fields) -> tuple[RecordedHold, ...]:
    """The holds of `[[note.recorded]]`."""
    holds = []
    for count, table in enumerate(row.take("recorded", list, []), start=1):
        each = Fields(row.file, f"{row.where}, recorded {count}", table)
        hold = RecordedHold(
            *(each.text("wager"), each.text("play", ""), each.text("as_read"), each.text("otherwise")),
            command=each.text("command"),
        )
        each.refuse_unknown()
        for figure in (hold.as_read, hold.otherwise):
            if not _PERCENT.fullmatch(figure):
                each.refuse(f"{figure!r} is not a percentage such as 3.947 or -2.36")
        if len(hold.as_read.partition(".")[2]) != len(hold.otherwise.partition(".")[2]):
            each.refuse("`as_read` and `otherwise` must have as many decimals")
        holds.append(hold)
    return tuple(holds)


def read_otherwise(row: Fields, tables: Collection[Paytable]) -> tuple[OtherPay | OtherRate, ...]:
    """The cells and rates of `[[note.otherwise]]`, of these paytables."""
    cells: list[OtherPay | OtherRate] = []
    for count, table in enumerate(row.take("otherwise", list, []), start=1):
        if not isinstance(table, dict):
            row.refuse("`otherwise` is not a list of tables; tables headed [[note.otherwise]] are allowed here")
        fields = Fields(row.file, f"{row.where}, otherwise {count}", table)
        cell = _other_rate(fields, tables) if fields.has("rate") else _other_pay(fields, tables)
        if any(_place(cell) == _place(earlier) for earlier in cells):
            row.refuse(f"otherwise {count}: the cell {' / '.join(_place(cell))} is there twice")
        cells.append(cell)
    return tuple(cells)


def _place(cell: OtherPay | OtherRate) -> tuple[str, ...]:
    if isinstance(cell, OtherRate):
        return cell.wager, cell.paytable, "rate"
    return cell.wager, cell.paytable, cell.outcome, cell.column


def _other_rate(row: Fields, tables: Collection[Paytable]) -> OtherRate:
    """The rate of progression of a paytable of the chapter, if it were another."""
    wager, name, printed = row.text("wager"), row.text("paytable"), row.text("rate")
    row.refuse_unknown()
    table = _table(row, tables, wager, name)
    if table.rate is None:
        row.refuse(f"{wager}/{name} has no rate of progression")
    if not (match := _RATE.fullmatch(printed)):
        row.refuse(f"`rate` is {printed!r}; a percentage such as 45.5% is allowed here")
    rate = Fraction(match[1]) / 100
    if rate == table.rate:
        row.refuse(f"`rate` is {printed!r}, which the paytable has already; the other reading must have another")
    return OtherRate(wager, name, rate, printed)


def _table(row: Fields, tables: Collection[Paytable], wager: str, name: str) -> Paytable:
    table = next((each for each in tables if (each.wager, each.name) == (wager, name)), None)
    if table is None:
        known = ", ".join(sorted(f"{each.wager}/{each.name}" for each in tables))
        row.refuse(f"there is no paytable {wager}/{name}; known are {known or 'none'}")
    return table


def _other_pay(row: Fields, tables: Collection[Paytable]) -> OtherPay:
    """A cell of a paytable of the chapter that would pay something else."""
    wager, name, outcome, column = row.text("wager"), row.text("paytable"), row.text("outcome"), row.text("column", "")
    printed = row.text("pays")
    row.refuse_unknown()
    table = _table(row, tables, wager, name)
    paid = {(each, of): pay for each, of, pay in table.lines()}
    if (outcome, column) not in paid:
        cells = ", ".join(f"{each} ({of})" if of else each for each, of in paid)
        row.refuse(f"there is no cell {outcome!r} in column {column!r}; the cells of {wager}/{name} are {cells}")
    pays = _read_pays(printed, row)
    if _amounts(pays) == _amounts(paid[outcome, column]):
        row.refuse(f"`pays` is {printed!r}, which the paytable has already; the other reading must pay otherwise")
    return OtherPay(wager, name, outcome, pays, column)


def _amounts(pay: Pay) -> tuple[object, ...]:
    return pay.odds, pay.per, pay.amount, pay.meter, pay.jackpot, pay.push, pay.na, pay.loss


def _read_pays(printed: str, row: Fields) -> Pay:
    """The cell that the text says, as `cells.read_cell` reads it from a paytable."""
    if printed in ("push", "n/a"):
        return read_cell(printed, row)
    if printed == "loss":
        return read_cell({"loss": "Loss"}, row)
    if odds := _ODDS.fullmatch(printed):
        pair = [int(part.replace(",", "")) for part in (odds[1], odds[3])]
        return read_cell(pair if odds[2] == "to" else {"for": pair}, row, commas="," in printed or pair[0] >= 1000)
    money = _MONEY.fullmatch(printed)
    if not money or not (money[1] or money[2]):
        row.refuse(f"`pays` is {printed!r}; {ALLOWED_PAYS} is allowed here")
    cell: dict[str, Any] = {}
    if money[1]:
        cell["amount"] = str(Decimal(money[1].replace(",", "")))
    if money[2]:
        cell |= {"meter": money[2]} | ({} if money[3] == "meter" else {"jackpot": money[3]})
    return read_cell(cell, row)
