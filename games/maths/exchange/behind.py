"""The dealer's four hidden cards behind an up card, as ranks: what they are worth, and again after forcing.

A row is a multiset of four ranks, with what the dealer's five cards are worth if no five share a suit; the rows are in
rising order. What suits change is kept apart: rows of five different ranks may be a flush, and the four cards that
the dealer keeps when forced may be one short of it. Not here: how many deals a row stands for (`settling`).
"""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.exchange.combinations import lowest_ace_king
from games.maths.ranking import HANDS, HIGH, LOW, card_key, high_part, low_part, standard

RANKS: Final = 13
HIDDEN: Final = 4
Ints = NDArray[np.int64]


class Behind(NamedTuple):
    """`[row]`: of the first `failing` rows the dealer does not qualify; they have five different ranks."""

    factors: Ints  # [0 … 3, row]: rank × 5 + how many cards of it the row has, for each different rank; then rank × 5
    values: Ints  # [row]: rising
    failing: int
    tops: Ints  # [failing row]: the rank that a forced dealer discards
    masks: Ints  # [failing row]: the four hidden ranks, as bits
    replaced: Ints  # [failing row, rank]: the value with this rank for the highest
    suited: Ints  # [failing row, rank]: the same if all five share a suit; −1 where the dealer keeps a card of the rank
    flushes: Ints  # rows whose cards may be a flush with the up card
    flush_plain: Ints  # their values if they are none
    flush_masks: Ints  # their hidden ranks, as bits
    flush_values: Ints  # their values as a flush


def behind(up: int, present: Sequence[int]) -> Behind:
    """Behind an up card of this rank, from a deck with four cards of each of the ranks `present`."""
    hidden = [chosen for chosen in combinations_with_replacement(present, HIDDEN) if chosen.count(up) < HIDDEN]
    values = [_value((up, *chosen)) for chosen in hidden]
    order = sorted(range(len(hidden)), key=values.__getitem__)
    hidden, values = [hidden[place] for place in order], [values[place] for place in order]
    failing = sum(value < lowest_ace_king() for value in values)
    places = {chosen: place for place, chosen in enumerate(hidden)}
    factors = np.zeros((HIDDEN, len(hidden)), np.int64)
    for place, chosen in enumerate(hidden):
        for column, rank in enumerate(sorted(set(chosen))):
            factors[column, place] = 5 * rank + chosen.count(rank)
    replaced, suited = np.full((2, failing, RANKS), -1, np.int64)
    for place, chosen in enumerate(hidden[:failing]):
        *four, _ = sorted((up, *chosen))
        for rank in present:
            replaced[place, rank] = _value((*four, rank))
            suited[place, rank] = -1 if rank in four else _value((*four, rank), suited=True)
    flushes = [chosen for chosen in combinations(present, HIDDEN) if up not in chosen]
    return Behind(
        factors,
        np.array(values, np.int64),
        failing,
        np.array([max(up, *chosen) for chosen in hidden[:failing]], np.int64),
        np.array([_mask(chosen) for chosen in hidden[:failing]], np.int64),
        replaced,
        suited,
        np.array([places[chosen] for chosen in flushes], np.int64),
        np.array([values[places[chosen]] for chosen in flushes], np.int64),
        np.array([_mask(chosen) for chosen in flushes], np.int64),
        np.array([_value((up, *chosen), suited=True) for chosen in flushes], np.int64),
    )


def _value(ranks: Sequence[int], suited: bool = False) -> int:
    key = sum(card_key(rank, 0) for rank in ranks)
    return int(standard().values[LOW[low_part(key)] + HIGH[high_part(key)] + (HANDS if suited else 0)])


def _mask(ranks: Sequence[int]) -> int:
    return sum(1 << rank for rank in ranks)
