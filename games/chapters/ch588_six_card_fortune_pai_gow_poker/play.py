"""Six-Card Fortune Pai Gow Poker: six cards set in two by the house way of § 588.11(d), by the dealer and the player.

Readings: `identical-hands` (one hand wins, the other does not), `insurance-hand` (the rows named by a highest card).
"""

from games.maths.two_hands import six_cards
from games.maths.two_hands.six_game import SixCardGame
from games.maths.two_hands.six_wagers import SixCardWording
from games.play import Play

GAME = SixCardGame(
    wager="pai_gow",
    wording=SixCardWording(
        dealt={"manual_shoe": "§ 588.8(d)", "from_hand": "§ 588.9(c)", "automated_shoe": "§ 588.10(c)"},
        dealer_sets="§ 588.11(d)",
        player_sets="§ 588.11(b)",
        on_request="§ 588.11(a)(1)",
        player_joker="§ 588.6(c)",
        ends={
            six_cards.WIN: "§ 588.11(f)(3)",
            six_cards.HIGH_WINS: "§ 588.11(f)(2)(i)",
            six_cards.LOW_WINS: "§ 588.11(f)(2)(ii)",
            six_cards.BOTH_LOWER: "§ 588.11(f)(1)(i)",
            six_cards.LOW_COPY: "§ 588.11(f)(1)(ii)",
            six_cards.HIGH_COPY: "§ 588.11(f)(1)(iii)",
            six_cards.BOTH_COPY: "§ 588.11(f)(1)(iv)",
        },
        doubles={
            six_cards.DOUBLE_WIN: "§ 588.11(g)(1)",
            six_cards.DOUBLE_TIE: "§ 588.11(g)(1)",
            six_cards.DOUBLE_LOSS: "§ 588.11(g)(1)",
            six_cards.RETURNED: "§ 588.11(g)(2)",
            six_cards.NOT_PLACED: "§ 588.11(c)",
        },
        loses={
            "fortune": "§ 588.11(h)(1)(i)(A)",
            "insurance": "§ 588.11(h)(2)(i)",
            "progressive": "§ 588.11(h)(3)(i)(A)",
        },
        reset="§ 588.12(d)(2)",
    ),
)

PLAY = Play(game=GAME, block_rounds=10_000_000)
