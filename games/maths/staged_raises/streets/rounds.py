"""Rounds dealt and settled card by card, in the order in which a street game deals and decides.

The independent test of `best_play` and `bonuses`: it shares with them the encoding and the ranking of cards, and the
decisions of the strategy, not the counts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.maths.cards import ACE, FULL_DECK
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.maths.staged_raises.bonuses import DIAMONDS, SIX_ROYAL, SIX_ROYAL_DIAMONDS
from games.maths.staged_raises.paid_hands import (
    LADDER,
    RESULTS,
    ROYAL_PLACE,
    own_class,
    place_2,
    place_3,
    place_4,
)
from games.maths.staged_raises.turns.best_play import PASS, Decisions, EndCounts, FoldCounts
from games.streams import advance, below, start

JACK, NINE = 9, 7
ROYAL = 9  # the place of a royal flush among the classes
EXTRA_CARDS = 4  # which make six with the player's two
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Numbers of rounds, and the cards of the last one: the extra cards, the player's two, the community cards.

    Ante and Raises: `ended` and `folded`; for any decisions: `made[result]` of the five cards, `pocket` and `six` by
    their hands of `bonuses`, `board[class]` of the community cards, `low[highest rank]` of five cards without a pair,
    straight or flush.
    """

    ended: EndCounts
    folded: FoldCounts
    made: Counts
    pocket: Counts
    board: Counts
    low: Counts
    six: Counts
    last: tuple[int, ...]


def deal_rounds(decisions: Decisions, extra: int, stream: tuple[int, int, int]) -> DealtRounds:
    """Return the rounds of stream (seed, block, rounds); `extra` cards are dealt first: `EXTRA_CARDS`, or none."""
    shapes = ((10, len(RESULTS)), (3, 7), len(RESULTS), 5, 7, ACE + 1, 12)
    ended, folded, made, pocket, board, low, six = (np.zeros(shape, np.int64) for shape in shapes)
    deck = np.arange(FULL_DECK)
    tables = (standard().keys, standard().values, LADDER.results(), LOW, HIGH)
    tallies = (ended, folded, made, pocket, board, low, six)
    _deal(*stream, tables, decisions, extra, deck, tallies)
    return DealtRounds(*tallies, last=tuple(deck[: extra + 5].tolist()))


@helper
def _pocket(a: int, b: int) -> int:
    """Return the place of two cards among those of `bonuses.pockets`, 4 = none."""
    high, low = max(a // 4, b // 4), min(a // 4, b // 4)
    if high == low:
        return 0 if high == ACE else 3
    if high == ACE and low >= JACK:
        return 1 if a % 4 == b % 4 else 2
    return 4


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    tables: tuple[Counts, NDArray[np.int32], NDArray[np.int8], NDArray[np.int16], NDArray[np.int16]],
    decisions: Decisions,
    extra: int,
    deck: Counts,
    tallies: tuple[Counts, Counts, Counts, Counts, Counts, Counts, Counts],
) -> None:
    keys, values, result_of, low_table, high_table = tables
    first, second, third = decisions
    ended, folded, made, pocket, board, low, six = tallies
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(extra + 5):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        a, b = deck[extra], deck[extra + 1]
        x, y, z = deck[extra + 2], deck[extra + 3], deck[extra + 4]
        key = keys[a] + keys[b] + keys[x] + keys[y] + keys[z]
        hand = low_table[low_part(key)] + high_table[high_part(key)] + flush_part(key)
        result = result_of[hand]
        if b > a:
            a, b = b, a

        # three decisions, each on what is seen by then
        before = np.int64(first[place_2(a, b), 0])
        if before == PASS:
            folded[0, 0] += 1
        else:
            top, bottom = max(a, x), min(b, x)
            middle = a + b + x - top - bottom
            raised = second[place_3(top, middle, bottom), before // 2]
            if raised == PASS:
                folded[1, before] += 1
            else:
                before += raised
                upper, lower = max(middle, min(top, y)), max(bottom, min(middle, y))
                raised = third[place_4(max(top, y), upper, lower, min(bottom, y)), before // 2 - 1]
                if raised == PASS:
                    folded[2, before] += 1
                else:
                    ended[before + raised, result] += 1

        # the optional wagers, for any decisions
        made[result] += 1
        pocket[_pocket(a, b)] += 1
        board[min(own_class(x, y, z), ROYAL_PLACE)] += 1
        if class_of(values[hand]) == 0:
            low[max(a, b, x, y, z) // 4] += 1
        if extra:
            key = keys[a] + keys[b]
            for place in range(4):
                key += keys[deck[place]]
            best, least, suits = 0, ACE, 0
            for place in range(6):  # the best of the six hands that leave one card out
                card = deck[place]
                left = key - keys[card]
                value = values[low_table[low_part(left)] + high_table[high_part(left)] + flush_part(left)]
                best, least, suits = max(best, value), min(least, card // 4), suits | 1 << card % 4
            best = class_of(best)
            if best == ROYAL and least == NINE and suits & (suits - 1) == 0:
                best = SIX_ROYAL_DIAMONDS if suits == 1 << DIAMONDS else SIX_ROYAL
            six[best] += 1
