"""The second laboratory's table of Spanish 21, entered from the text a second time."""

from games.second.blackjack import (
    BLACKJACK,
    FIVE_CARDS,
    MATCH,
    MIXED,
    OF_SPADES,
    SIX_SEVEN_EIGHT,
    SUITED,
    THREE_SEVENS,
    WIN,
    BlackjackTable,
    Rules,
    SideWager,
)

TABLE = BlackjackTable(
    wagers=("spanish_21",),
    rows={  # § 635a.12(a), (b); the fixed payouts of (c) are not settled
        WIN: "Winning Spanish 21 Wager",
        BLACKJACK: "Blackjack",
        SIX_SEVEN_EIGHT + MIXED: "Three cards consisting of 6, 7 and 8 of mixed suits",
        SIX_SEVEN_EIGHT + SUITED: "Three cards consisting of 6, 7 and 8 of the same suit",
        SIX_SEVEN_EIGHT + OF_SPADES: "Three cards consisting of the 6, 7 and 8 of spades",
        THREE_SEVENS + MIXED: "Three cards consisting of three 7s of mixed suits",
        THREE_SEVENS + SUITED: "Three cards consisting of three 7s of the same suit",
        THREE_SEVENS + OF_SPADES: "Three cards consisting of three 7s of spades",
        FIVE_CARDS: "Five cards totaling 21",
        FIVE_CARDS + 1: "Six cards totaling 21",
        FIVE_CARDS + 2: "Seven or more cards totaling 21",
    },
    decks=6,  # § 635a.3(a): six or eight
    decks_of_paytable={"Six decks": 6, "Eight decks": 8},  # § 635a.12(e)
    tens_removed=True,
    hands=5,
    more_splits="additional_splits",  # § 635a.11(c)
    rules=Rules(
        rescues=True,  # § 635a.10(d)
        blackjack_beats_blackjack=True,  # § 635a.7(n)(3)
        beats_21=True,  # § 635a.7(n)(4)
    ),
    side=SideWager(  # § 635a.7(f)
        "match_the_dealer", MATCH, ("Each matching card of the same suit", "Each matching card of a different suit")
    ),
)
