"""Ways of setting six cards, and what each keeps in the high hand.

The house way, two plainer ways, the best one, which `six_pairs` finds; and the house way under other readings, for the
holds that `other_readings` gives. Not here: the settings themselves (`six_cards`).
"""

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE
from games.maths.compiled import kernel
from games.maths.two_hands.house_ways import NO_PAIR, THREE_PAIRS, THREE_TWICE
from games.maths.two_hands.ranking import (
    FLUSH,
    FULL_HOUSE,
    JOKER_RANK,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
)

REGULATION, HIGHEST_HIGH, HIGHEST_LOW, BEST = range(4)  # ways of setting; the best is found by `six_pairs`
PAIRS_DIVIDED, PAIRS_KEPT, JOKER_KEPT = range(4, 7)  # the house way as it is not read

Ints = NDArray[np.int64]


@kernel
def least_high(way: int, best: int, form: int) -> int:
    """The least value that the high hand must keep. The house way breaks no class that the six cards make."""
    if way == HIGHEST_HIGH:
        return best
    if way == HIGHEST_LOW:
        return 0
    category = best >> 20
    if way == PAIRS_DIVIDED and category in (PAIR, TWO_PAIR) and form != THREE_PAIRS:
        return 0
    if way == PAIRS_DIVIDED and category == FULL_HOUSE and form != THREE_TWICE:
        return THREE_OF_A_KIND << 20
    if way == PAIRS_KEPT and form != NO_PAIR and _runs(category):
        return 0
    return (STRAIGHT_FLUSH if category == ROYAL_FLUSH else category) << 20


@kernel
def must_stay(way: int, best: int, form: int, ranks: Ints, low: int) -> bool:
    """Whether a card of this rank may not be the low hand: only where the house way is not read so."""
    if way == JOKER_KEPT:
        return low == JOKER_RANK and _runs(best >> 20)
    if way != PAIRS_KEPT or form == NO_PAIR or not _runs(best >> 20):
        return False
    alike = 0
    for rank in ranks:
        alike += 1 if min(rank, ACE) == min(low, ACE) else 0
    return alike > 1


@kernel
def _runs(category: int) -> bool:
    """A straight, a flush, or both at once."""
    return category in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)
