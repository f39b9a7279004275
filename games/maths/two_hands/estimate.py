"""The required wager of 688a: what the estimate round the table (`around`) comes to; the tally of a simulated block.

Not here: dealing (`around`, `rounds`).

A player who sees the dealer's hands can win if some setting beats both, else tie if some setting beats one (a copy
counts for the dealer, § 688a.11(f)(1)(ii)); so the best setting is the one that beats most. To surrender is to lose
what a set hand at worst loses, so it never helps (§ 688a.11(d)).
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.results import Choice, OutcomeRow, Required, SimplifiedPlay, StrategyTable, Tally, WagerAnalysis
from games.maths.streams import GENERATOR
from games.maths.two_hands import ace_high, around
from games.maths.two_hands.around import ANSWERS, DEALS, HIGHEST_HIGH, HIGHEST_LOW, HOUSE_WAY, SEED, Estimate
from games.maths.two_hands.exact import ACE_HIGH_ROWS, LOST_OUTCOME, counts_by_row
from games.maths.two_hands.rounds import Counts
from games.maths.two_hands.seven_forms import SEVEN
from games.rules.model import HouseWay, Paytable

ROUNDS: Final = DEALS * around.ROUNDS
ENDS: Final = {
    "Neither hand wins": (-1, "§ 688a.11(f)(1)"),
    "One hand wins": (0, "§ 688a.11(f)(2)(i), (ii)"),
    "Both hands win": (1, "§ 688a.11(f)(3)"),
    "The dealer has an Ace High Pai Gow": (0, "§ 688a.11(f)(2)(iii)"),
}
"""Outcome → net and subsection, in the order of `rounds.LOSES` …"""
PLAIN: Final = {
    HOUSE_WAY: ("Sets by the house way", "As the dealer would set the same cards, whatever the dealer shows."),
    HIGHEST_HIGH: ("Keeps the highest high hand", "The setting with the highest high hand, whatever the dealer shows."),
    HIGHEST_LOW: ("Plays the highest low hand", "The setting with the highest low hand, whatever the dealer shows."),
}


@cache
def required_wager(way: HouseWay) -> WagerAnalysis:
    """The wager under one house way, whose key takes the place of the paytable. It pays 1 to 1 (§ 688a.12(a))."""
    estimate = around.estimate(way.key)
    known = _required(estimate, ANSWERS)
    lost, _, won, _ = (Fraction(int(count), ROUNDS) for count in estimate.ends[ANSWERS])
    return WagerAnalysis(
        wager="pai_gow",
        paytable=way.key,
        method="estimate",
        outcomes=tuple(
            OutcomeRow(outcome, None, Fraction(net), pays="1 to 1" if net == 1 else "", section=section)
            for outcome, (net, section) in ENDS.items()
        ),
        hold=known.loss_per_total_wagered,
        hit_frequency=won,
        standard_deviation=sqrt(won + lost - known.loss_per_total_wagered**2),
        largest_win=Fraction(1),
        standard_error=estimate.standard_error(ANSWERS),
        required=known,
        strategy=_answers(lost, won),
        strategy_tables=(_house_way(estimate, way),),
        simplified_plays=tuple(
            SimplifiedPlay(name, when, _required(estimate, play), estimate.standard_error(play))
            for play, (name, when) in PLAIN.items()
        ),
        notes=(
            f"Estimated, not counted: {DEALS:,} deals of seven hands from a stream of {GENERATOR}, seed {SEED}, that "
            f"no simulation uses; each hand is once the dealer's against the six others, {ROUNDS:,} rounds.",
            f"The dealer follows the {way.name} house way; the player sees both of the dealer's hands, and sets his "
            "own so as to beat both if he can, else one.",
            "The wager ties against an Ace High Pai Gow (§ 688a.11(f)(2)(iii)). Surrender never helps and is not used.",
        ),
    )


def _required(estimate: Estimate, play: int) -> Required:
    lost, _, won, _ = (int(count) for count in estimate.ends[play])
    hold = Fraction(lost - won, ROUNDS)
    return Required(hold, hold, hold, Fraction(1))


def _answers(lost: Fraction, won: Fraction) -> tuple[Choice, ...]:
    deals = ace_high.count()
    pushed = 1 - Fraction(deals.not_dealer, ace_high.DEALS)
    return (
        Choice("Beat both hands", "a setting ranks above both hands of the dealer", won),
        Choice("Beat one hand", "no setting beats both, but one beats one of them", 1 - lost - won - pushed),
        Choice("Set as you like", "no setting beats either hand", lost),
        Choice("Set as you like", "the dealer has an Ace High Pai Gow: the wager ties", pushed),
    )


def _house_way(estimate: Estimate, way: HouseWay) -> StrategyTable:
    lines = zip(way.rules, estimate.lines.tolist(), strict=True)
    rows = tuple((when, words, f"{100 * times / (DEALS * SEVEN):.4f} %") for (when, words), times in lines)
    return StrategyTable(f"The dealer's {way.name} house way", ("Seven cards", "Set", "Dealt"), rows)


def tally(counts: Counts, tables: Mapping[str, Paytable]) -> Tally:
    """Wager → outcome → rounds, for the required wager and the optional ones in `tables` (by wager)."""
    by_wager: Tally = {"pai_gow": _named(ENDS, counts.settled)}
    if "ace_high" in tables:
        by_wager["ace_high"] = _named((*ACE_HIGH_ROWS, LOST_OUTCOME), counts.ace_high)
    for wager in ("fortune", "progressive"):
        if table := tables.get(wager):
            made = counts.made_wild if table.fully_wild_joker else counts.made
            by_row = counts_by_row(table, {int(bits): int(made[bits]) for bits in np.flatnonzero(made)})
            by_wager[wager] = {
                outcome: by_row[outcome] for outcome in (*(line.outcome for line in table.rows), LOST_OUTCOME)
            }
    return by_wager


def _named(outcomes: Iterable[str], counts: NDArray[np.int64]) -> dict[str, int]:
    return {outcome: int(count) for outcome, count in zip(outcomes, counts, strict=True)}
