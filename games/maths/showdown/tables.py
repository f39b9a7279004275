"""A strategy as tables that a person can check, and hands in words.

First from which hand to which hand each decision goes; then, for the hands whose other cards or suits decide too, each
by how the suits lie. Not here: how the decisions are found (`strategy`).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby

import numpy as np

from games.maths import hands
from games.maths.cards import ACE, RANK_NAMES
from games.maths.results import StrategyTable
from games.maths.showdown.order import HandOrder, Strength
from games.maths.showdown.pairs import pair_table, pairs_decide
from games.maths.showdown.strategy import OTHER_CARDS, Ints, Strategy

Words = tuple[str, ...]
"""By decision: "Raise three Antes"."""
Suits = tuple[tuple[int, ...], ...]
Sizes = tuple[int, ...]
Key = tuple[int, ...]
Cell = dict[int, list[Suits]]
"""Decision → the hands for which it is taken, by which ranks lie together in a suit."""
FACES = (*RANK_NAMES[: ACE - 3], "J", "Q", "K", "A")

FOUR = 4  # cards play
SUITS: tuple[Sizes, ...] = ((2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2))
"""How many of the five cards lie in a suit, if four of one suit are a flush."""
HOLDINGS = {
    hands.HIGH_CARD: (1, 1, 1, 1), hands.PAIR: (2, 1, 1), hands.TWO_PAIRS: (2, 2), hands.THREE: (3, 1),
    hands.FOUR: (4,),
}  # fmt: skip
"""How many cards of each deciding rank four cards have."""
PATTERNS = {
    hands.HIGH_CARD: ("{0}, {1}, {2} and {3}", "{0}, {1}, {2}, {3} and {4}"),
    hands.PAIR: ("pair of {0}s with {1} and {2}", "pair of {0}s with {1}, {2} and {3}"),
    hands.TWO_PAIRS: ("{0}s and {1}s", "{0}s and {1}s with {2}"),
    hands.STRAIGHT: ("straight to the {0}",) * 2,
    hands.FLUSH: ("flush of {0}, {1}, {2} and {3}", "flush of {0}, {1}, {2}, {3} and {4}"),
    hands.THREE: ("three {0}s with {1}", "three {0}s with {1} and {2}"),
    hands.FULL_HOUSE: ("", "full house of {0}s and {1}s"),
    hands.FOUR: ("four {0}s", "four {0}s with {1}"),
    hands.STRAIGHT_FLUSH: ("straight flush to the {0}",) * 2,
    hands.ROYAL_FLUSH: ("", "royal flush"),
    hands.FIVE_OF_A_KIND: ("", "five {0}s"),
    hands.FIVE_WILDS: ("", "five wild cards"),
}
"""By class, of four cards and of five."""


def in_words(order: HandOrder, strength: Strength) -> str:
    """`(PAIR, 8, 9, 1)` → "pair of 10s with jack and 3"."""
    pattern = PATTERNS[order.classes[strength[0]]][order.cards - 4]
    return pattern.format(*(RANK_NAMES[rank] for rank in strength[1:]))


@cache
def strategy_tables(strategy: Strategy, words: Words) -> tuple[StrategyTable, ...]:
    """By the cards that play; and where the other cards or suits decide, if they ever do."""
    order = strategy.against.order
    if pairs_decide(strategy):
        return (pair_table(order, strategy.table[0] == 0),)
    playing = "best four cards" if order.cards == FOUR else "five cards"
    by_hand = StrategyTable(f"By the {playing}", ("From", "To", "Decision"), _ranges(strategy, words))
    mixed = np.flatnonzero(strategy.table[0][strategy.against.values] == OTHER_CARDS)
    if not len(mixed):
        return (by_hand,)
    return by_hand, _best_four_table(strategy, mixed, words) if order.cards == FOUR else _suits_table(
        strategy, mixed, words
    )


def _ranges(strategy: Strategy, words: Words) -> tuple[tuple[str, ...], ...]:
    """Runs of hands, lowest first, that are played alike."""
    order, by_value = strategy.against.order, strategy.table[0]
    undecided = "The other cards decide" if order.cards == FOUR else "The suits decide"
    rows = []
    values = np.unique(strategy.against.values).tolist()
    for decision, run in groupby(values, key=lambda value: int(by_value[value])):
        first, *rest = (in_words(order, order.strengths[value]) for value in run)
        rows.append((first, rest[-1] if rest else first, undecided if decision == OTHER_CARDS else words[decision]))
    return tuple(rows)


def _best_four_table(strategy: Strategy, mixed: Ints, words: Words) -> StrategyTable:
    """The `mixed` hands by their best four cards and the fifth; fifth cards with the same cells share a row."""
    order, cards = strategy.against.order, strategy.against.hands.cards

    def key(hand: int) -> tuple[int, ...]:
        value = int(strategy.against.values[hand])
        return value, _fifth(order, cards[hand] // 4, order.strengths[value])

    fifths_by_row: dict[tuple[str, ...], list[int]] = {}
    for (value, fifth), row in _cells(strategy, mixed, key, SUITS, words):
        fifths_by_row.setdefault((in_words(order, order.strengths[value]), *row), []).append(fifth)
    return StrategyTable(
        "Where the other cards decide: by how many cards lie in each suit",
        ("Best four cards", "Fifth card", *_suit_names(SUITS)),
        tuple(
            (row[0], ", ".join(RANK_NAMES[rank] for rank in fifths), *row[1:]) for row, fifths in fifths_by_row.items()
        ),
    )


def _suits_table(strategy: Strategy, mixed: Ints, words: Words) -> StrategyTable:
    """The `mixed` hands of five cards by how their suits lie."""
    order, against = strategy.against.order, strategy.against
    suits = tuple(sorted({_sizes(_together(against.hands.cards[hand])) for hand in mixed}))
    rows = _cells(strategy, mixed, lambda hand: (int(against.values[hand]),), suits, words)
    return StrategyTable(
        "Where the suits decide: by how many cards lie in each",
        ("Five cards", *_suit_names(suits)),
        tuple((in_words(order, order.strengths[value]), *row) for (value,), row in rows),
    )


def _cells(
    strategy: Strategy, mixed: Ints, key: Callable[[int], Key], columns: Sequence[Sizes], words: Words
) -> list[tuple[Key, list[str]]]:
    """What each row says, by how the suits lie: the `mixed` hands with the same key, in its order."""
    cells: dict[Key, list[Cell]] = {}
    for hand in mixed.tolist():
        together = _together(strategy.against.hands.cards[hand])
        row = cells.setdefault(key(hand), [{} for _ in columns])
        row[columns.index(_sizes(together))].setdefault(int(strategy.decisions[hand]), []).append(together)
    return [(place, [_cell(cell, words) for cell in row]) for place, row in sorted(cells.items())]


def _suit_names(columns: Sequence[Sizes]) -> list[str]:
    return ["-".join(map(str, sizes)) for sizes in columns]


def _fifth(order: HandOrder, ranks: Sequence[int], strength: Strength) -> int:
    """The rank of the card that is not among the best four."""
    best = Counter(dict(zip(strength[1:], HOLDINGS[order.classes[strength[0]]], strict=True)))
    (fifth,) = (Counter(int(rank) for rank in ranks) - best).elements()
    return fifth


def _together(cards: Sequence[int]) -> Suits:
    """The ranks that lie in one suit, suit by suit, the longest first: they name the hand's orbit."""
    suits = (
        tuple(sorted((int(card) // 4 for card in cards if card >= 0 and card % 4 == suit), reverse=True))
        for suit in range(4)
    )
    return tuple(sorted((suit for suit in suits if suit), key=lambda ranks: (len(ranks), ranks), reverse=True))


def _sizes(suits: Suits) -> Sizes:
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
