"""The required wager on seven cards: what the estimate (`around`) comes to; the tally of a simulated block.

Not here: dealing (`around`, `rounds`).

A player who sees the dealer's hands can win if some setting beats both, else tie if some setting beats one (a copy
counts for the dealer); so the best setting is the one that beats most. To surrender is to lose what a set hand at worst
loses, so it never helps.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.results import Choice, OutcomeRow, Required, SimplifiedPlay, StrategyTable, Tally, WagerAnalysis
from games.maths.streams import GENERATOR
from games.maths.two_hands import ace_high, around
from games.maths.two_hands.around import ANSWERS, DEALS, HIGHEST_HIGH, HIGHEST_LOW, HOUSE_WAY, Estimate
from games.maths.two_hands.exact import LOST_OUTCOME, counts_by_row
from games.maths.two_hands.rounds import LOSES, PUSHES, TIES, WINS, Counts
from games.maths.two_hands.seven_forms import SEVEN
from games.maths.two_hands.wording import SevenCardWording
from games.rules.model import HouseWay, Paytable

ROUNDS: Final = DEALS * around.ROUNDS
ENDS: Final = {
    LOSES: ("Neither hand wins", -1),
    TIES: ("One hand wins", 0),
    WINS: ("Both hands win", 1),
    PUSHES: ("The dealer has {}", 0),
}
"""End of a round → outcome and net, in the order of the counts."""
PLAIN: Final = {
    HOUSE_WAY: ("Sets by the house way", "As the dealer would set the same cards, whatever the dealer shows."),
    HIGHEST_HIGH: ("Keeps the highest high hand", "The setting with the highest high hand, whatever the dealer shows."),
    HIGHEST_LOW: ("Plays the highest low hand", "The setting with the highest low hand, whatever the dealer shows."),
}


def required_wager(wager: str, way: HouseWay, seed: int, wording: SevenCardWording) -> WagerAnalysis:
    """The wager under one house way, whose key takes the place of the paytable; it pays 1 to 1."""
    estimate = around.estimate(way.key, seed)
    known = _required(estimate, ANSWERS)
    lost, _, won, _ = (Fraction(int(count), ROUNDS) for count in estimate.ends[ANSWERS])
    return WagerAnalysis(
        wager=wager,
        paytable=way.key,
        method="estimate",
        outcomes=tuple(
            OutcomeRow(
                *(name.format(wording.tied_hand), None, Fraction(net)),
                pays="1 to 1" if net == 1 else "",
                section=wording.ends[end],
            )
            for end, (name, net) in ENDS.items()
        ),
        hold=known.loss_per_total_wagered,
        hit_frequency=won,
        standard_deviation=sqrt(won + lost - known.loss_per_total_wagered**2),
        largest_win=Fraction(1),
        standard_error=estimate.standard_error(ANSWERS),
        required=known,
        strategy=_answers(lost, won, wording.tied_hand),
        strategy_tables=(_house_way(estimate, way),),
        simplified_plays=tuple(
            SimplifiedPlay(name, when, _required(estimate, play), estimate.standard_error(play))
            for play, (name, when) in PLAIN.items()
        ),
        notes=(
            f"Estimated, not counted: {DEALS:,} deals of seven hands from a stream of {GENERATOR}, seed {seed}, that "
            f"no simulation uses; each hand is once the dealer's against the six others, {ROUNDS:,} rounds.",
            f"The dealer follows the {way.name} house way; the player sees both of the dealer's hands, and sets his "
            "own so as to beat both if he can, else one.",
            f"The wager ties against {wording.tied_hand} ({wording.ends[PUSHES]}). "
            "Surrender never helps and is not used.",
        ),
    )


def _required(estimate: Estimate, play: int) -> Required:
    lost, _, won, _ = (int(count) for count in estimate.ends[play])
    hold = Fraction(lost - won, ROUNDS)
    return Required(hold, hold, hold, Fraction(1))


def _answers(lost: Fraction, won: Fraction, tied_hand: str) -> tuple[Choice, ...]:
    deals = ace_high.count()
    pushed = 1 - Fraction(deals.not_dealer, ace_high.DEALS)
    return (
        Choice("Beat both hands", "a setting ranks above both hands of the dealer", won),
        Choice("Beat one hand", "no setting beats both, but one beats one of them", 1 - lost - won - pushed),
        Choice("Set as you like", "no setting beats either hand", lost),
        Choice("Set as you like", f"the dealer has {tied_hand}: the wager ties", pushed),
    )


def _house_way(estimate: Estimate, way: HouseWay) -> StrategyTable:
    lines = zip(way.rules, estimate.lines.tolist(), strict=True)
    rows = tuple((when, words, f"{100 * times / (DEALS * SEVEN):.4f} %") for (when, words), times in lines)
    return StrategyTable(f"The dealer's {way.name} house way", ("Seven cards", "Set", "Dealt"), rows)


def tally(wager: str, counts: Counts, tables: Mapping[str, Paytable], wording: SevenCardWording) -> Tally:
    """Wager → outcome → rounds, for the required wager and the optional ones in `tables` (by wager)."""
    by_wager: Tally = {wager: _named((name.format(wording.tied_hand) for name, _ in ENDS.values()), counts.settled)}
    for optional, table in tables.items():
        if optional == "ace_high":
            by_wager[optional] = _named((*wording.ace_high_rows, LOST_OUTCOME), counts.ace_high)
            continue
        made = counts.made_wild if table.fully_wild_joker else counts.made
        by_bits = {int(bits): int(made[bits]) for bits in np.flatnonzero(made)}
        by_row = counts_by_row(table, by_bits, wording.ranking)
        by_wager[optional] = {name: by_row[name] for name in (*(line.outcome for line in table.rows), LOST_OUTCOME)}
    return by_wager


def _named(outcomes: Iterable[str], counts: NDArray[np.int64]) -> dict[str, int]:
    return {outcome: int(count) for outcome, count in zip(outcomes, counts, strict=True)}
