"""Ace King Showdown, invented for tests: raise or fold against a hidden five that must have ace-king or better."""

from games.maths import hands
from games.maths.cards import ACE
from games.maths.showdown.deck import rows_named
from games.maths.showdown.five_game import FiveCardShowdown, OwnHand
from games.maths.showdown.parts import ByRow, Dealing, End, Ends, Part, RequiredWagers, Sections, SimplifiedRule
from games.play import Play

KING = ACE - 1
HIGH = rows_named(
    "Two pair", "Three-of-a-kind", "Straight", "Flush", "Full house", "Four-of-a-kind", "Straight flush", "Royal flush"
)
RAISE = HIGH | {(hands.HIGH_CARD,): "A pair or less", (hands.PAIR,): "A pair or less"}
FIVE_CARD = HIGH | {(hands.PAIR, ACE): "Pair of aces"}
GAME = FiveCardShowdown(
    RequiredWagers(
        parts=(
            Part("initial", wins=1, ties=0, loses=-1, short=1),
            Part("raise", wins=ByRow("raise", RAISE), ties=0, loses=-1, short=0),
        ),
        ends=Ends(
            wins=End("Wins with {row}", "§ 690a.11(c)(2)", "1 to 1; Raise {odds}"),
            ties=End("Tie", "§ 690a.11(c)(3)"),
            loses=End("Beaten by the dealer", "§ 690a.11(c)(4)"),
            short=End("The dealer does not qualify", "§ 690a.11(c)(1)", "1 to 1"),
            folds=End("Folded", "§ 690a.11(b)"),
        ),
        raises=(2,),
        simplified=(
            SimplifiedRule("Goes by the order of the hands alone"),
            SimplifiedRule("Raises what qualifies", (((hands.HIGH_CARD, ACE, KING), 1),)),
            SimplifiedRule("Raises any pair", (((hands.PAIR,), 1),)),
            SimplifiedRule("Never folds", (((hands.HIGH_CARD,), 1),)),
        ),
    ),
    Sections(
        decided="§ 690a.11(b)",
        dealt={
            "manual_shoe": Dealing("§ 690a.8(b)", "§ 690a.8(b)"),
            "from_hand": Dealing("§ 690a.9(b)", "§ 690a.9(b)"),
            "automated_shoe": Dealing("§ 690a.10(b)", "§ 690a.10(b)"),
        },
    ),
    least=(hands.HIGH_CARD, ACE, KING),
    bonuses={"five_card": OwnHand("§ 690a.11(d)(1)", FIVE_CARD)},
)
PLAY = Play(game=GAME, block_rounds=5_000_000, filing_rounds=100_000_000)
