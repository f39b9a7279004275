"""Three own cards and two of three community cards that turn up together: what every three cards become.

Not here: what the hands pay, and which three cards are worth a raise (`wagers`).
"""

from functools import cache
from itertools import permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import kernel
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.maths.three_cards import hands_in_order

REST = FULL_DECK - 3
FLOPS = comb(REST, 3)
Ints = NDArray[np.int64]


@cache
def made_by_flop(least: int) -> Ints:
    """`counts[hand, class]`: of the `FLOPS` flops after each three own cards, how many make it a hand of the class.

    Hands are in the order of `three_cards`. Those of a value below `least` count as the lowest class.
    """
    hands = np.array(hands_in_order())
    first, alike = np.unique(_suits_exchanged(hands), return_inverse=True)
    ranking = standard()
    counts = np.zeros((len(first), len(ranking.classes)), np.int64)
    _count(hands[first], ranking.keys, ranking.values, LOW, HIGH, least, counts)
    return np.asarray(counts[alike])


def _suits_exchanged(hands: Ints) -> Ints:
    """For every hand the first in order that differs from it by an exchange of suits only."""
    first = np.arange(len(hands))
    for suits in permutations(range(4)):
        cards = np.sort(hands // 4 * 4 + np.array(suits)[hands % 4], axis=1)
        a, b, c = cards.T
        first = np.minimum(first, a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6)
    return first


@kernel
def _count(
    hands: Ints,
    keys: Ints,
    values: NDArray[np.int32],
    low: NDArray[np.int16],
    high: NDArray[np.int16],
    least: int,
    counts: Ints,
) -> None:
    rest = np.zeros(REST, np.int64)
    made = np.zeros((REST, REST), np.int64)  # with two of the community cards
    for hand in range(len(hands)):
        a, b, c = hands[hand]
        own, left = keys[a] + keys[b] + keys[c], 0
        for card in range(FULL_DECK):
            if card != a and card != b and card != c:
                rest[left] = card
                left += 1
        for i in range(REST):
            for j in range(i):
                key = own + keys[rest[i]] + keys[rest[j]]
                value = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                made[i, j] = class_of(value) if value >= least else 0
        for i in range(REST):
            for j in range(i):
                for k in range(j):
                    counts[hand, max(made[i, j], made[i, k], made[j, k])] += 1
