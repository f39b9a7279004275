"""Decisions and their ends for one set of odds, computed once and kept: in memory, and on disk for other processes.

Every round under given decisions, 27.8 · 10¹² deals, is counted without being dealt: first how often each kind of pair
meets each row of boards under which decision, then the dealer's hands beside it. What the decision after the Flop is
taken with is sorted so that a person can look it up. Dealing rounds needs the decisions only. Not here: how the
decisions are found (`best_play`), what an end pays (`wagers`).
"""

from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths import hands
from games.maths.enumerations import SHARES, cached_arrays, in_shares
from games.maths.heads_up.best_play import (
    HOLES,
    PACK,
    STRENGTH_TABLES,
    Decisions,
    Pays,
    StrengthTables,
    count_chances,
    decide,
    from_bits,
)
from games.maths.heads_up.rules import AFTER, BEFORE, ENDS, FOLD, LAST
from games.maths.heads_up.seven_cards import (
    BOARD_TABLES,
    CARD_KINDS,
    CLASS_OF,
    KIND_NUMBERS,
    KINDS,
    PAIRS,
    ROWS,
    SUITS,
    BoardTables,
    board_row,
    card_kind,
    card_kinds,
    example_boards,
    flops,
    kind_number,
    pair_number,
)
from games.maths.ranking import CLASS_BITS, FIELD, HANDS, HIGH, LOW, class_of, flush_part, high_part, low_part, standard

Counts = tuple[NDArray[np.int32], NDArray[np.int32]]
"""Pairs beside a flop: `[board's suit, when raised, kind of pair]`, `[card, board's suit, when, kind of the other]`."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Rounds by their ends, under the decisions and if one checks to the last.

    `best[when raised, end, player's class]` under the decisions, `late[when raised, end, class]` if one checks before
    the Flop and after it and only then follows them; both of `CYCLE` deals. `last[raised, player's class, the board's
    class]`: the cards with which the last decision is taken, of deals without the dealer's hand.
    """

    best: Ints
    late: Ints
    last: Ints


def settle(decisions: Decisions, lowest: int) -> Settled:
    """Return every deal under the decisions, where the dealer qualifies from the strength `lowest` on."""
    size = len(hands.STANDARD)
    cards, weights, boards, board_classes = flops().cards, flops().weights, example_boards(), _board_classes()
    after, last = from_bits(decisions.after, PAIRS), from_bits(decisions.last, KINDS)
    ways = np.zeros((ROWS, 3, KINDS), np.int32)

    def meet(share: int) -> None:
        counts = (np.zeros((SUITS + 1, 3, KINDS), np.int32), np.zeros((PACK, SUITS + 1, 3, CARD_KINDS), np.int32))
        _meet(share, cards, weights, BOARD_TABLES, KIND_NUMBERS, decisions.before, after, counts, ways)

    def settle_boards(share: int) -> tuple[Ints, Ints, Ints]:
        best, late = np.zeros((2, FOLD + 1, len(ENDS), size), np.int64)
        results = (best, late, np.zeros((2, size, size), np.int64))
        _settle(share, boards, board_classes, STRENGTH_TABLES, BOARD_TABLES, CLASS_OF, lowest, last, ways, results)
        return results

    in_shares(meet)
    first, second = in_shares(settle_boards)
    return Settled(first[0] + second[0], first[1] + second[1], first[2] + second[2])


def _board_classes() -> Ints:
    """Return the class of the board's own five cards, by row."""
    boards = np.maximum(example_boards(), 0)
    keys = standard().keys[boards].sum(axis=1)
    keys[example_boards()[:, 0] < 0] = standard().keys[[0, 4, 8, 12, 17]].sum()
    suited = np.where((keys >> 2 * FIELD) + 0x3333 & 0x8888, HANDS, 0)
    values = standard().values[LOW[low_part(keys)] + HIGH[high_part(keys)] + suited]
    classes: Ints = np.right_shift(values, CLASS_BITS, dtype=np.int64)
    return classes


