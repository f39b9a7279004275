"""A strategy that only pairs decide, as words and as a table that a person can check: the pairs, by the lowest card
beside them.

For games in which no pair folds and all better hands raise. Not here: how the decision is cut (`strategy`), words
for all others (`words`).
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import ACE, RANK_NAMES
from games.maths.results import Choice, StrategyTable
from games.maths.showdown.deck import NO_CARD
from games.maths.showdown.order import HandOrder
from games.maths.showdown.strategy import OTHER_CARDS, Strategy

RAISE, FOLD, BOTH = "Raise", "Fold", "Fold {} of {}"
Folds = NDArray[np.bool_]
"""`[value]`: whether hands of the value are folded."""


def pairs_decide(strategy: Strategy) -> bool:
    """Whether all hands without a pair are folded, all better ones raised alike, and pairs of one value alike."""
    order, by_value = strategy.against.order, strategy.table[0]
    if OTHER_CARDS in by_value or len(strategy.value_counts) != 2:
        return False
    occurring, pair = np.unique(strategy.against.values).tolist(), order.classes.index(hands.PAIR)
    return all(
        order.strengths[value][0] == pair or bool(by_value[value]) == (order.strengths[value][0] > pair)
        for value in occurring
    )


def pair_choices(strategy: Strategy, words: Sequence[str]) -> tuple[Choice, ...]:
    """The raise and the fold in words; () where it takes more than one lowest pair with one card beside it to say."""
    if not pairs_decide(strategy) or not (cut := _cut(strategy)):
        return ()
    (rank, beside), order = cut, strategy.against.order
    pair, low = RANK_NAMES[rank], _with_article(RANK_NAMES[beside])
    lower = [RANK_NAMES[low_pair] for low_pair in _pair_ranks(order) if low_pair < rank]
    lower_pairs = f"a pair of {lower[-1]}s{' or lower' if lower[1:] else ''}, " if lower else ""
    folded, raised = (int(count) for count in strategy.value_counts.sum(axis=1))
    raises = f"A pair of {pair}s without {low}, a pair of {RANK_NAMES[rank + 1]}s or better"
    if _raises_wilds(strategy):
        raises += "; so every hand with a wild card"
    return (
        Choice(words[1], raises, Fraction(raised, folded + raised)),
        Choice(words[0], f"No pair, {lower_pairs}or a pair of {pair}s with {low}", Fraction(folded, folded + raised)),
    )


def pair_table(order: HandOrder, folds: Folds) -> StrategyTable:
    """No pair, each pair of a rank that is not wild, and all better hands together."""
    ranks, pair = _pair_ranks(order), order.classes.index(hands.PAIR)
    lowest = [rank for rank in ranks if rank <= ACE - 2]  # of three cards beside the pair
    header = ("Hand", *(f"lowest card beside it: {RANK_NAMES[rank]}" for rank in lowest))
    none, better = (
        folds[[value for value, strength in order.strengths.items() if np.sign(strength[0] - pair) == side]]
        for side in (-1, 1)
    )
    rows = [
        ("No pair", *[_cell(none)] * len(lowest)),
        *(
            (f"Pair of {RANK_NAMES[rank]}s", *(_cell(folds[_beside(order, rank, low)]) for low in lowest))
            for rank in ranks
        ),
        ("Two pairs or better", *[_cell(better)] * len(lowest)),
    ]
    wild = ", natural or with a wild card" if hands.FIVE_OF_A_KIND in order.classes else ""
    return StrategyTable(f"Pairs{wild}", header, tuple(rows))


def _pair_ranks(order: HandOrder) -> list[int]:
    pair = order.classes.index(hands.PAIR)
    return sorted({strength[1] for strength in order.strengths.values() if strength[0] == pair})


def _beside(order: HandOrder, rank: int, lowest: int) -> list[int]:
    """The values of the pair with three other ranks, of which this is the lowest."""
    pair = order.classes.index(hands.PAIR)
    return [
        value for value, strength in order.strengths.items() if strength[:2] == (pair, rank) and strength[-1] == lowest
    ]


def _cut(strategy: Strategy) -> tuple[int, int] | None:
    """The lowest pair that is raised and the rank beside it with which it is folded; None if there is not one such."""
    order, folds = strategy.against.order, strategy.table[0] == 0
    pair = order.classes.index(hands.PAIR)
    cut: list[tuple[int, int]] = []
    for rank in _pair_ranks(order):
        beside = {value: strength[2:] for value, strength in order.strengths.items() if strength[:2] == (pair, rank)}
        folded = [value for value in beside if folds[value]]
        if not folded and cut:
            continue
        if cut or not folded:
            return None
        if len(folded) < len(beside):
            cut = [(rank, low) for low in _pair_ranks(order) if folded == [v for v in beside if low in beside[v]]]
            if not cut:
                return None
    return cut[0] if cut and cut[0][0] < ACE else None


def _raises_wilds(strategy: Strategy) -> bool:
    with_wild = (strategy.against.hands.cards == NO_CARD).any(axis=1)
    return bool(with_wild.any() and strategy.decisions[with_wild].all())


def _with_article(rank: str) -> str:
    return f"{'an' if rank in ('8', 'ace') else 'a'} {rank}"


def _cell(folds: Folds) -> str:
    """One word where all are played alike."""
    if not len(folds):
        return "–"
    return FOLD if folds.all() else RAISE if not folds.any() else BOTH.format(int(folds.sum()), len(folds))
