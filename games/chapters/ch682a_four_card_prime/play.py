"""Four Card Prime: the best four of five cards against the dealer's hidden six; fold, or raise one to three Antes."""

from games.maths.cards import ACE
from games.maths.hands import FOUR, HIGH_CARD, PAIR, STRAIGHT_FLUSH, THREE
from games.maths.showdown.deck import Rows, rows_named
from games.maths.showdown.four_game import ALL_SIX, BEST_FOUR, REDS, FourBonus, FourCardShowdown
from games.maths.showdown.parts import ByRow, Dealing, End, Ends, Part, RequiredWagers, Sections, SimplifiedRule
from games.maths.showdown.six_cards import ROYAL_OF_DIAMONDS, SIX_CARD_ROYAL_FLUSH
from games.play import Play

STRONG = rows_named("Three-of-a-kind", "Straight flush", "Four-of-a-kind")  # § 682a.12(b), (c)
ACES_BONUS = rows_named("Flush", "Straight", "Two pair") | STRONG | {  # § 682a.6(d)
    (FOUR, ACE): "Four aces", (STRAIGHT_FLUSH, ACE): "Royal flush", (THREE, ACE): "Three aces", (PAIR, ACE): "Two Aces",
}  # fmt: skip
ROYALS: Rows = {  # § 682a.6(e), reading `six-card-diamonds`
    (SIX_CARD_ROYAL_FLUSH,): "Six-card royal flush—hearts, spades or clubs",
    (ROYAL_OF_DIAMONDS,): "Six-card royal flush—diamonds",
}
SIX = STRONG | rows_named("Straight", "Flush", "Full house", "Royal flush") | ROYALS  # reading `six-card-hand`
ALL_ALIKE, FOUR_ALIKE = "All five the same color", "Four of the same color"
PRIME: Rows = {(0,): ALL_ALIKE, (1,): FOUR_ALIKE, (4,): FOUR_ALIKE, (5,): ALL_ALIKE}  # § 682a.12(d), by red cards
BONUSES = {  # readings `six-card-royal-d` and `six-card-royal-abc`
    "prime": FourBonus(REDS, PRIME, "§ 682a.11(e)(1)(i)"),
    "aces_bonus": FourBonus(BEST_FOUR, ACES_BONUS, "§ 682a.11(e)(2)(i)"),
    "all_six": FourBonus(ALL_SIX, SIX, "§ 682a.11(e)(3)(i)", instead=dict.fromkeys(ROYALS.values(), "Royal flush")),
}
WIN_BONUS, BAD_BEAT = ByRow("win_bonus", STRONG), ByRow("bad_beat", STRONG, otherwise=-1)
WINS, PAID, BEATEN = "Raised {antes}×, wins or ties", "§ 682a.11(d)(2)(i)", "§ 682a.11(d)(2)(ii)(B)"
WON = End(WINS, PAID, "1 to 1", of_row=End(WINS + " with {hand}", PAID, "1 to 1, Win Bonus {odds}"))
BEAT = End("Raised {antes}×, loses with {hand}", BEATEN, "Bad Beat Bonus {odds}")
LOST = End("Raised {antes}×, loses", "§ 682a.11(d)(2)(ii)(A)", of_row=BEAT)
REQUIRED = RequiredWagers(  # § 682a.7(d)(1), § 682a.11(d); reading `ties-win`
    parts=(
        Part("initial", wins=1, ties=1, loses=BAD_BEAT),
        Part("raise", wins=1, ties=1, loses=-1),
        Part("nothing", wins=WIN_BONUS, ties=WIN_BONUS, loses=0),
    ),
    ends=Ends(End("Folded", "§ 682a.11(b)"), WON, WON, LOST),
    raises=(1, 2, 3),
    simplified=(
        SimplifiedRule("Goes by the pair alone", (((PAIR, 1), 1), ((PAIR, 8), 3))),
        SimplifiedRule("Always raises one Ante", (((HIGH_CARD,), 1),)),
        SimplifiedRule("Always raises three Antes", (((HIGH_CARD,), 3),)),
    ),
)
WAYS = {"manual_shoe": "§ 682a.8(c)", "from_hand": "§ 682a.9(b)", "automated_shoe": "§ 682a.10(b)"}
SECTIONS = Sections("§ 682a.11(b)", {way: Dealing(dealt, dealt, dealt) for way, dealt in WAYS.items()})
GAME = FourCardShowdown(REQUIRED, SECTIONS, 6, shared="All-Six Bonus card", bonuses=BONUSES)

PLAY = Play(game=GAME, block_rounds=10_000_000, largest_round=GAME.largest_round)
