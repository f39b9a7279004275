"""The second laboratory's table of Quintet Blackjack, entered a second time."""

from games.second.blackjack import BLACKJACK, MATCH, WIN, BlackjackTable, Rules, SideWager

TABLE = BlackjackTable(
    wagers=("blackjack",),
    rows={WIN: "Winning Blackjack Wager", BLACKJACK: "Player Blackjack"},  # § 692a.12(a)
    decks=6,  # § 692a.3(a): one to eight
    hands=4,  # § 692a.11(b)
    rules=Rules(winning_cards=5),  # § 692a.7(g)
    side=SideWager("twin_card", MATCH, ("Twin of the same suit", "Twin of a different suit")),  # § 692a.12(c)
)
