"""What a hand is paid as: the eleven results of the paytables on five cards, from a lost hand to a royal flush.

Several games pay this ladder, each with odds of its own. Not here: the ranking itself (`maths.ranking`).
"""

from fractions import Fraction
from functools import cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import cards
from games.maths.ranking import CLASS_BITS, standard
from games.maths.wagers import LOST_NET, net_of
from games.rules.model import Paytable

RESULTS = (
    "Less than a pair of 6s", "Pair of 6s to 10s", "Pair of jacks or better", "Two pair", "Three-of-a-kind",
    "Straight", "Flush", "Full house", "Four-of-a-kind", "Straight flush", "Royal flush",
)  # fmt: skip
"""As the paytables print them, lowest first."""
LOSING, PUSHING, HIGH_PAIR = range(3)
LEAST_PUSHING, LEAST_HIGH_PAIR = "6c 6d 2c 3d 4h", "Jc Jd 2c 3d 4h"

Results = NDArray[np.int8]


@cache
def results() -> Results:
    """The result of every hand, placed as `Ranking.values` are."""
    ranking = standard()
    values = ranking.values
    above_pair = (values >> CLASS_BITS) - hands.STANDARD.index(hands.TWO_PAIRS) + RESULTS.index("Two pair")
    pair = (values >= ranking.value(cards(LEAST_PUSHING))).astype(np.int8)
    pair += values >= ranking.value(cards(LEAST_HIGH_PAIR))
    return np.where(values >> CLASS_BITS > hands.STANDARD.index(hands.PAIR), above_pair, pair).astype(np.int8)


def pays_of(table: Paytable) -> tuple[Fraction, ...]:
    """What one unit wins by each result, from a paytable with a row for each that does not lose."""
    if len(table.rows) != len(RESULTS) - 1:
        raise ValueError(f"{table.citation} {table.name} has {len(table.rows)} rows, not those of {RESULTS[1:]}")
    return (LOST_NET, *(net_of(line.pays[0], table) for line in reversed(table.rows)))


def in_whole_numbers(pays: tuple[Fraction, ...]) -> tuple[NDArray[np.int64], int]:
    """The pays times their common denominator, and that denominator: kernels add whole numbers."""
    unit = lcm(*(pay.denominator for pay in pays))
    return np.array([int(pay * unit) for pay in pays], dtype=np.int64), unit
