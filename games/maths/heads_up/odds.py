"""What the Odds Wager pays by class of hand: with a winning hand, and with a losing one.

Not here: how a round ends (`endings`).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from games.maths.heads_up.best_play import MOST_UNITS, Pays
from games.maths.heads_up.rules import Rules
from games.maths.heads_up.seven_cards import lowest_strength
from games.maths.wagers import LOST_NET, net_of
from games.rules.model import Paytable

PRINTED = (
    "High card", "Pair", "Two pair", "Three-of-a-kind", "Straight", "Flush", "Full house", "Four-of-a-kind",
    "Straight flush", "Royal flush",
)  # fmt: skip
"""The classes of `hands.STANDARD` as paytables print them."""
IN_WORDS = (
    "a high card", "a pair", "two pairs", "three-of-a-kind", "a straight", "a flush", "a full house", "four-of-a-kind",
    "a straight flush", "a royal flush",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OddsTables:
    """The rules, with the two paytables of the Odds Wager: for a winning hand, and for a losing one."""

    rules: Rules
    won: Paytable
    lost: Paytable

    def win(self, rank: int) -> Fraction:
        """Without a row it is returned."""
        return self._net(self.won, rank, Fraction(0))

    def loss(self, rank: int) -> Fraction:
        """Without a row it is lost."""
        return self._net(self.lost, rank, LOST_NET)

    def least_paid(self) -> int:
        """The lowest class with which a winning hand wins the Odds Wager."""
        return next((rank for rank in range(len(PRINTED)) if self.win(rank)), len(PRINTED) - 1)

    def pays(self) -> Pays:
        """As the enumeration needs them: whole parts of an Ante. `ValueError` for odds of too fine parts."""
        won, lost = ([net(rank) for rank in range(len(PRINTED))] for net in (self.win, self.loss))
        unit = lcm(*(net.denominator for net in won + lost))
        if unit > MOST_UNITS:
            raise ValueError(f"the odds are in parts of 1/{unit}; the enumeration has room for 1/{MOST_UNITS}")
        return Pays(
            unit,
            tuple(int(net * unit) for net in won),
            tuple(int(net * unit) for net in lost),
            self.rules.raises,
            lowest_strength(self.rules.qualifier),
        )

    def _net(self, table: Paytable, rank: int, otherwise: Fraction) -> Fraction:
        return next((net_of(line.pays[0], table) for line in table.rows if line.outcome == PRINTED[rank]), otherwise)
