"""A wager on the first five cards, counted in closed form.

An ace-king is one of any suits, without a pair; a straight flush and a royal flush are same-colored straights.
"""

from fractions import Fraction
from math import comb
from typing import Final

from games.maths.exchange.rules import FirstFive
from games.maths.results import WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, row
from games.rules.model import Paytable

HANDS: Final = comb(52, 5)
ROWS: Final = (
    "Four-of-a-kind", "Same-colored straight", "Full house", "Flush", "Straight", "Three-of-a-kind", "Ace-king",
    "Same colored five",
)  # fmt: skip
FOUR, SAME_COLORED_STRAIGHT, FULL_HOUSE, FLUSH, STRAIGHT, THREE, ACE_KING, SAME_COLORED_FIVE, LOST = range(9)
LOST_OUTCOME: Final = "Lost"

_STRAIGHTS: Final = 10  # sets of ranks
_ACE_KINGS: Final = comb(11, 3) - 1  # with three other ranks that make no straight
_ONE_SUIT, _ONE_COLOR, _ANY = 4, 2 * 2**5, 4**5  # suits of five different ranks
_SUITED_ACE_KING: Final = 4 * 4**3  # of them those in which ace and king share a suit
_SUITED_ONE_COLOR: Final = 2 * 2 * 2**3  # and all five a color


def counts(suited: bool = False) -> tuple[int, ...]:
    """How many of `HANDS` each row pays, the lost last; `suited` = only ace-kings of one suit count as such."""
    ace_king = _ACE_KINGS * ((_SUITED_ACE_KING if suited else _ANY) - _ONE_SUIT)
    colored_ace_king = _ACE_KINGS * ((_SUITED_ONE_COLOR if suited else _ONE_COLOR) - _ONE_SUIT)
    flush = (comb(13, 5) - _STRAIGHTS) * _ONE_SUIT
    colored_straight = _STRAIGHTS * _ONE_COLOR  # straight and royal flushes too
    paid = (
        13 * 48,
        colored_straight,
        13 * comb(4, 3) * 12 * comb(4, 2),
        flush,
        _STRAIGHTS * _ANY - colored_straight,
        13 * comb(4, 3) * comb(12, 2) * 4**2,
        ace_king,
        2 * comb(26, 5) - flush - colored_straight - colored_ace_king,
    )
    return *paid, HANDS - sum(paid)


def first_five_wager(table: Paytable, wager: FirstFive) -> WagerAnalysis:
    """Exact; `ValueError` where the paytable has other rows than `ROWS`, in this order."""
    if tuple(line.outcome for line in table.rows) != ROWS:
        raise ValueError(f"{table.wager} {table.name} pays other hands than {', '.join(ROWS)}")
    nets = [net_of(line.pays[0], table) for line in table.rows]
    rows = [
        row(line.outcome, count, HANDS, net, pays=line.pays[0].printed)
        for line, net, count in zip(table.rows, nets, counts(), strict=False)
    ]
    rows.append(row(LOST_OUTCOME, counts()[LOST], HANDS, LOST_NET, section=wager.lost))
    suited = -sum((net * count for net, count in zip([*nets, LOST_NET], counts(suited=True), strict=True)), Fraction(0))
    note = (
        f"Computed as printed, with an ace-king of any suits. If only ace-kings of one suit were paid, the hold would "
        f"be {float(100 * suited / HANDS):.6f} % (reading {wager.reading})."
    )
    return counted(table.wager, table.name, rows, HANDS, notes=(note,))
