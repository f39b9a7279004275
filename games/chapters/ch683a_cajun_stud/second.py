"""The second laboratory's table of Cajun Stud, entered from the text a second time."""

from games.second import card_sums, hands, streets
from games.second.streets import Bonus, StreetTable

TABLE = StreetTable(
    raises=(1, 2, 3),  # § 683a.11(b), (d) and (f)
    rows={  # § 683a.12(a); reading `pair-of-sixes`
        **hands.PRINTED,
        "Two pair": hands.TWO_PAIR,
        "Pair of jacks or better": card_sums.HIGH_PAIR,
        "Pair of 6s to 10s": card_sums.MIDDLE_PAIR,
    },
    lost="Less than a pair of 6s",  # § 683a.11(h)(2)
    middle_pair=4,  # of 6s
    high_pair=9,  # of jacks
    bonuses={
        "pocket_bonus": Bonus(  # § 683a.6(c); reading `pocket-pair-or-better`
            "own",
            {
                "Pair of aces": streets.ACE_PAIR,
                "Ace and a king, queen or jack of the same suit": streets.ACE_SUITED,
                "Ace and a king, queen or jack of different suits": streets.ACE_UNSUITED,
                "Pair of 2s—kings": streets.OTHER_PAIR,
            },
        ),
        "board_bonus": Bonus(  # § 683a.6(d)
            "community",
            card_sums.PRINTED_3,
        ),
        "lo_ball": Bonus(  # § 683a.11(i)(3): no hand of § 683a.6(b), so at least a 7, at most a queen
            "no pair",
            {"7 high": 5, "8 high": 6, "9 high": 7, "10 high": 8, "Jack high": 9, "Queen high": 10},
        ),
        "all_six": Bonus(  # § 683a.6(e); reading `six-card-royal-abc`
            "six",
            {
                "Six-card royal flush—diamonds": streets.SIX_ROYAL_DIAMONDS,
                "Six-card royal flush—hearts, spades or clubs": streets.SIX_ROYAL,
                **hands.PRINTED,
            },
            instead="Royal flush",
        ),
    },
    extra_cards=4,  # § 683a.7(d)(5)
)
