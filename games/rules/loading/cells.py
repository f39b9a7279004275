"""The cells of a paytable: how `paytables.toml` writes what an outcome pays.

[50, 1]                          50 to 1
{ for = [25, 1] }                25 for 1
"push"  "n/a"                    Push, n/a
{ loss = "N/A" }                 N/A: printed, and lost
{ amount = "7.50" }              $7.50
{ meter = 100 }                  100% of meter; with `jackpot = "mega"` 100% of mega
{ amount = 5000, meter = 20 }    $5,000/20% of meter
{ …, printed = "1000 to 1" }     where the regulation prints it otherwise
"""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from games.rules.loading.fields import Fields
from games.rules.model import Pay

_ALLOWED = 'odds [3, 2], { for = [3, 2] }, "push", "n/a", { loss = … }, { amount = … }, { meter = … }'


def read_cell(value: Any, row: Fields, commas: bool = True) -> Pay:
    """One cell; `commas` says whether the regulation prints 1,000 or 1000 in this table."""
    if value == "push":
        return Pay(push=True, printed="Push")
    if value == "n/a":
        return Pay(na=True, printed="n/a")
    if isinstance(value, list):
        return _odds(value, "to", row, commas)
    if not isinstance(value, dict):
        row.refuse(f"the cell {value!r} is not a payout; allowed are {_ALLOWED}")
    cell = Fields(row.file, row.where, value)
    printed = cell.text("printed", "")
    pay = _from_table(cell, row, commas)
    cell.refuse_unknown()
    if not printed:
        return pay
    if _bare(printed) != _bare(pay.printed):
        row.refuse(f"`printed` is {printed!r}, but the cell says {pay.printed!r}")
    return Pay(pay.odds, pay.per, pay.amount, pay.meter, pay.jackpot, printed=printed)


def _from_table(cell: Fields, row: Fields, commas: bool) -> Pay:
    for per in ("to", "for"):
        if cell.has(per):
            return _odds(cell.take(per, list), "to" if per == "to" else "for", row, commas)
    if cell.has("loss"):
        return Pay(loss=True, printed=cell.text("loss"))
    amount, meter = cell.decimal("amount"), cell.decimal("meter")
    if amount is None and meter is None:
        row.refuse(f"the cell {dict(cell.table)!r} is not a payout; allowed are {_ALLOWED}")
    if amount is not None and amount <= 0:
        row.refuse(f"`amount` is {amount}; more than 0 dollars is allowed here")
    if meter is not None and not 0 < meter <= 100:
        row.refuse(f"`meter` is {meter}; a share of more than 0 and at most 100 percent is allowed here")
    jackpot = cell.text("jackpot", "")
    parts = [dollars(amount)] if amount is not None else []
    if meter is not None:
        parts.append(f"{meter:f}% of {jackpot or 'meter'}")
    share = None if meter is None else Fraction(meter) / 100
    return Pay(amount=amount, meter=share, jackpot=jackpot, printed="/".join(parts))


def _odds(pair: list[Any], per: Literal["to", "for"], row: Fields, commas: bool) -> Pay:
    if len(pair) != 2 or not all(type(part) is int and part > 0 for part in pair):
        row.refuse(f"{pair!r} are not odds; two whole numbers above 0 are allowed, [3, 2] for 3 {per} 2")
    left, right = pair
    printed = f"{left:,} {per} {right}" if commas else f"{left} {per} {right}"
    return Pay(odds=Fraction(left, right), per=per, printed=printed)


def dollars(amount: Decimal) -> str:
    """`$5,000`, `$7.50`: cents only where there are some."""
    return f"${amount:,.0f}" if amount == amount.to_integral_value() else f"${amount:,.2f}"


def _bare(printed: str) -> str:
    return re.sub(r"\bof\b|[,\s]", "", printed).lower()  # "100% mega jackpot" says 100% of it
