"""Cajun Stud: two own cards, three community cards, a raise or a fold before each; paid by a paytable.

A payout limit's largest round is a royal flush on the Ante and three Raises of the same amount: reading
`limit-required-wagers`.
"""

from games.maths.staged_raises.streets import wagers
from games.maths.staged_raises.streets.game import StreetGame
from games.maths.staged_raises.streets.wagers import BonusWager, Dealing, Sections
from games.play import Play

ACE_WITH = "Ace and a king, queen or jack of"
SIX_CARD_ROYALS = ("Six-card royal flush—diamonds", "Six-card royal flush—hearts, spades or clubs")
HIGH_HANDS = (
    "Royal flush", "Straight flush", "Four-of-a-kind", "Full house", "Flush", "Straight", "Three-of-a-kind",
)  # fmt: skip
BONUSES = {
    "pocket_bonus": BonusWager(
        wagers.OWN_CARDS,
        ("Pair of aces", f"{ACE_WITH} the same suit", f"{ACE_WITH} different suits", "Pair of 2s—kings"),
    ),
    "board_bonus": BonusWager(
        wagers.COMMUNITY_CARDS,
        ("Mini-royal", "Straight flush", "Three-of-a-kind", "Straight", "Flush", "Pair"),
    ),
    "lo_ball": BonusWager(  # reading `lo-ball-seven`
        wagers.NO_PAIR, ("7 high", "8 high", "9 high", "10 high", "Jack high", "Queen high")
    ),
    "all_six": BonusWager(
        wagers.BEST_OF_SIX,
        (*SIX_CARD_ROYALS, *HIGH_HANDS),
        instead=dict.fromkeys(SIX_CARD_ROYALS, "Royal flush"),  # reading `six-card-royal-abc`
        extra_cards="deals the four All-Six Bonus cards",
    ),
}
SECTIONS = Sections(
    won="§ 683a.11(h)(1)",
    lost="§ 683a.11(h)(2)",
    raised=("§ 683a.11(b)", "§ 683a.11(d)", "§ 683a.11(f)"),
    turned=("§ 683a.11(c)", "§ 683a.11(e)", "§ 683a.11(g)"),
    dealt={  # reading `all-six-after-players`
        "manual_shoe": Dealing("§ 683a.8(c)", "§ 683a.8(d)", "§ 683a.8(c)"),
        "from_hand": Dealing("§ 683a.9(b)", "§ 683a.9(c)", "§ 683a.9(b)"),
        "automated_shoe": Dealing("§ 683a.10(b)", "§ 683a.10(c)(2)", "§ 683a.10(c)(1)", extra_first=False),
    },
)
RAISES = ("a first Raise Wager", "a second Raise Wager", "a third Raise Wager")
GAME = StreetGame(RAISES, BONUSES, SECTIONS, play_file=__file__)

PLAY = Play(game=GAME, block_rounds=10_000_000, largest_round=GAME.largest_round)
