"""The required wager of 688a, by simulation: the dealer follows the house way filed, the player answers what he sees.

Here live the estimate with its standard error, and the tally of a simulated block. Not here: dealing (`rounds`).

A player who sees the dealer's hands can win if some setting beats both, else tie if some setting beats one (a copy
counts for the dealer, § 688a.11(f)(1)(ii)); so the best setting is the one that beats most. To surrender is to lose
what a set hand at worst loses, so it never helps (§ 688a.11(d)).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.pai_gow.exact import ACE_HIGH_ROWS, LOST_OUTCOME, counts_by_row
from games.maths.pai_gow.rounds import Counts, play
from games.maths.results import Choice, OutcomeRow, Required, Tally, WagerAnalysis
from games.maths.streams import GENERATOR
from games.rules.model import HouseWay, Paytable

ROUNDS: Final = 2_000_000
SEED: Final = 688
SETTLED: Final = ("lose", "tie", "win")  # in the order of `Counts.settled`


@cache
def required_wager(way: HouseWay) -> WagerAnalysis:
    """The wager under one house way, whose key stands for the paytable. It pays 1 to 1 (§ 688a.12(a))."""
    counts = play(SEED, 0, ROUNDS, way.key)
    lost, _, won = (Fraction(int(count), ROUNDS) for count in counts.settled)
    hold = lost - won
    deviation = sqrt(won + lost - hold**2)
    return WagerAnalysis(
        wager="pai_gow",
        paytable=way.key,
        method="estimate",
        outcomes=(
            OutcomeRow("win", None, Fraction(1), pays="1 to 1"),
            OutcomeRow("tie", None, Fraction(0), pays="Returned"),
            OutcomeRow("lose", None, Fraction(-1)),
        ),
        hold=hold,
        hit_frequency=won,
        standard_deviation=deviation,
        largest_win=Fraction(1),
        standard_error=deviation / sqrt(ROUNDS),
        required=Required(hold, hold, hold, Fraction(1)),
        strategy=(*_answers(counts), *_house_way(counts, way)),
        notes=(
            f"Estimated from {ROUNDS:,} rounds dealt from stream ({SEED}, 0) of {GENERATOR}, not counted.",
            f"The dealer follows the {way.name} house way; the player sees both of the dealer's hands, and sets his "
            "own so as to beat both if he can, else one.",
            "The wager ties against an Ace High Pai Gow (§ 688a.11(f)(2)(iii)). Surrender never helps and is not used.",
        ),
    )


def tally(counts: Counts, tables: Mapping[str, Paytable]) -> Tally:
    """Wager → outcome → rounds, for the required wager and the optional ones in `tables` (by wager)."""
    found: Tally = {"pai_gow": _named(SETTLED, counts.settled)}
    if "ace_high" in tables:
        found["ace_high"] = _named((*ACE_HIGH_ROWS, LOST_OUTCOME), counts.ace_high)
    for wager in ("fortune", "progressive"):
        if table := tables.get(wager):
            held = counts.held_wild if table.fully_wild_joker else counts.held
            by_row = counts_by_row(table, {int(bits): int(held[bits]) for bits in np.flatnonzero(held)})
            found[wager] = {
                outcome: by_row[outcome] for outcome in (*(line.outcome for line in table.rows), LOST_OUTCOME)
            }
    return found


def _named(outcomes: tuple[str, ...], counts: NDArray[np.int64]) -> dict[str, int]:
    return {outcome: int(count) for outcome, count in zip(outcomes, counts, strict=True)}


def _answers(counts: Counts) -> tuple[Choice, ...]:
    pushed = int(counts.ace_high[:-1].sum())
    lost, tied, won = (int(count) for count in counts.settled)
    return (
        Choice("Beat both hands", "a setting ranks above both hands of the dealer", Fraction(won, ROUNDS)),
        Choice("Beat one hand", "no setting beats both, but one beats one of them", Fraction(tied - pushed, ROUNDS)),
        Choice("Set as you like", "no setting beats either hand", Fraction(lost, ROUNDS)),
        Choice("Set as you like", "the dealer has an Ace High Pai Gow: the wager ties", Fraction(pushed, ROUNDS)),
    )


def _house_way(counts: Counts, way: HouseWay) -> tuple[Choice, ...]:
    lines = zip(way.rules, counts.followed, strict=True)
    return tuple(Choice(f"Dealer: {words}", when, Fraction(int(times), ROUNDS)) for (when, words), times in lines)
