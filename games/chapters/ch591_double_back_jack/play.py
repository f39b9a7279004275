"""Double Back Jack: Blackjack pays 2 to 1, 21 wins at once, a Second Chance above 21; a dealer's 22 returns wagers."""

from games.maths.blackjack.game import Game
from games.maths.blackjack.rules import Insurance, Rules, Sections, Settlement
from games.play import Play

GAME = Game(
    wager="blackjack",
    decks=8,  # § 591.3(a): at least one
    rules=Rules(
        hands=2,  # § 591.11(a)
        blackjack_row="Player Blackjack",  # § 591.12(a)
        blackjack_beats_blackjack=True,  # § 591.7(f)
        blackjack_insures=False,  # reading `insurance-after-blackjack`
        pays_21_at_once=True,  # § 591.7(m)
        pushes_22=True,  # § 591.7(q)(1)
        second_chance="Second Chance Wager",  # § 591.7(l)
    ),
    sections=Sections(
        first_card=".7(e)(1)",
        up_card=".7(e)(2)",
        second_card=".7(e)(3)",
        hole_card=".7(e)(4)",
        blackjack=".7(f)",
        insurance=Insurance(made=".8(a)", won=".8(c)", lost=".8(d)"),
        reader=".7(h)",
        stand=".7(i)",
        hit=".7(k)",
        second_chance=".7(l)",
        double=".10(a)",
        split=".11(a)",
        split_card=".11(b)",
        surrender=".9(a)",
        turns=".7(n)",
        dealer_draws=".7(o)",
        settled=Settlement(won=".7(s)(1)", tied=".7(s)(2)", lost=".7(s)(3)"),
    ),
)

PLAY = Play(game=GAME, block_rounds=10_000_000)
