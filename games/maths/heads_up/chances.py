"""What may become of two cards on a full board: how often the dealer's hidden two of the other 45 beat them.

All 1,081 pairs beside a board are ranked once; how many of the 990 that avoid one's own cards are below or equal
follows from the order, less those that contain either card. Not here: decisions (`best_play`), settlement (`settled`).
"""

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.heads_up.rules import LOSE, LOSE_UNQUALIFIED, TIE, TIE_UNQUALIFIED, WIN, WIN_UNQUALIFIED
from games.maths.heads_up.seven_cards import (
    BY_RANKS,
    BY_SUIT,
    HIGH_RANKS,
    KEYS,
    LOW_RANKS,
    STRENGTHS,
    suit_bit,
)
from games.maths.ranking import flush_part, high_part, low_part

PACK, OFF_BOARD = 52, 47
HOLES = 1081  # pairs beside a board
DEALERS = 990  # pairs beside a board and a pair
Ints = NDArray[np.int64]
Tables = tuple[Ints, NDArray[np.int32], NDArray[np.int32], NDArray[np.int16], NDArray[np.int16]]
TABLES: Tables = (KEYS, LOW_RANKS, HIGH_RANKS, BY_RANKS, BY_SUIT)


@kernel
def count_chances(board: Ints, tables: Tables, lowest: int, pairs: Ints, strengths: Ints, chances: Ints) -> None:
    """Of each of the 1,081 pairs: its cards, its strength on this board, and how many of the dealer's 990 end how.

    The dealer qualifies from the strength `lowest` on. `pairs[hole, card]`, `strengths[hole]`, `chances[hole, end]`.
    """
    free = np.empty(OFF_BOARD, np.int64)
    _beside(board, free)
    _rank(board, free, tables, pairs, strengths)
    ends, order = _sorted(strengths)
    below, same, unqualified = (
        np.zeros(OFF_BOARD, np.int64),
        np.zeros(OFF_BOARD, np.int64),
        np.zeros(OFF_BOARD, np.int64),
    )
    all_unqualified = 0
    for hole in range(HOLES):
        if strengths[hole] < lowest:
            all_unqualified += 1
            unqualified[pairs[hole, 0]] += 1
            unqualified[pairs[hole, 1]] += 1
    first = 0
    while first < HOLES:
        strength = strengths[order[first]]
        last = ends[strength]
        for place in range(first, last):
            same[pairs[order[place], 0]] += 1
            same[pairs[order[place], 1]] += 1
        for place in range(first, last):
            hole = order[place]
            high, low = pairs[hole]
            # what contains one of the own cards is not dealt to the dealer; the own pair contains both
            lower = first - below[high] - below[low]
            equal = last - first - same[high] - same[low] + 1
            without = all_unqualified - unqualified[high] - unqualified[low] + (1 if strength < lowest else 0)
            _split(strength < lowest, lower, equal, without, chances[hole])
        for place in range(first, last):
            for card in pairs[order[place]]:
                below[card] += 1
                same[card] = 0
        first = last
    for hole in range(HOLES):
        pairs[hole, 0], pairs[hole, 1] = free[pairs[hole, 0]], free[pairs[hole, 1]]


@kernel
def _beside(board: Ints, free: Ints) -> None:
    """The 47 cards that are not on the board."""
    count = 0
    for card in range(PACK):
        on_board = False
        for board_card in board:
            on_board |= card == board_card
        if not on_board:
            free[count] = card
            count += 1


@kernel
def _rank(board: Ints, free: Ints, tables: Tables, pairs: Ints, strengths: Ints) -> None:
    """Every pair, by the places of its cards among those free, and its strength with the board."""
    keys, low, high, by_ranks, by_suit = tables
    board_key, board_bits, hole = 0, 0, 0
    for card in board:
        board_key += keys[card]
        board_bits |= suit_bit(card)
    for first in range(OFF_BOARD):
        for second in range(first):
            key = board_key + keys[free[first]] + keys[free[second]]
            strength = by_ranks[low[low_part(key)] + high[high_part(key)]]
            if flush_part(key):
                bits = board_bits | suit_bit(free[first]) | suit_bit(free[second])
                for suit in range(4):
                    strength = max(strength, by_suit[bits >> 13 * suit & 0x1FFF])
            pairs[hole, 0], pairs[hole, 1], strengths[hole] = first, second, strength
            hole += 1


@kernel
def _sorted(strengths: Ints) -> tuple[Ints, Ints]:
    """How many pairs are not above each strength, and the pairs in ascending order: sorted by counting."""
    ends, order = np.zeros(STRENGTHS + 1, np.int64), np.empty(HOLES, np.int64)
    for strength in strengths:
        ends[strength + 1] += 1
    for strength in range(STRENGTHS):
        ends[strength + 1] += ends[strength]
    for hole in range(HOLES):
        order[ends[strengths[hole]]] = hole
        ends[strengths[hole]] += 1
    return ends, order


@kernel
def _split(is_below: bool, lower: int, equal: int, unqualified: int, ends: Ints) -> None:
    """The dealer's hands below, equal and above, by whether they qualify; `is_below`: one's own would not."""
    above = DEALERS - lower - equal
    ends[:] = 0
    if is_below:
        ends[WIN_UNQUALIFIED], ends[TIE_UNQUALIFIED] = lower, equal
        ends[LOSE_UNQUALIFIED] = unqualified - lower - equal
        ends[LOSE] = DEALERS - unqualified
    else:
        ends[WIN_UNQUALIFIED], ends[WIN] = unqualified, lower - unqualified
        ends[TIE], ends[LOSE] = equal, above
