"""The second laboratory's table of Double Attack Blackjack, entered from the text a second time."""

from games.second.blackjack import THIRD_CARD, WIN, BlackjackTable, Rules, SideWager

TABLE = BlackjackTable(
    wagers=("bet",),
    rows={WIN: "Winning Bet Wager and Double Attack Wager"},  # § 581.12(a): a Blackjack too
    decks=8,  # § 581.3(a)
    tens_removed=True,
    hands=4,  # § 581.11(c)
    rules=Rules(
        up_card_first=True,  # § 581.7(e)
        attacks=True,  # § 581.6(e)
        any_time=True,  # §§ 581.9(a), 581.10(a)
        one_card_aces=True,  # § 581.11(e)
    ),
    side=SideWager(  # § 581.7(m)(2)
        "bust_it",
        THIRD_CARD,
        (
            "8, 8, 8 of the same suit",
            "8, 8, 8 of the same color",
            *(f"Third card drawn is a: {card}" for card in ("6", "7", "8", "9", "King, queen or jack")),
        ),
    ),
)
