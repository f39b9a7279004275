"""Five cards to a number that orders hands, and the form of six or seven cards: their multiset of ranks, as a number.

A hand's number takes one addition per card, then three reads of small tables.

Every card has a key; the keys of five cards add up to the hand's key, which contains its rank counts and suit counts. A
helper turns the key into indices (scalars only: a table passed to a compiled helper costs more than the hand), and the
kernel that owns the loop reads the tables:

    key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
    value = values[LOW[low_part(key)] + HIGH[high_part(key)] + flush_part(key)]
    its class: class_of(value)

`LOW` and `HIGH` number the multisets of five out of 14 symbols, the 13 ranks and `WILD`: no search, no collision.

Where no five of six or seven cards share a suit, all that a hand is worth follows from its form, so a table by form
replaces working it out. The keys are the same (`KEYS`); a kernel reads

    number = forms.low[low_part(key)] + forms.high[high_part(key)]        unless flush_part(key)

Not here: the classes of hands (`hands`), the rank of high and low hands and the worth of a form (`two_hands`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper
from games.maths import hands
from games.maths.cards import JOKER, JOKER_DECK

WILD = 13
HALF = 7  # symbols 0 … 6 are the low half, 7 … 13 the high half
BASE = 5  # a rank occurs at most four times; the wild, last of its half, may occur five times
FIELD = 17  # bits of one half's part of the key
HANDS = comb(14 + 4, 5) - 13  # multisets of five out of 14 symbols, less five of one rank
CLASS_BITS = 12  # no class has 4,096 different hands; of pairs there are 2,860
_FIELD_MASK = (1 << FIELD) - 1
_ANY_SUIT = 0x1111

Strength = Callable[[Sequence[int], int, bool], tuple[int, ...] | None]
"""(ranks of the cards that are not wild, number of wilds, suited) → comparable tuple that opens with the class,
or None where the deck has no such hand."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A chapter's ranking as tables: `keys` per card, `values` per hand, `classes` from the lowest up."""

    classes: tuple[str, ...]
    keys: NDArray[np.int64]
    values: NDArray[np.int32]

    def value(self, cards: Sequence[int]) -> int:
        """Return the value of five cards, for tests and single hands; loops belong in a kernel."""
        key = int(sum(int(self.keys[card]) for card in cards))
        return int(self.values[LOW[low_part(key)] + HIGH[high_part(key)] + flush_part(key)])

    def class_name(self, cards: Sequence[int]) -> str:
        return str(self.classes[class_of(self.value(cards))])


@helper
def low_part(key: int) -> int:
    """Return the index into `LOW`."""
    return key & _FIELD_MASK


@helper
def high_part(key: int) -> int:
    """Return the index into `HIGH`."""
    return (key >> FIELD) & _FIELD_MASK


@helper
def flush_part(key: int) -> int:
    """Return `HANDS` if five cards share a suit (a wild counts for each), else 0."""
    return HANDS if (((key >> (2 * FIELD)) + 0x3333) & 0x8888) != 0 else 0


@helper
def class_of(value: int) -> int:
    """Return the place of the hand's class in `Ranking.classes`."""
    return value >> CLASS_BITS


def card_key(symbol: int, suits: int) -> int:
    """Return the key of a card: one more of its symbol, one more of each of its suits."""
    half, place = divmod(symbol, HALF)
    return int(BASE**place << (FIELD * half) | suits << (2 * FIELD))


