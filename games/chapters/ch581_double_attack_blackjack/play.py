"""Double Attack Blackjack: decks without 10s, a second wager after the dealer's first card, Blackjack at even money."""

from games.maths.blackjack import hands
from games.maths.blackjack.game import Game
from games.maths.blackjack.replay import Sections
from games.maths.blackjack.side_wagers import analyze_bust_it
from games.play import Play

GAME = Game(
    number="581",
    decks=8,  # § 581.3(a)
    tens=3,
    most_hands=lambda answers: 4,  # § 581.11(c); two of aces: (e)
    side={"bust_it": analyze_bust_it},
    sections=Sections(
        up_card=".7(e)",
        attack=".7(e)",
        first_card=".7(f)(1)",
        second_card=".7(f)(2)",
        hole_card=".7(f)(3)",
        up_card_first=True,
        insurance=".8(a)",
        reader=".7(g)",
        blackjack=".7(h)(1)",
        split_card=".11(b)",
        turns=".7(l)",
        third_card=".7(m)(2)",
        dealer_draws=".7(n)",
        decisions={
            hands.STAND: ".7(h)(2)",
            hands.HIT: ".7(j)",
            hands.DOUBLE: ".10(a)",
            hands.SPLIT: ".11(a)",
            hands.SURRENDER: ".9(b)",
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
