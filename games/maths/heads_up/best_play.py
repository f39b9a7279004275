"""When to raise: before the Flop, after it, or after the River card, each time by less, or to fold.

Backward induction. The worth of two cards on a full board is computed once for each row of boards and kind of pair
(`suits`). Each of the 1,755 flops then has its 1,176 boards summed by kind of pair, which gives each pair of cards
beside it the worth of raising now and of going on; each pair is decided over all flops. Not here: what ends how often
under these decisions (`settled`), what is paid (`odds`).
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
    CARD_KINDS,
    KIND_NUMBERS,
    KINDS,
    PAIR_GROUPS,
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
from games.maths.shares import SHARES, in_shares

CYCLE = comb(52, 2) * comb(50, 3) * comb(47, 2) * comb(45, 2)  # own cards, Flop, Turn and River, dealer
FOLDED = -2  # Antes lost by a fold: Ante and Odds Wager
NOW, ONWARD, EARLY = range(3)
NO_WORTH = 1 << 40  # to lose: more than anything loses
MOST_UNITS = (1 << 15) // DEALERS  # parts of an Ante: the sums of what an Ante raised wins are of 16 bits
Worth = tuple[NDArray[np.int32], NDArray[np.int16]]
Sums = tuple[Ints, ...]
"""Over the boards of a flop, by stage: `[board's suit, stage, kind of pair]` as if the board took no card away; of
that `[card, board's suit, stage, kind of the other card]` with the card on the board, and `[pair, stage]` with both.
Room for one board and stage, `[kind of pair]`."""
SUMS = ((SUITS + 1, 3, KINDS), (PACK, SUITS + 1, 3, CARD_KINDS), (PAIRS, 3), (KINDS,))  # their shapes


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
    odds = np.array(pays.won), np.array(pays.lost)
    worth = flat, more = np.zeros((ROWS, KINDS), np.int32), np.zeros((ROWS, KINDS), np.int16)
    boards, cards, weights = example_boards(), flops().cards, flops().weights
    fold, after = FOLDED * pays.unit * DEALERS, np.zeros((len(cards), PAIRS), np.bool_)

    def price(share: int) -> None:
        _price(share, boards, TABLES, BOARD_TABLES, CLASS_OF, odds, pays.unit, pays.lowest, flat, more)

    def decide_flops(share: int) -> tuple[Ints, int]:
        totals, sums = np.zeros((PAIRS, 2), np.int64), tuple(np.zeros(shape, np.int64) for shape in SUMS)
        tables = BOARD_TABLES, KIND_NUMBERS
        return totals, _decide(share, cards, weights, *tables, worth, fold, pays.raises, after, totals, sums)

    in_shares(price)
    (first, first_equal), (second, second_equal) = in_shares(decide_flops)
    totals, equal = first + second, first_equal + second_equal
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
    share: int,
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
    """Over the 990 hands of the dealer, the sum of what Ante and Odds Wager win, and of what each Ante raised wins.

    `share`: of the boards.
    """
    won, lost = odds
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
    share: int,
    cards: Ints,
    weights: Ints,
    board_tables: BoardTables,
    kinds: NDArray[np.int16],
    worth: Worth,
    fold: int,
    raises: Raises,
    after: NDArray[np.bool_],
    totals: Ints,
    sums: Sums,
) -> int:
    """Each flop's decisions, and over these flops what raising before the Flop and what checking is worth.

    `share`: of the flops.
    """
    board, equal = np.zeros(5, np.int64), 0
    with_kind, with_card, with_pair, _ = sums
    for flop in range(share, len(cards), SHARES):
        with_kind[:] = with_card[:] = with_pair[:] = 0
        for place in range(3):
            board[place] = cards[flop, place]
        for turn in range(PACK):
            for river in range(turn):
                if turn not in cards[flop] and river not in cards[flop]:
                    board[3], board[4] = turn, river
                    _add_board(board, board_tables, kinds, worth, fold, raises, sums)
        for higher in range(PACK):
            for lower in range(higher):
                pair = pair_number(higher, lower)
                now, onward, before = 0, 0, 0
                if higher not in cards[flop] and lower not in cards[flop]:
                    now, onward, before = _over_boards(higher, lower, kinds, sums)
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
    sums: Sums,
) -> None:
    """What every kind of pair is worth on this board, raised after the Flop, at last, and before the Flop."""
    flat, more = worth
    with_kind, with_card, with_pair, here = sums
    raised_before, raised_after, raised_last = raises
    times, least = (raised_after, raised_last, raised_before), (-NO_WORTH, fold, -NO_WORTH)
    row, suit = board_row(board, board_tables)
    turn, river, size = card_kind(board[3], suit), card_kind(board[4], suit), card_kinds(suit)
    for stage in range(3):
        for number in range(kind_number(size - 1, size - 1) + 1):
            here[number] = max(flat[row, number] + times[stage] * more[row, number], least[stage])
            with_kind[suit, stage, number] += here[number]
        for kind in range(size):
            with_card[board[3], suit, stage, kind] += here[kinds[turn, kind]]
            with_card[board[4], suit, stage, kind] += here[kinds[river, kind]]
        with_pair[pair_number(board[3], board[4]), stage] += here[kinds[turn, river]]


@kernel
def _over_boards(higher: int, lower: int, kinds: NDArray[np.int16], sums: Sums) -> tuple[int, int, int]:
    """What a pair is worth over all boards of its flop: those of its kind, less those with either card."""
    with_kind, with_card, with_pair, _ = sums
    total = with_pair[pair_number(higher, lower)]
    for suit in range(SUITS + 1):
        first, second = card_kind(higher, suit), card_kind(lower, suit)
        for stage in range(3):
            total[stage] += with_kind[suit, stage, kinds[first, second]]
            total[stage] -= with_card[higher, suit, stage, second] + with_card[lower, suit, stage, first]
    return total[NOW], total[ONWARD], total[EARLY]
