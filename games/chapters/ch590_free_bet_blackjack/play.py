"""Free Bet Blackjack: decks of 52 cards, doubles and splits with lammers; the dealer's 22 returns the wagers."""

from games.maths.blackjack.game import Game
from games.maths.blackjack.rules import Insurance, Rules, Sections, Settlement
from games.maths.blackjack.side_wagers import DEALER_22, SideWager
from games.play import Play

GAME = Game(
    wager="blackjack",
    decks=6,  # § 590.3(a): at least one
    rules=Rules(
        blackjack_row="Player Blackjack",  # § 590.12(a)
        pushes_22=True,  # § 590.7(n)(1)
        lammer="Free Bet lammer",  # §§ 590.10(a)(1), 590.11(b)(2)
        hands=4,  # § 590.11(d)
    ),
    side=SideWager("push_22", DEALER_22, ".7(n)(2)", ("Same suite 22", "Same color 22", "Other 22")),
    sections=Sections(
        first_card=".7(e)(1)",
        up_card=".7(e)(2)",
        second_card=".7(e)(3)",
        hole_card=".7(e)(4)",
        insurance=Insurance(made=".8(a)", won=".8(c)", lost=".8(d)"),
        reader=".7(g)",
        blackjack=".7(h)(1)",
        stand=".7(h)(2)",
        hit=".7(j)",
        double=".10(a)(2)",
        free_double=".10(a)(1)",
        split=".11(b)",
        split_card=".11(c)",
        surrender=".9(a)",
        turns=".7(k)",
        dealer_draws=".7(l)",
        settled=Settlement(won=".7(o)", tied=".7(p)", lost=".7(q)"),
    ),
)

PLAY = Play(game=GAME, block_rounds=10_000_000)
