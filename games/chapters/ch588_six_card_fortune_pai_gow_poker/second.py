"""The second laboratory's table of Six-Card Fortune Pai Gow Poker, entered from the text a second time."""

from games.second.hands import FLUSH, FOUR, FULL_HOUSE, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH, THREE
from games.second.six_cards import SixCardTable
from games.second.two_hands import FIVE_ALIKE

EIGHT, NINE, TEN, JACK, QUEEN, KING = range(6, 12)

TABLE = SixCardTable(
    required="pai_gow",  # § 588.12(a)
    double="double_down",
    metered="progressive",
    qualifying_pair=EIGHT,  # § 588.11(g)
    classes={  # § 588.12(b), (d)
        "Five Aces": FIVE_ALIKE,
        "royal flush": ROYAL_FLUSH,
        "straight flush": STRAIGHT_FLUSH,
        "Four-of-a-kind": FOUR,
        "Full house": FULL_HOUSE,
        "Flush": FLUSH,
        "Straight": STRAIGHT,
        "Three-of-a-kind": THREE,
    },
    highest_cards={  # § 588.12(c)
        "Eight-high": EIGHT,
        "Nine-high": NINE,
        "Ten-high": TEN,
        "Jack-high": JACK,
        "Queen-high": QUEEN,
        "King-high": KING,
    },
    least_reset=5_000,  # § 588.12(d)(2)
)
