"""Poker: players against each other, with no wager against the house.

Hence there is nothing to analyze or to deal; the house takes its rake, by the schedule filed (§ 637a.17, known from the
preamble: `rake-not-in-the-source-text`).
"""

from games.maths.rake import Game
from games.play import Play

GAME = Game(
    players=range(2, 11),  # § 637a.2(a): up to ten
    contributions=("bad_beat_contribution", "high_hand_contribution"),
)

PLAY = Play(game=GAME, block_rounds=1, filing_rounds=1, rake=GAME.rake, deals_rounds=False)
