"""High Card Flush: seven cards against the dealer's seven, by the longest flush.

Readings: `raise-up-to` (as much as is allowed, or one Ante), `nine-high` (the dealer's qualifier), `ace-low` (straight
flushes), `three-card-if-included` (which paytables pay three cards in sequence).
"""

from decimal import Decimal

from games.maths.longest_flush.game import LongestFlushGame
from games.maths.longest_flush.rules import (
    FLUSH,
    LOSE,
    STRAIGHT_FLUSH,
    TIE,
    UNQUALIFIED,
    WIN,
    BonusWager,
    Flush,
    Meter,
    Rules,
    Sections,
)
from games.play import Play

GAME = LongestFlushGame(
    rules=Rules(
        raises=(1, 1, 1, 2, 3, 3),  # with a flush of two to seven cards: § 678a.11(b)
        qualifier=Flush(3, "9"),  # § 678a.11(d)(1)
    ),
    bonuses={
        "flush_bonus": BonusWager(FLUSH, lost="§ 678a.11(e)(1)(i)"),
        "straight_flush_bonus": BonusWager(STRAIGHT_FLUSH, lost="§ 678a.11(e)(2)(i)"),
        # The chapter prints no bet; the reset amount is the least that it allows.
        "progressive": BonusWager(
            STRAIGHT_FLUSH, meter=Meter(bet=Decimal(1), reset=Decimal(30_000), section="§ 678a.12(d)(3)")
        ),
    },
    beaten="9h 7h 4h 3d 7d 3c 7c",
    sections=Sections(
        dealt={"manual_shoe": "§ 678a.8(d)", "from_hand": "§ 678a.9(b)", "automated_shoe": "§ 678a.10(b)"},
        raised="§ 678a.11(b)",
        folded="§ 678a.11(c)(2)",
        shown="§ 678a.11(d)",
        ends={
            UNQUALIFIED: "§ 678a.11(d)(1)",
            WIN: "§ 678a.11(d)(2)(ii)(A)",
            TIE: "§ 678a.11(d)(2)(ii)(B)",
            LOSE: "§ 678a.11(d)(2)(ii)(C)",
        },
    ),
)

PLAY = Play(game=GAME, block_rounds=10_000_000, largest_round=GAME.largest_round)
