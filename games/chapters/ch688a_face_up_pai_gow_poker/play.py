"""Face Up Pai Gow Poker: seven cards set in two against the dealer's exposed hands.

Surrender (§ 688a.11(d)) never helps. The Board's 91.937 % for Progressive Paytable 4 comes out only if a hand is paid
by the first row that it fills, and if the reserve rate and the Envy Bonus count towards the return.
"""

from games.maths.two_hands.seven_game import SevenCardGame
from games.maths.two_hands.seven_wagers import LOSES, PUSHES, TIES, WINS, SevenCardWording
from games.play import Play

GAME = SevenCardGame(
    wager="pai_gow",  # 1 to 1: § 688a.12(a)
    wording=SevenCardWording(
        dealt={"manual_shoe": "§ 688a.8(d)", "from_hand": "§ 688a.9(c)", "automated_shoe": "§ 688a.10(c)"},
        dealer_sets="§ 688a.11(a)",
        player_sets="§ 688a.11(c)",
        ends={
            LOSES: "§ 688a.11(f)(1)",  # (ii): a copy counts for the dealer
            TIES: "§ 688a.11(f)(2)(i), (ii)",
            WINS: "§ 688a.11(f)(3)",
            PUSHES: "§ 688a.11(f)(2)(iii)",
        },
        tied_hand="an Ace High Pai Gow",  # § 688a.1, .6(d)
        ace_high_rows=(  # § 688a.12(b)
            "Both Dealer and Player have Ace High",
            "Only Dealer has Ace High, with Joker",
            "Only Dealer has Ace High, no Joker",
        ),
        loses={
            "ace_high": "§ 688a.11(h)(1)(i)(A)",
            "fortune": "§ 688a.11(h)(2)(i)(A)",
            "progressive": "§ 688a.11(h)(3)(i)(A)",
        },
        ranking="§ 688a.6",
        best_hand="§ 688a.1",
        wild_joker="§ 688a.12(d)",
        readings={"Straight": "fortune-best-row", "Three Pair": "fortune-threshold"},
    ),
)

PLAY = Play(game=GAME, block_rounds=5_000_000)
