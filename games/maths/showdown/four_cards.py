"""The best four cards of five or six as a number that orders hands, by two reads of small tables.

A hand is worth the better of what its ranks make and what the suit makes that has four of its cards or more:

    key, bits = sum of keys[card], sum of 1 << card_bit(card)
    value = max(by_ranks[low[low_part(key)] + high[high_part(key)]], by_suit[suited(key, bits)])

Values run from 0 without gaps; equal hands have equal values. Here are the rules of four-card hands too, in plain
Python, the source of the tables. Not here: what is paid for them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import ACE
from games.maths.compiled import helper
from games.maths.ranking import BASE, FIELD, HALF, card_key, card_keys, high_part, low_part
from games.maths.showdown.deck import HandOrder, Strength

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

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Numbering:
    """Numbers of the multisets of ranks of some cards, `multisets`: `low[low_part(key)] + high[high_part(key)]`."""

    multisets: tuple[tuple[int, ...], ...]
    low: NDArray[np.int16]
    high: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class FourCards:
    """The ranking of the best four of `cards` cards: its tables, and `strengths[value]`, the same for every `cards`."""

    cards: int
    keys: Ints
    low: NDArray[np.int16]
    high: NDArray[np.int16]
    by_ranks: NDArray[np.int16]
    by_suit: NDArray[np.int16]
    strengths: tuple[Strength, ...]

    @property
    def tables(self) -> tuple[Ints, NDArray[np.int16], NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]:
        """Tables that a kernel reads."""
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


@cache
def numbering(cards: int) -> Numbering:
    """Return the multisets of ranks of `cards` cards, four of a rank at most.

    Those with the same low ranks lie side by side, and the high ranks run alike wherever there are as many of them.
    """
    low, high = np.zeros(BASE**HALF, np.int16), np.zeros(BASE**HALF, np.int16)
    chosen = (
        ranks for ranks in combinations_with_replacement(range(RANKS), cards) if max(map(ranks.count, ranks)) <= 4
    )
    multisets = tuple(sorted(chosen, key=lambda ranks: (sum(rank < HALF for rank in ranks), ranks)))
    firsts: dict[int, int] = {}
    for place, ranks in enumerate(multisets):
        key = sum(card_key(rank, 0) for rank in ranks)
        first = firsts.setdefault(low_part(key), place)
        low[low_part(key)], high[high_part(key)] = first, place - first
    return Numbering(multisets, low, high)


def table(numbered: Numbering, worth: Callable[[tuple[int, ...]], int]) -> NDArray[np.int16]:
    """Return the worth of every multiset of ranks, by its number."""
    return np.array([worth(ranks) for ranks in numbered.multisets], np.int16)


def by_mask(worth: Callable[[tuple[int, ...]], int], fewest: int, most: int) -> NDArray[np.int16]:
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
    numbered = numbering(cards)
    return FourCards(
        cards,
        card_keys(()),
        numbered.low,
        numbered.high,
        table(numbered, lambda ranks: max(values[plain[four]] for four in {*combinations(ranks, CARDS)})),
        by_mask(lambda ranks: max(values[flush[four]] for four in combinations(ranks, CARDS)), CARDS, cards),
        strengths,
    )


@cache
def four_card_order() -> HandOrder:
    """Return the order of all hands of four cards."""
    return HandOrder(CARDS, CLASSES, dict(enumerate(best_four(CARDS + 1).strengths)))
