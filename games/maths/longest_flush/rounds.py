"""Rounds dealt and settled card by card, as the game is played.

The independent test of `exact`: it shares with it the encoding of cards, the worth of a flush and the decisions only.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.longest_flush.exact import MIXED, BestPlay
from games.maths.longest_flush.rules import (
    CARDS,
    ENDS,
    LOSE,
    PLACES,
    RANKS,
    RUNS,
    SIZES,
    SUIT,
    SUITS,
    TIE,
    UNQUALIFIED,
    WIN,
    Flush,
    Ints,
    beside_number,
    suit_bit,
)
from games.maths.streams import advance, below, start

PACK = 52
CARDS_DEALT = 2 * CARDS  # one at a time, the player first


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Numbers of rounds, and the last round dealt.

    `required[raised, end]`, `flushes[size]` and `straights[length]` of the player's longest; `deck` and `raised` of the
    last round.
    """

    required: Ints
    flushes: Ints
    straights: Ints
    deck: Ints
    raised: int

    @property
    def own(self) -> tuple[int, ...]:
        """The player's seven cards of the last round."""
        return tuple(self.deck[:CARDS_DEALT:2].tolist())

    @property
    def dealer(self) -> tuple[int, ...]:
        return tuple(self.deck[1:CARDS_DEALT:2].tolist())


def deal_rounds(best: BestPlay, qualifier: Flush, seed: int, block: int, rounds: int) -> DealtRounds:
    """Return the rounds of stream (seed, block), played by these decisions."""
    required, flushes, straights = (
        np.zeros((best.ends.shape[2], len(ENDS)), np.int64),
        np.zeros(CARDS + 1, np.int64),
        np.zeros(CARDS + 1, np.int64),
    )
    deck = np.arange(PACK)
    strategy, tables = (best.by_value, best.rows, best.by_others), (SIZES, PLACES, RUNS)
    raised = _deal(seed, block, rounds, deck, tables, strategy, qualifier.lowest, (required, flushes, straights))
    return DealtRounds(required, flushes, straights, deck, raised)


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    tables: tuple[Ints, Ints, Ints],
    strategy: tuple[NDArray[np.int8], Ints, NDArray[np.int8]],
    lowest: int,
    tallies: tuple[Ints, Ints, Ints],
) -> int:
    sizes, places, runs = tables
    by_value, rows, by_others = strategy
    required, flushes, straights = tallies
    longest, other_suits = np.empty(2, np.int64), np.empty(3, np.int64)
    state = start(seed, block)
    raised = 0
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, PACK - place)
            deck[place], deck[pick] = deck[pick], deck[place]

        # the longest flush of the player (side 0) and of the dealer
        own, longest_run = 0, 0
        for side in range(2):
            bits = 0
            for card in range(CARDS):
                bits |= suit_bit(deck[2 * card + side])
            longest[side] = 0
            for suit in range(SUITS):
                ranks = bits >> RANKS * suit & SUIT
                longest[side] = max(longest[side], sizes[ranks] << RANKS | ranks)
                if side == 0:
                    longest_run = max(longest_run, runs[ranks])
            if side == 0:
                own = bits
        mine, dealer = longest[0], longest[1]

        # the decision, by the other cards where the flush does not decide
        raised = by_value[mine]
        if raised == MIXED:
            filled, seen = 0, False
            for suit in range(SUITS):
                ranks = own >> RANKS * suit & SUIT
                if ranks == mine & SUIT and not seen:
                    seen = True
                else:
                    other_suits[filled] = ranks
                    filled += 1
            for left in (0, 1, 0):  # the largest holding first
                if sizes[other_suits[left]] < sizes[other_suits[left + 1]]:
                    other_suits[left], other_suits[left + 1] = other_suits[left + 1], other_suits[left]
            first, second, third = other_suits
            number = beside_number(sizes[first], sizes[second], places[first], places[second], places[third])
            raised = by_others[rows[places[mine & SUIT]], number]

        end = UNQUALIFIED if dealer < lowest else WIN if mine > dealer else TIE if mine == dealer else LOSE
        required[raised, end] += 1
        flushes[mine >> RANKS] += 1
        straights[longest_run] += 1
    return raised
