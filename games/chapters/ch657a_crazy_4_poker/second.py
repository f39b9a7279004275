"""The second laboratory's table of Crazy 4 Poker, entered a second time: what text.md has in general use."""

from fractions import Fraction

from games.second.four_cards import FourCardTable
from games.second.hands import ACE
from games.second.showdown import (
    FLUSH,
    FOUR,
    HIGH_CARD,
    LOST,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TIED,
    TWO_PAIRS,
    UNQUALIFIED,
    WON,
    Cells,
)

KING, QUEEN = ACE - 1, ACE - 2
STRONG = (
    ((STRAIGHT,), "Straight"),
    ((FLUSH,), "Flush"),
    ((THREE,), "Three-of-a-kind"),
    ((STRAIGHT_FLUSH,), "Straight flush"),
    ((FOUR,), "Four-of-a-kind"),
)
WORDS = {WON: "wins", TIED: "ties", LOST: "loses", UNQUALIFIED: "the dealer does not qualify"}


def settle(raised: int, result: int, cells: Cells) -> tuple[str, int, Fraction]:
    """Settle Ante, Super Bonus and Play Wager: § 657a.11."""
    if not raised:
        return "Folded", 2, Fraction(-2)
    ante = {WON: 1, TIED: 0, LOST: -1, UNQUALIFIED: 0}[result]
    play = raised if result == UNQUALIFIED else raised * ante
    row, bonus = cells.get("super_bonus", ("", Fraction(-1 if result == LOST else 0)))
    outcome = f"Played {raised}×, {WORDS[result]}" + (f"; {row.lower()}" if row else "")
    return outcome, 2 + raised, ante + play + bonus


TABLE = FourCardTable(
    raises=(1, 2, 3),  # § 657a.7
    most=(((HIGH_CARD,), 1), ((PAIR, ACE), 3)),
    settle=settle,
    parts={"super_bonus": (*STRONG, ((FOUR, ACE), "Four aces"))},  # § 657a.12
    by_four={"queens_up": (((PAIR, QUEEN), "Pair of queens or better"), ((TWO_PAIRS,), "Two pairs"), *STRONG)},
    least=(HIGH_CARD, KING),  # § 657a.11
)
