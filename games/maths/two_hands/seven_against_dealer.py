"""The required wager on seven cards, from the counted deals to what is reported; the tally of a simulated block.

Not here: counting (`seven_pairs`), dealing (`rounds`).

A player who sees the dealer's hands can win if some setting beats both, else tie if some setting beats one (a copy
counts for the dealer); so the best setting is the one that beats most. To surrender is to lose what a set hand at worst
loses, so it never helps.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.results import Choice, OutcomeRow, SimplifiedPlay, StrategyTable, Tally, WagerAnalysis
from games.maths.two_hands import seven_pairs
from games.maths.two_hands.ace_high import DEALS
from games.maths.two_hands.exact import LOST_OUTCOME, counts_by_row
from games.maths.two_hands.rounds import LOSES, PUSHES, TIES, WINS, Counts
from games.maths.two_hands.seven_cards import HANDS
from games.maths.two_hands.seven_pairs import ANSWERS, HIGHEST_HIGH, HIGHEST_LOW, HOUSE_WAY, Ends
from games.maths.two_hands.wording import SevenCardWording
from games.maths.wagers import counted, required, row
from games.rules.model import HouseWay, Paytable

ENDS: Final = {
    LOSES: ("Neither hand wins", -1),
    TIES: ("One hand wins", 0),
    WINS: ("Both hands win", 1),
    PUSHES: ("The dealer has {}", 0),
}
"""End of a round → outcome and net, in the order of the counts."""
PLAIN: Final = {
    HOUSE_WAY: ("Sets by the house way", "As the dealer would set the same cards, against any dealer's hand."),
    HIGHEST_HIGH: (
        "Keeps the highest high hand",
        "The setting with the highest high hand, against any dealer's hand.",
    ),
    HIGHEST_LOW: (
        "Plays the highest low hand",
        "The setting with the highest low hand, against any dealer's hand.",
    ),
}


def required_wager(wager: str, way: HouseWay, wording: SevenCardWording) -> WagerAnalysis:
    """The wager under one house way, whose key takes the place of the paytable; it pays 1 to 1."""
    ends = seven_pairs.count(way.key)
    rows = _rows(ends, ANSWERS, wording)
    return counted(
        wager,
        way.key,
        rows,
        DEALS,
        required=required(rows, 1),
        strategy=_answers(rows, wording.tied_hand),
        strategy_tables=(_house_way(ends, way),),
        simplified_plays=tuple(
            SimplifiedPlay(name, when, required(_rows(ends, play, wording), 1)) for play, (name, when) in PLAIN.items()
        ),
        notes=(
            f"All deals of seven cards to the dealer and seven to the player are counted, {DEALS:,}; nothing is "
            "estimated.",
            f"The dealer follows the {way.name} house way; the player sees both of the dealer's hands, and sets the "
            "own two so as to beat both if possible, else one.",
            f"The wager ties against {wording.tied_hand} ({wording.ends[PUSHES]}). "
            "Surrender never helps and is not used.",
            _push_first(ends, wording),
        ),
    )


def _rows(ends: Ends, play: int, wording: SevenCardWording) -> list[OutcomeRow]:
    won, lost = ends.settled[play]
    counts = {LOSES: lost, TIES: DEALS - ends.pushes - won - lost, WINS: won, PUSHES: ends.pushes}
    return [
        row(
            *(name.format(wording.tied_hand), counts[end], DEALS, net),
            pays="1 to 1" if net == 1 else "",
            section=wording.ends[end],
        )
        for end, (name, net) in ENDS.items()
    ]


def _answers(rows: list[OutcomeRow], tied_hand: str) -> tuple[Choice, ...]:
    lost, tied, won, pushed = (end.probability or Fraction(0) for end in rows)
    return (
        Choice("Beat both hands", "a setting ranks above both hands of the dealer", won),
        Choice("Beat one hand", "no setting beats both, but one beats one of them", tied),
        Choice("Set as you like", "no setting beats either hand", lost),
        Choice("Set as you like", f"the dealer has {tied_hand}: the wager ties", pushed),
    )


def _push_first(ends: Ends, wording: SevenCardWording) -> str:
    """What the hold would be if those hands were compared too."""
    (won, lost), (more_won, more_lost) = ends.settled[ANSWERS], ends.pushed[ANSWERS]
    hold = float(Fraction(100 * (lost + more_lost - won - more_won), DEALS))
    return (
        f"The reading “ace-high-push-first” ({wording.ends[PUSHES]}) moves the hold: if the hands were compared also "
        f"where the dealer has {wording.tied_hand}, it would be {hold:.6f} %."
    )


def _house_way(ends: Ends, way: HouseWay) -> StrategyTable:
    lines = zip(way.rules, ends.lines, strict=True)
    rows = tuple((when, words, f"{100 * hands / HANDS:.4f} %") for (when, words), hands in lines)
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
