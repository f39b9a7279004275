"""Rounds dealt and settled card by card, in the order in which a street game deals and decides.

The independent test of `best_play` and `bonuses`: it shares with them the encoding and the ranking of cards, and the
decisions of the strategy, not the counts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE, FULL_DECK
from games.maths.compiled import helper, kernel
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.maths.staged_raises.bonuses import DIAMONDS, SIX_ROYAL, SIX_ROYAL_DIAMONDS
from games.maths.staged_raises.paid_hands import RESULTS, place_2, results, with_fourth, with_third
from games.maths.staged_raises.streets.best_play import EQUAL, FOLD, Strategy
from games.maths.streams import advance, below, start

JACK, QUEEN, KING, NINE = 9, 10, 11, 7
ROYAL = 9  # the place of a royal flush among the classes
EXTRA_CARDS = 4  # which make six with the player's two
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Numbers of rounds.

    Ante and Raises: `ended[thrice, result]`, `folded[stage, thrice]`; for any decisions: `made[result]` of the five
    cards, `pocket`, `board` and `six` by their hands of `bonuses`, `low[highest rank]` of five cards without a pair,
    straight or flush.
    """

    ended: Counts
    folded: Counts
    made: Counts
    pocket: Counts
    board: Counts
    low: Counts
    six: Counts


def deal_rounds(
    strategy: Strategy, extra: int, stream: tuple[int, int, int], deck: Counts | None = None
) -> DealtRounds:
    """Return the rounds of stream (seed, block, rounds); `extra` cards are dealt first: `EXTRA_CARDS`, or none.

    `deck` then holds the cards of the last round: the extra cards, the player's two, the community cards.
    """
    dealt = DealtRounds(
        *(np.zeros(shape, np.int64) for shape in ((4, len(RESULTS)), (3, 3), len(RESULTS), 5, 7, ACE + 1, 12))
    )
    tables = (standard().keys, standard().values, results(), LOW, HIGH)
    tallies = (dealt.ended, dealt.folded, dealt.made, dealt.pocket, dealt.board, dealt.low, dealt.six)
    decisions = (strategy.first, strategy.second, strategy.third)
    _deal(*stream, tables, decisions, extra, new_deck() if deck is None else deck, tallies)
    return dealt


def new_deck() -> Counts:
    return np.arange(FULL_DECK)


@helper
def _pocket(a: int, b: int) -> int:
    """Return the place of two cards among those of `bonuses.pockets`, 4 = none."""
    high, low = max(a // 4, b // 4), min(a // 4, b // 4)
    if high == low:
        return 0 if high == ACE else 3
    if high == ACE and low >= JACK:
        return 1 if a % 4 == b % 4 else 2
    return 4


@helper
def _board(a: int, b: int, c: int) -> int:
    """Return the place of three cards among those of `bonuses.boards`, 6 = none."""
    x, y, z = a // 4, b // 4, c // 4
    high, low = max(x, y, z), min(x, y, z)
    middle = x + y + z - high - low
    if high == low:
        return 2
    if high == middle or middle == low:
        return 5
    straight = high - low == 2 or (high == ACE and middle == 1)
    if a % 4 == b % 4 and b % 4 == c % 4:
        return (0 if low == QUEEN else 1) if straight else 4
    return 3 if straight else 6


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    tables: tuple[Counts, NDArray[np.int32], NDArray[np.int8], NDArray[np.int16], NDArray[np.int16]],
    decisions: tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]],
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
        thrice = 0
        raised = first[place_2(a, b)] % EQUAL
        if raised == FOLD:
            folded[0, 0] += 1
        else:
            thrice += raised // 2
            raised = second[with_third(a, b, x), thrice] % EQUAL
            if raised == FOLD:
                folded[1, thrice] += 1
            else:
                thrice += raised // 2
                top, bottom = max(a, x), min(b, x)
                raised = third[with_fourth(top, a + b + x - top - bottom, bottom, y), thrice] % EQUAL
                if raised == FOLD:
                    folded[2, thrice] += 1
                else:
                    ended[thrice + raised // 2, result] += 1

        # the optional wagers, for any decisions
        made[result] += 1
        pocket[_pocket(a, b)] += 1
        board[_board(x, y, z)] += 1
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
