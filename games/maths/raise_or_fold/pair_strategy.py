"""A decision by the value of five cards as a table that a person can check: the pairs, by the lowest card beside them.

For games in which lesser hands fold and better ones raise. Not here: how the decision is found (`exact`).
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import ACE, RANK_NAMES
from games.maths.ranking import Ranking, class_of
from games.maths.results import StrategyTable

RAISE, FOLD, BOTH = "Raise", "Fold", "Fold {} of {}"
Decisions = NDArray[np.bool_]


def pair_table(ranking: Ranking, folds: Decisions, ranks: range) -> StrategyTable:
    """`folds[value]` for no pair, each pair of the `ranks` that are not wild, and all better hands together."""
    lowest = [rank for rank in ranks if rank <= ACE - 2]  # of three cards beside the pair
    header = ("Hand", *(f"lowest card beside it: {RANK_NAMES[rank]}" for rank in lowest))
    pair = ranking.classes.index(hands.PAIR)
    places = np.array([class_of(value) for value in range(len(folds))])
    known = np.isin(np.arange(len(folds)), ranking.values)
    rows = [
        ("No pair", *[_cell(folds[known & (places < pair)])] * len(lowest)),
        *(
            (f"Pair of {RANK_NAMES[rank]}s", *(_cell(folds[_beside(ranking, rank, low, ranks)]) for low in lowest))
            for rank in ranks
        ),
        ("Two pairs or better", *[_cell(folds[known & (places > pair)])] * len(lowest)),
    ]
    return StrategyTable("Pairs, natural or with a wild card", header, tuple(rows))


def _beside(ranking: Ranking, pair: int, lowest: int, ranks: range) -> list[int]:
    """The values of the pair with three other ranks, of which this is the lowest."""
    other_ranks = [rank for rank in ranks if rank > lowest and rank != pair]
    if lowest == pair:
        return []
    return [
        ranking.value((4 * pair, 4 * pair + 1, 4 * lowest + 2, 4 * middle + 3, 4 * high))
        for middle, high in combinations(other_ranks, 2)
    ]


def _cell(folds: Decisions) -> str:
    """One word where all are played alike."""
    if not len(folds):
        return "–"
    return FOLD if folds.all() else RAISE if not folds.any() else BOTH.format(int(folds.sum()), len(folds))
