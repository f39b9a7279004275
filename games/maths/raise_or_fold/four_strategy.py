"""A strategy for the best four of five cards as tables that a person can check, and hands in words.

First from which hand to which hand each decision goes; then, for the hands whose other card and suits decide too,
each five ranks by how the suits lie. Not here: how the decisions are found (`four_play`).
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import groupby

import numpy as np

from games.maths.cards import ACE, RANK_NAMES
from games.maths.raise_or_fold.four_cards import (
    FLUSH,
    FOUR,
    HIGH_CARD,
    KINDS,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIRS,
    Strength,
    best_four,
)
from games.maths.raise_or_fold.four_hidden import OWN
from games.maths.raise_or_fold.four_play import OTHER_CARDS, Strategy
from games.maths.results import StrategyTable

Words = tuple[str, ...]
"""By decision: "Raise three Antes"."""
Suits = tuple[tuple[int, ...], ...]
Cell = dict[int, list[Suits]]
"""Decision → the hands for which it is taken, by which ranks lie together in a suit."""
FACES = (*RANK_NAMES[: ACE - 3], "J", "Q", "K", "A")

SUITS = ((2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2))  # how many of the five cards lie in a suit; no flush among them
HOLDINGS = {kind: counts for counts, kind in KINDS.items()}
PATTERNS = {
    HIGH_CARD: "{0}, {1}, {2} and {3}",
    PAIR: "pair of {0}s with {1} and {2}",
    TWO_PAIRS: "{0}s and {1}s",
    STRAIGHT: "straight to the {0}",
    FLUSH: "flush of {0}, {1}, {2} and {3}",
    THREE: "three {0}s with {1}",
    STRAIGHT_FLUSH: "straight flush to the {0}",
    FOUR: "four {0}s",
}


def in_words(strength: Strength) -> str:
    """`(PAIR, 8, 9, 1)` → "pair of 10s with jack and 3"."""
    return PATTERNS[strength[0]].format(*(RANK_NAMES[rank] for rank in strength[1:]))


@cache
def strategy_tables(strategy: Strategy, words: Words) -> tuple[StrategyTable, ...]:
    """By the best four cards; and where the other cards decide, if they ever do."""
    by_hand = StrategyTable("By the best four cards", ("From", "To", "Decision"), _ranges(strategy, words))
    rows = _mixed_rows(strategy, words)
    header = ("Best four cards", "Fifth card", *("-".join(map(str, suits)) for suits in SUITS))
    by_suits = StrategyTable("Where the other cards decide: by how many cards lie in each suit", header, rows)
    return (by_hand, by_suits) if rows else (by_hand,)


def _ranges(strategy: Strategy, words: Words) -> tuple[tuple[str, ...], ...]:
    """Runs of hands, lowest first, that are played alike."""
    strengths, by_value = best_four(OWN).strengths, strategy.table[0]
    rows = []
    for decision, run in groupby(np.unique(strategy.against.values), key=lambda value: int(by_value[value])):
        first, *rest = (in_words(strengths[value]) for value in run)
        rows.append(
            (
                first,
                rest[-1] if rest else first,
                "The other cards decide" if decision == OTHER_CARDS else words[decision],
            )
        )
    return tuple(rows)


def _mixed_rows(strategy: Strategy, words: Words) -> tuple[tuple[str, ...], ...]:
    """Hands of one value by their fifth card; fifth cards with the same cells share a row."""
    strengths, hands = best_four(OWN).strengths, strategy.against.hands
    cells: dict[tuple[int, int], list[Cell]] = {}
    for hand in np.flatnonzero(strategy.table[0][strategy.against.values] == OTHER_CARDS):
        cards, value = hands.cards[hand], int(strategy.against.values[hand])
        row = cells.setdefault((value, _fifth(cards // 4, strengths[value])), [{} for _ in SUITS])
        together = _together(cards)
        row[SUITS.index(_sizes(together))].setdefault(int(strategy.decisions[hand]), []).append(together)
    fifths_by_row: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for (value, fifth), row in sorted(cells.items()):
        fifths_by_row.setdefault((in_words(strengths[value]), tuple(_cell(cell, words) for cell in row)), []).append(
            fifth
        )
    return tuple(
        (hand, ", ".join(RANK_NAMES[rank] for rank in fifths), *row) for (hand, row), fifths in fifths_by_row.items()
    )


def _fifth(ranks: Sequence[int], strength: Strength) -> int:
    """The rank of the card that is not among the best four."""
    best = Counter(dict(zip(strength[1:], HOLDINGS[strength[0]], strict=True)))
    (fifth,) = (Counter(int(rank) for rank in ranks) - best).elements()
    return fifth


def _together(cards: Sequence[int]) -> Suits:
    """The ranks that lie in one suit, suit by suit, the longest first: they name the hand's orbit."""
    suits = (tuple(sorted((int(card) // 4 for card in cards if card % 4 == suit), reverse=True)) for suit in range(4))
    return tuple(sorted((suit for suit in suits if suit), key=lambda ranks: (len(ranks), ranks), reverse=True))


def _sizes(suits: Suits) -> tuple[int, ...]:
    return tuple(len(ranks) for ranks in suits)


def _cell(cell: Cell, words: Words) -> str:
    """The one decision; or the rarer one with the ranks that must be of one suit for it, and the other."""
    if len(cell) <= 1:
        return "".join(words[decision] for decision in cell) or "–"
    rare, usual = sorted(cell, key=lambda decision: len(cell[decision]))
    suits = (
        " and ".join("-".join(FACES[rank] for rank in suit) for suit in suits if len(suit) > 1) for suits in cell[rare]
    )
    return f"{words[rare]} with {' or '.join(suits)} suited; else {words[usual]}"
