"""Criss-Cross Poker: two own cards with the row and the column of a cross, a bet or a fold before each pair of cards.

Readings: `pair-of-tens` (a pair of 10s pushes on the Antes and on the Bets), `five-card-bonus-loses` (the Five Card
Bonus Wager is paid on the five community cards alone).
"""

from games.maths.staged_raises.cross.game import CrossGame, Sections
from games.play import Play

GAME = CrossGame(
    bets=("Across Bet", "Down Bet", "Middle Bet"),
    paid_by="bet",
    sections=Sections(
        bets=("§ 592.11(b)", "§ 592.11(d)", "§ 592.11(f)"),
        turned=("§ 592.11(c)", "§ 592.11(e)", "§ 592.11(g)"),
        settled="§ 592.11(h)",
        dealt={"manual_shoe": "§ 592.8(d)", "from_hand": "§ 592.9(b)", "automated_shoe": "§ 592.10(b)"},
    ),
)

PLAY = Play(game=GAME, block_rounds=5_000_000)
