"""The second laboratory's table of Mississippi Stud, entered from the text a second time.

What the source text leaves out is as the readings say: `optional-wagers-after-a-fold`, `three-card-hands`,
`progressive-of-one-dollar`.
"""

from games.second import card_sums, hands
from games.second.streets import Bonus, StreetTable

TABLE = StreetTable(
    raises=(1, 2, 3),  # § 655a.1
    rows={  # § 655a.12(a); reading `street-wagers-paid-alike`
        **hands.PRINTED,
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
            card_sums.PRINTED_3,
        ),
        "progressive": Bonus(  # § 655a.12(c)(1)
            "five",
            hands.PRINTED,
            meters={
                "meter": "progressive_reset",
                "mega jackpot": "progressive_reset",
                "major jackpot": "progressive_reset_major",
                "minor jackpot": "progressive_reset_minor",
            },
        ),
    },
)
