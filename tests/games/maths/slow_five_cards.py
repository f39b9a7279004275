"""Five cards of 52 ranked slowly, without the tables of `ranking`, and every hidden hand looked at."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
PATTERNS = {5: 0, 7: 1, 9: 2, 11: 3, 13: 6, 17: 7}
"""The sum over the cards of how many have the card's rank → the place of the class."""
STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH = 4, 5, 8, 9
ACE_KING = 13**4 * 12 + 13**3 * 11


def hands(cards: list[int]) -> Ints:
    """Every five of the cards: `[hand, card]`."""
    return np.array(list(combinations(cards, 5)), np.int64)


def worths(dealt: Ints) -> Ints:
    """A number for each `[hand, card]` that compares as the hands do: the class, then the ranks in base 13."""
    ranks = dealt // 4
    alike = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    ordered = -np.sort(-(13 * alike + ranks), axis=1) % 13
    places = np.vectorize(PATTERNS.get)(alike.sum(axis=1))
    flush = (dealt % 4 == dealt[:, :1] % 4).all(axis=1)
    low = (ordered == [12, 3, 2, 1, 0]).all(axis=1)
    straight = (places == 0) & (low | (ordered[:, 0] - ordered[:, 4] == 4))
    ordered[low] = [3, 2, 1, 0, 0]
    places = np.where(straight, STRAIGHT, places)
    places = np.where(
        flush, np.where(straight, np.where(ordered[:, 0] == 12, ROYAL_FLUSH, STRAIGHT_FLUSH), FLUSH), places
    )
    numbers: Ints = places * 13**5 + ordered @ (13 ** np.arange(5)[::-1])
    return numbers


def results(own: tuple[int, ...], least: int) -> tuple[int, int, int, int]:
    """(wins, ties, loses, short) over every hand that the dealer may have; below `least` the dealer is short."""
    worth = worths(np.array([own], np.int64))[0]
    hidden = worths(hands([card for card in range(52) if card not in own]))
    plays = hidden >= least
    return (
        int((plays & (hidden < worth)).sum()),
        int((plays & (hidden == worth)).sum()),
        int((plays & (hidden > worth)).sum()),
        int((~plays).sum()),
    )
