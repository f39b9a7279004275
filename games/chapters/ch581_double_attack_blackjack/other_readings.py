"""The Bust It Wager of Double Attack Blackjack under the other reading of a payout note: an ace that counts 11."""

from games.chapters.ch581_double_attack_blackjack.play import GAME
from games.other_readings import LOST, by_other_counts

HIGHEST = 16  # with more in two cards the dealer stands
SHOE = GAME.shoe(None)
OF_A_VALUE = SHOE.of(0)
OF_TEN = SHOE.of(9)
THIRD_CARDS = {6: "6", 7: "7", 8: "8", 9: "9", 10: "King, queen or jack"}


def hands_above_21() -> dict[tuple[str, str], int]:
    """Return the deals of three cards, in order, that exceed 21 by the third card if one ace counts 11.

    One of the first two cards is another ace. These deals are lost as read, since the ace then counts 1. Two aces are
    12.
    """
    moved = {}
    for third, name in THIRD_CARDS.items():
        thirds = OF_TEN if third == 10 else OF_A_VALUE
        first_two = 0
        for beside in range(2, HIGHEST - 11 + 1):
            if 11 + beside + third > 21:
                first_two += 2 * OF_A_VALUE * OF_A_VALUE
        if 12 + third > 21:
            first_two += OF_A_VALUE * (OF_A_VALUE - 1)
        moved[LOST, f"Third card drawn is a: {name}"] = first_two * thirds
    return moved


OTHER_READINGS = {"bust-it-when": by_other_counts("bust_it", GAME, hands_above_21())}
