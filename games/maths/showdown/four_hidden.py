"""The player's five cards, best four, against a hidden hand of five or six: how many of the dealer's hands are lower.

The dealer's hands that avoid the player's cards are counted by inclusion–exclusion over the subsets of the player's
cards: N(T) = the dealer's hands that contain all of T, by their value. Those that contain four given cards are looked
at one by one; those that contain fewer are sums of them.

Not here: which decision follows, and what it wins (`strategy`, `parts`).
"""

from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import kernel
from games.maths.ranking import high_part, low_part
from games.maths.showdown.deck import OWN, Against, orbit_of, orbits
from games.maths.showdown.four_cards import CARDS, FourCards, best_four, card_bit, four_card_order, suited

HANDS = comb(FULL_DECK, OWN)
Ints = NDArray[np.int64]
Small = NDArray[np.int16]
Ranking = tuple[Ints, Small, Small, Small, Small]


@cache
def own_values() -> Ints:
    """Return the value of every hand of the player's, orbit by orbit."""
    hands = orbits(OWN).cards
    values = np.zeros(len(hands), np.int64)
    _evaluate(hands, best_four(OWN).tables, values)
    return values


@cache
def against_four(dealer_cards: int, least: int = 0) -> Against:
    """Return every hand of the player's against the dealer's best four; below `least` the dealer is short."""
    dealer, hands, values = best_four(dealer_cards), orbits(OWN), own_values()
    names = tuple(orbits(cards).names for cards in range(OWN))
    counts = np.zeros((3, len(values)), np.int64)
    _avoid(hands.cards, values, least, names, _lower(dealer, names), counts)
    _contain_all(hands.cards, values, least, dealer.cards - OWN, dealer.tables, counts)
    below, up_to, short = counts
    lower, up_to = np.maximum(below - short, 0), np.maximum(up_to - short, 0)
    deals = comb(FULL_DECK - OWN, dealer.cards)
    results = np.stack([lower, up_to - lower, deals - short - up_to, short], axis=1)
    return Against(four_card_order(), hands, values, results, deals)


def _lower(dealer: FourCards, names: tuple[Ints, ...]) -> tuple[NDArray[np.int32], ...]:
    """Return `[cards][orbit, value]`: the dealer's hands below the value that contain a given set of 0 to 4 cards."""
    lower = [np.zeros((len(names[cards]), len(dealer.strengths) + 1), np.int32) for cards in range(OWN)]
    _count(orbits(CARDS).cards, dealer.cards - CARDS, dealer.tables, lower[CARDS])
    np.cumsum(lower[CARDS], axis=1, out=lower[CARDS])
    for cards in reversed(range(CARDS)):
        _sum_up(orbits(cards).cards, names[cards + 1], lower[cards + 1], lower[cards])
        lower[cards] //= dealer.cards - cards  # each hand was met once for every further card of it
    return tuple(lower)


@kernel
def _evaluate(hands: Ints, tables: Ranking, values: Ints) -> None:
    keys, low, high, by_ranks, by_suit = tables
    for hand in range(len(hands)):
        key, bits = 0, 0
        for place in range(hands.shape[1]):
            key += keys[hands[hand, place]]
            bits |= 1 << card_bit(hands[hand, place])
        values[hand] = max(by_ranks[low[low_part(key)] + high[high_part(key)]], by_suit[suited(key, bits)])


@kernel
def _count(sets: Ints, more: int, tables: Ranking, counts: NDArray[np.int32]) -> None:
    """Count the hands that contain each set and one or two cards more, one by one: `counts[set, value + 1]`."""
    keys, low, high, by_ranks, by_suit = tables
    for place in range(len(sets)):
        key, bits = 0, 0
        for card in sets[place]:
            key += keys[card]
            bits |= 1 << card_bit(card)
        for a in range(FULL_DECK):
            if bits >> card_bit(a) & 1:
                continue
            for b in range(a if more == 2 else 1):
                if more == 2 and bits >> card_bit(b) & 1:
                    continue
                six = key + keys[a] + (keys[b] if more == 2 else 0)
                six_bits = bits | 1 << card_bit(a) | (1 << card_bit(b) if more == 2 else 0)
                value = max(by_ranks[low[low_part(six)] + high[high_part(six)]], by_suit[suited(six, six_bits)])
                counts[place, value + 1] += 1


@kernel
def _sum_up(sets: Ints, names: Ints, lower: NDArray[np.int32], sums: NDArray[np.int32]) -> None:
    """Sum `lower`, for each set, over all sets of one card more."""
    for place in range(len(sets)):
        bits = 0
        for card in sets[place]:
            bits |= 1 << card_bit(card)
        for card in range(FULL_DECK):
            if bits >> card_bit(card) & 1 == 0:
                more = np.searchsorted(names, orbit_of(bits | 1 << card_bit(card)))
                for value in range(sums.shape[1]):  # array to array would compile its error message for a second
                    sums[place, value] += lower[more, value]


@kernel
def _avoid(
    hands: Ints, values: Ints, least: int, names: tuple[Ints, ...], lower: tuple[NDArray[np.int32], ...], counts: Ints
) -> None:
    """Fill `counts[below · up to · short, hand]` of the dealer's hands, over subsets of up to four player's cards."""
    for hand in range(len(hands)):
        for subset in range((1 << OWN) - 1):
            bits, cards = 0, 0
            for place in range(OWN):
                if subset >> place & 1:
                    bits |= 1 << card_bit(hands[hand, place])
                    cards += 1
            row = lower[cards][np.searchsorted(names[cards], orbit_of(bits))]
            sign = -1 if cards & 1 else 1
            counts[0, hand] += sign * row[values[hand]]
            counts[1, hand] += sign * row[values[hand] + 1]
            counts[2, hand] += sign * row[least]


@kernel
def _contain_all(hands: Ints, values: Ints, least: int, more: int, tables: Ranking, counts: Ints) -> None:
    """Take away the dealer's hands that contain all five of the player's cards, and `more` = 0 or 1 further card."""
    keys, low, high, by_ranks, by_suit = tables
    for hand in range(len(hands)):
        key, bits = 0, 0
        for card in hands[hand]:
            key += keys[card]
            bits |= 1 << card_bit(card)
        for card in range(FULL_DECK if more else 1):
            if more and bits >> card_bit(card) & 1:
                continue
            six = key + (keys[card] if more else 0)
            six_bits = bits | (1 << card_bit(card) if more else 0)
            value = max(by_ranks[low[low_part(six)] + high[high_part(six)]], by_suit[suited(six, six_bits)])
            counts[0, hand] -= value < values[hand]
            counts[1, hand] -= value <= values[hand]
            counts[2, hand] -= value < least


@cache
def value_counts() -> Ints:
    """Return all five-card hands by the value of their best four."""
    return np.bincount(own_values(), orbits(OWN).sizes, four_card_order().size).astype(np.int64)
