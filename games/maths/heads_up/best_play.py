"""The best times to raise: before the Flop, after it, or after the River card, each time by less, or to fold.

The dealer's hidden pairs, two of the other 45 cards, that beat two cards on a full board are counted: all 1,081 pairs
beside a board are ranked once; how many of the 990 that avoid one's own cards are below or equal follows from the
order, less those that contain either card. Then backward induction. The worth of two cards on a full board is computed
once for each row of boards and kind of pair (`seven_cards`). Each of the 1,755 flops then has its 1,176 boards summed
by kind of pair, which gives each pair of cards beside it the worth of raising now and of going on; each pair is decided
over all flops. Not here: how often rounds end how under these decisions (`solved`), what is paid (`wagers`).
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths.enumerations import SHARES, in_shares
from games.maths.heads_up.rules import (
    ENDS,
    LAST,
    LOSE,
    LOSE_UNQUALIFIED,
    TIE,
    TIE_UNQUALIFIED,
    WIN,
    WIN_UNQUALIFIED,
    Raises,
)
from games.maths.heads_up.seven_cards import (
    BOARD_TABLES,
    BY_RANKS,
    BY_SUIT,
    CARD_KINDS,
    CLASS_OF,
    HIGH_RANKS,
    KEYS,
    KIND_NUMBERS,
    KINDS,
    LOW_RANKS,
    PAIR_GROUPS,
    PAIRS,
    ROWS,
    STRENGTHS,
    SUITS,
    BoardTables,
    board_row,
    card_kind,
    card_kinds,
    example_boards,
    flops,
    kind_number,
    pair_number,
    suit_bit,
)
from games.maths.ranking import flush_part, high_part, low_part

PACK, OFF_BOARD = 52, 47
HOLES = 1081  # pairs beside a board
DEALERS = 990  # pairs beside a board and a pair
StrengthTables = tuple[Ints, NDArray[np.int32], NDArray[np.int32], NDArray[np.int16], NDArray[np.int16]]
STRENGTH_TABLES: StrengthTables = (KEYS, LOW_RANKS, HIGH_RANKS, BY_RANKS, BY_SUIT)


@kernel
def count_chances(
    board: Ints, tables: StrengthTables, lowest: int, pairs: Ints, strengths: Ints, chances: Ints
) -> None:
    """Count, for each of the 1,081 pairs, its cards, its strength on this board, and the ends of the dealer's 990.

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
    """Write the 47 cards that are not on the board into `free`."""
    count = 0
    for card in range(PACK):
        on_board = False
        for board_card in board:
            on_board |= card == board_card
        if not on_board:
            free[count] = card
            count += 1


@kernel
def _rank(board: Ints, free: Ints, tables: StrengthTables, pairs: Ints, strengths: Ints) -> None:
    """Write every pair, by the places of its cards among those free, and its strength with the board."""
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
    """Return the number of pairs not above each strength, and the pairs in ascending order: sorted by counting."""
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
    """Write the dealer's hands into `ends`, by whether they qualify; `is_below`: the player's would not."""
    above = DEALERS - lower - equal
    ends[:] = 0
    if is_below:
        ends[WIN_UNQUALIFIED], ends[TIE_UNQUALIFIED] = lower, equal
        ends[LOSE_UNQUALIFIED] = unqualified - lower - equal
        ends[LOSE] = DEALERS - unqualified
    else:
        ends[WIN_UNQUALIFIED], ends[WIN] = unqualified, lower - unqualified
        ends[TIE], ends[LOSE] = equal, above


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
    """The net of the Odds Wager by class, in parts of an Ante, and the terms of the raises.

    `won` with a winning hand, `lost` with a losing one (−1: it is lost); an Ante has `unit` parts. `raises` in Antes;
    the dealer qualifies from the strength `lowest`.
    """

    unit: int
    won: tuple[int, ...]
    lost: tuple[int, ...]
    raises: Raises
    lowest: int


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions to raise or not, by stage.

    `before[pair]`; as bits, lowest first, `after[flop in standard form, pair]` and `last[row of the board, kind]`.
    `equal` counts at each stage the cases where both ways are worth the same.
    """

    before: NDArray[np.bool_]
    after: NDArray[np.uint8]
    last: NDArray[np.uint8]
    equal: Ints


def decide(pays: Pays) -> Decisions:
    """Return the decisions that are worth most; of two that are worth the same, the larger wager."""
    odds = np.array(pays.won), np.array(pays.lost)
    worth = flat, more = np.zeros((ROWS, KINDS), np.int32), np.zeros((ROWS, KINDS), np.int16)
    boards, cards, weights = example_boards(), flops().cards, flops().weights
    fold, after = FOLDED * pays.unit * DEALERS, np.zeros((len(cards), PAIRS), np.bool_)

    def price(share: int) -> None:
        _price(share, boards, STRENGTH_TABLES, BOARD_TABLES, CLASS_OF, odds, pays.unit, pays.lowest, flat, more)

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
    """Return each row of decisions as bits, lowest first."""
    return np.packbits(raised, axis=1, bitorder="little")


def from_bits(bits: NDArray[np.uint8], count: int) -> NDArray[np.bool_]:
    """Return the rows of `count` decisions, unpacked from bits."""
    return np.unpackbits(bits, axis=1, count=count, bitorder="little").astype(np.bool_)


@kernel
def _price(
    share: int,
    boards: Ints,
    tables: StrengthTables,
    board_tables: BoardTables,
    classes: Ints,
    odds: tuple[Ints, Ints],
    unit: int,
    lowest: int,
    flat: NDArray[np.int32],
    more: NDArray[np.int16],
) -> None:
    """Sum the net of Ante and Odds Wager, and that of each Ante raised, over the 990 hands of the dealer.

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
    """Decide for each flop; sum over these flops the worth of raising before the Flop and of checking.

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
    """Add the worth of each kind of pair on this board, raised after the Flop, at last, and before the Flop."""
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
    """Return a pair's worth over all boards of its flop: those of its kind, less those with either card."""
    with_kind, with_card, with_pair, _ = sums
    total = with_pair[pair_number(higher, lower)]
    for suit in range(SUITS + 1):
        first, second = card_kind(higher, suit), card_kind(lower, suit)
        for stage in range(3):
            total[stage] += with_kind[suit, stage, kinds[first, second]]
            total[stage] -= with_card[higher, suit, stage, second] + with_card[lower, suit, stage, first]
    return total[NOW], total[ONWARD], total[EARLY]
