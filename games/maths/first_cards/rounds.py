"""Rounds of Over/Under, dealt and settled card by card as § 686a.7 says, from a shoe shuffled before every round.

The independent test of `exact`: it shares with it the encoding of cards only.
"""

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.streams import advance, below, start

SURRENDER, OVER, UNDER = range(3)
LOSES, WINS = range(2)
MOST_POINTS = 33
Ints = NDArray[np.int64]


def deal_rounds(shoe: Ints, points: Ints, decisions: Ints, stream: tuple[int, int, int]) -> tuple[Ints, Ints]:
    """Rounds of stream (seed, block, rounds): (rounds by decision and whether the total wins it, rounds by total).

    The shoe is left as it was dealt from last: its second to fourth cards are those of the last round.
    `points[card]` is what a card counts, `decisions[points of the first card]` what the player decides.
    """
    ante, totals = np.zeros((3, 2), np.int64), np.zeros(MOST_POINTS + 1, np.int64)
    _deal(*stream, shoe, points, decisions, ante, totals)
    return ante, totals


@kernel
def _deal(
    seed: int, block: int, rounds: int, shoe: Ints, points: Ints, decisions: Ints, ante: Ints, totals: Ints
) -> None:
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(4):  # the shuffle, as far as cards are drawn; the first is discarded: § 686a.7(c)
            state = advance(state)
            pick = place + below(state, len(shoe) - place)
            shoe[place], shoe[pick] = shoe[pick], shoe[place]
        decision = decisions[points[shoe[1]]]  # § 686a.7(g)
        total = points[shoe[1]] + points[shoe[2]] + points[shoe[3]]
        wins = (decision == OVER and total >= 24) or (decision == UNDER and total <= 17)  # § 686a.7(i)
        ante[decision, WINS if wins else LOSES] += 1
        totals[total] += 1  # § 686a.7(k): settled after a surrender too
