"""The ways in which a round of Lunar Poker ends for Ante, Bet and Options fees: numbers, names and subsections.

`ends[way, combination, second combination]` counts rounds. Not here: how often each occurs (`no_draw`, `estimate`,
`rounds`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.exchange.combinations import (
    ACE_KING,
    COMBINATIONS,
    FOUR,
    FULL_HOUSE,
    NOTHING,
    PAIR,
    ROYAL_FLUSH,
    SECONDS,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
)  # fmt: skip
from games.maths.exchange.strategy import LEAST_FORCING

FOLDED, INSTANT, FOLDED_AFTER_DRAW = range(3)
NOT_QUALIFIED, TIED, BEATEN, WON, FORCED_NOT_QUALIFIED, FORCED_TIED, FORCED_BEATEN, FORCED_WON = range(3, 11)
AFTER_DRAW: Final = 8  # added to the eight for a round with a draw
WAYS: Final = FORCED_WON + AFTER_DRAW + 1
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class End:
    """One outcome: a way, for winning ones with the odds of both combinations in all; nets in Antes."""

    outcome: str
    way: int
    net: Fraction
    wagered: Fraction  # with the Options fees
    section: str
    pays: str = ""
    combinations: tuple[tuple[int, int], ...] = ()  # (combination, second), for winning ends; none = any combination

    def count(self, ends: Ints) -> int:
        if not self.combinations:
            return int(ends[self.way].sum())
        return sum(int(ends[self.way, first, second]) for first, second in self.combinations)


_SECTIONS: Final = {
    NOT_QUALIFIED: ("Dealer does not qualify", 1, "§ 589.11(e)(2)(i)"),
    TIED: ("Tie", 0, "§ 589.11(e)(1)(iii)"),
    BEATEN: ("Beaten by the dealer", -3, "§ 589.11(e)(1)(i)"),
    FORCED_NOT_QUALIFIED: ("Dealer forced, does not qualify", 0, "§ 589.11(e)(2)(ii)(A)"),
    FORCED_TIED: ("Dealer forced, tie", 0, "§ 589.11(e)(2)(ii)(B)(III)"),
    FORCED_BEATEN: ("Dealer forced, beaten by the dealer", -3, "§ 589.11(e)(2)(ii)(B)(I)"),
}
"""Way → its name, what Ante and Bet win, the subsection; the fees are deducted also."""
_WINS: Final = {
    WON: ("Wins", "§ 589.11(e)(1)(ii)"),
    FORCED_WON: ("Dealer forced, wins", "§ 589.11(e)(2)(ii)(B)(II)"),
}
_WITHOUT_A_DRAW: Final = {
    PAIR: (NOTHING, ACE_KING),
    TWO_PAIR: (NOTHING, ACE_KING),
    THREE: (NOTHING, ACE_KING),
    FULL_HOUSE: (NOTHING,),
    FOUR: (NOTHING, ACE_KING),
}
"""What the strategy bets at once: combination → the second ones that five cards can have beside it."""


def all_ends(odds: tuple[int, ...], instant: dict[int, Fraction]) -> tuple[End, ...]:
    """Every outcome, where combinations pay `odds` to 1 on the Bet and `instant` to 1 on the Ante."""
    unit = Fraction(1)
    ends = [
        End(
            f"{COMBINATIONS[first]} in the first five cards",
            INSTANT,
            instant[first],
            unit,
            "§ 589.11(c)(1)(i)",
            f"{int(instant[first]):,} to 1",
            ((first, 0),),
        )
        for first in (ROYAL_FLUSH, STRAIGHT_FLUSH)
    ]
    for drawn in (0, 1):
        for way in (WON, FORCED_WON):
            ends += _wins(odds, way, drawn)
        for way, (name, net, section) in _SECTIONS.items():
            if way == FORCED_TIED and not drawn:  # of three or more of a kind: no forced hand is like it
                continue
            fees = drawn + (way >= FORCED_NOT_QUALIFIED)
            after = way + AFTER_DRAW * drawn
            ends.append(End(_named(name, drawn), after, Fraction(net - fees), Fraction(3 + fees), section))
    ends.append(End("Folded", FOLDED, -unit, unit, "§ 589.11(d)(1)"))
    return *ends, End("Folded after a draw", FOLDED_AFTER_DRAW, -2 * unit, 2 * unit, "§ 589.11(d)(2)(iv)")


def _wins(odds: tuple[int, ...], way: int, drawn: int) -> Iterator[End]:
    """One end for each sum of odds, the highest first."""
    name, section = _WINS[way]
    in_all: dict[int, list[tuple[int, int]]] = {}
    for first, seconds in (SECONDS if drawn else _WITHOUT_A_DRAW).items():
        for second in seconds:
            in_all.setdefault(odds[first] + odds[second], []).append((first, second))
    fees = drawn + (way == FORCED_WON)
    for total in sorted(in_all, reverse=True):
        if way == WON or total >= LEAST_FORCING:
            pairs = tuple(in_all[total])
            yield End(
                _named(f"{name} {total} to 1", drawn),
                way + AFTER_DRAW * drawn,
                Fraction(2 * total - fees),
                Fraction(3 + fees),
                section,
                "; ".join(_combined(first, second) for first, second in pairs),
                pairs,
            )


def _combined(first: int, second: int) -> str:
    return COMBINATIONS[first] + (f" and {COMBINATIONS[second].lower()}" if second else "")


def _named(name: str, drawn: int) -> str:
    return f"{name}, after a draw" if drawn else name
