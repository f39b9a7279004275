"""The second laboratory's table of Ace King Showdown, entered a second time."""

from fractions import Fraction

from games.second.five_cards import FiveCardTable
from games.second.hands import ACE
from games.second.showdown import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HIGH_CARD,
    LOST,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIRS,
    UNQUALIFIED,
    WON,
    Cells,
)

HIGH = (
    ((TWO_PAIRS,), "Two pair"),
    ((THREE,), "Three-of-a-kind"),
    ((STRAIGHT,), "Straight"),
    ((FLUSH,), "Flush"),
    ((FULL_HOUSE,), "Full house"),
    ((FOUR,), "Four-of-a-kind"),
    ((STRAIGHT_FLUSH,), "Straight flush"),
    ((ROYAL_FLUSH,), "Royal flush"),
)


def settle(raised: int, result: int, cells: Cells) -> tuple[str, int, Fraction]:
    """Settle Ante and Raise Wager: § 690a.11(b), (c)."""
    if not raised:
        return "Folded", 1, Fraction(-1)
    if result == UNQUALIFIED:
        return "The dealer does not qualify", 1 + raised, Fraction(1)
    if result == WON:
        row, pay = cells["raise"]
        return f"Wins with {row}", 1 + raised, 1 + raised * pay
    if result == LOST:
        return "Beaten by the dealer", 1 + raised, Fraction(-1 - raised)
    return "Tie", 1 + raised, Fraction(0)


TABLE = FiveCardTable(
    raises=(2,),
    most=(((HIGH_CARD,), 2),),
    settle=settle,
    parts={"raise": (((HIGH_CARD,), "A pair or less"), *HIGH)},
    by_own={"five_card": (((PAIR, ACE), "Pair of aces"), *HIGH)},
    least=(HIGH_CARD, ACE, ACE - 1),
)