@kernel
def _meet(
    share: int,
    cards: Ints,
    weights: Ints,
    board_tables: BoardTables,
    kinds: NDArray[np.int16],
    before: NDArray[np.bool_],
    after: NDArray[np.bool_],
    counts: Counts,
    ways: NDArray[np.int32],
) -> None:
    """Count how often a kind of pair meets a board of this row, raised before the Flop, after it or not yet.

    `share`: of the rows.
    """
    board, when = np.zeros(5, np.int64), np.zeros(PAIRS, np.int64)
    with_kind, with_card = counts
    for flop in range(len(cards)):
        with_kind[:] = with_card[:] = 0
        for place in range(3):
            board[place] = cards[flop, place]
        for higher in range(PACK):
            for lower in range(higher):
                pair = pair_number(higher, lower)
                when[pair] = BEFORE if before[pair] else AFTER if after[flop, pair] else LAST
                if higher not in cards[flop] and lower not in cards[flop]:
                    _add_pair(higher, lower, when[pair], np.int32(weights[flop]), kinds, counts)
        for turn in range(PACK):
            for river in range(turn):
                if turn not in cards[flop] and river not in cards[flop]:
                    board[3], board[4] = turn, river
                    if board_row(board, board_tables)[0] % SHARES == share:
                        at = when[pair_number(turn, river)]
                        _add_board(board, board_tables, kinds, np.int32(weights[flop]), at, counts, ways)


@kernel
def _add_pair(higher: int, lower: int, when: int, weight: np.int32, kinds: NDArray[np.int16], counts: Counts) -> None:
    with_kind, with_card = counts
    for suit in range(SUITS + 1):
        first, second = card_kind(higher, suit), card_kind(lower, suit)
        with_kind[suit, when, kinds[first, second]] += weight
        with_card[higher, suit, when, second] += weight
        with_card[lower, suit, when, first] += weight


@kernel
def _add_board(
    board: Ints,
    board_tables: BoardTables,
    kinds: NDArray[np.int16],
    weight: np.int32,
    when: int,
    counts: Counts,
    ways: NDArray[np.int32],
) -> None:
    """Add every pair beside this board: of each kind all, less those with its Turn or River card; `when`: of both."""
    with_kind, with_card = counts
    row, suit = board_row(board, board_tables)
    turn, river, size = card_kind(board[3], suit), card_kind(board[4], suit), card_kinds(suit)
    for at in range(3):
        for number in range(kind_number(size - 1, size - 1) + 1):
            ways[row, at, number] += with_kind[suit, at, number]
        for kind in range(size):
            ways[row, at, kinds[turn, kind]] -= with_card[board[3], suit, at, kind]
            ways[row, at, kinds[river, kind]] -= with_card[board[4], suit, at, kind]
    ways[row, when, kinds[turn, river]] += weight


@kernel
def _settle(
    share: int,
    boards: Ints,
    board_classes: Ints,
    tables: StrengthTables,
    board_tables: BoardTables,
    classes: Ints,
    lowest: int,
    decisions: NDArray[np.bool_],
    ways: NDArray[np.int32],
    results: tuple[Ints, Ints, Ints],
) -> None:
    """Count the dealer's hands beside each kind of pair; the first pair of a kind uses up its `ways`.

    `share`: of the boards.
    """
    best, late, last = results
    pairs, strengths = np.empty((HOLES, 2), np.int64), np.empty(HOLES, np.int64)
    chances = np.empty((HOLES, len(ENDS)), np.int64)
    for row in range(share, ROWS, SHARES):
        if boards[row, 0] < 0:
            continue
        count_chances(boards[row], tables, lowest, pairs, strengths, chances)
        suit = board_row(boards[row], board_tables)[1]
        for hole in range(HOLES):
            kind = kind_number(card_kind(pairs[hole, 0], suit), card_kind(pairs[hole, 1], suit))
            rank = classes[strengths[hole]]
            at_last = LAST if decisions[row, kind] else FOLD
            last[1 if decisions[row, kind] else 0, rank, board_classes[row]] += ways[row, LAST, kind]
            for when in range(3):
                if ways[row, when, kind] > 0:
                    for end in ENDS:
                        deals = chances[hole, end] * ways[row, when, kind]
                        best[at_last if when == LAST else when, end, rank] += deals
                        late[at_last, end, rank] += deals
                    ways[row, when, kind] = 0


