"""Double Back Jack: Blackjack pays 2 to 1, 21 wins at once, a Second Chance above 21; a dealer's 22 returns wagers."""

from games.maths.blackjack import hands
from games.maths.blackjack.game import Game
from games.maths.blackjack.replay import Sections
from games.play import Play

GAME = Game(
    number="591",
    decks=8,  # § 591.3(a): at least one
    most_hands=lambda answers: 2,  # § 591.11(a)
    blackjack_insures=False,  # reading `insurance-after-blackjack`
    sections=Sections(
        first_card=".7(e)(1)",
        up_card=".7(e)(2)",
        second_card=".7(e)(3)",
        hole_card=".7(e)(4)",
        blackjack=".7(f)",
        insurance=".8(a)",
        reader=".7(h)",
        split_card=".11(b)",
        turns=".7(n)",
        dealer_draws=".7(o)",
        decisions={
            hands.STAND: ".7(i)",
            hands.HIT: ".7(k)",
            hands.DOUBLE: ".10(a)",
            hands.SPLIT: ".11(a)",
            hands.SURRENDER: ".9(a)",
            hands.SECOND_CHANCE: ".7(l)",
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
