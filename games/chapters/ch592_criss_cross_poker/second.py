"""The second laboratory's table of Criss-Cross Poker, entered from the text a second time."""

from games.second import hands
from games.second.card_sums import HIGH_PAIR, MIDDLE_PAIR
from games.second.cross import CrossTable, Hand

JACKS = "Pair of Jacks or better"  # the row of § 592.12(a) that pays every higher hand too

TABLE = CrossTable(
    bets=(1, 2, 3),  # § 592.11(b), (d) and (f)
    paid_by="bet",
    hands=(  # § 592.12(a) and (b)
        Hand("Less than a pair of 6s", (hands.NO_PAIR, hands.PAIR)),  # § 592.11(h)(1)(i), (2)(i) and (3)
        Hand("Pair of 6s to 10s", (MIDDLE_PAIR,), "Pair of 6s through 10s", "Pair of 6s through 10s"),
        Hand("Pair of jacks or better", (HIGH_PAIR,), JACKS, "Pair of 10s, jack, queens, kings or aces"),
        Hand("Two pair", (hands.TWO_PAIR,), JACKS, "Two pair"),
        Hand("Three-of-a-kind", (hands.THREE,), JACKS, "Three-of-a-kind"),
        Hand("Straight", (hands.STRAIGHT,), JACKS, "Straight"),
        Hand("Flush", (hands.FLUSH,), JACKS, "Flush"),
        Hand("Full house", (hands.FULL_HOUSE,), JACKS, "Full house"),
        Hand("Four-of-a-kind", (hands.FOUR,), JACKS, "Four-of-a-kind"),
        Hand("Straight flush", (hands.STRAIGHT_FLUSH,), JACKS, "Straight flush"),
        Hand("Royal flush", (hands.ROYAL_FLUSH,), JACKS, "Royal flush"),
    ),
    middle_pair=4,  # of 6s
    high_pair=9,  # of jacks; reading `pair-of-tens`
    community={
        "five_card_bonus": {  # § 592.12(c)
            "Royal flush": (hands.ROYAL_FLUSH,),
            "Straight flush": (hands.STRAIGHT_FLUSH,),
            "Four-of-a-kind": (hands.FOUR,),
            "Full house": (hands.FULL_HOUSE,),
            "Flush": (hands.FLUSH,),
            "Straight": (hands.STRAIGHT,),
            "Three-of-a-kind": (hands.THREE,),
            "Two pair": (hands.TWO_PAIR,),
            "Pair of 6s or better": (MIDDLE_PAIR, HIGH_PAIR),
        },
    },
)
