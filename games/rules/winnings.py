"""What one patron could win in a round at the minimum wagers, for the bounds of a payout limit.

The largest payouts of the covered wagers are added up. They need not fall in the same round, so the sum is an upper
bound. Shares of a progressive meter and Envy Bonuses are not counted. Not here: the bound itself (`checks`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

from games.rules.model import Answers, Chapter, Pay, Paytable, Requirement, Wager

EVEN = Pay(odds=Fraction(1), per="to", printed="1 to 1")  # of a wager that has no paytable


@dataclass(frozen=True, slots=True)
class Win:
    """The largest payout of one covered wager."""

    wager: str
    stake: Decimal
    pay: Pay

    @property
    def amount(self) -> Fraction:
        return won(self.pay, Fraction(self.stake))

    def __str__(self) -> str:
        return f"{self.wager} of ${self.stake:,} at {self.pay.printed}"


def largest_wins(chapter: Chapter, requirement: Requirement, answers: Answers) -> tuple[Win, ...] | None:
    """The wins of the covered wagers that are offered; None where a minimum or a paytable is not answered."""
    table_minimum = requirement.options[1]
    wins = []
    for key in requirement.covers:
        wager = chapter.wager(key)
        if not _offered(chapter, wager, answers):
            continue
        tables, minimum = _tables(chapter, wager, answers), answers.get(wager.minimum or table_minimum)
        if tables is None or (minimum is None and not any(table.wager_amount for table in tables)):
            return None
        wins.append(_largest(wager, tables, Decimal(str(minimum or 0)), requirement.leaves_out))
    return tuple(wins)


def total(wins: Iterable[Win]) -> Decimal:
    """All of them together, in dollars and cents, rounded up."""
    amount = sum((win.amount for win in wins), Fraction(0))
    exact = Decimal(amount.numerator) / Decimal(amount.denominator)
    return exact.quantize(Decimal("0.01"), rounding=ROUND_CEILING)


def won(pay: Pay, stake: Fraction) -> Fraction:
    """What the cell wins besides the stake: `for` includes it, a dollar amount does not depend on it."""
    if pay.odds is not None:
        return stake * (pay.odds - 1 if pay.per == "for" else pay.odds)
    return Fraction(pay.amount or 0)


def _offered(chapter: Chapter, wager: Wager, answers: Answers) -> bool:
    whole = chapter.wager(wager.part_of) if wager.part_of else wager
    return all(one.required or answers.get(one.offered_by) is True for one in (wager, whole))


def _tables(chapter: Chapter, wager: Wager, answers: Answers) -> tuple[Paytable, ...] | None:
    """The paytable in use, if there is any; None where it is still to be chosen.

    A part of a wager that has no paytable of its own is paid by that of the whole (683a's Raise by the Ante's).
    """
    if wager.part_of and not chapter.tables_of(wager.key):
        return _tables(chapter, chapter.wager(wager.part_of), answers)
    if not wager.paytable_option or not chapter.tables_of(wager.key):
        return chapter.tables_of(wager.key)
    chosen = answers.get(wager.paytable_option)
    return tuple(table for table in chapter.tables_of(wager.key) if table.name == chosen) or None


def _largest(wager: Wager, tables: tuple[Paytable, ...], minimum: Decimal, left_out: tuple[str, ...]) -> Win:
    stake = next((table.wager_amount for table in tables if table.wager_amount), minimum)
    cells = [pay for table in tables for row in table.rows if row.outcome not in left_out for pay in row.pays]
    return Win(wager.name, stake, max(cells or [EVEN], key=lambda pay: won(pay, Fraction(stake))))
