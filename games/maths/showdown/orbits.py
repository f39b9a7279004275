"""Sets of cards up to a renaming of suits: 134,459 orbits represent all 2,598,960 five-card hands.

An orbit is all sets that renaming the suits turns into each other. Its name is that of its canonical set: four suits,
thirteen bits of ranks each, in falling order. Not here: what a hand is worth.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import helper

RANKS, SUITS = 13, 4
Ints = NDArray[np.int64]

_SIZES = np.array([24, 12, 12, 4, 12, 6, 4, 1])
"""How many sets an orbit has, by which neighbors among its four suits are alike: bits 0 to 2."""


@dataclass(frozen=True, slots=True)
class Orbits:
    """Every set of so many cards, one of each orbit: `names` in rising order, `cards` of the set, `sizes` of the
    orbits."""

    names: Ints
    cards: Ints
    sizes: Ints


@helper
def orbit_name(a: int, b: int, c: int, d: int) -> int:
    """The name of the orbit of a set with these four suits, in any order."""
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return ((a << RANKS | b) << RANKS | c) << RANKS | d


@helper
def orbit_of(bits: int) -> int:
    """The name of the orbit of a set of cards, given as 52 bits, suit by suit."""
    suit = (1 << RANKS) - 1
    return orbit_name(bits & suit, bits >> RANKS & suit, bits >> 2 * RANKS & suit, bits >> 3 * RANKS)


@cache
def orbits(cards: int) -> Orbits:
    """Every set of so many cards, from the sets that have one card less."""
    masks = np.zeros((1, SUITS), np.int64)
    for _ in range(cards):
        masks = _with_one_more(masks)
    alike = [masks[:, suit] == masks[:, suit + 1] for suit in range(SUITS - 1)]
    bits = masks[:, :, None] >> np.arange(RANKS) & 1
    _, suits, ranks = np.nonzero(bits)
    return Orbits(
        _names(masks),
        (4 * ranks + suits).reshape(len(masks), cards),
        _SIZES[alike[0] + 2 * alike[1] + 4 * alike[2]],
    )


def _with_one_more(masks: Ints) -> Ints:
    """The suits, in falling order, of all sets that have one card more."""
    grown = []
    for suit in range(SUITS):
        for rank in range(RANKS):
            more = masks[masks[:, suit] >> rank & 1 == 0]
            more[:, suit] |= 1 << rank
            grown.append(-np.sort(-more, axis=1))
    _, first = np.unique(_names(every := np.concatenate(grown)), return_index=True)
    return every[first]


def _names(masks: Ints) -> Ints:
    """The names of sets whose suits are in falling order."""
    return masks @ (1 << RANKS * np.arange(SUITS)[::-1])
