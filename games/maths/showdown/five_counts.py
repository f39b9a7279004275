"""Five cards of a deck with wild cards or without, counted: the player's five against a hidden five, and every five.

The first count has the dealer's hands that are lower, equal and higher, the second the hands by all features that a
paytable may have rows for.

All pairs of hands (4.9 · 10¹² for 53 cards) are counted without being dealt. Of the dealer's hands, a multiset of ranks
occurs as often as the player's cards leave cards of each rank; the hands of one suit among them are then moved from
their unsuited to their suited value, suit by suit, by which of the player's ranks lie in that suit. A paytable may look
at a hand with wilds, as plain cards, or with the joker replaced.

Not here: the decision that follows (`strategy`), what is won (`parts`) and paid (`five_game`).
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths import hands
from games.maths.cards import FULL_DECK, JOKER
from games.maths.ranking import (
    HANDS,
    HIGH,
    LOW,
    WILD,
    Ranking,
    card_key,
    class_of,
    flush_part,
    high_part,
    low_part,
    standard,
)
from games.maths.showdown.deck import (
    NATURAL,
    NO_CARD,
    OWN,
    WILD_JOKER,
    Against,
    Deck,
    HandOrder,
    Strength,
    orbit_of,
    own_hands,
)
from games.maths.showdown.four_cards import card_bit
from games.maths.showdown.strategy import OTHER_CARDS, DecisionTable, Strategy

RANKS = WILD  # symbols below it
BELOW, EQUAL, UNDER_LEAST = range(3)
COUNTS = UNDER_LEAST + 1
RankingTables = tuple[Ints, NDArray[np.int32], Ints, NDArray[np.int32], NDArray[np.int16], NDArray[np.int16]]
"""Keys and values with wild cards, keys and values without, `LOW`, `HIGH`."""
Dealers = tuple[Ints, Ints, Ints, Ints]
"""Of the dealer's multisets: `counts`, the ways to suit each, its unsuited and its suited value."""

_CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(6)], dtype=np.int64)


@cache
def against_five(deck: Deck, classes: tuple[str, ...], least: int = 0) -> Against:
    """Return every hand of the player's against the dealer's five; below the value `least` the dealer is short."""
    hands, dealt = own_hands(deck), multisets(deck, classes)
    free_ways = _CHOOSE[4, dealt.counts[:, :RANKS]].prod(axis=1)  # if the player's cards were not in its way
    values, counts = np.zeros(len(hands.names), np.int64), np.zeros((len(hands.names), COUNTS), np.int64)
    dealers = (dealt.counts, free_ways, dealt.unsuited, dealt.suited)
    by_multiset = np.argsort(dealt.own, kind="stable")
    _count_dealers(by_multiset, hands.cards, dealt.own, dealers, deck.wilds, least, _CHOOSE, values, counts)
    below, equal, short = counts.T
    lower, up_to = np.maximum(below - short, 0), np.maximum(below + equal - short, 0)
    results = np.stack([lower, up_to - lower, deck.dealer_hands - short - up_to, short], axis=1)
    return Against(five_card_order(deck, classes), hands, values, results, deck.dealer_hands)


@kernel
def _count_dealers(
    order: Ints,
    cards: Ints,
    multiset: Ints,
    dealers: Dealers,
    wilds: int,
    least: int,
    choose: Ints,
    values: Ints,
    counts: Ints,
) -> None:
    """Fill `values` and `counts`, multiset by multiset of the player's hands, suits by suits within each."""
    rank_counts, _, unsuited, suited = dealers
    ranks, place_of, in_suit = np.zeros(OWN, np.int64), np.zeros(RANKS, np.int64), np.zeros(4, np.int64)
    plain = np.zeros((2, COUNTS), np.int64)  # the player's hand unsuited or suited; the dealer's below, equal …
    moved = np.zeros((32, 2, COUNTS), np.int64)  # which of the player's ranks the dealer's suited hand has; …
    free = np.zeros((32, 2, COUNTS), np.int64)  # which of the player's ranks lie in the suit; …
    own, distinct = -1, 0
    for hand in order:
        if multiset[hand] != own:
            own, distinct = multiset[hand], 0
            for rank in range(RANKS):
                if rank_counts[own, rank]:
                    ranks[distinct], place_of[rank] = rank, distinct
                    distinct += 1
            _meet(own, ranks[:distinct], dealers, wilds, least, choose, plain, moved)
            _avoid(1 << distinct, moved, free)
        in_suit[:] = 0
        for card in cards[hand]:
            if card >= 0:
                in_suit[card & 3] |= 1 << place_of[card >> 2]
        full = (1 << distinct) - 1
        flush = in_suit[0] == full or in_suit[1] == full or in_suit[2] == full or in_suit[3] == full
        t = 1 if flush and suited[own] >= 0 else 0
        values[hand] = suited[own] if t else unsuited[own]
        for count in range(COUNTS):
            counts[hand, count] = plain[t, count]
            for suit in range(4):
                counts[hand, count] += free[in_suit[suit], t, count]


