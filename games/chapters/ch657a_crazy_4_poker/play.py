"""Crazy 4 Poker: the best four of five cards against the dealer's hidden five; fold, or play one to three Antes.

The chapter's text is not in the sources: all is as in general use (reading `settlement-in-general-use` and others).
"""

from games.maths.cards import ACE
from games.maths.hands import FOUR, HIGH_CARD, PAIR
from games.maths.showdown.deck import rows_named
from games.maths.showdown.four_game import BEST_FOUR, FourBonus, FourCardShowdown
from games.maths.showdown.parts import ByRow, Dealing, End, Ends, Part, RequiredWagers, Sections, SimplifiedRule
from games.play import Play

NOT_THE_REGULATION = (
    "Not in the source text: wagers, settlement and paytable are those in general use, not the regulation's. "
    "Compare §§ 657a.7, 657a.11 and 657a.12 in the Pennsylvania Code before relying on these figures."
)
SHORT_HANDS = (
    "Whether the Super Bonus Wager pushes or loses where neither side has king high changes nothing: no such hand "
    "of the player's is played."
)
STRONG = rows_named("Straight", "Flush", "Three-of-a-kind", "Straight flush", "Four-of-a-kind")
QUEENS = {(PAIR, rank): "Pair of queens or better" for rank in range(ACE - 2, ACE + 1)}
SUPER_BONUS = STRONG | {(FOUR, ACE): "Four aces"}
PUSHED, LOST = ByRow("super_bonus", SUPER_BONUS), ByRow("super_bonus", SUPER_BONUS, otherwise=-1)
KING_HIGH, PLAYABLE, ACES, AT = (HIGH_CARD, 11), (HIGH_CARD, 11, 10, 6, 2), (PAIR, ACE), "§ 657a.11"
ENDED = (
    End(f"Played {{antes}}×, {how}", AT, of_row=End(f"Played {{antes}}×, {how}; {{hand}}", AT, "Super Bonus {odds}"))
    for how in ("wins", "ties", "loses", "the dealer does not qualify")
)
REQUIRED = RequiredWagers(
    parts=(
        Part("initial", wins=1, ties=0, loses=-1, short=0),
        Part("initial", wins=PUSHED, ties=PUSHED, loses=LOST, short=PUSHED),
        Part("raise", wins=1, ties=0, loses=-1, short=1),
    ),
    ends=Ends(End("Folded", AT), *ENDED),
    raises=(1, 2, 3),
    verb="Play",
    most=(((HIGH_CARD,), 1), (ACES, 3)),
    simplified=(
        SimplifiedRule("Goes by the best four cards alone"),
        SimplifiedRule("Folds without a pair", (((PAIR,), 1), (ACES, 3))),
        SimplifiedRule("Never plays more than one Ante", ((PLAYABLE, 1),)),
        SimplifiedRule("Never folds", (((HIGH_CARD,), 1), (ACES, 3))),
    ),
    notes=(NOT_THE_REGULATION, SHORT_HANDS),
)
QUEENS_UP = FourBonus(BEST_FOUR, STRONG | QUEENS | rows_named("Two pairs"), AT, notes=(NOT_THE_REGULATION,))
SECTIONS = Sections(AT, {"": Dealing("§ 657a.8", "§ 657a.8")})
GAME = FourCardShowdown(REQUIRED, SECTIONS, least=KING_HIGH, bonuses={"queens_up": QUEENS_UP})

PLAY = Play(game=GAME, block_rounds=10_000_000)
