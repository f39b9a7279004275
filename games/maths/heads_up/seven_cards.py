"""Seven cards as numbers: the strength of the best five, and one deal for all that differ by a renaming of suits.

The keys of seven cards (those of `ranking`) add up to rank counts and suit counts. Without five cards of a suit:

    strength = BY_RANKS[LOW_RANKS[low_part(key)] + HIGH_RANKS[high_part(key)]]

With five (`flush_part(key)` is not 0) the flush is the best hand, for neither four-of-a-kind nor a full house leaves
room for it: `strength = BY_SUIT[ranks of the suit, as 13 bits]`. Tables of 0.6 MB in all. A strength is a hand's place
among the 7,462 different hands of poker, from 0.

Suits are equal in rank, so deals that differ by a renaming of suits are played alike: there are 1,755 canonical flops,
one for each orbit. Boards are rows, two cards beside them kinds. Of a board only its ranks matter or, where a suit has
three cards or more, which ranks lie in that suit and which beside it; of two cards their ranks, and which of them are
of that suit. Not here: dealing, the worth of a deal (`best_play`).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, helper, kernel
from games.maths import hands
from games.maths.ranking import CLASS_BITS, HANDS, HIGH, LOW, card_key, flush_part, forms, high_part, low_part, standard

CARDS, RANKS, SUITS, PACK = 7, 13, 4, 52
KEYS = standard().keys[:PACK]
_VALUES = np.unique(standard().values[standard().values >= 0])
STRENGTHS = len(_VALUES)  # 7,462
CLASS_OF = (_VALUES >> CLASS_BITS).astype(np.int64)
"""Strength → place of its class in `hands.STANDARD`."""


def class_place(name: str) -> int:
    """Return the place of the class in `hands.STANDARD`."""
    return hands.STANDARD.index(name)


def lowest_strength(name: str) -> int:
    """Return the strength of the lowest hand of the class."""
    return int(np.argmax(class_place(name) == CLASS_OF))


@helper
def suit_bit(card: int) -> int:
    """Return the card as one of 52 bits, suit by suit: what lies in suit s is `bits >> 13 * s & 8191`."""
    return 1 << (13 * (card & 3) + (card >> 2))


def _best(sevens: Ints, suited: bool) -> Ints:
    """Return the strength of the best five ranks of each row; rows of five, six or seven ranks."""
    keys = np.array([card_key(rank, 0) for rank in range(RANKS)])[sevens]
    best = np.full(len(sevens), -1)
    for chosen in combinations(range(sevens.shape[1]), 5):
        key = keys[:, chosen].sum(axis=1)
        values = standard().values[LOW[low_part(key)].astype(np.int64) + HIGH[high_part(key)] + HANDS * suited]
        best = np.maximum(best, values)
    return np.searchsorted(_VALUES, best)


def _by_ranks() -> NDArray[np.int16]:
    """Return the strength of seven ranks, by the number of their form; −1 with the joker."""
    sevens = forms(CARDS).ranks
    strengths, natural = np.full(len(sevens), -1, dtype=np.int16), sevens[:, -1] < RANKS
    strengths[natural] = _best(sevens[natural], suited=False)
    return strengths


def _by_suit() -> NDArray[np.int16]:
    """Return the strength of the flush, by the ranks that lie in its suit as bits: five to seven."""
    strengths = np.full(1 << RANKS, -1, dtype=np.int16)
    for size in range(5, CARDS + 1):
        chosen = np.array(list(combinations(range(RANKS), size)))
        strengths[(1 << chosen).sum(axis=1)] = _best(chosen, suited=True)
    return strengths


LOW_RANKS, HIGH_RANKS, BY_RANKS = forms(CARDS).low, forms(CARDS).high, _by_ranks()
BY_SUIT = _by_suit()


@cache
def count_hands() -> tuple[int, ...]:
    """Return the number of the C(52, 7) hands in each class of `hands.STANDARD`."""
    counts = np.zeros(len(hands.STANDARD), np.int64)
    _count_hands(KEYS, LOW_RANKS, HIGH_RANKS, BY_RANKS, BY_SUIT, CLASS_OF, counts)
    return tuple(int(count) for count in counts)


@kernel
def _count_hands(
    keys: Ints,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    by_ranks: NDArray[np.int16],
    by_suit: NDArray[np.int16],
    classes: Ints,
    counts: Ints,
) -> None:
    for a in range(PACK):
        for b in range(a):
            for c in range(b):
                three = keys[a] + keys[b] + keys[c]
                three_bits = suit_bit(a) | suit_bit(b) | suit_bit(c)
                for d in range(c):
                    for e in range(d):
                        five = three + keys[d] + keys[e]
                        five_bits = three_bits | suit_bit(d) | suit_bit(e)
                        for f in range(e):
                            six = five + keys[f]
                            for g in range(f):
                                key = six + keys[g]
                                strength = by_ranks[low[low_part(key)] + high[high_part(key)]]
                                if flush_part(key):
                                    bits = five_bits | suit_bit(f) | suit_bit(g)
                                    for suit in range(4):
                                        strength = max(strength, by_suit[bits >> 13 * suit & 0x1FFF])
                                counts[classes[strength]] += 1


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


@helper
def pair_number(first: int, second: int) -> int:
    """Return two cards as a number from 0 to 1,325, in any order."""
    return max(first, second) * (max(first, second) - 1) // 2 + min(first, second)


@helper
def flop_number(first: int, second: int, third: int) -> int:
    """Return three cards as a number from 0 to 22,099, in any order."""
    high, low = max(first, second, third), min(first, second, third)
    middle = first + second + third - high - low
    return high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low


@helper
def kind_number(first: int, second: int) -> int:
    """Return two kinds of card (rank, +13 in the board's suit) as a number from 0 to 350; below 91 without the suit."""
    return max(first, second) * (max(first, second) + 1) // 2 + min(first, second)


@helper
def suited_row(size: int, place: int, first: int, second: int) -> int:
    """Return the row of a board with `size` cards of a suit, its `place`-th choice of ranks, beside those ranks."""
    if size == 3:
        return THREE_SUITED + place * 91 + kind_number(first, second)
    if size == 4:
        return FOUR_SUITED + place * 13 + first
    return FIVE_SUITED + place


PLACES = np.zeros(1 << RANKS, np.int16)
"""13 ranks as bits → the place of this choice among those of its size."""
for _size in range(RANKS + 1):
    _chosen = [ranks for ranks in range(1 << RANKS) if ranks.bit_count() == _size]
    PLACES[_chosen] = np.arange(len(_chosen))
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
    """Return the row of five cards, and the suit of which they contain three or more."""
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
    """Return the card's rank, 13 more in the board's suit."""
    return (card >> 2) + (RANKS if card & 3 == suit else 0)


@helper
def card_kinds(suit: int) -> int:
    """Return the number of kinds of card beside a board."""
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
    """Return a board for each row; −1 where a row has none."""
    boards = np.full((ROWS, 5), -1)
    _examples(BOARD_TABLES, boards)
    return boards


@cache
def rows_by_ranks() -> Ints:
    """Return the rows of all boards in another order: those without three of a suit by the number of their ranks.

    The number of five ranks, from low to high, is the sum of the binomials of (rank + place) over (place + 1), place
    0 … 4; the rows with three of a suit or more keep their order.
    """
    boards = example_boards()[:THREE_SUITED]
    row = np.flatnonzero(boards[:, 0] >= 0)
    ranks = np.sort(boards[row] >> 2, axis=1)
    numbers = sum(_CHOOSE[ranks[:, place] + place, place + 1] for place in range(5))
    ordered = np.zeros(comb(RANKS + 4, 5), np.int64)
    ordered[numbers] = row
    return np.concatenate([ordered, np.arange(THREE_SUITED, ROWS)])


_CHOOSE = np.array([[comb(number, of) for of in range(6)] for number in range(RANKS + 4)])


@dataclass(frozen=True, slots=True)
class Flops:
    """The flops in standard (canonical) form, the suits in descending order of the ranks they contain.

    `number[flop]` and the renaming that leads there; of each standard form its `cards`, and the number of flops that it
    represents.
    """

    number: NDArray[np.int16]
    renaming: NDArray[np.int8]
    cards: Ints
    weights: Ints


RENAMINGS = np.array(list(permutations(range(4))))
"""Every renaming of the suits: `RENAMINGS[r, suit]` is the new suit."""


@cache
def flops() -> Flops:
    """Return every flop brought to standard form."""
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