@kernel
def _meet(
    own: int, ranks: Ints, dealers: Dealers, wilds: int, least: int, choose: Ints, plain: Ints, moved: Ints
) -> None:
    """Count the dealer's hands: in `plain` as if unsuited, in `moved` the difference of hands of one suit."""
    counts, free_ways, unsuited, suited = dealers
    plain[:] = 0
    moved[:] = 0
    for dealer in range(len(counts)):
        wild_ways = choose[wilds - counts[own, RANKS], counts[dealer, RANKS]]
        ways, shared = wild_ways * free_ways[dealer], 0
        for i in range(len(ranks)):
            cards = counts[dealer, ranks[i]]
            if cards:
                ways = ways // choose[4, cards] * choose[4 - counts[own, ranks[i]], cards]
                shared |= 1 << i
        flat, flush = unsuited[dealer], suited[dealer]
        for t in range(2):
            value = suited[own] if t else unsuited[own]
            plain[t, BELOW] += ways * (flat < value)
            plain[t, EQUAL] += ways * (flat == value)
            plain[t, UNDER_LEAST] += ways * (flat < least)
            if flush >= 0:
                moved[shared, t, BELOW] += wild_ways * ((flush < value) - (flat < value))
                moved[shared, t, EQUAL] += wild_ways * ((flush == value) - (flat == value))
                moved[shared, t, UNDER_LEAST] += wild_ways * ((flush < least) - (flat < least))


@kernel
def _avoid(sets: int, moved: Ints, free: Ints) -> None:
    """Count the moved hands of one suit that avoid the player's cards in it, for each set of ranks lying there."""
    free[:] = 0
    for own in range(sets):
        for shared in range(sets):
            if shared & own == 0:
                for t in range(2):  # array to array would compile its error message for a second
                    for count in range(COUNTS):
                        free[own, t, count] += moved[shared, t, count]


REPLACEMENTS = FULL_DECK + 1 - OWN  # cards that may replace the joker, or would


@dataclass(frozen=True, slots=True)
class HandCounts:
    """The deck's hands by their classes with wild cards and without.

    `by_kind[kind, class with wilds, class as plain cards]`, of the deck's hands, by the kind of wild card in them (with
    the joker there is no plain class: any); `replaced[folded, plain class]`, of `REPLACEMENTS` times as many, the joker
    replaced by another card.
    """

    by_kind: Ints
    replaced: Ints


@cache
def count_hands(deck: Deck, classes: tuple[str, ...], strategy: Strategy) -> HandCounts:
    """Count every hand; the strategy says which the player folds."""
    ranking, plain = deck.ranking(classes), standard()
    by_kind = np.zeros((WILD_JOKER + 1, len(classes), len(hands.STANDARD)), np.int64)
    replaced = np.zeros((2, len(hands.STANDARD)), np.int64)
    tables = (ranking.keys, ranking.values, plain.keys, plain.values, LOW, HIGH)
    _count_kinds(deck.size, deck.kinds(), tables, strategy.table, by_kind, replaced)
    return HandCounts(by_kind, replaced)


@kernel
def _count_kinds(
    cards: int, kinds: Ints, tables: RankingTables, decisions: DecisionTable, by_kind: Ints, replaced: Ints
) -> None:
    keys, values, plain_keys, plain_values, low, high = tables
    decision_of, mixed, decision_of_mixed = decisions
    for a in range(cards):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    four = keys[a] + keys[b] + keys[c] + keys[d]
                    plain_three = plain_keys[b] + plain_keys[c] + plain_keys[d]
                    four_kind = max(kinds[a], kinds[b], kinds[c], kinds[d])
                    for e in range(d):
                        key, kind = four + keys[e], max(four_kind, kinds[e])
                        value = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                        decision = decision_of[value]
                        if decision == OTHER_CARDS:
                            bits = 0
                            for card in (a, b, c, d, e):
                                if kinds[card] == NATURAL:
                                    bits |= 1 << card_bit(card)
                            decision = decision_of_mixed[np.searchsorted(mixed, orbit_of(bits))]
                        folded = 0 if decision > 0 else 1
                        if a != JOKER:
                            key = plain_three + plain_keys[a] + plain_keys[e]
                            plain = class_of(plain_values[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
                            by_kind[kind, class_of(value), plain] += 1
                            replaced[folded, plain] += REPLACEMENTS
                            continue
                        by_kind[kind, class_of(value), 0] += 1
                        for new in range(JOKER):
                            if new != b and new != c and new != d and new != e:
                                key = plain_three + plain_keys[e] + plain_keys[new]
                                plain = class_of(
                                    plain_values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                                )
                                replaced[folded, plain] += 1


NO_VALUE = -1  # a multiset of ranks that cannot be of one suit


@dataclass(frozen=True, slots=True, eq=False)
class Multisets:
    """Multisets of cards by rank and of wild cards: `counts[multiset, symbol]`.

    The value of each `unsuited` and `suited`; `own[hand]`: the multiset of each of the player's hands.
    """

    counts: Ints
    unsuited: Ints
    suited: Ints
    own: Ints


@cache
def multisets(deck: Deck, classes: tuple[str, ...]) -> Multisets:
    """Return the multisets of every five cards of the deck."""
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
    """Return the deck's hands under this order of classes; `ValueError` if wild cards make a class that it lacks."""
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
    """Return the multisets of ranks and wild cards, in a fixed order."""
    return [
        symbols
        for symbols in combinations_with_replacement((*deck.natural_ranks, WILD), OWN)
        if all(count <= (deck.wilds if symbol == WILD else 4) for symbol, count in Counter(symbols).items())
    ]


def _values(ranking: Ranking, keys: Ints, part: int) -> Ints:
    places = [int(LOW[low_part(key)]) + int(HIGH[high_part(key)]) for key in keys.tolist()]
    values: Ints = ranking.values[np.array(places) + part].astype(np.int64)
    return values
