"""The player's five cards against a hidden five: how many of the dealer's hands are lower, equal, higher.

All pairs of hands (4.9 · 10¹² for 53 cards) are counted without being dealt. Of the dealer's hands, a multiset of
ranks occurs as often as the player's cards leave cards of each rank; the hands of one suit among them are then moved
from their unsuited to their suited value, suit by suit, by which of the player's ranks lie in that suit.

Not here: which decision follows (`strategy`), what it wins (`parts`).
"""

from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.ranking import WILD
from games.maths.showdown.against import Against
from games.maths.showdown.deck import OWN, Deck, own_hands
from games.maths.showdown.five_cards import five_card_order, multisets

RANKS = WILD  # symbols below it
BELOW, EQUAL, UNDER_LEAST = range(3)
COUNTS = UNDER_LEAST + 1
Ints = NDArray[np.int64]
Dealers = tuple[Ints, Ints, Ints, Ints]
"""Of the dealer's multisets: `counts`, the ways to suit each, its unsuited and its suited value."""

_CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(6)], dtype=np.int64)


@cache
def against_five(deck: Deck, classes: tuple[str, ...], least: int = 0) -> Against:
    """Every hand of the player's against the dealer's five; below the value `least` the dealer is short."""
    hands, dealt = own_hands(deck), multisets(deck, classes)
    free_ways = _CHOOSE[4, dealt.counts[:, :RANKS]].prod(axis=1)  # if the player's cards were not in its way
    values, counts = np.zeros(len(hands.names), np.int64), np.zeros((len(hands.names), COUNTS), np.int64)
    dealers = (dealt.counts, free_ways, dealt.unsuited, dealt.suited)
    by_multiset = np.argsort(dealt.own, kind="stable")
    _count(by_multiset, hands.cards, dealt.own, dealers, deck.wilds, least, _CHOOSE, values, counts)
    below, equal, short = counts.T
    lower, up_to = np.maximum(below - short, 0), np.maximum(below + equal - short, 0)
    results = np.stack([lower, up_to - lower, deck.dealer_hands - short - up_to, short], axis=1)
    return Against(five_card_order(deck, classes), hands, values, results, deck.dealer_hands)


@kernel
def _count(
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
    """The dealer's hands beside the player's values: all as if unsuited, and what the hands of one suit change."""
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
    """Of the moved hands of one suit those that avoid the player's cards in it, for each set of ranks lying there."""
    free[:] = 0
    for own in range(sets):
        for shared in range(sets):
            if shared & own == 0:
                for t in range(2):  # array to array would compile its error message for a second
                    for count in range(COUNTS):
                        free[own, t, count] += moved[shared, t, count]
