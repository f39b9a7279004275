"""What seven cards make, as bits, and how a paytable's words name it.

Bit `1 << category` means a five-card hand of that category (`ranking`) among the seven cards; the bits above
for the hands of six or seven cards. Counting (`seven_cards`, `rounds`) and paying (`exact`) meet here.
"""

from collections.abc import Sequence
from typing import Final

from games.maths.two_hands.ranking import (
    FIVE_ACES,
    FIVE_OF_A_KIND,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
)

THREE_PAIR, ROYAL_MATCH, SEVEN_WITH_JOKER, SEVEN_NATURAL = (1 << bit for bit in range(12, 16))
SIZE: Final = 1 << 16

_SEVEN: Final = "7 Card Straight Flush"

# A fifth ace is five-of-a-kind too, where a table has no row for it.
NAMES: Final[dict[str, int]] = {
    _SEVEN: SEVEN_NATURAL,
    "7 Card Natural Straight Flush": SEVEN_NATURAL,
    "7 Card Wild Straight Flush": SEVEN_WITH_JOKER,
    "7 Card Straight Flush with Joker": SEVEN_WITH_JOKER,
    "7 Card Straight Flush w/Joker": SEVEN_WITH_JOKER,
    "Royal Flush + Royal Match": ROYAL_MATCH,
    "Five Aces": 1 << FIVE_ACES,
    "Five of a Kind": 1 << FIVE_OF_A_KIND | 1 << FIVE_ACES,
    "Royal Flush": 1 << ROYAL_FLUSH,
    "Straight Flush": 1 << STRAIGHT_FLUSH,
    "Four of a Kind": 1 << FOUR_OF_A_KIND,
    "Full House": 1 << FULL_HOUSE,
    "Flush": 1 << FLUSH,
    "Three of a Kind": 1 << THREE_OF_A_KIND,
    "Straight": 1 << STRAIGHT,
    "Three Pair": THREE_PAIR,
}


def masks(outcomes: Sequence[str], ranking: str) -> tuple[int, ...]:
    """The bits that each row of a paytable pays for.

    A plain seven-card straight flush may have the joker, unless the table has a row for that. `ValueError` for a hand
    that the section on `ranking` does not name.
    """
    unknown = [outcome for outcome in outcomes if outcome not in NAMES]
    if unknown:
        raise ValueError(f"a paytable pays for {unknown[0]!r}; hands it may name ({ranking}): {', '.join(NAMES)}")
    joker_row = any(NAMES[outcome] == SEVEN_WITH_JOKER for outcome in outcomes)
    plain = SEVEN_NATURAL | (0 if joker_row else SEVEN_WITH_JOKER)
    return tuple(plain if outcome == _SEVEN else NAMES[outcome] for outcome in outcomes)


def paid_row(bits: int, rows: Sequence[int]) -> int:
    """The first row, in the printed order, that the cards satisfy; `len(rows)` if none does.

    The best hand is the best against the paytable, so three-of-a-kind with a straight is paid as the table has it.
    """
    return next((row for row, mask in enumerate(rows) if bits & mask), len(rows))
