"""Quintet Blackjack, invented for tests: five cards that do not exceed 21 win at once."""

from games.maths.blackjack.game import Game
from games.maths.blackjack.rules import Insurance, Rules, Sections, Settlement
from games.maths.blackjack.side_wagers import MATCH, SideWager
from games.play import Play

GAME = Game(
    wager="blackjack",
    decks=6,  # § 692a.3(a): one to eight
    rules=Rules(
        blackjack_row="Player Blackjack",  # § 692a.12(a)
        winning_cards=5,  # § 692a.7(g)
        hands=4,  # § 692a.11(b)
    ),
    side=SideWager("twin_card", MATCH, ".7(b)", ("Twin of the same suit", "Twin of a different suit")),
    sections=Sections(
        first_card=".7(a)(1)",
        up_card=".7(a)(2)",
        second_card=".7(a)(3)",
        hole_card=".7(a)(4)",
        insurance=Insurance(made=".8(a)", won=".8(c)", lost=".8(d)"),
        reader=".7(d)",
        blackjack=".7(e)(1)",
        stand=".7(e)(2)",
        hit=".7(f)",
        winning_cards=".7(g)",
        double=".10",
        split=".11(a)",
        split_card=".11(b)",
        surrender=".9",
        turns=".7(h)",
        dealer_draws=".7(i)",
        settled=Settlement(won=".7(j)", tied=".7(k)", lost=".7(l)"),
    ),
)

PLAY = Play(game=GAME, block_rounds=10_000_000, filing_rounds=100_000_000)
