"""Rounds dealt and settled card by card: three own cards, a raise or a fold, then three community cards at once.

The independent test of `made_by_flop`: it shares with it the encoding of cards, the ranking of hands and the decision.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import kernel
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.maths.staged_raises.paid_hands import OWN, OWN_CLASSES, own_class
from games.maths.streams import advance, below, start

COMMUNITY = 3
CARDS_DEALT = OWN + COMMUNITY
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Settled:
    """Numbers of rounds, and the cards of the last round, the player's first.

    `required[folded, class]` of the best five cards (0 = no winning hand), `own[class]` of the three own cards.
    """

    required: Ints
    own: Ints
    last: tuple[int, ...]


def deal_rounds(plays: NDArray[np.bool_], least: int, stream: tuple[int, int, int]) -> Settled:
    """Return the rounds of stream (seed, block, rounds).

    `plays[place of the three cards]`: the player's decision; `least`: the lowest value of a winning hand.
    """
    ranking = standard()
    deck = np.arange(FULL_DECK)
    required, own = np.zeros((2, len(ranking.classes)), np.int64), np.zeros(len(OWN_CLASSES), np.int64)
    _deal(*stream, deck, (ranking.keys, ranking.values, LOW, HIGH), plays, least, required, own)
    return Settled(required, own, tuple(int(card) for card in deck[:CARDS_DEALT]))


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
    own_classes: Ints,
) -> None:
    keys, values, low, high = tables
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        a, b, c = deck[0], deck[1], deck[2]
        own_classes[own_class(a, b, c)] += 1

        # the decision, before the community cards
        first, third = min(a, b, c), max(a, b, c)
        second = a + b + c - first - third
        folded = 0 if plays[first + second * (second - 1) // 2 + third * (third - 1) * (third - 2) // 6] else 1

        # the own three cards and two of the three community cards
        own = keys[a] + keys[b] + keys[c]
        best = 0
        for left_out in range(OWN, CARDS_DEALT):
            key = own
            for place in range(OWN, CARDS_DEALT):
                if place != left_out:
                    key += keys[deck[place]]
            best = max(best, values[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
        required[folded, class_of(best) if best >= least else 0] += 1
