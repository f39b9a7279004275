"""Every hand of the player's beside the hidden hands that it may meet: what both counts (`five_hidden`,
`four_hidden`) give, and all strategies start from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.showdown.orbits import Orbits
from games.maths.showdown.order import HandOrder

WIN, TIE, LOSE, SHORT = range(4)
"""The player's hand beside the dealer's; `SHORT` for any hand of the player's, where the dealer must have a least hand
and has not."""
RESULTS = SHORT + 1
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Against:
    """The player's hands, orbit by orbit: the value of each, and `results[hand, result]` of the `dealer_hands` that
    each may meet."""

    order: HandOrder
    hands: Orbits
    values: Ints
    results: Ints
    dealer_hands: int

    @property
    def cycle(self) -> int:
        """All pairs of hands."""
        return int(self.hands.sizes.sum()) * self.dealer_hands
