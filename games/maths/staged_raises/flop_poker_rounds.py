"""Rounds of Flop Poker, dealt and settled card by card as §§ 583.8 to 583.11 say.

The independent test of `flop_poker`: it shares with it the encoding of cards, the ranking of hands and the decision.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE, DEUCE, FULL_DECK
from games.maths.compiled import helper, kernel
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.maths.streams import advance, below, start
from games.maths.three_cards import CLASSES

OWN, COMMUNITY = 3, 3
CARDS_DEALT = OWN + COMMUNITY
NOTHING, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH, ROYAL = range(len(CLASSES))
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Settled:
    """Numbers of rounds: `required[folded, class]` of the best five cards (0 = no winning hand), `bonus[class]` of the
    three own cards; and the cards of the last round, the player's first."""

    required: Ints
    bonus: Ints
    last: tuple[int, ...]


def deal_rounds(plays: NDArray[np.bool_], least: int, stream: tuple[int, int, int]) -> Settled:
    """Rounds of stream (seed, block, rounds). `plays[place of the three cards]`: the player's decision; `least`: the
    lowest value of a winning hand."""
    ranking = standard()
    deck = np.arange(FULL_DECK)
    required, bonus = np.zeros((2, len(ranking.classes)), np.int64), np.zeros(len(CLASSES), np.int64)
    _deal(*stream, deck, (ranking.keys, ranking.values, LOW, HIGH), plays, least, required, bonus)
    return Settled(required, bonus, tuple(int(card) for card in deck[:CARDS_DEALT]))


@helper
def own_class(a: int, b: int, c: int) -> int:
    """The class of three cards, in any order: §§ 583.6(d), 587.6(c)."""
    low, high = min(a, b, c) // 4, max(a, b, c) // 4
    middle = a // 4 + b // 4 + c // 4 - low - high
    suited = a % 4 == b % 4 and b % 4 == c % 4
    kind = FLUSH if suited else NOTHING
    if low == middle and middle == high:
        kind = THREE
    elif low == middle or middle == high:
        kind = PAIR
    elif (low + 1 == middle and middle + 1 == high) or (low == DEUCE and middle == DEUCE + 1 and high == ACE):
        kind = STRAIGHT_FLUSH if suited else STRAIGHT
    return ROYAL if kind == STRAIGHT_FLUSH and low == ACE - 2 else kind


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    tables: tuple[Ints, NDArray[np.int32], NDArray[np.int16], NDArray[np.int16]],
    plays: NDArray[np.bool_],
    least: int,
    required: Ints,
    bonus: Ints,
) -> None:
    keys, values, low, high = tables
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt: § 583.5(a)
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]

        a, b, c = deck[0], deck[1], deck[2]  # § 583.8(c)
        bonus[own_class(a, b, c)] += 1  # § 583.11(d)(1)

        # § 583.11(b): the decision, before the flop
        first, third = min(a, b, c), max(a, b, c)
        second = a + b + c - first - third
        folded = 0 if plays[first + second * (second - 1) // 2 + third * (third - 1) * (third - 2) // 6] else 1

        # § 583.11(d)(2): the own three cards and two of the three community cards
        own = keys[a] + keys[b] + keys[c]
        best = 0
        for left_out in range(OWN, CARDS_DEALT):
            key = own
            for place in range(OWN, CARDS_DEALT):
                if place != left_out:
                    key += keys[deck[place]]
            best = max(best, values[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
        required[folded, class_of(best) if best >= least else 0] += 1
