"""World Poker Tour Heads-Up Hold 'Em: two cards and five community cards against the dealer.

Readings: `odds-high-card` (the Odds Wager of a winning hand without a row is returned), `raise-up-to` (as much as is
allowed), `burn-card-and-shoe` (no card is burned where the community cards are dealt first, § 677a.10(g)).
"""

from games.maths.heads_up.game import HeadsUpGame
from games.maths.heads_up.rules import (
    BEST_FIVE,
    LOSE,
    LOSE_UNQUALIFIED,
    OWN_CARDS,
    TIE,
    TIE_UNQUALIFIED,
    WIN,
    WIN_UNQUALIFIED,
    BonusWager,
    Rules,
    Sections,
)
from games.play import Play

NOT_IN_TEXT = "The paytable is not in the source text: see the reading `{}`."
GAME = HeadsUpGame(
    rules=Rules(raises=(3, 2, 1)),  # § 677a.11(b), (d), (f); a pair qualifies: § 677a.11(h)
    odds="odds",
    bad_beat="bad_beat",
    bonuses={
        "pocket_bonus": BonusWager(OWN_CARDS, "§ 677a.11(i)(1)(ii)", (NOT_IN_TEXT.format("pocket-bonus-tables-lost"),)),
        "trips_plus": BonusWager(BEST_FIVE, "§ 677a.11(i)(2)(ii)"),
    },
    notes=(NOT_IN_TEXT.format("bad-beat-table-lost"),),
    sections=Sections(
        dealt={"manual_shoe": "§ 677a.8(c)", "from_hand": "§ 677a.9(b)", "automated_shoe": "§ 677a.10(b)"},
        raised=("§ 677a.11(b)", "§ 677a.11(d)", "§ 677a.11(f)"),
        flop="§ 677a.11(c)",
        turn_and_river="§ 677a.11(e)",
        shown="§ 677a.11(g)",
        ends={
            WIN: "§ 677a.11(h)(2)(i)",
            WIN_UNQUALIFIED: "§ 677a.11(h)(1)(i)",
            TIE: "§ 677a.11(h)(2)(ii)",
            TIE_UNQUALIFIED: "§ 677a.11(h)(1)(ii)",
            LOSE: "§ 677a.11(h)(2)(iii)(A)",
            LOSE_UNQUALIFIED: "§ 677a.11(h)(1)(iii)",
        },
        bad_beat="§ 677a.11(h)(2)(iii)(B)",
    ),
)

PLAY = Play(game=GAME, block_rounds=5_000_000, largest_round=GAME.largest_round)
