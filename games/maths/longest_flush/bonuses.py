"""The optional wagers on the player's own seven cards: by the longest flush, or by the longest straight flush.

How often each row of a paytable occurs, exactly or among rounds dealt; a progressive by its terms.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import comb

from games.maths.longest_flush.holdings import count_hands
from games.maths.longest_flush.rules import BonusWager, Meter
from games.maths.results import OutcomeRow, WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, progressive, row
from games.rules.model import Answers, Paytable

HANDS = comb(52, 7)
LOST_OUTCOME = "Lost"
SIZES = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven")
NO_RATE = "No rate of progression is answered: the hold is that of a meter at its reset amount ({})."


def bonus_wager(table: Paytable, bonus: BonusWager, answers: Answers) -> WagerAnalysis:
    """Exact, over every seven cards; a progressive by the terms that the answers state."""
    if bonus.meter is None:
        return counted(table.wager, table.name, _rows(table, bonus), HANDS)
    table = _on_terms(table, bonus.meter, answers)
    rows = _rows(table, bonus)
    chances = {row.outcome: row.probability or Fraction(0) for row in rows}
    terms = f"At a bet of ${table.wager_amount:,} and a reset amount of ${table.seed:,}."
    return counted(
        table.wager,
        table.name,
        rows,
        HANDS,
        progressive=progressive(table, ((line.pays[0], chances[line.outcome]) for line in table.rows)),
        notes=(terms,) if table.rate is not None else (terms, NO_RATE.format(bonus.meter.section)),
    )


def outcomes_of(bonus: BonusWager) -> tuple[str, ...]:
    """The row for each size or length, whether a paytable has it or not."""
    return tuple(f"{size}-card {bonus.by}" for size in SIZES)


def bonus_counts(table: Paytable, bonus: BonusWager, numbers: Sequence[int]) -> dict[str, int]:
    """Outcome → count, from counts by the size of the longest flush, or by the length of the straight flush.

    `ValueError` for a paytable with another row.
    """
    by_outcome = dict(zip(outcomes_of(bonus), numbers, strict=True))
    if unknown := [line.outcome for line in table.rows if line.outcome not in by_outcome]:
        raise ValueError(f"{table.wager} {table.name} pays {unknown[0]!r}; allowed are {', '.join(by_outcome)}")
    counts = {line.outcome: by_outcome[line.outcome] for line in table.rows}
    return counts | {LOST_OUTCOME: sum(numbers) - sum(counts.values())}


def _rows(table: Paytable, bonus: BonusWager) -> list[OutcomeRow]:
    """Every row of the paytable, of `HANDS`, and the hands without one."""
    counts = bonus_counts(table, bonus, count_hands(bonus.by))
    rows = [
        row(line.outcome, counts[line.outcome], HANDS, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in table.rows
    ]
    return [*rows, row(LOST_OUTCOME, counts[LOST_OUTCOME], HANDS, LOST_NET, section=bonus.lost)]


def _on_terms(table: Paytable, meter: Meter, answers: Answers) -> Paytable:
    """With the bet, the reset amount and the rate of progression that the Rules Submission states."""
    bet, reset, rate = (answers.get(key) for key in ("progressive_bet", "progressive_reset", "progressive_rate"))
    return replace(
        table,
        wager_amount=meter.bet if bet is None else Decimal(str(bet)),
        seed=meter.reset if reset is None else Decimal(str(reset)),
        rate=None if rate is None else Fraction(str(rate)) / 100,
    )
