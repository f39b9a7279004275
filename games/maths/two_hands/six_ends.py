"""How a player's two hands of six cards compare to a dealer's: the ends of a round, in the order of all counts.

Here live the names alone. Not here: counting (`six_pairs`), dealing (`six_rounds`), what an end wins
(`six_against_dealer`).
"""

from typing import Final

ENDS: Final = 7
WIN, HIGH_WINS, LOW_WINS, BOTH_LOWER, LOW_COPY, HIGH_COPY, BOTH_COPY = range(ENDS)
"""The three copies lose; a tie where one hand wins."""
