"""When to raise: before the Flop, after it, or after the River card, each time by less, or to fold.

Backward induction. The worth of two cards on a full board is computed once for each row of boards and kind of pair
(`suits`). Each of the 1,755 flops then has its 1,176 boards looked up for each pair of cards beside it, which gives
the worth of raising now and of going on; each pair is decided over all flops. Not here: what ends how often under
these decisions (`settled`), what is paid (`odds`).
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.heads_up.chances import (
    DEALERS,
    HOLES,
    PACK,
    TABLES,
    Ints,
    Tables,
    count_chances,
)
from games.maths.heads_up.rules import ENDS, LAST, LOSE, LOSE_UNQUALIFIED, WIN, WIN_UNQUALIFIED, Raises
from games.maths.heads_up.seven_cards import CLASS_OF
from games.maths.heads_up.suits import (
    BOARD_TABLES,
    KIND_NUMBERS,
    KINDS,
    PAIR_GROUPS,
    PAIRS,
    ROWS,
    BoardTables,
    board_row,
    card_kind,
    example_boards,
    flops,
    kind_number,
)

CYCLE = comb(52, 2) * comb(50, 3) * comb(47, 2) * comb(45, 2)  # own cards, Flop, Turn and River, dealer
FOLDED = -2  # Antes lost by a fold: Ante and Odds Wager
NOW, ONWARD, EARLY = range(3)
MOST_UNITS = (1 << 15) // DEALERS  # parts of an Ante: the sums of what an Ante raised wins are of 16 bits
Worth = tuple[NDArray[np.int32], NDArray[np.int16]]


@dataclass(frozen=True, slots=True)
class Pays:
    """What the Odds Wager wins by class: `won` with a winning hand, `lost` with a losing one (−1: it is lost), in
    parts of an Ante, of which there are `unit`. `raises` in Antes; the dealer qualifies from the strength `lowest`."""

    unit: int
    won: tuple[int, ...]
    lost: tuple[int, ...]
    raises: Raises
    lowest: int


@dataclass(frozen=True, slots=True)
class Decisions:
    """Whether one raises: `before[pair]`; as bits, lowest first, `after[flop in standard form, pair]` and
    `last[row of the board, kind]`. `equal` counts at each stage the cases where both ways are worth the same."""

    before: NDArray[np.bool_]
    after: NDArray[np.uint8]
    last: NDArray[np.uint8]
    equal: Ints


def decide(pays: Pays) -> Decisions:
    """The decisions that are worth most; of two that are worth the same, the larger wager."""
    won, lost = np.array(pays.won), np.array(pays.lost)
    flat, more = np.zeros((ROWS, KINDS), np.int32), np.zeros((ROWS, KINDS), np.int16)
    _price(example_boards(), TABLES, BOARD_TABLES, CLASS_OF, (won, lost), pays.unit, pays.lowest, flat, more)
    fold = FOLDED * pays.unit * DEALERS
    after, totals = np.zeros((len(flops().cards), PAIRS), np.bool_), np.zeros((PAIRS, 2), np.int64)
    equal = _decide(
        flops().cards, flops().weights, BOARD_TABLES, KIND_NUMBERS, (flat, more), fold, pays.raises, after, totals
    )
    grouped = np.zeros_like(totals)
    np.add.at(grouped, PAIR_GROUPS, totals)  # a pair's sums over flops in standard form are whole for its group only
    raised, checked = grouped[PAIR_GROUPS].T
    last = flat + pays.raises[LAST] * more.astype(np.int32)
    ties = [int(np.count_nonzero(raised == checked)), equal, int(np.count_nonzero(last == fold))]
    return Decisions(raised >= checked, as_bits(after), as_bits(last >= fold), np.array(ties))


def as_bits(raised: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Each row of decisions as bits, lowest first."""
    return np.packbits(raised, axis=1, bitorder="little")


