"""The second laboratory's table of Free Bet Blackjack, entered from the text a second time."""

from games.second.blackjack import BLACKJACK, DEALER_22, LAMMER, WIN, BlackjackTable, Rules, SideWager

TABLE = BlackjackTable(
    wagers=("blackjack",),
    rows={WIN: "Winning Blackjack Wager", LAMMER: "Free Bet lammer", BLACKJACK: "Player Blackjack"},  # § 590.12(a)
    decks=6,  # § 590.3(a): at least one
    hands=4,  # § 590.11(d)
    rules=Rules(
        lammers=True,  # §§ 590.10(a)(1), 590.11(b)(2)
        pushes_22=True,  # § 590.7(n)(1), (o)(1)
    ),
    side=SideWager("push_22", DEALER_22, ("Same suite 22", "Same color 22", "Other 22")),  # § 590.12(c)
)
