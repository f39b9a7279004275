"""How high and low hands rank, as numbers: the higher number is the higher hand.

Here live the values of five-card and two-card hands, and the tables that the kernels read. Not here: what
seven cards make (`seven_cards`), how they are set (`setting`).

A value is `category << 20`, then five ranks of four bits, the most significant first. A low hand fills only the
first ranks, so a high hand with the same two top cards is not below it: `high >= low` is the rule of setting.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE

JOKER_RANK: Final = 13  # where it sorts among the ranks

HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT, FLUSH, FULL_HOUSE, FOUR_OF_A_KIND = range(8)
STRAIGHT_FLUSH, ROYAL_FLUSH, FIVE_OF_A_KIND, FIVE_ACES = range(8, 12)

# Runs of five in rising order, for straights and straight flushes alike: A-2-3-4-5 is above K-Q-J-10-9
# and below only A-K-Q-J-10, which among straight flushes is the royal.
RUNS: Final = (
    *(frozenset(range(low, low + 5)) for low in range(8)),
    frozenset({ACE, 0, 1, 2, 3}),
    frozenset(range(8, 13)),
)
ROYAL: Final = len(RUNS) - 1

_GROUPS: Final = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): THREE_OF_A_KIND,
    (3, 2): FULL_HOUSE,
    (4, 1): FOUR_OF_A_KIND,
}


@dataclass(slots=True)
class Otherwise:
    """Hands ranked as the text is not read, only for a program that counts what that would change (`other_readings`)
    and ends: tables made before a change of these stay as they are."""

    flush_joker_is_an_ace: bool = False  # reading joker-of-a-flush: also beside the ace of the suit


OTHERWISE: Final = Otherwise()

Value = Callable[[Sequence[int], bool, bool], int]
"""(ranks without the joker, whether it is there, whether all are of one suit) → value."""


def packed(category: int, ranks: Sequence[int]) -> int:
    value = category
    for place in range(5):
        value = value << 4 | (ranks[place] if place < len(ranks) else 0)
    return value


def grouped(ranks: Sequence[int]) -> int:
    """The value by pairs, threes and fours alone; five alike are aces, or of any rank with a fully wild joker."""
    groups = sorted(((size, rank) for rank, size in Counter(ranks).items()), reverse=True)
    if len(groups) == 1:
        return packed(FIVE_ACES if ranks[0] == ACE else FIVE_OF_A_KIND, ranks[:1])
    return packed(_GROUPS[tuple(size for size, _ in groups)], [rank for _, rank in groups])


def high_value(ranks: Sequence[int], joker: bool, suited: bool) -> int:
    """Five cards: the `ranks` of those that are not the joker. The joker is an ace, or completes a run or a flush."""
    best = grouped([*ranks, ACE] if joker else ranks)
    if len(set(ranks)) < len(ranks):
        return best
    run = max((place for place, run in enumerate(RUNS) if run.issuperset(ranks)), default=-1)
    if suited:
        missing = [ACE if OTHERWISE.flush_joker_is_an_ace else max(set(range(13)) - set(ranks))] if joker else []
        best = packed(FLUSH, sorted([*ranks, *missing], reverse=True))
        if run >= 0:
            best = packed(ROYAL_FLUSH if run == ROYAL else STRAIGHT_FLUSH, [run])
    elif run >= 0:
        best = max(best, packed(STRAIGHT, [run]))
    return best


def wild_value(ranks: Sequence[int], joker: bool, suited: bool) -> int:
    """Five cards under a paytable marked "Fully Wild Joker": the joker is the card that makes the hand highest."""
    if not joker:
        return high_value(ranks, joker, suited)
    return max(high_value(ranks, joker, suited), *(grouped([*ranks, rank]) for rank in range(13)))


def low_value(first: int, second: int) -> int:
    """Two cards, by rank; the joker is an ace."""
    first, second = min(first, ACE), min(second, ACE)
    return packed(PAIR, [first]) if first == second else packed(HIGH_CARD, sorted((first, second), reverse=True))


@cache
def place_table() -> NDArray[np.int64]:
    """`[place, rank]`: the sum over five cards in rising order numbers the multisets of 14 ranks from 0."""
    return np.array([[comb(rank + place, place + 1) for rank in range(14)] for place in range(5)])


@cache
def high_table() -> NDArray[np.int32]:
    """`[suited, multiset]`: the value of every five-card hand, 69 kB; 0 where a deck cannot make it."""
    table = np.zeros((2, comb(18, 5)), dtype=np.int32)
    for number, ranks, joker in _multisets():
        _fill(table, number, ranks, joker, high_value)
    return table


@cache
def wild_table() -> NDArray[np.int32]:
    """The same under a fully wild joker."""
    table = high_table().copy()
    for number, ranks, joker in _multisets():
        if joker:
            _fill(table, number, ranks, joker, wild_value)
    return table


@cache
def low_table() -> NDArray[np.int32]:
    """`[rank, rank]`: the value of every two-card hand."""
    return np.array([[low_value(first, second) for second in range(14)] for first in range(14)], dtype=np.int32)


def _fill(table: NDArray[np.int32], number: int, ranks: Sequence[int], joker: bool, value: Value) -> None:
    for suited in (False, True) if len(set(ranks)) == len(ranks) else (False,):
        table[int(suited), number] = value(ranks, joker, suited)


@cache
def _multisets() -> list[tuple[int, tuple[int, ...], bool]]:
    """(number, ranks of the cards that are not the joker, whether it is there) of all that a deck can make."""
    places = place_table().tolist()
    multisets: list[tuple[int, tuple[int, ...], bool]] = []
    for cards in combinations_with_replacement(range(14), 5):
        number = sum(places[place][rank] for place, rank in enumerate(cards))
        joker = cards[-1] == JOKER_RANK
        ranks: tuple[int, ...] = cards[:-1] if joker else cards
        if JOKER_RANK not in ranks and max(Counter(ranks).values()) <= 4:
            multisets.append((number, ranks, joker))
    return multisets
