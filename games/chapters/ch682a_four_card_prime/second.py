"""The second laboratory's table of Four Card Prime, entered from the text a second time."""

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
    TWO_PAIRS,
    Cells,
)

STRONG = (((THREE,), "Three-of-a-kind"), ((STRAIGHT_FLUSH,), "Straight flush"), ((FOUR,), "Four-of-a-kind"))
ALIKE, FOUR_ALIKE = "All five the same color", "Four of the same color"
ROYAL, DIAMONDS = "Six-card royal flush—hearts, spades or clubs", "Six-card royal flush—diamonds"


def settle(raised: int, result: int, cells: Cells) -> tuple[str, int, Fraction]:
    """Settle Ante and Raise Wager: § 682a.11(b), (d)(2)."""
    if not raised:
        return "Folded", 1, Fraction(-1)
    row, pay = cells.get("bad_beat" if result == LOST else "win_bonus", ("", Fraction(0)))
    with_hand = f" with {row.lower()}" if row else ""
    if result == LOST:  # the Ante Wager is lost, or returned and paid the Bad Beat Bonus
        return f"Raised {raised}×, loses{with_hand}", 1 + raised, (pay if row else -1) - Fraction(raised)
    return f"Raised {raised}×, wins or ties{with_hand}", 1 + raised, 1 + raised + pay


TABLE = FourCardTable(
    raises=(1, 2, 3),  # § 682a.7(d)(1)
    most=(((HIGH_CARD,), 3),),
    settle=settle,
    parts={"win_bonus": STRONG, "bad_beat": STRONG},  # § 682a.12(b), (c)
    dealer_cards=6,  # § 682a.8(c)
    by_four={
        "aces_bonus": (  # § 682a.6(d), hands of four cards
            ((PAIR, ACE), "Two Aces"),
            ((TWO_PAIRS,), "Two pair"),
            ((STRAIGHT,), "Straight"),
            ((FLUSH,), "Flush"),
            ((THREE,), "Three-of-a-kind"),
            ((THREE, ACE), "Three aces"),
            ((STRAIGHT_FLUSH,), "Straight flush"),
            ((STRAIGHT_FLUSH, ACE), "Royal flush"),
            ((FOUR,), "Four-of-a-kind"),
            ((FOUR, ACE), "Four aces"),
        ),
    },
    by_reds={"prime": (ALIKE, FOUR_ALIKE, "", "", FOUR_ALIKE, ALIKE)},  # § 682a.12(d)
    by_six={  # § 682a.6(e), the lowest first
        "all_six": (
            "",
            "Three-of-a-kind",
            "Straight",
            "Flush",
            "Full house",
            "Four-of-a-kind",
            "Straight flush",
            "Royal flush",
            ROYAL,
            DIAMONDS,
        ),
    },
    instead={ROYAL: "Royal flush", DIAMONDS: "Royal flush"},  # § 682a.12(f), Paytables A to D
)
