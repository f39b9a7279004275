"""Rounds dealt and settled card by card, as the game is played.

The independent test of `solved`: it shares with it the encoding of cards, the ranking of hands and the table of
decisions only.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.compiled import kernel
from games.maths.heads_up.best_play import PACK, STRENGTH_TABLES, Decisions, Ints, StrengthTables
from games.maths.heads_up.rules import (
    AFTER,
    BEFORE,
    ENDS,
    FOLD,
    LAST,
    LOSE,
    TIE,
    WIN,
    WIN_UNQUALIFIED,
)
from games.maths.heads_up.seven_cards import (
    BOARD_TABLES,
    CLASS_OF,
    GROUPS,
    PAIR_GROUPS,
    RENAMINGS,
    BoardTables,
    board_row,
    card_kind,
    flop_number,
    flops,
    kind_number,
    pair_number,
    suit_bit,
)
from games.maths.ranking import flush_part, high_part, low_part
from games.maths.streams import advance, below, start

OWN, DEALER = (0, 2), (1, 3)  # places in the deck: one card at a time, the player first
FLOP, TURN, RIVER = 5, 9, 10  # a card is burned before the Flop and before the Turn
CARDS_DEALT = 11
Bytes = NDArray[np.uint8]
Strategy = tuple[NDArray[np.bool_], Bytes, Bytes, NDArray[np.int16], NDArray[np.int8], Ints]
"""Decisions before the Flop, after it and at last, the latter two as bits; each flop's standard form, the renaming
of suits that leads there, and the renamings."""


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Numbers of rounds, and the last round dealt.

    `required[when raised, end, player's class]`, `own[group of the two cards]` and `made[player's class]`, folded or
    not; `deck` and `when` of the last round.
    """

    required: Ints
    own: Ints
    made: Ints
    deck: Ints
    when: int


def strategy_table(decisions: Decisions) -> Strategy:
    """Return the decisions as the rounds look them up."""
    all_flops = flops()
    return decisions.before, decisions.after, decisions.last, all_flops.number, all_flops.renaming, RENAMINGS


def deal_rounds(strategy: Strategy, lowest: int, seed: int, block: int, rounds: int) -> DealtRounds:
    """Return the rounds of stream (seed, block), where the dealer qualifies from the strength `lowest` on."""
    size = len(hands.STANDARD)
    required, own, made = (
        np.zeros((FOLD + 1, len(ENDS), size), np.int64),
        np.zeros(GROUPS, np.int64),
        np.zeros(size, np.int64),
    )
    deck = np.arange(PACK)
    when = _deal(seed, block, rounds, deck, _tables(), strategy, lowest, (required, own, made))
    return DealtRounds(required, own, made, deck, when)


@cache
def _tables() -> tuple[StrengthTables, BoardTables, Ints, Ints]:
    return STRENGTH_TABLES, BOARD_TABLES, CLASS_OF, PAIR_GROUPS


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    tables: tuple[StrengthTables, BoardTables, Ints, Ints],
    strategy: Strategy,
    lowest: int,
    tallies: tuple[Ints, Ints, Ints],
) -> int:
    (keys, low, high, by_ranks, by_suit), board_tables, classes, groups = tables
    before, after, last, number, renaming, renamings = strategy
    required, own, made = tallies
    board, strengths = np.empty(5, np.int64), np.empty(2, np.int64)
    state = start(seed, block)
    when = FOLD
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            second = place + below(state, PACK - place)
            deck[place], deck[second] = deck[second], deck[place]
        for place in range(3):
            board[place] = deck[FLOP + place]
        board[3], board[4] = deck[TURN], deck[RIVER]

        # the best five of seven cards, the player's (side 0) and the dealer's; found before the decisions, so that the
        # processor does not wait for them
        board_key, board_bits = 0, 0
        for place in range(5):
            board_key += keys[board[place]]
            board_bits |= suit_bit(board[place])
        for side in range(2):
            first, second = deck[side], deck[2 + side]
            key = board_key + keys[first] + keys[second]
            strengths[side] = by_ranks[low[low_part(key)] + high[high_part(key)]]
            if flush_part(key):
                bits = board_bits | suit_bit(first) | suit_bit(second)
                for suit in range(4):
                    strengths[side] = max(strengths[side], by_suit[bits >> 13 * suit & 0x1FFF])
        mine, dealer = strengths[0], strengths[1]

        # raise before the Flop, after it, at last, or fold
        pair = pair_number(deck[0], deck[2])
        when = BEFORE
        if not before[pair]:
            flop = flop_number(board[0], board[1], board[2])
            form, to = number[flop], renaming[flop]
            here = pair_number((deck[0] & ~3) + renamings[to, deck[0] & 3], (deck[2] & ~3) + renamings[to, deck[2] & 3])
            when = AFTER if after[form, here >> 3] >> (here & 7) & 1 else LAST
        if when == LAST:
            row, suit = board_row(board, board_tables)
            kind = kind_number(card_kind(deck[0], suit), card_kind(deck[2], suit))
            when = LAST if last[row, kind >> 3] >> (kind & 7) & 1 else FOLD

        # the ends follow one another in pairs: a sum branches on nothing
        end = WIN + (TIE if mine <= dealer else 0) + (LOSE - TIE if mine < dealer else 0)
        end += WIN_UNQUALIFIED - WIN if dealer < lowest else 0
        required[when, end, classes[mine]] += 1
        own[groups[pair]] += 1
        made[classes[mine]] += 1
    return when
