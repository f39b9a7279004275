"""Suits are equal in rank, so deals that differ by a renaming of suits are played alike.

Here: the 1,755 canonical flops, one for each orbit under a renaming of suits; and boards as rows, two cards beside
them as kinds. Of a board only its ranks matter or, where a suit has three cards or more, which ranks lie in that suit
and which beside it; of two cards their ranks, and which of them are of that suit. Not here: what a deal is worth
(`exact`).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import helper, kernel
from games.maths.ranking import HANDS, HIGH, LOW, high_part, low_part, standard

PACK, RANKS, SUITS = 52, 13, 4
CARD_KINDS = 2 * RANKS
PAIRS = 1326
GROUPS = 169  # of pairs: two ranks, of one suit or not
FLOPS = 22_100
KINDS = 351  # of pairs, where a card's suit matters only as far as it is the board's or not
NO_SUIT = -1
THREE_SUITED = HANDS  # the row of the first board with three cards of a suit; below: the numbers of `ranking`
FOUR_SUITED = THREE_SUITED + 286 * 91
FIVE_SUITED = FOUR_SUITED + 715 * 13
ROWS = FIVE_SUITED + 1287
Ints = NDArray[np.int64]


@helper
def pair_number(first: int, second: int) -> int:
    """Two cards as a number from 0 to 1,325, in any order."""
    return max(first, second) * (max(first, second) - 1) // 2 + min(first, second)


@helper
def flop_number(first: int, second: int, third: int) -> int:
    """Three cards as a number from 0 to 22,099, in any order."""
    high, low = max(first, second, third), min(first, second, third)
    middle = first + second + third - high - low
    return high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low


@helper
def kind_number(first: int, second: int) -> int:
    """Two kinds of card (rank, +13 in the board's suit) as a number from 0 to 350; below 91 without the suit."""
    return max(first, second) * (max(first, second) + 1) // 2 + min(first, second)


@helper
def suited_row(size: int, place: int, first: int, second: int) -> int:
    """The row of a board with `size` cards of a suit, the `place`-th such choice of ranks, beside those ranks."""
    if size == 3:
        return THREE_SUITED + place * 91 + kind_number(first, second)
    if size == 4:
        return FOUR_SUITED + place * 13 + first
    return FIVE_SUITED + place


def _places() -> NDArray[np.int16]:
    """13 ranks as bits → the place of this choice among those of its size."""
    places = np.zeros(1 << RANKS, dtype=np.int16)
    seen = [0] * (RANKS + 1)
    for ranks in range(1 << RANKS):
        places[ranks] = seen[ranks.bit_count()]
        seen[ranks.bit_count()] += 1
    return places


PLACES = _places()
BoardTables = tuple[Ints, NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]
BOARD_TABLES: BoardTables = (standard().keys, LOW, HIGH, PLACES)


KIND_NUMBERS = np.array([[kind_number(first, second) for second in range(26)] for first in range(26)], dtype=np.int16)
_HIGHER, _LOWER = np.array([(first, second) for first in range(PACK) for second in range(first)]).T
PAIR_GROUPS = np.where(
    _HIGHER % 4 == _LOWER % 4,
    (_HIGHER // 4) * RANKS + _LOWER // 4,
    (_LOWER // 4) * RANKS + _HIGHER // 4,
)
"""Pair of cards → 13 × rank + rank, the higher first if they are of one suit, the lower first if not: 169 groups."""


@kernel
def board_row(board: Ints, tables: BoardTables) -> tuple[int, int]:
    """The row of five cards, and the suit of which they contain three or more."""
    keys, low, high, places = tables
    key, suits = 0, 0
    for card in board:
        key += keys[card]
        suits += 1 << 4 * (card & 3)
    three = (suits + 0x5555) & 0x8888
    if three == 0:
        return low[low_part(key)] + high[high_part(key)], NO_SUIT
    suit = 0 if three & 0x8 else 1 if three & 0x80 else 2 if three & 0x800 else 3
    ranks, size, latest, earlier = 0, 0, 0, 0
    for card in board:
        if card & 3 == suit:
            ranks |= 1 << (card >> 2)
            size += 1
        else:
            latest, earlier = card >> 2, latest
    return suited_row(size, places[ranks], latest, earlier), suit


@helper
def card_kind(card: int, suit: int) -> int:
    """The card's rank, 13 more in the board's suit."""
    return (card >> 2) + (RANKS if card & 3 == suit else 0)


@helper
def card_kinds(suit: int) -> int:
    """How many kinds of card there are beside a board."""
    return RANKS if suit == NO_SUIT else CARD_KINDS


@kernel
def _examples(tables: BoardTables, boards: Ints) -> None:
    board = np.empty(5, np.int64)
    for a in range(PACK):
        board[0] = a
        for b in range(a):
            board[1] = b
            for c in range(b):
                board[2] = c
                for d in range(c):
                    board[3] = d
                    for e in range(d):
                        board[4] = e
                        row = board_row(board, tables)[0]
                        if boards[row, 0] < 0:
                            for place in range(5):  # array to array would compile its error message for a second
                                boards[row, place] = board[place]


@cache
def example_boards() -> Ints:
    """A board for each row; −1 where a row has none."""
    boards = np.full((ROWS, 5), -1)
    _examples(BOARD_TABLES, boards)
    return boards


@dataclass(frozen=True, slots=True)
class Flops:
    """The flops in standard (canonical) form, the suits in descending order of the ranks they contain: `number[flop]`
    and the renaming that leads there; of each standard form its `cards`, and how many flops it represents."""

    number: NDArray[np.int16]
    renaming: NDArray[np.int8]
    cards: Ints
    weights: Ints


RENAMINGS = np.array(list(permutations(range(4))))
"""Every renaming of the suits: `RENAMINGS[r, suit]` is the new suit."""


@cache
def flops() -> Flops:
    """Every flop brought to standard form."""
    number, renaming = np.zeros(FLOPS, np.int16), np.zeros(FLOPS, np.int8)
    forms: dict[tuple[int, ...], int] = {}
    cards: list[list[int]] = []
    names = {tuple(new): place for place, new in enumerate(RENAMINGS.tolist())}
    for flop, (low, middle, high) in enumerate(sorted(combinations(range(PACK), 3), key=lambda three: three[::-1])):
        ranks = [0] * 4
        for card in (low, middle, high):
            ranks[card % 4] |= 1 << card // 4
        order = sorted(range(4), key=lambda suit: -ranks[suit])
        new = tuple(order.index(suit) for suit in range(4))
        form = tuple(ranks[suit] for suit in order)
        if form not in forms:
            forms[form] = len(forms)
            cards.append(sorted((card // 4 * 4 + new[card % 4] for card in (low, middle, high)), reverse=True))
        number[flop], renaming[flop] = forms[form], names[new]
    return Flops(number, renaming, np.array(cards), np.bincount(number))
