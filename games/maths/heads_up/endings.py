"""What each end of a round wins and which subsection settles it: Ante, Odds and Raise Wagers as outcome rows.

Not here: how often each end occurs (`settled`, `rounds`), the optional wagers (`bonuses`).
"""

from dataclasses import dataclass
from fractions import Fraction

from games.maths.heads_up.best_play import CYCLE, FOLDED
from games.maths.heads_up.chances import Ints
from games.maths.heads_up.odds import IN_WORDS, PRINTED, OddsTables
from games.maths.heads_up.rules import (
    FOLD,
    LAST,
    LOSE,
    LOSE_UNQUALIFIED,
    TIE,
    TIE_UNQUALIFIED,
    WIN,
    WIN_UNQUALIFIED,
    Sections,
)
from games.maths.heads_up.seven_cards import class_place
from games.maths.results import OutcomeRow
from games.maths.wagers import LOST_NET, row

INITIAL = 2  # Ante and Odds Wager


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which the required wagers end, in Antes."""

    outcome: str
    net: Fraction
    wagered: Fraction
    pays: str
    section: str


def ending(odds: OddsTables, sections: Sections, when: int, end: int, rank: int) -> Ending:
    """`when` the player raises, the `end` against the dealer, the class of the player's hand."""
    if when == FOLD:
        return Ending("Folded", Fraction(FOLDED), Fraction(INITIAL), "", sections.raised[LAST])
    raised, section = odds.rules.raises[when], sections.ends[end]
    wagered, name, hand = Fraction(INITIAL + raised), f"Raised {raised}×", PRINTED[rank].lower()
    unqualified = f"; dealer without {IN_WORDS[class_place(odds.rules.qualifier)]}"
    if end in (WIN, WIN_UNQUALIFIED):
        won = odds.win(rank)
        won_with = f"wins with a {hand}" if won else f"wins with less than {IN_WORDS[odds.least_paid()]}"
        pays = "Ante and Raise 1 to 1" if end == WIN else "Ante returned, Raise 1 to 1"
        pays += f", Odds {_odds(won)}" if won else ", Odds returned"
        if end == WIN:
            return Ending(f"{name}, {won_with}", 1 + raised + won, wagered, pays, section)
        return Ending(f"{name}, {won_with}{unqualified}", raised + won, wagered, pays, section)
    if end in (TIE, TIE_UNQUALIFIED):
        return Ending(f"{name}, ties{unqualified * (end != TIE)}", Fraction(0), wagered, "", section)
    if end == LOSE_UNQUALIFIED:
        return Ending(f"{name}, loses{unqualified}", Fraction(-raised - 1), wagered, "Ante returned", section)
    lost = odds.loss(rank)
    if lost == LOST_NET:
        return Ending(f"{name}, loses", -wagered, wagered, "", section)
    pays = f"Bad Beat: Odds {_odds(lost)}"
    return Ending(f"{name}, loses with a {hand}", lost - raised - 1, wagered, pays, sections.bad_beat)


def _odds(net: Fraction) -> str:
    return f"{net.numerator} to {net.denominator}"


def counts_by_ending(odds: OddsTables, sections: Sections, counts: Ints) -> dict[Ending, int]:
    """The ends that occur, from counts by [when raised, end, class]; the best hands first."""
    by_ending: dict[Ending, int] = {}
    for when in range(FOLD + 1):
        for end in (WIN, WIN_UNQUALIFIED, TIE, TIE_UNQUALIFIED, LOSE_UNQUALIFIED, LOSE):
            for rank in reversed(range(len(PRINTED))):
                if number := int(counts[when, end, rank]):
                    round_end = ending(odds, sections, when, end, rank)
                    by_ending[round_end] = by_ending.get(round_end, 0) + number
    return by_ending


def outcome_rows(odds: OddsTables, sections: Sections, counts: Ints) -> list[OutcomeRow]:
    """Every ending of `CYCLE` deals."""
    return [
        row(round_end.outcome, number, CYCLE, round_end.net, round_end.wagered, round_end.pays, round_end.section)
        for round_end, number in counts_by_ending(odds, sections, counts).items()
    ]
