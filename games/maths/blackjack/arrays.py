"""The shapes of the family's arrays: what a bare array type does not say. Values and hands are those of `hands`."""

import numpy as np
from numpy.typing import NDArray

ValueCounts = NDArray[np.int64]
"""`[value]`: cards of each value."""
Floats = NDArray[np.float64]
"""Chances or worths, their axes named where they are used."""
HandClasses = NDArray[np.int8]
"""`[hand]`: how a hand is compared, or which bonus it earns."""
HandFlags = NDArray[np.bool_]
"""`[hand]`: yes or no."""
HandFigures = NDArray[np.float64]
"""`[hand]`: a chance, or what a hand is worth in halves of the wager."""
PhaseDecisions = NDArray[np.int8]
"""`[phase, hand]`: the decision against one up card."""
EndChances = NDArray[np.float64]
"""`[dealer's end]`: chance of 17, 18, 19, 20, 21, 22 or more, the dealer having no Blackjack."""
RoundEndings = NDArray[np.float64]
"""`[units wagered, net in halves of the wager + NO_ROUND_NET]`: chance of a round that ends so."""
EndingCounts = NDArray[np.int64]
"""`[halves won + offset, units wagered]`: rounds dealt that ended so."""