def from_bits(bits: NDArray[np.uint8], count: int) -> NDArray[np.bool_]:
    """The rows of `count` decisions that the bits say."""
    return np.unpackbits(bits, axis=1, count=count, bitorder="little").astype(np.bool_)


@kernel
def _price(
    boards: Ints,
    tables: Tables,
    board_tables: BoardTables,
    classes: Ints,
    odds: tuple[Ints, Ints],
    unit: int,
    lowest: int,
    flat: NDArray[np.int32],
    more: NDArray[np.int16],
) -> None:
    """Over the 990 hands of the dealer, the sum of what Ante and Odds Wager win, and of what each Ante raised wins."""
    won, lost = odds
    pairs, strengths = np.empty((HOLES, 2), np.int64), np.empty(HOLES, np.int64)
    chances = np.empty((HOLES, len(ENDS)), np.int64)
    for row in range(ROWS):
        if boards[row, 0] < 0:
            continue
        count_chances(boards[row], tables, lowest, pairs, strengths, chances)
        suit = board_row(boards[row], board_tables)[1]
        for hole in range(HOLES):
            kind = kind_number(card_kind(pairs[hole, 0], suit), card_kind(pairs[hole, 1], suit))
            rank = classes[strengths[hole]]
            wins, wins_unqualified = chances[hole, WIN], chances[hole, WIN_UNQUALIFIED]
            losses, losses_unqualified = chances[hole, LOSE], chances[hole, LOSE_UNQUALIFIED]
            flat[row, kind] = (
                wins * (unit + won[rank])
                + wins_unqualified * won[rank]
                + losses * (lost[rank] - unit)
                - losses_unqualified * unit
            )
            more[row, kind] = (wins + wins_unqualified - losses - losses_unqualified) * unit


@kernel
def _decide(
    cards: Ints,
    weights: Ints,
    board_tables: BoardTables,
    kinds: NDArray[np.int16],
    worth: Worth,
    fold: int,
    raises: Raises,
    after: NDArray[np.bool_],
    totals: Ints,
) -> int:
    """Each flop's decisions, and over all flops what raising before the Flop and what checking is worth."""
    board, sums = np.empty(5, np.int64), np.empty((PAIRS, 3), np.int64)
    equal = 0
    for flop in range(len(cards)):
        sums[:] = 0
        for place in range(3):
            board[place] = cards[flop, place]
        for turn in range(PACK):
            for river in range(turn):
                if turn not in cards[flop] and river not in cards[flop]:
                    board[3], board[4] = turn, river
                    _add_board(board, board_tables, kinds, worth, fold, raises, sums)
        for pair in range(PAIRS):
            now, onward, before = sums[pair]
            after[flop, pair] = now >= onward
            equal += now == onward and before != 0
            totals[pair, 0] += weights[flop] * before
            totals[pair, 1] += weights[flop] * max(now, onward)
    return equal


@kernel
def _add_board(
    board: Ints,
    board_tables: BoardTables,
    kinds: NDArray[np.int16],
    worth: Worth,
    fold: int,
    raises: Raises,
    sums: Ints,
) -> None:
    """What every pair beside this board is worth, raised after the Flop, at last, and before the Flop."""
    flat, more = worth
    raised_before, raised_after, raised_last = raises
    row, suit = board_row(board, board_tables)
    flat_here, more_here = flat[row], more[row]
    kind = np.empty(PACK, np.int64)
    for card in range(PACK):
        kind[card] = card_kind(card, suit)
    for card in board:
        kind[card] = -1
    for higher in range(PACK):
        if kind[higher] >= 0:
            first, with_higher = higher * (higher - 1) // 2, kinds[kind[higher]]
            for lower in range(higher):
                if kind[lower] >= 0:
                    number = with_higher[kind[lower]]
                    base, each = flat_here[number], more_here[number]
                    sums[first + lower, NOW] += base + raised_after * each
                    sums[first + lower, ONWARD] += max(base + raised_last * each, fold)
                    sums[first + lower, EARLY] += base + raised_before * each
