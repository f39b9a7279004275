"""The ways in which a round ends for Ante, Bet and Options fees: numbers, names and subsections.

`ends[way, combination, second combination]` counts rounds. Not here: how often each occurs (`no_draw`, `drawn`,
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
from games.maths.exchange.rules import (
    BEATEN,
    FOLDED,
    FOLDED_AFTER_DRAW,
    FORCED,
    FORCED_BEATEN,
    FORCED_NOT_QUALIFIED,
    FORCED_TIED,
    FORCED_WON,
    INSTANT,
    NOT_QUALIFIED,
    SETTLED,
    TIED,
    WON,
    Sections,
)
from games.maths.exchange.terms import Terms

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


_NAMES: Final = {
    NOT_QUALIFIED: "Dealer does not qualify",
    TIED: "Tie",
    BEATEN: "Beaten by the dealer",
    WON: "Wins",
    FORCED_NOT_QUALIFIED: "Dealer forced, does not qualify",
    FORCED_TIED: "Dealer forced, tie",
    FORCED_BEATEN: "Dealer forced, beaten by the dealer",
    FORCED_WON: "Dealer forced, wins",
}
_WITHOUT_A_DRAW: Final = {
    PAIR: (NOTHING, ACE_KING),
    TWO_PAIR: (NOTHING, ACE_KING),
    THREE: (NOTHING, ACE_KING),
    FULL_HOUSE: (NOTHING,),
    FOUR: (NOTHING, ACE_KING),
}
"""What the strategy bets at once: combination → the second ones that five cards can have beside it."""


def all_ends(terms: Terms, instant: dict[int, Fraction], sections: Sections) -> tuple[End, ...]:
    """Every outcome, where combinations pay `instant` to 1 on the Ante in the first five cards."""
    unit, draw_fee = Fraction(1), terms.stakes.draw_fee
    ends = [
        End(
            f"{COMBINATIONS[first]} in the first five cards",
            INSTANT,
            instant[first],
            unit,
            sections.instant_payout,
            f"{int(instant[first]):,} to 1",
            ((first, 0),),
        )
        for first in (ROYAL_FLUSH, STRAIGHT_FLUSH)
    ]
    ways = (*SETTLED, *(FORCED if terms.stakes.force_fee is not None else ()))
    for drawn in (0, 1):
        for way in ways:
            if way in (WON, FORCED_WON):
                ends += _wins(terms, way, drawn, sections)
        for way in ways:
            if way not in (WON, FORCED_WON) and (way != FORCED_TIED or drawn or _may_tie_forced(terms)):
                ends.append(_flat(terms, way, drawn, sections))
    ends.append(End("Folded", FOLDED, -unit, unit, sections.folded))
    lost = Fraction(1 + draw_fee)
    return *ends, End("Folded after a draw", FOLDED_AFTER_DRAW, -lost, lost, sections.folded_after_draw)


def _may_tie_forced(terms: Terms) -> bool:
    """Whether a hand bet at once may force the dealer and meet its like: not with three cards or more of a kind."""
    return any(
        terms.odds[first] + terms.odds[second] >= terms.stakes.least_forcing
        for first in (PAIR, TWO_PAIR)
        for second in _WITHOUT_A_DRAW[first]
    )


def _fees(terms: Terms, way: int, drawn: int) -> int:
    """In Antes."""
    return drawn * terms.stakes.draw_fee + (terms.stakes.force_fee or 0 if way in FORCED else 0)


def _flat(terms: Terms, way: int, drawn: int, sections: Sections) -> End:
    """An end that pays every hand the same."""
    fees, bet = _fees(terms, way, drawn), terms.stakes.bet
    net = {NOT_QUALIFIED: 1, BEATEN: -1 - bet, FORCED_BEATEN: -1 - bet}.get(way, 0)
    name = _named(_NAMES[way], drawn)
    return End(name, way + AFTER_DRAW * drawn, Fraction(net - fees), Fraction(1 + bet + fees), sections.ends[way])


def _wins(terms: Terms, way: int, drawn: int, sections: Sections) -> Iterator[End]:
    """One end for each sum of odds, the highest first."""
    in_all: dict[int, list[tuple[int, int]]] = {}
    for first, seconds in (SECONDS if drawn else _WITHOUT_A_DRAW).items():
        for second in seconds:
            in_all.setdefault(terms.odds[first] + terms.odds[second], []).append((first, second))
    fees, bet = _fees(terms, way, drawn), terms.stakes.bet
    for total in sorted(in_all, reverse=True):
        if way == WON or total >= terms.stakes.least_forcing:
            pairs = tuple(in_all[total])
            yield End(
                _named(f"{_NAMES[way]} {total} to 1", drawn),
                way + AFTER_DRAW * drawn,
                Fraction(bet * total - fees),
                Fraction(1 + bet + fees),
                sections.ends[way],
                "; ".join(_combined(first, second) for first, second in pairs),
                pairs,
            )


def _combined(first: int, second: int) -> str:
    return COMBINATIONS[first] + (f" and {COMBINATIONS[second].lower()}" if second else "")


def _named(name: str, drawn: int) -> str:
    return f"{name}, after a draw" if drawn else name
