"""The records of a chapter, each from its table, and the interpretation notes on the general provisions.

The records are options, wagers, requirements, layout elements, readings, figures, paytables; the notes belong to no
chapter.

`paytables.toml` has one `[[paytable]]` per printed table, its rows in the printed order:

    [[paytable]]
    wager = "trips"
    name = "DJWT-04"
    citation = ".12(d)"
    columns = ["Natural", "With Wild"]
    rows = [["Five Wilds", "n/a", [2000, 1]], …]

A row is the outcome, a cell per column, and last, where the table has one, the Envy Bonus in dollars. A cell is written

    [50, 1]                          50 to 1
    { for = [25, 1] }                25 for 1
    "push"  "n/a"                    Push, n/a
    { loss = "N/A" }                 N/A: printed, and lost
    { amount = "7.50" }              $7.50
    { meter = 100 }                  100% of meter; with `jackpot = "mega"` 100% of mega
    { amount = 5000, meter = 20 }    $5,000/20% of meter
    { …, printed = "1000 to 1" }     where the regulation prints it otherwise

Not here: whether the records agree with each other (`loader`).
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from games.rules.files import CHAPTERS, GENERAL, GENERAL_NOTES, TOP, Fields, label, read_text, read_toml
from games.rules.model import (
    Choice,
    HouseWay,
    Limits,
    MissingText,
    Option,
    Pay,
    Paytable,
    Period,
    Published,
    Reading,
    Requirement,
    Row,
    Wager,
)
from games.rules.sections import cite


def read_option(row: Fields) -> Option:
    return row.record(
        Option,
        choices=_choices(row) if row.table.get("kind") == "choice" else (),
        limits=_limits(row),
        wager=row.text("wager") if row.table.get("kind") == "paytable" else "",
    )


def _choices(row: Fields) -> tuple[Choice, ...]:
    """Return the values stored and the words shown of `choices = [["layout", "On the layout"], …]`."""
    pairs = row.take("choices", list)
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(part) is str and part for part in pair)):
            row.refuse(f"the choice {pair!r} has no value or no label; [value, label] is allowed here")
    values = [value for value, _ in pairs]
    if len(set(values)) < max(2, len(values)):
        row.refuse(f"`choices` offers {values!r}; two or more different values are allowed here")
    return tuple(Choice(value, label) for value, label in pairs)


def _limits(row: Fields) -> Limits:
    table = row.inner("limits", {})
    limits = table.record(Limits)
    table.refuse_unknown()
    if limits.at_least is not None and limits.at_most is not None and limits.at_least > limits.at_most:
        table.refuse(f"`at_least` is {limits.at_least}, above `at_most` {limits.at_most}")
    if limits.because and not limits.citation:
        table.refuse("`because` gives a reason without the section that says so; `citation` is missing")
    return limits


def read_wager(row: Fields) -> Wager:
    return row.record(Wager, settled=row.citation("settled"))


def read_requirement(row: Fields) -> Requirement:
    requirement = row.record(Requirement)
    if (requirement.must is None) == (not requirement.check):
        row.refuse("one of `must` (a condition) and `check` (the name of a function in checks) is allowed, not both")
    return requirement


def read_published(row: Fields) -> Published:
    figure = row.record(Published, paytable=row.text("paytable", ""))
    row.exact(figure.value, "`value`")
    row.take("changed_cells", list, [])  # read by nothing; four chapters keep it, so that their digests stay
    return figure


def read_house_way(row: Fields) -> HouseWay:
    rules = row.each("rules", lambda rule: (rule.text("when"), rule.text("set")))
    if not rules:
        row.refuse("`rules` is empty; a house way says how every seven cards are set")
    return row.record(HouseWay, rules=rules)


def read_missing_text(row: Fields) -> MissingText:
    """Return the record of missing text; `games check-chapter` looks for its sections, which may be removed later."""
    sections = tuple(cite(section, row.number) for section in row.texts("sections"))
    if not sections:
        row.refuse("`sections` is empty; the sections whose text is missing are named here")
    return row.record(MissingText, sections=sections)


def read_paytable(table: Fields) -> Paytable:
    cells = max(1, len(table.texts("columns")))
    commas = table.flag("thousands_commas", True)
    listed = table.take("rows", list)
    rows = tuple(_row(values, cells, table, commas) for values in listed)
    outcomes = [row.outcome for row in rows]
    twice = next((outcome for outcome in outcomes if outcomes.count(outcome) > 1), None)
    if twice or not rows:
        table.refuse(f"the row {twice!r} occurs twice" if twice else "`rows` is empty")
    return table.record(
        Paytable,
        rows=rows,
        wager_amount=table.positive("wager_amount"),
        seed=table.positive("seed"),
        rate=_share(table, "rate"),
        reserve=_share(table, "reserve"),
    )


def _row(values: Any, cells: int, table: Fields, commas: bool) -> Row:
    if not (isinstance(values, list) and values and type(values[0]) is str and values[0].strip()):
        table.refuse(f"the row {values!r} is not [outcome, payout …]")
    envy = {"Envy Bonus": values[-1]} if len(values) == cells + 2 else {}
    row = Fields(table.file, f"{table.where}, row {values[0]!r}", envy)
    if len(values) not in (cells + 1, cells + 2):
        row.refuse(f"has {len(values) - 1} cells; {cells} and at most an Envy Bonus in addition are allowed here")
    pays = tuple(read_cell(value, row, commas) for value in values[1 : cells + 1])
    return Row(values[0], pays, row.positive("Envy Bonus"))


def _share(table: Fields, key: str) -> Fraction | None:
    """Return a share of the wager, as the regulation prints it: `rate = "28%"`."""
    if not table.has(key):
        return None
    printed = table.text(key)
    share = Fraction(table.exact(printed.removesuffix("%"), f"`{key}`")) / 100
    if not printed.endswith("%") or not 0 < share < 1:
        table.refuse(f"`{key}` is {printed!r}; a percentage between 0% and 100% is allowed here")
    return share


_ALLOWED = 'odds [3, 2], { for = [3, 2] }, "push", "n/a", { loss = … }, { amount = … }, { meter = … }'


def read_cell(value: Any, row: Fields, commas: bool = True) -> Pay:
    """Return one cell; `commas` says whether the regulation prints 1,000 or 1000 in this table."""
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
    return replace(pay, printed=printed)


def _from_table(cell: Fields, row: Fields, commas: bool) -> Pay:
    for per in ("to", "for"):
        if cell.has(per):
            return _odds(cell.take(per, list), "to" if per == "to" else "for", row, commas)
    if cell.has("loss"):
        return Pay(loss=True, printed=cell.text("loss"))
    amount, meter = cell.positive("amount"), cell.decimal("meter")
    if amount is None and meter is None:
        row.refuse(f"the cell {dict(cell.table)!r} is not a payout; allowed are {_ALLOWED}")
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
    """Return the amount as `$5,000` or `$7.50`: cents only where there are some."""
    return f"${amount:,.0f}" if amount == amount.to_integral_value() else f"${amount:,.2f}"


def _bare(printed: str) -> str:
    return re.sub(r"\bof\b|[,\s]", "", printed).lower()  # "100% mega jackpot" says 100% of it


def load_general_notes() -> Mapping[str, Reading]:
    """Return id → note; `RuleError` if the file is not right, or cites text that `general.md` does not have."""
    path = CHAPTERS / GENERAL_NOTES
    top = Fields(label(path), TOP, read_toml(path), "", read_text(CHAPTERS / GENERAL))
    notes = top.each("reading", lambda row: row.record(Reading, touches=(), period=Period()))
    top.refuse_unknown()
    return {note.id: note for note in notes}
