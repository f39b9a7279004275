"""The second laboratory's table of DJ Wild Stud Poker, entered from the text a second time."""

from fractions import Fraction

from games.second.five_cards import FiveCardTable
from games.second.showdown import (
    FIVE_OF_A_KIND,
    FIVE_WILDS,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HIGH_CARD,
    LOST,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    WON,
    Cells,
)

OR_LESS = "Three-of-a-Kind or less"
FROM_THREE = (THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH)


def settle(raised: int, result: int, cells: Cells) -> tuple[str, int, Fraction]:
    """Settle Ante, Blind and Raise Wager: § 687a.11(b), (e)."""
    if not raised:
        return "Folded", 2, Fraction(-2)
    if result == WON:
        row, blind = cells["blind"]
        return f"Wins with {row}", 2 + raised, 1 + blind + raised
    if result == LOST:
        return "Beaten by the dealer", 2 + raised, Fraction(-2 - raised)
    return "Tie", 2 + raised, Fraction(0)


TABLE = FiveCardTable(
    raises=(2,),  # § 687a.7(d)(1)
    most=(((HIGH_CARD,), 2),),
    settle=settle,
    parts={  # § 687a.12(b)
        "blind": (
            ((HIGH_CARD,), OR_LESS),
            ((STRAIGHT,), STRAIGHT),
            ((FLUSH,), FLUSH),
            ((FULL_HOUSE,), FULL_HOUSE),
            ((FOUR,), FOUR),
            ((STRAIGHT_FLUSH,), STRAIGHT_FLUSH),
            ((FIVE_OF_A_KIND,), FIVE_OF_A_KIND),
            ((ROYAL_FLUSH,), ROYAL_FLUSH),
            ((FIVE_WILDS,), FIVE_WILDS),
        ),
    },
    wild=True,  # § 687a.3(a), § 687a.6(b)
    by_column="trips",  # § 687a.12(d)
    by_lower={"bad_beat": ("", "", "", *FROM_THREE, FIVE_OF_A_KIND, ROYAL_FLUSH, "")},  # § 687a.12(e)
    by_natural={"progressive": ("", "", "", *FROM_THREE, ROYAL_FLUSH)},  # § 687a.6(d), § 687a.11(f)(1)
    folded_qualify="folded_hands_qualify",  # § 687a.11(b)(3)
    instead={THREE: OR_LESS},  # Paytable DJWBB-04
)
