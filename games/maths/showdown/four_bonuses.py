"""Optional wagers beside the best four of five cards as data: what each looks at, which row of its paytables pays.

Not here: the counts (`four_hidden`, `six_cards`, `four_rounds`), the wagers that are decided (`required`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.parameters import ParameterError
from games.maths.results import PartWon, WagerAnalysis
from games.maths.showdown import six_cards as six
from games.maths.showdown.deck import OWN
from games.maths.showdown.four_cards import four_card_order
from games.maths.showdown.four_hidden import HANDS, value_counts
from games.maths.showdown.four_rounds import FourSettled
from games.maths.showdown.order import Hand, Rows, row_of
from games.maths.showdown.paytable_rows import LOST_OUTCOME, paid_counts, paid_rows
from games.maths.wagers import LOST_NET, counted, net_of
from games.rules.model import Paytable

COLOR = FULL_DECK // 2  # cards of each
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class FourLook:
    """What a wager looks at: each that there can be, as parameters name it; how many there are of each, of all
    `cycle` and of the rounds dealt."""

    hands: Callable[[], tuple[Hand, ...]]
    exact: Callable[[], Ints]
    dealt: Callable[[FourSettled], Ints]
    cycle: int


@cache
def _best_four() -> tuple[Hand, ...]:
    order = four_card_order()
    return tuple(order.hand(strength) for strength in order.strengths.values())


def _red_counts() -> Ints:
    return np.array([comb(COLOR, red) * comb(COLOR, OWN - red) for red in range(OWN + 1)])


BEST_FOUR = FourLook(_best_four, value_counts, lambda settled: settled.values, HANDS)
"""The best four of the player's cards, as `order.Hand`."""
REDS = FourLook(
    lambda: tuple((red,) for red in range(OWN + 1)), _red_counts, lambda settled: settled.reds, HANDS
)  # fmt: skip
"""`(how many,)` of the player's five are red."""
ALL_SIX = FourLook(
    lambda: tuple((name,) for name in six.NAMES), six.six_card_counts, lambda settled: settled.sixes, six.HANDS
)  # fmt: skip
"""`(class,)` of the player's five with the card that all share, as in `six_cards`."""


@dataclass(frozen=True, slots=True, eq=False)
class FourBonus:
    """An optional wager, and the row of its paytables that pays each hand."""

    look: FourLook
    rows: Rows
    lost: str  # the section that collects it
    instead: Mapping[str, str] = field(default_factory=dict)  # a row that not every paytable has → the row that pays
    notes: tuple[str, ...] = ()

    def check(self, key: str, shared: bool) -> None:
        """`ParameterError` for what no game has; `shared`: whether it has a sixth card."""
        if self.look is ALL_SIX and not shared:
            raise ParameterError(key, "looks at a sixth card, but the players share no card")
        known = {hand[:length] for hand in self.look.hands() for length in range(len(hand) + 1)}
        if wrong := [hand for hand in self.rows if hand not in known]:
            raise ParameterError(f"{key}.rows", f"there is no {wrong[0]}")

    def analyze(self, table: Paytable) -> WagerAnalysis:
        """The exact figures."""
        rows = paid_rows(table, self._counts(table, self.look.exact()), self.look.cycle, self.lost)
        return counted(table.wager, table.name, rows, self.look.cycle, notes=self.notes)

    def tally(self, table: Paytable, settled: FourSettled) -> dict[str, int]:
        """Outcome → rounds."""
        return self._counts(table, self.look.dealt(settled))

    def outcome(self, table: Paytable, number: int) -> str:
        """What the hand with this number wins by."""
        name = row_of(self.rows, self.look.hands()[number])
        printed = {line.outcome for line in table.rows}
        return name if name in printed else self.instead.get(name, LOST_OUTCOME)

    def _counts(self, table: Paytable, counts: Ints) -> dict[str, int]:
        rows = (row_of(self.rows, hand) for hand in self.look.hands())
        return paid_counts(table, rows, counts, int(counts.sum()), self.instead)


def part_won(table: Paytable, stake: Fraction, outcome: str) -> PartWon:
    """What the wager wins by this outcome of its paytable."""
    pay = next((line.pays[0] for line in table.rows if line.outcome == outcome), None)
    if pay is None:
        return PartWon(table.wager, stake, LOST_NET, LOST_OUTCOME.lower())
    return PartWon(table.wager, stake, net_of(pay, table), pay.printed)
