"""Flop Poker: three own cards, two of three community cards, and an Ante against a paytable: a Flop Wager or a fold.

The Pot Wager is between the players: the house wins or loses nothing by it.
"""

from games.maths import hands
from games.maths.staged_raises.flop import FlopGame, OwnCardsWager, Pool, RequiredWagers
from games.play import Play

GAME = FlopGame(
    required=RequiredWagers(raised="Flop Wager", least="J", decided="§ 583.11(b)", settled="§ 583.11(d)(2)"),
    paid_by="flop",
    own_cards={
        "three_card_bonus": OwnCardsWager(
            (hands.ROYAL, hands.STRAIGHT_FLUSH, hands.THREE, hands.STRAIGHT, hands.FLUSH, hands.PAIR),
            lost="§ 583.11(d)(1)",
        ),
    },
    pools={
        "pot": Pool(
            "§ 583.11(e)",
            notes=(
                "The house holds nothing of it: the player or players with the highest hand are paid the entire Pot. "
                "All players are dealt alike and wager alike, so among them it is worth nothing on average.",
            ),
        ),
    },
    dealt={"manual_shoe": "§ 583.8(c)", "from_hand": "§ 583.9(c)", "automated_shoe": "§ 583.10(b)"},
    turned="§ 583.11(c)",
    notes=(
        "The Pot Wager is not counted: it goes whole to the players (§ 583.11(e)), is equal to the table minimum and "
        "bears no relation to the Ante. A player who folds stays in for the Pot and keeps the Three Card Bonus Wager, "
        "so this play costs nothing in either.",
    ),
)

PLAY = Play(game=GAME, block_rounds=10_000_000, filing_rounds=50_000_000)
