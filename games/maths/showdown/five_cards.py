"""Five cards of a deck with wild cards or without: every multiset of ranks with its values, and the hands in order."""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.ranking import HANDS, HIGH, LOW, WILD, Ranking, card_key, high_part, low_part
from games.maths.showdown.deck import NO_CARD, OWN, Deck, own_hands
from games.maths.showdown.order import HandOrder, Strength

NO_VALUE = -1  # a multiset of ranks that cannot be of one suit
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Multisets:
    """`counts[multiset, symbol]` of cards by rank, and of wild cards; the value of each `unsuited` and `suited`;
    `own[hand]`: the multiset of each of the player's hands."""

    counts: Ints
    unsuited: Ints
    suited: Ints
    own: Ints


@cache
def multisets(deck: Deck, classes: tuple[str, ...]) -> Multisets:
    """Of every five cards of the deck."""
    counts = np.array([[symbols.count(symbol) for symbol in range(WILD + 1)] for symbols in _symbols(deck)], np.int64)
    card_keys = np.array([card_key(symbol, 0) for symbol in range(WILD + 1)])
    keys = counts @ card_keys
    unsuited, suited = (_values(deck.ranking(classes), keys, part) for part in (0, HANDS))
    all_wild = counts[:, WILD] == OWN  # has no suit: one value
    unsuited[all_wild], suited[all_wild] = suited[all_wild], NO_VALUE
    cards = own_hands(deck).cards
    own_keys = card_keys[np.where(cards == NO_CARD, WILD, cards // 4)].sum(axis=1)
    order = np.argsort(keys)
    return Multisets(counts, unsuited, suited, order[np.searchsorted(keys, own_keys, sorter=order)])


@cache
def five_card_order(deck: Deck, classes: tuple[str, ...]) -> HandOrder:
    """The hands of the deck under this order of classes; `ValueError` if wild cards make a class that is not in it."""
    values = multisets(deck, classes)
    strengths: dict[int, Strength] = {}
    for symbols, unsuited, suited in zip(_symbols(deck), values.unsuited.tolist(), values.suited.tolist(), strict=True):
        ranks = [symbol for symbol in symbols if symbol != WILD]
        for value, one_suit in ((unsuited, not ranks), (suited, True)):
            if value != NO_VALUE:
                possible = hands.possible_hands(ranks, OWN - len(ranks), one_suit)
                strengths[value] = hands.best_hand(classes, possible)
    return HandOrder(OWN, classes, dict(sorted(strengths.items())))


def _symbols(deck: Deck) -> list[tuple[int, ...]]:
    """The multisets of ranks and wild cards, in a fixed order."""
    return [
        symbols
        for symbols in combinations_with_replacement((*deck.natural_ranks, WILD), OWN)
        if all(count <= (deck.wilds if symbol == WILD else 4) for symbol, count in Counter(symbols).items())
    ]


def _values(ranking: Ranking, keys: Ints, part: int) -> Ints:
    places = [int(LOW[low_part(key)]) + int(HIGH[high_part(key)]) for key in keys.tolist()]
    values: Ints = ranking.values[np.array(places) + part].astype(np.int64)
    return values
