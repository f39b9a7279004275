"""Double Attack Blackjack: decks without 10s, a second wager after the dealer's first card, Blackjack at even money."""

from games.maths.blackjack.game import Game
from games.maths.blackjack.rules import Insurance, Rules, Sections, Settlement
from games.maths.blackjack.side_wagers import THIRD_CARD, SideWager
from games.play import Play

THIRD_CARDS = ("6", "7", "8", "9", "King, queen or jack")
BUST_IT_ROWS = (
    "8, 8, 8 of the same suit",
    "8, 8, 8 of the same color",
    *(f"Third card drawn is a: {card}" for card in THIRD_CARDS),
)
GAME = Game(
    wager="bet",
    decks=8,  # § 581.3(a)
    rules=Rules(
        tens=3,
        up_card_first=True,
        attack="Double Attack Wager",  # § 581.6(e)
        any_time=True,  # §§ 581.9(a), 581.10(a)
        one_card_aces=True,  # § 581.11(e); else four hands: (c)
    ),
    side=SideWager("bust_it", THIRD_CARD, ".7(m)", BUST_IT_ROWS),
    sections=Sections(
        up_card=".7(e)",
        attack=".7(e)",
        first_card=".7(f)(1)",
        second_card=".7(f)(2)",
        hole_card=".7(f)(3)",
        insurance=Insurance(made=".8(a)", won=".8(c)", lost=".8(d)"),
        reader=".7(g)",
        blackjack=".7(h)(1)",
        stand=".7(h)(2)",
        hit=".7(j)",
        double=".10(a)",
        split=".11(a)",
        split_card=".11(b)",
        surrender=".9(b)",
        turns=".7(l)",
        third_card=".7(m)(2)",
        dealer_draws=".7(n)",
        settled=Settlement(won=".7(o)(1)(i)", tied=".7(o)(1)(iii)", lost=".7(o)(1)(ii)"),
    ),
)

PLAY = Play(game=GAME, block_rounds=10_000_000)
