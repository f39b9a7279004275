"""The cashier: what a printed cell of a paytable hands back, read from its words.

The second reading of a cell: the first is `games.maths.results.net_of`, which uses the cell's data. A cell is one of
"500 to 1", "500 for 1", "Push", "$5,000", "100% of meter", "10% major jackpot", "$5,000/100% of meter", or words for a
wager that is lost or cannot occur.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from games.rules.model import Answers, Paytable, Row
from games.second.table import Ending

LOST: Final = Fraction(-1)
_ODDS: Final = re.compile(r"([\d, ]+) (to|for) (\d+)")
_DOLLARS: Final = re.compile(r"\$([\d,]+(?:\.\d+)?)")
_SHARE: Final = re.compile(r"([\d.]+)% (?:of )?(?:the )?(.+)")
_NOTHING: Final = {"loss", "n/a"}

Meters = Mapping[str, Decimal]
"""Name of a progressive jackpot, as printed ("meter", "major jackpot"), and the dollars on its meter."""


def net(printed: str, table: Paytable, meters: Meters) -> Fraction:
    """Return what one unit of the wager wins by the printed cell; −1 = it is lost. `ValueError` for other words."""
    if printed.lower() in _NOTHING:
        return LOST
    if printed == "Push":
        return Fraction(0)
    if odds := _ODDS.fullmatch(printed):
        left, per, right = odds.groups()
        paid = Fraction(int(re.sub(r"\D", "", left)), int(right))
        return paid if per == "to" else paid - 1
    handed_out = sum((_dollars(part, printed, meters) for part in printed.split("/")), Fraction(0))
    return handed_out / Fraction(table.wager_amount or 1) - (0 if table.wager_returned else 1)


def _dollars(part: str, printed: str, meters: Meters) -> Fraction:
    if amount := _DOLLARS.fullmatch(part):
        return Fraction(amount[1].replace(",", ""))
    if share := _SHARE.fullmatch(part):
        return Fraction(share[1]) / 100 * Fraction(meters.get(share[2], Decimal(0)))
    raise ValueError(f"the cashier cannot read the cell {printed!r}")


def reset_meters(table: Paytable, answers: Answers, line: str = "progressive_reset") -> dict[str, Decimal]:
    """Return the meter at the answered reset amount, else at that which the paytable prints, else empty."""
    reset = answers.get(line)
    return {"meter": table.seed or Decimal(0) if reset is None else Decimal(str(reset))}


def endings(
    table: Paytable, counts: Mapping[str, int], rounds: int, meters: Meters, lost: str = "Lost"
) -> list[Ending]:
    """Return an ending for each row of a table with one column, in its order, and `lost` for all other rounds.

    `counts`: outcome of a row → rounds that it settled; a row that is not named settled none.
    """
    if unknown := counts.keys() - {row.outcome for row in table.rows}:
        raise ValueError(f"{table.wager} {table.name} prints no row {sorted(unknown)}")
    paid = [ending(row, table, counts.get(row.outcome, 0), meters) for row in table.rows]
    return [*paid, Ending(lost, Fraction(1), LOST, rounds - sum(row.rounds for row in paid))]


def ending(row: Row, table: Paytable, rounds: int, meters: Meters) -> Ending:
    """Return the ending by the first cell of a row, of one unit."""
    return Ending(row.outcome, Fraction(1), net(row.pays[0].printed, table, meters), rounds)


def merged(parts: Iterable[Ending]) -> list[Ending]:
    """Return one ending for all of the same words and amounts."""
    rounds: dict[tuple[str, Fraction, Fraction], int] = {}
    for part in parts:
        key = part.outcome, part.wagered, part.won
        rounds[key] = rounds.get(key, 0) + part.rounds
    return [Ending(*key, number) for key, number in rounds.items()]
