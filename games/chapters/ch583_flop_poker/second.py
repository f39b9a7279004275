"""The second laboratory's table of Flop Poker, entered from the text a second time."""

from games.second import card_sums, hands
from games.second.flop import FlopTable

TABLE = FlopTable(
    raise_name="Flop Wager",  # § 583.7(d)(2), equal to the Ante
    raised_by="flop",
    rows={  # § 583.12(b)
        "royal flush": hands.ROYAL_FLUSH,
        "straight flush": hands.STRAIGHT_FLUSH,
        "Four-of-a-kind": hands.FOUR,
        "Full house": hands.FULL_HOUSE,
        "Flush": hands.FLUSH,
        "Straight": hands.STRAIGHT,
        "Three-of-a-kind": hands.THREE,
        "Two Pair": hands.TWO_PAIR,
        "A pair of Jacks, Queens, Kings or Aces": hands.PAIR,
    },
    least_pair=9,  # of jacks, § 583.11(d)(2)
    own_cards={
        "three_card_bonus": {  # § 583.6(d)
            "Royal": card_sums.MINI_ROYAL,
            "straight flush": card_sums.STRAIGHT_FLUSH_3,
            "Three-of-a-kind": card_sums.THREE_3,
            "Straight": card_sums.STRAIGHT_3,
            "Flush": card_sums.FLUSH_3,
            "A pair": card_sums.PAIR_3,
        },
    },
    pools={"pot": "Paid whole to the players"},  # § 583.11(e)
)
