"""What five or six cards are worth: the hand, its combination, and a second combination beside it.

A combination is numbered as the paytable of the Bet Wager lists it, 0 = none. It is the cards that make the hand,
without the others; a second one has a card outside the first. Not here: what combinations pay (`terms`), when the
dealer is beaten (`no_draw`, `rounds`).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import cards
from games.maths.compiled import kernel
from games.maths.exchange.strategy import ACE, KING
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard

COMBINATIONS: Final = (
    "Nothing", "Ace-king", "One pair", "Two pair", "Three-of-a-kind", "Straight", "Flush", "Full house",
    "Four-of-a-kind", "Straight flush", "Royal flush",
)  # fmt: skip
NOTHING, ACE_KING, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = range(11)
SECONDS: Final = {
    ACE_KING: (NOTHING,),
    PAIR: (NOTHING, ACE_KING),
    TWO_PAIR: (NOTHING, ACE_KING, TWO_PAIR),
    THREE: (NOTHING, ACE_KING),
    STRAIGHT: (NOTHING, ACE_KING, STRAIGHT),
    FLUSH: (NOTHING, ACE_KING, PAIR, STRAIGHT, FLUSH),
    FULL_HOUSE: (NOTHING, ACE_KING, FULL_HOUSE),
    FOUR: (NOTHING, ACE_KING, FULL_HOUSE),
    STRAIGHT_FLUSH: (NOTHING, ACE_KING, STRAIGHT, FLUSH, STRAIGHT_FLUSH),
    ROYAL_FLUSH: (NOTHING, STRAIGHT, FLUSH, STRAIGHT_FLUSH),
}
"""Winning combination → the second combinations that five or six cards can have beside it."""

Ints = NDArray[np.int64]
Tables = tuple[Ints, NDArray[np.int32], NDArray[np.int16], NDArray[np.int16]]


def tables() -> Tables:
    """What the kernels read of the ranking."""
    return standard().keys, standard().values, LOW, HIGH


def lowest_ace_king() -> int:
    """The value of the lowest hand with which the dealer qualifies."""
    return standard().value(cards("Ac Kd 4h 3s 2c"))


@kernel
def combination(value: int, lowest: int) -> int:
    """The combination of a hand of this value; `lowest` is that of the lowest ace-king."""
    if class_of(value) == 0:
        return ACE_KING if value >= lowest else NOTHING
    return class_of(value) + 1


@kernel
def appraise(hand: Ints, count: int, lowest: int, ranking: Tables) -> tuple[int, int, int]:
    """(value of the best five of `count` cards, its combination, the second combination)."""
    keys, values, low, high = ranking
    total, counts = 0, 0
    for place in range(count):
        total += keys[hand[place]]
        counts += 1 << 4 * (hand[place] >> 2)
    best, dropped = -1, 0
    if count == 5:
        best = values[low[low_part(total)] + high[high_part(total)] + flush_part(total)]
    else:
        for place in range(6):
            key = total - keys[hand[place]]
            value = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
            if value > best:
                best, dropped = value, place
    first = combination(best, lowest)
    if first in (STRAIGHT, FLUSH, FULL_HOUSE, STRAIGHT_FLUSH, ROYAL_FLUSH):
        if count == 5:
            return best, first, NOTHING
        return best, first, _with_the_sixth(hand, dropped, total, counts, lowest, ranking)
    return best, first, _beside_cards_of_a_kind(first, counts) if first > ACE_KING else NOTHING


@kernel
def _beside_cards_of_a_kind(first: int, counts: int) -> int:
    """Beside four, three or two of a kind, or two pair, whose other cards lie outside."""
    if first in (FOUR, TWO_PAIR):
        pairs = 0
        for rank in range(ACE + 1):
            pairs += 1 if counts >> 4 * rank & 15 == 2 else 0
        if first == FOUR and pairs == 1:
            return FULL_HOUSE
        if first == TWO_PAIR and pairs == 3:
            return TWO_PAIR
    aces, kings = counts >> 4 * ACE & 15, counts >> 4 * KING & 15
    inside = first == TWO_PAIR and aces == 2 and kings == 2
    return ACE_KING if aces and kings and not inside else NOTHING


@kernel
def _with_the_sixth(hand: Ints, outside: int, total: int, counts: int, lowest: int, ranking: Tables) -> int:
    """Beside a combination of five cards: the highest that the sixth takes part in."""
    keys, values, low, high = ranking
    rank, second = hand[outside] >> 2, NOTHING
    for place in range(6):
        if place == outside:
            continue
        key = total - keys[hand[place]]
        candidate = combination(values[low[low_part(key)] + high[high_part(key)] + flush_part(key)], lowest)
        alike = (counts >> 4 * rank & 15) - (1 if hand[place] >> 2 == rank else 0)
        whole = candidate in (STRAIGHT, FLUSH, FULL_HOUSE, STRAIGHT_FLUSH, ROYAL_FLUSH)
        if candidate > second and (whole or (candidate > ACE_KING and alike > 1)):
            second = candidate
    if second == NOTHING and rank >= KING and counts >> 4 * KING & 15 and counts >> 4 * ACE & 15:
        return ACE_KING
    return second
