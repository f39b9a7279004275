"""One's own five cards against a hidden five: how often each decision wins, over every pair of hands.

All pairs of hands (4.9 · 10¹² for 53 cards) are counted without being dealt. Of the dealer's hands, a multiset of
ranks occurs as often as the player's cards leave cards of each rank; the hands of one suit among them are then moved
from their unsuited to their suited value, suit by suit, by which of the player's ranks lie in that suit.

The deck: twelve ranks of four suits (3 to ace) and five wild cards. Not here: what a chapter pays (`play.py`).
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.ranking import CLASS_BITS, HANDS, HIGH, LOW, WILD, Ranking, card_key, high_part, low_part

RANKS, WILDS = 12, 5
DEALER_HANDS = comb(48, 5)  # that the player's five cards leave
PAIRS = comb(53, 5) * DEALER_HANDS
FOLD, WIN, TIE, LOSE = range(4)
BELOW, EQUAL = range(2)
Ints = NDArray[np.int64]
Payoff = tuple[Ints, int, int]
CountArrays = tuple[Ints, Ints, Ints, Ints]

_CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(6)], dtype=np.int64)
_SUITS = np.array([[m for m in range(16) if m.bit_count() == n] + [0] * (6 - comb(4, n)) for n in range(5)])
"""The sets of n suits, as four bits, for n = 0 … 4."""


@dataclass(frozen=True, slots=True)
class BestPlay:
    """By the value of the player's hand: `met[result, value]` of the pairs of hands if it is raised; how many hands are
    `folded[value]` and `raised[value]` under optimal play, and for how many, `even[value]`, both are worth the same."""

    met: Ints
    folded: Ints
    raised: Ints
    even: Ints

    @property
    def equal_hands(self) -> int:
        return int(self.even.sum())

    @property
    def folds(self) -> NDArray[np.bool_]:
        """The decision as a table by value; `ValueError` if hands of one value are played both ways."""
        if (self.folded * self.raised).any():
            raise ValueError("hands of the same value are raised and folded: the decision is not one by value")
        return self.folded > 0

    def pairs(self, folds: NDArray[np.bool_]) -> Ints:
        """Every pair of hands where `folds[value]` is folded: `[result, class]`, by the player's class."""
        results = np.where(folds, 0, self.met)
        results[FOLD] = np.where(folds, self.met.sum(axis=0), 0)
        by_class: Ints = results.reshape(len(results), -1, 1 << CLASS_BITS).sum(axis=2)
        return by_class


def best_play(ranking: Ranking, win: Ints, lose: int, fold: int) -> BestPlay:
    """Raise wherever that is worth at least as much as folding.

    `win[class]` is the net of a raised hand that wins, `lose` and `fold` are the nets of the other ends; a tie is 0.
    """
    counts, unsuited, suited = _multisets(ranking)
    size = len(ranking.classes) << CLASS_BITS
    play = BestPlay(np.zeros((4, size), np.int64), *np.zeros((3, size), np.int64))
    payoff = (np.asarray(win, np.int64), lose, fold)
    _count(counts, unsuited, suited, payoff, (_CHOOSE, _SUITS), (play.met, play.folded, play.raised, play.even))
    return play


def _multisets(ranking: Ranking) -> tuple[Ints, Ints, Ints]:
    """Every hand's rank counts (3 … ace, wild), its unsuited and its suited value (−1: it has none)."""
    counts = np.array(_rank_counts(RANKS, 5), dtype=np.int64)
    keys = counts @ np.array([card_key(symbol, 0) for symbol in (*range(1, 13), WILD)])
    places = LOW[low_part(keys)].astype(np.int64) + HIGH[high_part(keys)]
    unsuited, suited = (ranking.values[places + part].astype(np.int64) for part in (0, HANDS))
    five_wilds = counts[:, RANKS] == WILDS  # has no suit: one value, nothing to move
    unsuited[five_wilds], suited[five_wilds] = suited[five_wilds], -1
    return counts, unsuited, suited


def _rank_counts(ranks: int, cards: int) -> list[tuple[int, ...]]:
    """The ways to take `cards` cards of `ranks` ranks, four of each, and of the wilds."""
    if ranks == 0:
        return [(cards,)]
    return [(first, *rest) for first in range(min(4, cards) + 1) for rest in _rank_counts(ranks - 1, cards - first)]


