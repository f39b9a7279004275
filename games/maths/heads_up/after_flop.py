"""What the decision after the Flop is taken with, sorted so that a person can look it up. Not here: the decision."""

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.compiled import kernel
from games.maths.heads_up.best_play import Decisions, from_bits
from games.maths.heads_up.chances import Ints
from games.maths.heads_up.suits import PAIRS, flops
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard

HOLDINGS = (
    "A straight or better",
    "Three-of-a-kind or two pairs, made with one's own cards",
    "A pair with the highest card of the Flop",
    "A pair with the middle card of the Flop",
    "A pair with the lowest card of the Flop",
    "A pair in one's hand, not improved",
    "Less, with four cards to a flush",
    "Less, without",
)
STRONG, OWN, HIGHEST, MIDDLE, LOWEST, IN_HAND, DRAW, REST = range(8)
STRAIGHT, FULL_HOUSE = hands.STANDARD.index(hands.STRAIGHT), hands.STANDARD.index(hands.FULL_HOUSE)
THREE = hands.STANDARD.index(hands.THREE)


def count_after_flop(decisions: Decisions) -> Ints:
    """[raised, holding]: own cards and Flops, of those that come to the decision."""
    before, after = decisions.before, from_bits(decisions.after, PAIRS)
    counts = np.zeros((2, len(HOLDINGS)), np.int64)
    ranking = standard()
    tables = (ranking.keys, LOW, HIGH, ranking.values)
    _count(flops().cards, flops().weights, before, after, tables, counts)
    return counts


@kernel
def _count(
    cards: Ints,
    weights: Ints,
    before: NDArray[np.bool_],
    after: NDArray[np.bool_],
    tables: tuple[Ints, NDArray[np.int16], NDArray[np.int16], NDArray[np.int32]],
    counts: Ints,
) -> None:
    keys, low, high, values = tables
    for flop in range(len(cards)):
        three = cards[flop]
        for pair in range(PAIRS):
            first = int((1 + np.sqrt(1 + 8 * pair)) / 2)
            second = pair - first * (first - 1) // 2
            if before[pair] or first in three or second in three:
                continue
            key = keys[first] + keys[second]
            for card in three:
                key += keys[card]
            value = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
            holding = _holding(first, second, three, class_of(value))
            counts[1 if after[flop, pair] else 0, holding] += weights[flop]


@kernel
def _holding(first: int, second: int, flop: Ints, rank: int) -> int:
    """Which of `HOLDINGS` it is; `flop` begins with the highest card."""
    if rank >= STRAIGHT:
        return STRONG
    if first >> 2 == second >> 2:
        return OWN if rank == THREE else IN_HAND
    paired, place = 0, REST
    for seen in range(3):
        if flop[seen] >> 2 == first >> 2 or flop[seen] >> 2 == second >> 2:
            paired += 1
            place = HIGHEST + seen
    flop_pairs = flop[0] >> 2 == flop[1] >> 2 or flop[1] >> 2 == flop[2] >> 2
    if paired > 1 or (paired == 1 and flop_pairs):
        return OWN
    if paired == 1:
        return place
    for card in (first, second):
        suited = 0
        for each in (flop[0], flop[1], flop[2], first, second):
            suited += each & 3 == card & 3
        if suited == 4:
            return DRAW
    return REST
