"""The second laboratory's table of Double Back Jack, entered from the text a second time."""

from games.second.blackjack import BLACKJACK, CHANCE, WIN, BlackjackTable, Rules

TABLE = BlackjackTable(
    wagers=("blackjack", "second_chance"),
    rows={  # § 591.12(a), (b)
        WIN: "Winning Blackjack Wager",
        BLACKJACK: "Player Blackjack",
        CHANCE: "Winning Second Chance Wager",
    },
    decks=8,  # § 591.3(a): at least one
    hands=2,  # § 591.11(a)
    rules=Rules(
        second_chances=True,  # § 591.7(l)
        blackjack_beats_blackjack=True,  # § 591.7(f): settled before the dealer looks
        blackjack_insures=False,  # § 591.7(g): insurance is offered after that
        pays_21_at_once=True,  # § 591.7(m)
        pushes_22=True,  # § 591.7(q)(1)
    ),
)
