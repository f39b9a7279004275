"""DJ Wild Stud Poker: 53 cards, deuces and joker wild, raise or fold against the dealer's hidden five cards."""

from games.maths import hands
from games.maths.cards import FIVE
from games.maths.showdown.deck import DEUCES_AND_JOKER, rows_named
from games.maths.showdown.five_game import BeatenHand, FiveCardShowdown, NaturalOrWild, ReplacedHand
from games.maths.showdown.parts import ByRow, Dealing, End, Ends, Part, RequiredWagers, Sections, SimplifiedRule
from games.play import Play

CLASSES = (*hands.STANDARD[:-1], hands.FIVE_OF_A_KIND, hands.ROYAL_FLUSH, hands.FIVE_WILDS)
"""§ 687a.6(c), with five-of-a-kind where § 687a.12(b) pays it: reading `five-of-a-kind-unranked`."""
BLIND = rows_named(*CLASSES[4:]) | {(name,): "Three-of-a-Kind or less" for name in CLASSES[:4]}
ANY_PAIR = (((hands.PAIR,), 1),)
REQUIRED = RequiredWagers(  # § 687a.7(d)(1)
    parts=(
        Part("initial", wins=1, ties=0, loses=-1),
        Part("initial", wins=ByRow("blind", BLIND), ties=0, loses=-1),
        Part("raise", wins=1, ties=0, loses=-1),
    ),
    ends=Ends(
        wins=End("Wins with {row}", "§ 687a.11(e)(1)", "1 to 1; Blind {odds}"),
        ties=End("Tie", "§ 687a.11(e)(2)"),
        loses=End("Beaten by the dealer", "§ 687a.11(e)(3)"),
        folds=End("Folded", "§ 687a.11(b)"),
    ),
    raises=(2,),
    simplified=(
        SimplifiedRule("Always raises", (((hands.HIGH_CARD,), 1),), "Raises with every hand"),
        SimplifiedRule("Raises any pair", ANY_PAIR, "Raises with a pair of 3s or better, which every wild card makes"),
        SimplifiedRule("Raises a pair of 5s", (((hands.PAIR, FIVE), 1),), "Raises with a pair of 5s or better"),
    ),
)
SECTIONS = Sections(
    decided="§ 687a.11(b)",
    dealt={
        "manual_shoe": Dealing("§ 687a.8(d)", "§ 687a.8(e)", "§ 687a.8(f)"),
        "from_hand": Dealing("§ 687a.9(c)", "§ 687a.9(d)", "§ 687a.9(e)"),
        "automated_shoe": Dealing("§ 687a.10(b)", "§ 687a.10(c)", "§ 687a.10(c)"),
    },
)
TRIPS = NaturalOrWild("§ 687a.11(f)(2)(i)")  # reading `natural-or-wild`
BAD_BEAT = BeatenHand(  # readings `bad-beat-two-way`, `djwbb-04-or-less`; a folded hand forfeits it: § 687a.11(b)(2)
    "§ 687a.11(f)(3)(i)", rows_named(*CLASSES[3:-1]), instead={hands.THREE: "Three-of-a-Kind or less"}
)
PROGRESSIVE = ReplacedHand(  # readings `progressive-joker-replaced`, `progressive-folded-silent`
    "§ 687a.11(f)(1)(i)", rows_named(*hands.STANDARD[3:]), folded="§ 687a.11(b)(3)", replaced="§ 687a.11(f)(1)"
)
BONUSES = {"trips": TRIPS, "bad_beat": BAD_BEAT, "progressive": PROGRESSIVE}
GAME = FiveCardShowdown(REQUIRED, SECTIONS, DEUCES_AND_JOKER, CLASSES, bonuses=BONUSES)

PLAY = Play(game=GAME, block_rounds=5_000_000)
