"""Mississippi Stud: two own cards, three community cards, a Street Wager or a fold before each; paid by a paytable.

Most of the chapter's text is not in the sources. What is computed here rests on what is known of it: the odds of
§ 655a.12(a) and (c)(1), the Street Wagers of § 655a.1; the readings say what is inferred. A payout limit's largest
round is a royal flush on the Ante and three Street Wagers of three times as much: reading `ceiling-covers`.
"""

from games.maths.staged_raises.streets import wagers
from games.maths.staged_raises.streets.game import StreetGame
from games.maths.staged_raises.streets.wagers import BonusWager, Dealing, Meters, Sections
from games.play import Play

KNOWN = "§ 655a.1"  # the sections on dealing and on the completion of a round are not in the sources
NOTE = "Computed for a wager of $1: the amount is not in the source text, nor are those of the Envy Bonus."
"""Reading `progressive-of-one-dollar`."""

GAME = StreetGame(
    raises=("a 3rd Street Wager", "a 4th Street Wager", "a 5th Street Wager"),
    bonuses={
        "three_card": BonusWager(
            wagers.COMMUNITY_CARDS,
            ("Mini-royal", "Straight flush", "Three-of-a-kind", "Straight", "Flush", "Pair"),
        ),
        "progressive": BonusWager(
            wagers.FIVE_CARDS,
            ("Royal flush", "Straight flush", "Four-of-a-kind", "Full house", "Flush", "Straight", "Three-of-a-kind"),
            meters=Meters(
                rate="progressive_rate",
                resets={  # by jackpot of § 655a.12(c)(1)
                    "": "progressive_reset",
                    "mega jackpot": "progressive_reset",
                    "major jackpot": "progressive_reset_major",
                    "minor jackpot": "progressive_reset_minor",
                },
                note=NOTE,
            ),
        ),
    },
    sections=Sections(
        won="§ 655a.12(a)",
        lost="§ 655a.12(a)",
        raised=(KNOWN, KNOWN, KNOWN),
        turned=(KNOWN, KNOWN, KNOWN),
        dealt={"": Dealing(KNOWN, KNOWN)},
    ),
    play_file=__file__,
)

PLAY = Play(game=GAME, block_rounds=10_000_000, largest_round=GAME.largest_round)
