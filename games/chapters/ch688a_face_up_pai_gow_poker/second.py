"""The second laboratory's table of Face Up Pai Gow Poker, entered from the text a second time.

The lines of the house ways are read from the words of `house_ways.toml`; what a filing chooses is their order.
"""

from games.second.hands import (
    ACE,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    NO_PAIR,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
)
from games.second.seven_cards import (
    FIVE_ACES,
    KING,
    ROYAL_MATCH,
    SEVEN_NATURAL,
    SEVEN_WITH_JOKER,
    THREE_PAIR,
    Line,
    SevenCardTable,
)
from games.second.two_hands import FIVE_ALIKE

TWO, THREES, SIX, SEVENS, TEN, JACK = 0, 1, 4, 5, 8, 9  # ranks

# Sizes of the three largest groups of seven cards.
NOTHING, ONE_PAIR, TWO_PAIRS, THREE_PAIRS = (1, 1, 1), (2, 1, 1), (2, 2, 1), (2, 2, 2)
TRIPS, FULL, FULL_TWICE, TRIPS_TWICE = (3, 1, 1), (3, 2, 1), (3, 2, 2), (3, 3, 1)
QUADS, QUADS_PAIR, QUADS_TRIPS, FIVES, FIVES_PAIR = (4, 1, 1), (4, 2, 1), (4, 3, 0), (5, 1, 1), (5, 2, 0)

LINES = {
    "Five aces and a pair of kings": Line(FIVE_ALIKE, (FIVES_PAIR,), one_of=(KING,)),
    "Five aces": Line(THREE, (FIVES, FIVES_PAIR)),
    "Four-of-a-kind and three-of-a-kind": Line(FULL_HOUSE, (QUADS_TRIPS,)),
    "Four-of-a-kind and a pair": Line(FOUR, (QUADS_PAIR,)),
    "Four-of-a-kind, jacks to aces": Line(PAIR, (QUADS,), (JACK, ACE)),
    "Four-of-a-kind, 7s to aces": Line(PAIR, (QUADS,), (SEVENS, ACE)),
    "Four-of-a-kind, 7s to 10s, with an ace": Line(FOUR, (QUADS,), (SEVENS, TEN), one_of=(ACE,)),
    "Four-of-a-kind, 7s to 10s, without an ace": Line(PAIR, (QUADS,), (SEVENS, TEN), none_of=(ACE,)),
    "Four-of-a-kind, 2s to 6s": Line(FOUR, (QUADS,), (TWO, SIX)),
    "Three-of-a-kind twice": Line(THREE, (TRIPS_TWICE,)),
    "Full house": Line(THREE, (FULL, FULL_TWICE)),
    "Three-of-a-kind with a straight or better": Line(STRAIGHT, (TRIPS,), run=True),
    "Three aces": Line(PAIR, (TRIPS,), (ACE, ACE)),
    "Three-of-a-kind, kings or lower": Line(THREE, (TRIPS,), (TWO, KING)),
    "Three pair": Line(TWO_PAIR, (THREE_PAIRS,)),
    "Two pair, the higher jacks to aces": Line(PAIR, (TWO_PAIRS,), (JACK, ACE)),
    "Two pair, the higher 7s to 10s, with an ace": Line(TWO_PAIR, (TWO_PAIRS,), (SEVENS, TEN), one_of=(ACE,)),
    "Two pair, the higher 7s to 10s, without an ace": Line(PAIR, (TWO_PAIRS,), (SEVENS, TEN), none_of=(ACE,)),
    "Two pair, the higher 3s to 6s, with an ace or king": Line(
        TWO_PAIR, (TWO_PAIRS,), (THREES, SIX), one_of=(ACE, KING)
    ),
    "Two pair, the higher 3s to 6s, without an ace or king": Line(
        PAIR, (TWO_PAIRS,), (THREES, SIX), none_of=(ACE, KING)
    ),
    "Two pair, kings or lower, with an ace": Line(TWO_PAIR, (TWO_PAIRS,), (TWO, KING), one_of=(ACE,)),
    "Two pair, any other": Line(PAIR, (TWO_PAIRS,)),
    "A straight or better, with one pair or none": Line(STRAIGHT, (NOTHING, ONE_PAIR), run=True),
    "A straight or better": Line(STRAIGHT, (NOTHING, ONE_PAIR, TWO_PAIRS, THREE_PAIRS, TRIPS), run=True),
    "One pair": Line(PAIR, (ONE_PAIR,)),
    "No pair": Line(NO_PAIR, (NOTHING,)),
}

TABLE = SevenCardTable(
    required="pai_gow",  # § 688a.12(a)
    ace_high="ace_high",
    pushed="The dealer has an Ace High Pai Gow",  # § 688a.11(f)(2)(iii)
    ace_high_rows=(  # § 688a.12(b)
        "Both Dealer and Player have Ace High",
        "Only Dealer has Ace High, with Joker",
        "Only Dealer has Ace High, no Joker",
    ),
    hands={  # § 688a.6(b), (e), (f)
        "7 Card Straight Flush": (SEVEN_NATURAL, SEVEN_WITH_JOKER),
        "7 Card Natural Straight Flush": (SEVEN_NATURAL,),
        "7 Card Wild Straight Flush": (SEVEN_WITH_JOKER,),
        "7 Card Straight Flush with Joker": (SEVEN_WITH_JOKER,),
        "7 Card Straight Flush w/Joker": (SEVEN_WITH_JOKER,),
        "Royal Flush + Royal Match": (ROYAL_MATCH,),
        "Five Aces": (FIVE_ACES,),
        "Five of a Kind": (FIVE_ALIKE,),
        "Royal Flush": (ROYAL_FLUSH,),
        "Straight Flush": (STRAIGHT_FLUSH,),
        "Four of a Kind": (FOUR,),
        "Full House": (FULL_HOUSE,),
        "Flush": (FLUSH,),
        "Three of a Kind": (THREE,),
        "Straight": (STRAIGHT,),
        "Three Pair": (THREE_PAIR,),
    },
    natural="7 Card Straight Flush",  # § 688a.6(e)(1), (3)
    lines=LINES,
)
