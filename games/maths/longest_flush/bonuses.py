"""The optional wagers on the player's own seven cards: by the longest flush, or by the longest straight flush.

How often each row of a paytable occurs, exactly or among rounds dealt. Not here: a progressive's terms (`play.py`).
"""

from collections.abc import Sequence
from math import comb

from games.maths.longest_flush.holdings import count_flushes, count_straight_flushes
from games.maths.results import OutcomeRow
from games.maths.wagers import LOST_NET, net_of, row
from games.rules.model import Paytable

HANDS = comb(52, 7)
FLUSH_BONUS = "flush_bonus"
LOST_OUTCOME = "Lost"
LOST_BY = {FLUSH_BONUS: "§ 678a.11(e)(1)(i)", "straight_flush_bonus": "§ 678a.11(e)(2)(i)"}
SIZES = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven")


def outcomes_of(wager: str) -> tuple[str, ...]:
    """The row for each size or length, whether a paytable has it or not: § 678a.6(b), (d)."""
    return tuple(f"{size}-card {'flush' if wager == FLUSH_BONUS else 'straight flush'}" for size in SIZES)


def bonus_counts(table: Paytable, numbers: Sequence[int]) -> dict[str, int]:
    """Outcome → count, from counts by the size of the longest flush, or by the length of the straight flush."""
    by_outcome = dict(zip(outcomes_of(table.wager), numbers, strict=True))
    counts = {line.outcome: by_outcome[line.outcome] for line in table.rows}
    return counts | {LOST_OUTCOME: sum(numbers) - sum(counts.values())}


def bonus_rows(table: Paytable) -> list[OutcomeRow]:
    """Every row of the paytable, of `HANDS`, and the hands without one."""
    counts = bonus_counts(table, count_flushes() if table.wager == FLUSH_BONUS else count_straight_flushes())
    rows = [
        row(line.outcome, counts[line.outcome], HANDS, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in table.rows
    ]
    return [*rows, row(LOST_OUTCOME, counts[LOST_OUTCOME], HANDS, LOST_NET, section=LOST_BY.get(table.wager, ""))]
