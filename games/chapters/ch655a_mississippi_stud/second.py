"""The second laboratory's table of Mississippi Stud, entered from the text a second time.

What the source text leaves out is as the readings say: `optional-wagers-after-a-fold`, `three-card-hands`,
`progressive-of-one-dollar`.
"""

from games.second import card_sums, hands
from games.second.streets import Bonus, StreetTable

TABLE = StreetTable(
    raises=(1, 2, 3),  # § 655a.1
    rows={  # § 655a.12(a); reading `street-wagers-paid-alike`
        "Royal flush": hands.ROYAL_FLUSH,
        "Straight flush": hands.STRAIGHT_FLUSH,
        "Four-of-a-kind": hands.FOUR,
        "Full house": hands.FULL_HOUSE,
        "Flush": hands.FLUSH,
        "Straight": hands.STRAIGHT,
        "Three-of-a-kind": hands.THREE,
        "Two pair": hands.TWO_PAIR,
        "Pair of jacks or better": card_sums.HIGH_PAIR,
        "Pair of 6s to 10s": card_sums.MIDDLE_PAIR,
    },
    lost="Less than a pair of 6s",
    middle_pair=4,  # of 6s
    high_pair=9,  # of jacks
    bonuses={
        "three_card": Bonus(  # § 655a.12(d)
            "community",
            {
                "Mini-royal": card_sums.MINI_ROYAL,
                "Straight flush": card_sums.STRAIGHT_FLUSH_3,
                "Three-of-a-kind": card_sums.THREE_3,
                "Straight": card_sums.STRAIGHT_3,
                "Flush": card_sums.FLUSH_3,
                "Pair": card_sums.PAIR_3,
            },
        ),
        "progressive": Bonus(  # § 655a.12(c)(1)
            "five",
            {
                "Royal flush": hands.ROYAL_FLUSH,
                "Straight flush": hands.STRAIGHT_FLUSH,
                "Four-of-a-kind": hands.FOUR,
                "Full house": hands.FULL_HOUSE,
                "Flush": hands.FLUSH,
                "Straight": hands.STRAIGHT,
                "Three-of-a-kind": hands.THREE,
            },
            meters={
                "meter": "progressive_reset",
                "mega jackpot": "progressive_reset",
                "major jackpot": "progressive_reset_major",
                "minor jackpot": "progressive_reset_minor",
            },
        ),
    },
)
