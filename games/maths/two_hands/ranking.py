"""The rank of high and low hands, as numbers, and the hands that seven cards make, as bits.

The higher number is the higher hand; a paytable's words name the bits.

A value is `category << 20`, then five ranks of four bits, the most significant first. A low hand fills only the first
ranks, so a high hand with the same two top cards is not below it: `high >= low` is the rule of setting. Bit `1 <<
category` means a five-card hand of that category among the seven cards; the bits above are for the hands of six or
seven cards. Counting and paying meet there. Not here: how hands are set (`setting`).
"""

from collections import Counter
from collections.abc import Sequence
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
    """Hands ranked as the text is not read.

    Only a program uses this that counts the difference (`other_readings`) and ends: tables made before a change of
    these stay as they are.
    """

    flush_joker_is_an_ace: bool = False  # reading joker-of-a-flush: also beside the ace of the suit


OTHERWISE: Final = Otherwise()


def packed(category: int, ranks: Sequence[int]) -> int:
    value = category
    for place in range(5):
        value = value << 4 | (ranks[place] if place < len(ranks) else 0)
    return value


def grouped(ranks: Sequence[int]) -> int:
    """Return the value by pairs, threes and fours alone; five alike are aces."""
    groups = sorted(((size, rank) for rank, size in Counter(ranks).items()), reverse=True)
    if len(groups) == 1:
        return packed(FIVE_ACES, ranks[:1])
    return packed(_GROUPS[tuple(size for size, _ in groups)], [rank for _, rank in groups])


def high_value(ranks: Sequence[int], joker: bool, suited: bool) -> int:
    """Return the value of five cards, `ranks` without the joker, which is an ace, or completes a run or a flush."""
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


def low_value(first: int, second: int) -> int:
    """Return the value of two cards, by rank; the joker is an ace."""
    first, second = min(first, ACE), min(second, ACE)
    return packed(PAIR, [first]) if first == second else packed(HIGH_CARD, sorted((first, second), reverse=True))


@cache
def place_table() -> NDArray[np.int64]:
    """Return `[place, rank]`: the sum over five cards in rising order numbers the multisets of 14 ranks from 0."""
    return np.array([[comb(rank + place, place + 1) for rank in range(14)] for place in range(5)])


@cache
def high_table() -> NDArray[np.int32]:
    """Return `[suited, multiset]`: the value of every five-card hand, 69 kB; 0 where a deck cannot make it."""
    table = np.zeros((2, comb(18, 5)), dtype=np.int32)
    for number, ranks, joker in _multisets():
        for suited in (False, True) if len(set(ranks)) == len(ranks) else (False,):
            table[int(suited), number] = high_value(ranks, joker, suited)
    return table


@cache
def low_table() -> NDArray[np.int32]:
    """Return `[rank, rank]`: the value of every two-card hand."""
    return np.array([[low_value(first, second) for second in range(14)] for first in range(14)], dtype=np.int32)


@cache
def _multisets() -> list[tuple[int, tuple[int, ...], bool]]:
    """Return (number, ranks of the cards that are not the joker, whether it is there) of all that a deck can make."""
    places = place_table().tolist()
    multisets: list[tuple[int, tuple[int, ...], bool]] = []
    for cards in combinations_with_replacement(range(14), 5):
        number = sum(places[place][rank] for place, rank in enumerate(cards))
        joker = cards[-1] == JOKER_RANK
        ranks: tuple[int, ...] = cards[:-1] if joker else cards
        if JOKER_RANK not in ranks and max(Counter(ranks).values()) <= 4:
            multisets.append((number, ranks, joker))
    return multisets


THREE_PAIR, ROYAL_MATCH, SEVEN_WITH_JOKER, SEVEN_NATURAL = (1 << bit for bit in range(12, 16))

_SEVEN: Final = "7 Card Straight Flush"

# A fifth ace is five-of-a-kind too, where a table has no row for it.
HAND_NAMES: Final[dict[str, int]] = {
    _SEVEN: SEVEN_NATURAL,
    "7 Card Natural Straight Flush": SEVEN_NATURAL,
    "7 Card Wild Straight Flush": SEVEN_WITH_JOKER,
    "7 Card Straight Flush with Joker": SEVEN_WITH_JOKER,
    "7 Card Straight Flush w/Joker": SEVEN_WITH_JOKER,
    "Royal Flush + Royal Match": ROYAL_MATCH,
    "Five Aces": 1 << FIVE_ACES,
    "Five of a Kind": 1 << FIVE_OF_A_KIND | 1 << FIVE_ACES,
    "Royal Flush": 1 << ROYAL_FLUSH,
    "Straight Flush": 1 << STRAIGHT_FLUSH,
    "Four of a Kind": 1 << FOUR_OF_A_KIND,
    "Full House": 1 << FULL_HOUSE,
    "Flush": 1 << FLUSH,
    "Three of a Kind": 1 << THREE_OF_A_KIND,
    "Straight": 1 << STRAIGHT,
    "Three Pair": THREE_PAIR,
}


def hand_masks(outcomes: Sequence[str], ranking: str) -> tuple[int, ...]:
    """Return the bits that each row of a paytable pays for.

    A plain seven-card straight flush may have the joker, unless the table has a row for that. `ValueError` for a hand
    that the section on `ranking` does not name.
    """
    unknown = [outcome for outcome in outcomes if outcome not in HAND_NAMES]
    if unknown:
        raise ValueError(f"a paytable pays for {unknown[0]!r}; hands it may name ({ranking}): {', '.join(HAND_NAMES)}")
    joker_row = any(HAND_NAMES[outcome] == SEVEN_WITH_JOKER for outcome in outcomes)
    plain = SEVEN_NATURAL | (0 if joker_row else SEVEN_WITH_JOKER)
    return tuple(plain if outcome == _SEVEN else HAND_NAMES[outcome] for outcome in outcomes)


def paid_row(bits: int, rows: Sequence[int]) -> int:
    """Return the first row, in the printed order, that the cards satisfy; `len(rows)` if none does.

    The best hand is the best against the paytable, so three-of-a-kind with a straight is paid as the table has it.
    """
    return next((row for row, mask in enumerate(rows) if bits & mask), len(rows))
