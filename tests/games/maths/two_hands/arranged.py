"""Seven cards through the kernels, one hand at a time, and hands to try them on."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from games.maths.two_hands import ranking, setting

JOKER = 52


class Arranged:
    """All 21 settings of seven cards as the kernels see them."""

    def __init__(self, seven: list[int]) -> None:
        self.cards = np.array(seven)
        setting.sort_by_rank(self.cards)
        self.highs, self.lows = np.zeros(21, np.int64), np.zeros(21, np.int64)
        self.off = setting.off_suit(self.cards)
        tables = (ranking.place_table(), ranking.high_table(), ranking.low_table(), np.zeros((3, 8), np.int64))
        self.met = setting.arrange(self.cards, self.off, *tables, self.highs, self.lows)


def random_hands(count: int, seed: int) -> Iterator[list[int]]:
    """Seven of 53 cards, half of them with the joker, many from few ranks or one suit so that rare hands occur."""
    draw = random.Random(seed)
    for _ in range(count):
        ranks = draw.sample(range(13), draw.choice((2, 3, 4, 5, 8, 13)))
        suits = draw.choice(("0123", "0123", "0123", "01", "2"))
        pool = [rank * 4 + int(suit) for rank in ranks for suit in suits]
        pool = pool if len(pool) >= 7 else list(range(52))
        seven = draw.sample(pool, 7)
        if draw.random() < 0.5:
            seven[0] = JOKER
        yield seven
