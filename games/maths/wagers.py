"""From counted outcomes to everything that is reported of a wager: hold, deviation, denominators, progressive.

Not here: counting (the family modules), simulated figures (`statistics`).
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from typing import Any

from games.maths.results import OutcomeRow, Progressive, Required, WagerAnalysis
from games.rules.model import Pay, Paytable

LOST_NET = Fraction(-1)


def net_of(pay: Pay, table: Paytable, meter: Decimal | None = None) -> Fraction:
    """What one unit of the wager wins by this cell; a share of the meter as of `meter` dollars (default: the reset).

    An amount of money or a share of the meter includes the wager, unless the table returns it also.
    """
    if pay.push:
        return Fraction(0)
    if pay.odds is not None and pay.amount is None and pay.meter is None:
        return pay.odds if pay.per == "to" else pay.odds - 1
    dollars = Fraction(pay.amount or 0) + (pay.meter or 0) * Fraction(meter if meter is not None else table.seed or 0)
    return dollars / Fraction(table.wager_amount or 1) - (0 if table.wager_returned else 1)


def row(
    outcome: str,
    count: int,
    cycle: int,
    net: Fraction | int,
    wagered: Fraction | int = 1,
    pays: str = "",
    section: str = "",
) -> OutcomeRow:
    """An outcome that `count` of `cycle` equally likely deals end in, settled by the subsection."""
    return OutcomeRow(outcome, Fraction(count, cycle), Fraction(net), Fraction(wagered), count, pays, section)


def counted(wager: str, paytable: str, rows: Sequence[OutcomeRow], cycle: int, **known: Any) -> WagerAnalysis:
    """The exact analysis of a wager whose outcomes are counted; `ValueError` where they do not add up to the cycle."""
    total = sum(row.count or 0 for row in rows)
    if total != cycle:
        raise ValueError(f"the outcomes of {wager} {paytable} count {total}, the cycle is {cycle}")
    mean = _mean(rows, lambda row: row.net)
    return WagerAnalysis(
        wager=wager,
        paytable=paytable,
        method="exact",
        outcomes=tuple(rows),
        hold=-mean / _mean(rows, lambda row: row.wagered),
        hit_frequency=sum((row.probability or Fraction(0) for row in rows if row.net > 0), Fraction(0)),
        standard_deviation=sqrt(_mean(rows, lambda row: row.net**2) - mean**2),
        largest_win=max(row.net for row in rows if row.count),
        cycle=cycle,
        **known,
    )


def required(rows: Sequence[OutcomeRow], initial: int) -> Required:
    """The three denominators; `initial` = units that must be wagered before the deal."""
    loss = -_mean(rows, lambda row: row.net)
    wagered = _mean(rows, lambda row: row.wagered)
    return Required(loss, loss / initial, loss / wagered, wagered)


def progressive(table: Paytable, chances: Iterable[tuple[Pay, Fraction]]) -> Progressive:
    """A progressive as a function of its meter, from the chance of each cell of its paytable."""
    fixed = coefficient = top = Fraction(0)
    for pay, chance in chances:
        fixed += chance * (net_of(pay, table, Decimal(0)) + 1)
        coefficient += chance * (pay.meter or 0) / Fraction(table.wager_amount or 1)
        top += chance if pay.meter == 1 else 0
    reset = Fraction(table.seed or 0)
    without_rate = fixed + reset * top / Fraction(table.wager_amount or 1)
    long_run = None if table.rate is None else without_rate + table.rate
    return Progressive(
        fixed_return=fixed,
        meter_coefficient=coefficient,
        reset=reset,
        rate=table.rate,
        return_at_reset=fixed + coefficient * reset,
        return_without_rate=without_rate,
        long_run_return=long_run,
        break_even_meter=(1 - fixed) / coefficient if coefficient else None,
    )


def _mean(rows: Iterable[OutcomeRow], value: Any) -> Fraction:
    return sum(((row.probability or Fraction(0)) * value(row) for row in rows), Fraction(0))
