"""The best four cards of five or six as a number that orders hands, by two reads of small tables.

A hand is worth the better of what its ranks make and what the suit makes that has four of its cards or more:

    key, bits = sum of keys[card], sum of 1 << card_bit(card)
    value = max(by_ranks[low[low_part(key)] + high[high_part(key)]], by_suit[suited(key, bits)])

Values run from 0 without gaps; equal hands have equal values. Here are the rules of four-card hands too, in plain
Python, the source of the tables.

And the player's five cards against a hidden hand of five or six: how many of the dealer's hands are lower. Those that
avoid the player's cards are counted by inclusion–exclusion over the subsets of the player's cards: N(T) = the dealer's
hands that contain all of T, by their value. Those that contain four given cards are looked at one by one; those that
contain fewer are sums of them. Not here: which decision follows, and what it wins (`strategy`, `parts`).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, helper, kernel
from games.maths import hands
from games.maths.cards import ACE, FULL_DECK
from games.maths.ranking import FIELD, KEYS, WILD, forms, high_part, low_part
from games.maths.showdown.deck import OWN, Against, HandOrder, Strength, orbit_of, orbits

RANKS = 13
CARDS = 4
HIGH_CARD, PAIR, TWO_PAIRS, STRAIGHT, FLUSH, THREE, STRAIGHT_FLUSH, FOUR = range(8)
CLASSES = (
    hands.HIGH_CARD, hands.PAIR, hands.TWO_PAIRS, hands.STRAIGHT, hands.FLUSH, hands.THREE, hands.STRAIGHT_FLUSH,
    hands.FOUR,
)  # fmt: skip
"""The classes by name, lowest first: four cards make three-of-a-kind more rarely than a flush."""

KINDS = {
    (1, 1, 1, 1): HIGH_CARD, (2, 1, 1): PAIR, (2, 2): TWO_PAIRS, (3, 1): THREE, (4,): FOUR,
}  # fmt: skip
FOUR_SUITED = 0x4444  # added to the numbers of cards per suit, four bits each, it lifts a four to an eight
EIGHTS = 0x8888

Small = NDArray[np.int16]
Numbers = NDArray[np.int32]
FourTables = tuple[Ints, Numbers, Numbers, Small, Small]
"""Tables that a kernel reads: keys, low, high, by ranks, by suit."""


@dataclass(frozen=True, slots=True)
class FourCards:
    """The ranking of the best four of `cards` cards: its tables, and `strengths[value]`, the same for every `cards`."""

    cards: int
    keys: Ints
    low: Numbers
    high: Numbers
    by_ranks: Small
    by_suit: Small
    strengths: tuple[Strength, ...]

    @property
    def tables(self) -> FourTables:
        return self.keys, self.low, self.high, self.by_ranks, self.by_suit

    def value(self, hand: Sequence[int]) -> int:
        """Return the value of one hand; loops belong in a kernel."""
        key, bits = sum(int(self.keys[card]) for card in hand), sum(1 << card_bit(card) for card in hand)
        place = self.low[low_part(key)] + self.high[high_part(key)]
        return int(max(self.by_ranks[place], self.by_suit[suited(key, bits)]))


@helper
def card_bit(card: int) -> int:
    """Return the card's place among 52 bits: thirteen ranks, suit by suit."""
    return RANKS * (card & 3) + (card >> 2)


@helper
def suited(key: int, bits: int) -> int:
    """Return the ranks, as bits, of the suit that has four cards or more; 0 where there is none.

    For up to seven cards.
    """
    full = ((key >> (2 * FIELD)) + FOUR_SUITED) & EIGHTS
    if full == 0:
        return 0
    suit = 0 if full & 0x8 else 1 if full & 0x80 else 2 if full & 0x800 else 3
    return (bits >> (RANKS * suit)) & ((1 << RANKS) - 1)


def strength(ranks: Sequence[int], one_suit: bool = False) -> Strength:
    """Return the strength of four cards; an ace may be below the 2 of a straight."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    top = run_top(ranks, CARDS)
    if top is not None:
        return (STRAIGHT_FLUSH if one_suit else STRAIGHT), top
    if one_suit:
        return FLUSH, *sorted(ranks, reverse=True)
    return KINDS[tuple(count for count, _ in groups)], *(rank for _, rank in groups)


def run_top(ranks: Sequence[int], cards: int) -> int | None:
    """Return the highest rank of the best run of `cards` ranks, an ace below the 2 if need be; None without a run."""
    rank_set = {*ranks, *((-1,) if ACE in ranks else ())}
    tops = (top for top in range(ACE, cards - 3, -1) if rank_set.issuperset(range(top - cards + 1, top + 1)))
    return next(tops, None)


def by_form(cards: int, worth: Callable[[tuple[int, ...]], int]) -> Small:
    """Return the worth of every multiset of ranks, by the number of its form (`ranking`); 0 with the joker."""
    return np.array([0 if WILD in ranks else worth(tuple(ranks)) for ranks in forms(cards).ranks.tolist()], np.int16)


def by_mask(worth: Callable[[tuple[int, ...]], int], fewest: int, most: int) -> Small:
    """Return the worth of `fewest` to `most` ranks of one suit, by their bits; 0 for any other number of them."""
    worths = np.zeros(1 << RANKS, np.int16)
    for cards in range(fewest, most + 1):
        for ranks in combinations(range(RANKS), cards):
            worths[sum(1 << rank for rank in ranks)] = worth(ranks)
    return worths


@cache
def best_four(cards: int) -> FourCards:
    """Return the ranking of the best four of `cards` cards."""
    plain = {ranks: strength(ranks) for ranks in combinations_with_replacement(range(RANKS), CARDS)}
    flush = {ranks: strength(ranks, one_suit=True) for ranks in combinations(range(RANKS), CARDS)}
    strengths = tuple(sorted({*plain.values(), *flush.values()}))
    values = {worth: value for value, worth in enumerate(strengths)}
    return FourCards(
        cards,
        KEYS,
        forms(cards).low,
        forms(cards).high,
        by_form(cards, lambda ranks: max(values[plain[four]] for four in {*combinations(ranks, CARDS)})),
        by_mask(lambda ranks: max(values[flush[four]] for four in combinations(ranks, CARDS)), CARDS, cards),
        strengths,
    )


@cache
def four_card_order() -> HandOrder:
    """Return the order of all hands of four cards."""
    return HandOrder(CARDS, CLASSES, dict(enumerate(best_four(CARDS + 1).strengths)))


HANDS = comb(FULL_DECK, OWN)


@cache
def own_values() -> Ints:
    """Return the value of every hand of the player's, orbit by orbit."""
    own = orbits(OWN).cards
    values = np.zeros(len(own), np.int64)
    _evaluate(own, best_four(OWN).tables, values)
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
def _evaluate(hands: Ints, tables: FourTables, values: Ints) -> None:
    keys, low, high, by_ranks, by_suit = tables
    for hand in range(len(hands)):
        key, bits = 0, 0
        for place in range(hands.shape[1]):
            key += keys[hands[hand, place]]
            bits |= 1 << card_bit(hands[hand, place])
        values[hand] = max(by_ranks[low[low_part(key)] + high[high_part(key)]], by_suit[suited(key, bits)])


@kernel
def _count(sets: Ints, more: int, tables: FourTables, counts: NDArray[np.int32]) -> None:
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
def _contain_all(hands: Ints, values: Ints, least: int, more: int, tables: FourTables, counts: Ints) -> None:
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