def card_keys(wild: Sequence[int]) -> NDArray[np.int64]:
    """Return the key of each of the 53 cards, where the `wild` ones represent any card."""
    return np.array(
        [
            card_key(WILD, _ANY_SUIT) if card in wild or card == JOKER else card_key(card // 4, 1 << 4 * (card % 4))
            for card in range(JOKER_DECK)
        ],
        dtype=np.int64,
    )


def rank_hands(strength: Strength) -> NDArray[np.int32]:
    """Return the value of every hand, unsuited ones first, suited ones from `HANDS` on; −1 where there is no such hand.

    value = class << CLASS_BITS | order within the class, from 0; equal strengths have equal values.
    """
    worths: dict[int, tuple[int, ...]] = {}
    for symbols in combinations_with_replacement(range(WILD + 1), 5):
        ranks = [symbol for symbol in symbols if symbol != WILD]
        if len(ranks) == 5 and len(set(ranks)) == 1:
            continue
        for suited in (False, True):
            worth = None if suited and len(set(ranks)) < len(ranks) else strength(ranks, 5 - len(ranks), suited)
            if worth is not None:
                worths[_number(symbols) + HANDS * suited] = worth
    values = np.full(2 * HANDS, -1, dtype=np.int32)
    order = _orders(set(worths.values()))
    for index, worth in worths.items():
        values[index] = worth[0] << CLASS_BITS | order[worth]
    return values


def _orders(strengths: set[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    """Return each strength's place among those of its class."""
    seen: dict[int, int] = {}
    orders = {}
    for worth in sorted(strengths):
        orders[worth] = seen[worth[0]] = seen.get(worth[0], -1) + 1
    if max(orders.values()) >> CLASS_BITS:
        raise ValueError(f"a class has more than {1 << CLASS_BITS} different hands: CLASS_BITS is too small")
    return orders


def _number(symbols: Sequence[int]) -> int:
    key = _key(symbols)
    return int(LOW[key & _FIELD_MASK] + HIGH[key >> FIELD])


def _parts(half: int, size: int) -> list[int]:
    """Return the multisets of one half's symbols, each as its part of the key; only the wild occurs five times."""
    places = [BASE**place for place in range(HALF)]
    fives = {5 * place for place in (places if half == 0 else places[:-1])}
    parts = [sum(chosen) for chosen in combinations_with_replacement(places, size)]
    return [part for part in parts if size < 5 or part not in fives]


def _half_tables() -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return `LOW` and `HIGH`, whose sum numbers each multiset: by its low symbols, then by its high ones."""
    low = np.zeros(BASE**HALF, dtype=np.int16)
    high = np.zeros(BASE**HALF + 1, dtype=np.int16)
    first = 0
    for low_cards in range(6):
        lows, highs = _parts(0, low_cards), _parts(1, 5 - low_cards)
        low[lows] = first + np.arange(len(lows)) * len(highs)
        high[highs] = np.arange(len(highs))
        first += len(lows) * len(highs)
    return low, high


LOW, HIGH = _half_tables()


@cache
def standard() -> Ranking:
    """Return poker with 52 cards; an ace may be below the 2 of a straight. The joker has no place in it."""

    def strength(ranks: Sequence[int], wilds: int, suited: bool) -> tuple[int, ...] | None:
        if wilds:
            return None
        return hands.best_hand(hands.STANDARD, hands.possible_hands(ranks, 0, suited))

    return Ranking(hands.STANDARD, card_keys(()), rank_hands(strength))


@cache
def with_wilds(classes: tuple[str, ...], wild_rank: int | None, joker: bool) -> Ranking:
    """Return poker under this order of classes; cards of the rank and the joker, as far as there are any, are wild."""
    wild = () if wild_rank is None else tuple(range(4 * wild_rank, 4 * wild_rank + 4))

    def strength(ranks: Sequence[int], wilds: int, suited: bool) -> tuple[int, ...] | None:
        if wild_rank in ranks or wilds > len(wild) + joker:
            return None
        return hands.best_hand(classes, hands.possible_hands(ranks, wilds, suited))

    return Ranking(classes, card_keys(wild), rank_hands(strength))


KEYS: Final = card_keys(())  # per card; the joker is a fourteenth rank, and of every suit
ONE_DECK: Final = BASE - 1  # cards of a rank


@dataclass(frozen=True, slots=True)
class Forms:
    """All forms of hands of one size from 53 cards: the tables that number them, and their ranks (13 = joker)."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    ranks: NDArray[np.int64]  # [number, card]


@cache
def forms(size: int) -> Forms:
    """Return the forms: first those without low cards (2s to 8s), last those of low cards only."""
    low, high = np.zeros(BASE**HALF, np.int32), np.zeros(2 * BASE ** (HALF - 1), np.int32)
    ranks: list[tuple[int, ...]] = []
    for low_cards in range(size + 1):
        lows, highs = _multisets(range(HALF), low_cards), _multisets(range(HALF, WILD + 1), size - low_cards)
        low[[_key(part) for part in lows]] = len(ranks) + np.arange(len(lows)) * len(highs)
        high[[_key(part) >> FIELD for part in highs]] = np.arange(len(highs))
        ranks += [first + second for first in lows for second in highs]
    return Forms(low, high, np.array(ranks, dtype=np.int64))


def _multisets(ranks: Iterable[int], size: int) -> list[tuple[int, ...]]:
    chosen = combinations_with_replacement(ranks, size)
    return [part for part in chosen if all(part.count(rank) <= (ONE_DECK if rank < WILD else 1) for rank in part)]


def _key(ranks: Sequence[int]) -> int:
    return sum(card_key(rank, 0) for rank in ranks)
