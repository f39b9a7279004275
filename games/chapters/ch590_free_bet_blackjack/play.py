"""Free Bet Blackjack: decks of 52 cards, doubles and splits with lammers; the dealer's 22 returns the wagers."""

from games.maths.blackjack import hands
from games.maths.blackjack.game import Game
from games.maths.blackjack.replay import Sections
from games.maths.blackjack.side_wagers import analyze_push_22
from games.play import Play

GAME = Game(
    number="590",
    decks=6,  # § 590.3(a): at least one
    most_hands=lambda answers: 4,  # § 590.11(d)
    side={"push_22": analyze_push_22},
    sections=Sections(
        first_card=".7(e)(1)",
        up_card=".7(e)(2)",
        second_card=".7(e)(3)",
        hole_card=".7(e)(4)",
        insurance=".8(a)",
        reader=".7(g)",
        blackjack=".7(h)(1)",
        split_card=".11(c)",
        turns=".7(k)",
        dealer_draws=".7(l)",
        decisions={
            hands.STAND: ".7(h)(2)",
            hands.HIT: ".7(j)",
            hands.DOUBLE: ".10(a)(2)",
            hands.FREE_DOUBLE: ".10(a)(1)",
            hands.SPLIT: ".11(b)",
            hands.SURRENDER: ".9(a)",
        },
    ),
)

PLAY = Play(
    block_rounds=10_000_000,
    filing_rounds=100_000_000,
    analyze=GAME.analyze,
    simulate_block=GAME.simulate_block,
    replay_steps=GAME.replay_steps,
)
