"""Sets of cards taken once for all that a renaming of the four suits makes of them.

A set of cards and what a renaming makes of it count alike wherever suits only have to be equal. Here live the walk
over all sets and the weight of the one that stands for its orbit. Not here: what is counted (`six_hands`,
`six_counting`, `seven_counting`).
"""

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER, JOKER_DECK
from games.maths.compiled import kernel

RENAMINGS = 24
_SUIT = 0x1FFF  # the ranks of one suit, as bits


@kernel
def next_cards(chosen: NDArray[np.int64], deck: int = JOKER_DECK) -> bool:
    """The next set of so many rising cards of a deck, in place; False after the last."""
    size = len(chosen)
    place = size - 1
    while place >= 0 and chosen[place] == deck - size + place:
        place -= 1
    if place < 0:
        return False
    chosen[place] += 1
    for after in range(place + 1, size):
        chosen[after] = chosen[after - 1] + 1
    return True


@kernel
def orbit_size(shared: NDArray[np.int64]) -> int:
    """How many sets a renaming of the four suits turns this one into, itself included; 0 unless it is the canonical one
    of its orbit, whose suits are in falling order of their ranks taken as bits."""
    suits = 0  # four times 13 bits
    for card in shared:
        if card < JOKER:
            suits |= 1 << (13 * (card & 3) + (card >> 2))
    size, run = RENAMINGS, 1
    for suit in range(1, 4):
        ranks, before = suits >> 13 * suit & _SUIT, suits >> 13 * (suit - 1) & _SUIT
        if ranks > before:
            return 0
        run = run + 1 if ranks == before else 1
        size //= run
    return size
