"""Every five cards of 53, counted by how a paytable may look at them: with wilds, as plain cards, joker replaced.

Not here: the dealer's hand (`exact`), what a chapter pays (`play.py`).
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER
from games.maths.compiled import kernel
from games.maths.ranking import HIGH, LOW, Ranking, class_of, flush_part, high_part, low_part

HANDS = comb(53, 5)
REPLACEMENTS = 48  # cards that may replace the joker, or would
REPLACED_HANDS = HANDS * REPLACEMENTS
NO_WILD, DEUCES, WITH_JOKER = range(3)
DEUCE_CARDS = 4  # cards 0 … 3
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HandCounts:
    """`hands[holding, class with wilds, class as plain cards]`, of `HANDS` (a hand with the joker has no plain
    class: 0); `replaced[folded, plain class]`, of `REPLACED_HANDS`, the joker replaced by another card."""

    hands: Ints
    replaced: Ints


def count_hands(wild: Ranking, plain: Ranking, folds: NDArray[np.bool_]) -> HandCounts:
    """Count every hand; `folds[value with wilds]` says which the player folds."""
    counts = HandCounts(
        np.zeros((3, len(wild.classes), len(plain.classes)), np.int64), np.zeros((2, len(plain.classes)), np.int64)
    )
    _count(wild.keys, wild.values, plain.keys, plain.values, LOW, HIGH, folds, counts.hands, counts.replaced)
    return counts


@kernel
def _count(
    wild_keys: Ints,
    wild_values: NDArray[np.int32],
    plain_keys: Ints,
    plain_values: NDArray[np.int32],
    low: NDArray[np.int16],
    high: NDArray[np.int16],
    folds: NDArray[np.bool_],
    hands: Ints,
    replaced: Ints,
) -> None:
    for a in range(JOKER + 1):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    wild_four = wild_keys[a] + wild_keys[b] + wild_keys[c] + wild_keys[d]
                    plain_three = plain_keys[b] + plain_keys[c] + plain_keys[d]
                    for e in range(d):
                        key = wild_four + wild_keys[e]
                        value = wild_values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                        folded = 1 if folds[value] else 0
                        if a != JOKER:
                            key = plain_three + plain_keys[a] + plain_keys[e]
                            plain = class_of(plain_values[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
                            hands[DEUCES if e < DEUCE_CARDS else NO_WILD, class_of(value), plain] += 1
                            replaced[folded, plain] += REPLACEMENTS
                            continue
                        hands[WITH_JOKER, class_of(value), 0] += 1
                        for new in range(JOKER):
                            if new != b and new != c and new != d and new != e:
                                key = plain_three + plain_keys[e] + plain_keys[new]
                                plain = plain_values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                                replaced[folded, class_of(plain)] += 1
