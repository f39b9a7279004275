"""Rounds of a shoe's first three cards, dealt and settled card by card, the shoe shuffled before every round.

The independent test of `game`: it shares with its counts the encoding of cards only.
"""

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.streams import advance, below, start

SURRENDER, OVER, UNDER = range(3)
LOSES, WINS = range(2)
MOST_POINTS = 33
Ints = NDArray[np.int64]


def deal_rounds(
    shoe: Ints, points: Ints, decisions: Ints, limits: tuple[int, int], stream: tuple[int, int, int]
) -> tuple[Ints, Ints]:
    """Return the rounds of stream (seed, block, rounds): by decision and whether the total wins it, and by total.

    The shoe is left as it was dealt from last: its second to fourth cards are those of the last round. `points[card]`
    are the points of a card, `decisions[points of the first card]` the player's decision; `limits` are the smallest
    total that wins for `OVER` and the largest for `UNDER`.
    """
    ante, totals = np.zeros((3, 2), np.int64), np.zeros(MOST_POINTS + 1, np.int64)
    _deal(*stream, *limits, shoe, points, decisions, ante, totals)
    return ante, totals


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    over_from: int,
    under_to: int,
    shoe: Ints,
    points: Ints,
    decisions: Ints,
    ante: Ints,
    totals: Ints,
) -> None:
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(4):  # the shuffle, as far as cards are drawn; the first is discarded
            state = advance(state)
            pick = place + below(state, len(shoe) - place)
            shoe[place], shoe[pick] = shoe[pick], shoe[place]
        decision = decisions[points[shoe[1]]]
        total = points[shoe[1]] + points[shoe[2]] + points[shoe[3]]
        wins = (decision == OVER and total >= over_from) or (decision == UNDER and total <= under_to)
        ante[decision, WINS if wins else LOSES] += 1
        totals[total] += 1  # settled after a surrender too
