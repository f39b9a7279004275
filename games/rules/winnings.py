"""What one patron could win in a round at the minimum wagers, for the bounds of a payout limit.

`largest_wins` are the largest payouts of the covered wagers. They need not fall in the same round, so their sum is an
upper bound, known at once; `largest_round` is the deal that wins most, by the chapter's mathematics. Shares of a
progressive meter and Envy Bonuses are not counted. Not here: the bound itself (`checks`).
"""

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
    whole: str  # key of the wager that it is a part of, or its own
    stake: Decimal
    pay: Pay

    @property
    def amount(self) -> Fraction:
        return net_win(self.pay, Fraction(self.stake))

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


def largest_round(
    chapter: Chapter, requirement: Requirement, answers: Answers, wins: Iterable[Win]
) -> tuple[Decimal, str]:
    """What the deal that wins most wins by the covered wagers, whose `wins` are known, and the deal in words.

    `ValueError` where a part of a wager has a minimum of its own, which no chapter has, and for a chapter whose play
    has no `largest_round`, which the registry refuses.
    """
    if chapter.largest_round is None:
        raise ValueError(f"the play of chapter {chapter.number} has no `largest_round`")
    stakes: dict[str, Fraction] = {}
    for win in wins:
        if stakes.setdefault(win.whole, Fraction(win.stake)) != win.stake:
            raise ValueError(f"{win.wager} has another minimum than the wager that it is a part of")
    most = chapter.largest_round(chapter, answers, stakes, requirement.leaves_out)
    return _in_cents(most.amount), str(most)


def _in_cents(amount: Fraction) -> Decimal:
    """Dollars and cents, rounded up."""
    exact = Decimal(amount.numerator) / Decimal(amount.denominator)
    return exact.quantize(Decimal("0.01"), rounding=ROUND_CEILING)


def total(wins: Iterable[Win]) -> Decimal:
    """All of them together, in dollars and cents, rounded up."""
    return _in_cents(sum((win.amount for win in wins), Fraction(0)))


def net_win(pay: Pay, stake: Fraction) -> Fraction:
    """What the cell wins in addition to the stake: `for` includes it, a dollar amount does not depend on it."""
    if pay.odds is not None:
        return stake * (pay.odds - 1 if pay.per == "for" else pay.odds)
    return Fraction(pay.amount or 0)


def _offered(chapter: Chapter, wager: Wager, answers: Answers) -> bool:
    whole = chapter.wager(wager.part_of) if wager.part_of else wager
    return all(candidate.required or answers.get(candidate.offered_by) is True for candidate in (wager, whole))


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
    most = max(cells or [EVEN], key=lambda pay: net_win(pay, Fraction(stake)))
    return Win(wager.name, wager.part_of or wager.key, stake, most)
