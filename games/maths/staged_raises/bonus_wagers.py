"""Optional wagers from counts of hands to outcome rows: what all games of this family settle alike.

Not here: the counts (`bonuses`, the `rounds`).
"""

from collections.abc import Mapping

from games.maths import hands
from games.maths.results import OutcomeRow
from games.maths.wagers import LOST_NET, net_of, row
from games.rules.model import Paytable

LOST_OUTCOME = "Lost"
CLASS_OF = {
    "Royal flush": hands.ROYAL_FLUSH,
    "Straight flush": hands.STRAIGHT_FLUSH,
    "Four-of-a-kind": hands.FOUR,
    "Full house": hands.FULL_HOUSE,
    "Flush": hands.FLUSH,
    "Straight": hands.STRAIGHT,
    "Three-of-a-kind": hands.THREE,
    "Two pair": hands.TWO_PAIRS,
}
"""Row of a paytable → class of the hand."""


def with_lost(paid: Mapping[str, int], total: int) -> dict[str, int]:
    """All that no row pays is lost."""
    return {**paid, LOST_OUTCOME: total - sum(paid.values())}


def rows_of(table: Paytable, paid: Mapping[str, int], cycle: int) -> list[OutcomeRow]:
    """The outcome rows in printed order, from outcome → count."""
    rows = [
        row(line.outcome, paid[line.outcome], cycle, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in table.rows
    ]
    return [*rows, row(LOST_OUTCOME, with_lost(paid, cycle)[LOST_OUTCOME], cycle, LOST_NET)]