@kernel
def _count(
    counts: Ints, unsuited: Ints, suited: Ints, payoff: Payoff, tables: tuple[Ints, Ints], arrays: CountArrays
) -> None:
    """Fill `arrays`, multiset by multiset of the player's hands, suits by suits within each."""
    choose, suit_sets = tables
    free_ways = np.ones(len(counts), np.int64)  # to suit the dealer's hand if one's own were not in its way
    for hand in range(len(counts)):
        for rank in range(RANKS):
            free_ways[hand] *= choose[4, counts[hand, rank]]
    ranks, sizes, in_suit = np.zeros(5, np.int64), np.zeros(5, np.int64), np.zeros(4, np.int64)
    plain = np.zeros((2, 2), np.int64)  # one's own value unsuited or suited; dealer's below or equal
    moved = np.zeros((32, 2, 2), np.int64)  # which of one's own ranks the dealer's suited hand has; …
    free = np.zeros((32, 2, 2), np.int64)  # which of one's own ranks lie in the suit; …
    for own in range(len(counts)):
        distinct, deals = 0, 1
        for rank in range(RANKS):
            if counts[own, rank]:
                ranks[distinct], sizes[distinct] = rank, counts[own, rank]
                deals *= choose[4, counts[own, rank]]
                distinct += 1
        _meet(own, ranks[:distinct], counts, free_ways, unsuited, suited, choose, plain, moved)
        _avoid(1 << distinct, moved, free)
        for deal in range(deals):
            _deal(deal, sizes[:distinct], choose, suit_sets, in_suit)
            full = (1 << distinct) - 1
            flush = in_suit[0] == full or in_suit[1] == full or in_suit[2] == full or in_suit[3] == full
            t = 1 if flush and suited[own] >= 0 else 0
            below, equal = plain[t, BELOW], plain[t, EQUAL]
            for suit in range(4):
                below += free[in_suit[suit], t, BELOW]
                equal += free[in_suit[suit], t, EQUAL]
            value = suited[own] if t else unsuited[own]
            _decide(value, choose[WILDS, counts[own, RANKS]], below, equal, payoff, arrays)


@kernel
def _meet(
    own: int,
    ranks: Ints,
    counts: Ints,
    free_ways: Ints,
    unsuited: Ints,
    suited: Ints,
    choose: Ints,
    plain: Ints,
    moved: Ints,
) -> None:
    """The dealer's hands below and equal to one's own values: all as if unsuited, and what one suit's hands change."""
    plain[:] = 0
    moved[:] = 0
    for dealer in range(len(counts)):
        wild_ways = choose[WILDS - counts[own, RANKS], counts[dealer, RANKS]]
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
            if flush >= 0:
                moved[shared, t, BELOW] += wild_ways * ((flush < value) - (flat < value))
                moved[shared, t, EQUAL] += wild_ways * ((flush == value) - (flat == value))


@kernel
def _avoid(sets: int, moved: Ints, free: Ints) -> None:
    """Of the moved hands of one suit those that avoid one's own cards in it, for each set of ranks lying there."""
    free[:] = 0
    for own in range(sets):
        for shared in range(sets):
            if shared & own == 0:
                for t in range(2):
                    free[own, t, BELOW] += moved[shared, t, BELOW]
                    free[own, t, EQUAL] += moved[shared, t, EQUAL]


@kernel
def _deal(deal: int, sizes: Ints, choose: Ints, suit_sets: Ints, in_suit: Ints) -> None:
    """Per suit, which of the hand's distinct ranks lie in it, as bits, in the deal of this number."""
    in_suit[:] = 0
    for i in range(len(sizes)):
        chosen = suit_sets[sizes[i], deal % choose[4, sizes[i]]]
        deal //= choose[4, sizes[i]]
        for suit in range(4):
            in_suit[suit] |= (chosen >> suit & 1) << i


@kernel
def _decide(value: int, hands: int, below: int, equal: int, payoff: Payoff, arrays: CountArrays) -> None:
    """Count what `hands` hands of this value meet, and the better decision."""
    win, lose, fold = payoff
    met, folded, raised, even = arrays
    above = DEALER_HANDS - below - equal
    met[WIN, value] += hands * below
    met[TIE, value] += hands * equal
    met[LOSE, value] += hands * above
    gain = below * win[value >> CLASS_BITS] + above * lose - DEALER_HANDS * fold
    if gain == 0:
        even[value] += hands
    if gain >= 0:
        raised[value] += hands
    else:
        folded[value] += hands
