"""The lines of a cross for one starting hand: what each wins with every middle card, and when two cross.

Not here: the decisions (`best_play`), how often each end is met (`counts`).
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import helper, kernel
from games.maths.ranking import HIGH, LOW, flush_part, high_part, low_part, standard
from games.maths.staged_raises.cross.starts import Start
from games.maths.staged_raises.ladder import LOSING, results

ROWS, COLUMNS, MIDDLES = comb(50, 2), comb(48, 2), 46  # outer pairs of the row, of the column; middle cards
ANTES = 2
CARDS_TAKEN = 4  # cards of a line that its middle card cannot be
ANTE = 2**32

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]
Words = NDArray[np.uint64]
Sums = NDArray[np.int32]


class Lines(NamedTuple):
    """The lines by outer pair. What an Ante and a Bet win is one number: `ANTE` times the Ante's and the Bet's."""

    pairs: Ints  # higher or lower card × pair
    masks: Ints  # pair → both as bits
    results: Bytes  # middle card × pair; a card that is taken loses
    wins: Ints  # the same
    sums: Ints  # pair → what is won with the 48 cards that are not taken
    levels: Ints  # what a Bet can win, rising
    below: Words  # level × pair → as bits, the cards that win less than the next level
    least: Sums  # level × pair → the sum over all cards of what a Bet wins, at least the level
    lost: int


def lines_of(start: Start, ante: Ints, bet: Ints) -> Lines:
    """For what one Ante and one Bet win by result."""
    number, lost, levels = len(start.pairs), -int(bet[LOSING]), np.unique(bet)
    pairs, hands = np.ascontiguousarray(start.pairs[:, 1:].T), np.zeros((FULL_DECK, number), np.int8)
    _line_up(standard().keys, results(), LOW, HIGH, start.own, pairs, hands)
    wins = (ANTE * ante + bet)[hands]
    sums = wins.sum(axis=0) + CARDS_TAKEN * lost * (ANTE + 1)
    below, least = np.zeros((len(levels) - 1, number), np.uint64), np.zeros((len(levels), number), np.int32)
    _level(bet.astype(np.int32)[hands], levels, below, least)
    return Lines(pairs, (1 << pairs).sum(axis=0), hands, wins, sums, levels, below, least, lost)


@kernel
def _line_up(
    keys: Ints,
    table: Bytes,
    low: NDArray[np.int16],
    high: NDArray[np.int16],
    own: tuple[int, int],
    pairs: Ints,
    hands: Bytes,
) -> None:
    """For every middle card and every outer pair the result; a card that is taken counts as a loss."""
    index = np.zeros((FULL_DECK, FULL_DECK), np.int64)
    for j in range(pairs.shape[1]):
        index[pairs[0, j], pairs[1, j]] = j
    for j in range(pairs.shape[1]):
        a, b = pairs[0, j], pairs[1, j]
        four = keys[own[0]] + keys[own[1]] + keys[a] + keys[b]
        for c in range(b):
            if c != own[0] and c != own[1]:
                key = four + keys[c]
                result = table[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                hands[c, j] = hands[b, index[a, c]] = hands[a, index[b, c]] = result


@kernel
def _level(bets: Sums, levels: Ints, below: Words, least: Sums) -> None:
    """Into `below` and `least` what `Lines` says."""
    for level in range(len(levels)):
        for card in range(FULL_DECK):
            for j in range(bets.shape[1]):
                least[level, j] += max(bets[card, j], np.int32(levels[level]))
        if level > 0:
            for card in range(FULL_DECK):
                for j in range(bets.shape[1]):
                    below[level - 1, j] |= np.uint64(bets[card, j] < levels[level]) << np.uint64(card)


@helper
def bet_part(both: int) -> int:
    """The Bet's part of what an Ante and a Bet win."""
    return ((both + ANTE // 2) & (ANTE - 1)) - ANTE // 2


@helper
def count_bits(word: np.uint64) -> np.uint64:
    """How many are set; LLVM knows these steps as one instruction."""
    bits = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (bits * np.uint64(0x0101010101010101)) >> np.uint64(56)