@cache
def decisions(pays: Pays) -> Decisions:
    """Return the decisions when to raise, under these odds."""

    name = f"heads-up-decisions-{_digest(pays)}"
    return Decisions(**cached_arrays(name, lambda: asdict(decide(pays))))  # type: ignore[arg-type]


@cache
def settled(pays: Pays) -> Settled:
    """Return the rounds by their ends, under the best decisions for these odds."""
    name = f"heads-up-settled-{_digest(pays)}"
    return Settled(**cached_arrays(name, lambda: asdict(settle(decisions(pays), pays.lowest))))  # type: ignore[arg-type]


@cache
def after_flop(pays: Pays) -> Ints:
    """Return [raised, holding]: the holdings with which the decision after the Flop is taken."""
    name = f"heads-up-after-flop-{_digest(pays)}"
    return cached_arrays(name, lambda: {"holdings": count_after_flop(decisions(pays))})["holdings"].astype(np.int64)


def _digest(pays: Pays) -> str:
    return sha256(repr(pays).encode()).hexdigest()[:16]


HOLDINGS = (
    "A straight or better",
    "Three-of-a-kind or two pairs, made with one's own cards",
    "A pair with the highest card of the Flop",
    "A pair with the middle card of the Flop",
    "A pair with the lowest card of the Flop",
    "A pair in one's hand, not improved",
    "Less, with four cards to a flush",
    "Less, without",
)
STRONG, OWN, HIGHEST, MIDDLE, LOWEST, IN_HAND, DRAW, REST = range(8)
STRAIGHT, FULL_HOUSE = hands.STANDARD.index(hands.STRAIGHT), hands.STANDARD.index(hands.FULL_HOUSE)
THREE = hands.STANDARD.index(hands.THREE)


def count_after_flop(decisions: Decisions) -> Ints:
    """Return [raised, holding]: own cards and Flops, of those that come to the decision."""
    before, after = decisions.before, from_bits(decisions.after, PAIRS)
    counts = np.zeros((2, len(HOLDINGS)), np.int64)
    tables = (standard().keys, LOW, HIGH, standard().values)
    _count(flops().cards, flops().weights, before, after, tables, counts)
    return counts


@kernel
def _count(
    cards: Ints,
    weights: Ints,
    before: NDArray[np.bool_],
    after: NDArray[np.bool_],
    tables: tuple[Ints, NDArray[np.int16], NDArray[np.int16], NDArray[np.int32]],
    counts: Ints,
) -> None:
    keys, low, high, values = tables
    for flop in range(len(cards)):
        three = cards[flop]
        for pair in range(PAIRS):
            first = int((1 + np.sqrt(1 + 8 * pair)) / 2)
            second = pair - first * (first - 1) // 2
            if before[pair] or first in three or second in three:
                continue
            key = keys[first] + keys[second]
            for card in three:
                key += keys[card]
            value = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
            holding = _holding(first, second, three, class_of(value))
            counts[1 if after[flop, pair] else 0, holding] += weights[flop]


@kernel
def _holding(first: int, second: int, flop: Ints, rank: int) -> int:
    """Return the place among `HOLDINGS`; `flop` begins with the highest card."""
    if rank >= STRAIGHT:
        return STRONG
    if first >> 2 == second >> 2:
        return OWN if rank == THREE else IN_HAND
    paired, place = 0, REST
    for seen in range(3):
        if flop[seen] >> 2 == first >> 2 or flop[seen] >> 2 == second >> 2:
            paired += 1
            place = HIGHEST + seen
    flop_pairs = flop[0] >> 2 == flop[1] >> 2 or flop[1] >> 2 == flop[2] >> 2
    if paired > 1 or (paired == 1 and flop_pairs):
        return OWN
    if paired == 1:
        return place
    for card in (first, second):
        suited = 0
        for each in (flop[0], flop[1], flop[2], first, second):
            suited += each & 3 == card & 3
        if suited == 4:
            return DRAW
    return REST
