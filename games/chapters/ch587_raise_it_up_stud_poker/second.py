"""The second laboratory's table of Raise It Up Stud Poker, entered from the text a second time."""

from games.second import hands
from games.second.card_sums import FLUSH_3, HIGH_PAIR, MINI_ROYAL, PAIR_3, STRAIGHT_3, STRAIGHT_FLUSH_3, THREE_3
from games.second.turned_cards import ROYAL_OF_SPADES, Bonus, Decision, TurnedCardsTable

TABLE = TurnedCardsTable(
    decisions=(
        Decision((1, 2, 3)),  # § 587.11(b)
        Decision((1, 2)),  # § 587.11(d)
        Decision((1,), folded="Folded"),  # § 587.11(f)
    ),
    raises_once=True,  # reading `one-play-wager`
    before_deal=("", "blind"),  # § 587.7(d)(1): the Ante, 1 to 1 by § 587.12(b), and the Blind Wager
    raise_name="Play Wager",
    raised_by="play",
    rows={  # § 587.12(c) and (d)
        "royal flush": hands.ROYAL_FLUSH,
        "straight flush": hands.STRAIGHT_FLUSH,
        "Four-of-a-kind": hands.FOUR,
        "Full house": hands.FULL_HOUSE,
        "Flush": hands.FLUSH,
        "Straight": hands.STRAIGHT,
        "Three-of-a-kind": hands.THREE,
        "Two pair": hands.TWO_PAIR,
        "Pair of 10s or better": HIGH_PAIR,
    },
    middle_pair=8,  # of 10s, § 587.11(i)(2)
    high_pair=8,
    bonuses={
        "pair_plus": Bonus(  # § 587.6(c): no royal flush apart
            "own",
            {
                "straight flush": (STRAIGHT_FLUSH_3, MINI_ROYAL, ROYAL_OF_SPADES),
                "Three-of-a-kind": (THREE_3,),
                "Straight": (STRAIGHT_3,),
                "Flush": (FLUSH_3,),
                "Pair": (PAIR_3,),
            },
        ),
        "progressive": Bonus(  # § 587.12(e)(1)
            "own",
            {
                "Ace, king and queen of spades": (ROYAL_OF_SPADES,),
                "Ace, king and queen of hearts, diamonds or clubs": (MINI_ROYAL,),
                "straight flush": (STRAIGHT_FLUSH_3,),
                "Three-of-a-kind": (THREE_3,),
                "Straight": (STRAIGHT_3,),
            },
            forfeited=True,  # § 587.11(g)
            least_reset=1_000,  # § 587.12(e)(3)
        ),
        "six_card_bonus": Bonus(  # § 587.11(i)(3)(ii)
            "all",
            {
                "royal flush": (hands.ROYAL_FLUSH,),
                "straight flush": (hands.STRAIGHT_FLUSH,),
                "Four-of-a-kind": (hands.FOUR,),
                "Full house": (hands.FULL_HOUSE,),
                "Flush": (hands.FLUSH,),
                "Straight": (hands.STRAIGHT,),
                "Three-of-a-kind": (hands.THREE,),
            },
        ),
    },
)
