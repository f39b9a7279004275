"""Three own cards, three community cards that turn up one by one, one raise: three times at once, twice after the
first, once or fold after the second. Best play and exact counts.

Own and community cards make one hand, so what is known is a set of three, four or five cards, and a decision depends
on nothing else. Backwards over the sets for the decisions, forwards for how often each is met.
Not here: the sets (`raise_it_up_sets`), what a chapter pays (`play.py`).

A raise smaller than the largest allowed is never better: its worth is linear in its size, and checking until the last
raise is worth at least as much as raising once early.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK, SUITS
from games.maths.staged_raises.raise_it_up_sets import (
    CARDS_KNOWN,
    CARDS_LEFT,
    OWN,
    over_one_less,
    over_one_more,
    sixth_cards,
)
from games.maths.three_cards import CLASSES, classes, place

THREE_TIMES, TWICE, ONCE, FOLD = range(4)
SIZES = (3, 2, 1, 0)  # of the raise, in Antes, by end
ORDERS = 4 * 5  # in which two of five known cards may have come as the first and the second community card
CYCLE = comb(FULL_DECK, CARDS_KNOWN) * ORDERS * CARDS_LEFT
AFTER_HAND = CYCLE // comb(FULL_DECK, OWN)  # ways in which the community cards follow three own cards
ROYAL_OF_SPADES = len(CLASSES)  # the class of ace, king and queen of spades, apart from the other royals
SPADES = SUITS.index("s")
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Odds:
    """Nets in whole units: `initial[class]` of the wagers made before the deal, `raised[class]` of a raise of one Ante;
    `fold` as a net. Hands of a value below `least` lose and count as the lowest class."""

    least: int
    initial: tuple[int, ...]
    raised: tuple[int, ...]
    fold: int


@dataclass(frozen=True, slots=True)
class Decisions:
    """Whether to raise, by the place of the set of known cards: three own, one community card more, two more."""

    three_times: Bools
    twice: Bools
    once: Bools


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The best decisions, in how many sets of each size both decisions are of equal worth (the raise is taken), and
    what comes of them: `required[end, class]` and `own[folded, class of the own cards]`, both of `CYCLE`."""

    decisions: Decisions
    equal: tuple[int, int, int]
    required: Ints
    own: Ints


@cache
def best_play(odds: Odds) -> BestPlay:
    """Decide backwards over the sets of known cards, then count forwards."""
    decisions, equal = _decide(odds)
    return BestPlay(decisions, equal, count_ends(decisions, odds.least), _own_cards(decisions))


def _decide(odds: Odds) -> tuple[Decisions, tuple[int, int, int]]:
    """Raise wherever that is worth at least as much as going on."""
    hands = sixth_cards(odds.least)
    initial, raised = _worth(hands, odds.initial), _worth(hands, odds.raised)
    decisions, equal = [], []
    go_on = np.full(len(initial), CARDS_LEFT * odds.fold)
    for known, size in zip((CARDS_KNOWN, CARDS_KNOWN - 1, OWN), reversed(SIZES[:FOLD]), strict=True):
        raising = initial + size * raised
        decisions.append(raising >= go_on)
        equal.append(int((raising == go_on).sum()))
        if known > OWN:
            worth = np.column_stack((initial, raised, np.maximum(raising, go_on)))
            initial, raised, go_on = over_one_more(worth, known).T
    return Decisions(*reversed(decisions)), (equal[2], equal[1], equal[0])


def _worth(hands: NDArray[np.uint8], nets: Sequence[int]) -> Ints:
    """The sum of the nets over the last cards, for every five known cards."""
    total = np.zeros(hands.shape[1], np.int64)
    for counts, net in zip(hands, nets, strict=True):
        total += counts * np.int64(net)
    return total


def count_ends(decisions: Decisions, least: int) -> Ints:
    """`counts[end, class]` of `CYCLE`: how often a round ends in each raise, or the fold, with each hand.

    Forwards: in how many of their orders the five known cards are met with each decision taken.
    """
    own = np.column_stack((decisions.three_times, ~decisions.three_times)).astype(np.int64)
    raised, checked = over_one_less(own, CARDS_KNOWN - 1).T
    twice, checked_twice = checked * decisions.twice, checked * ~decisions.twice
    raised, twice, checked_twice = over_one_less(np.column_stack((raised, twice, checked_twice)), CARDS_KNOWN).T
    orders = (raised, twice, checked_twice * decisions.once, checked_twice * ~decisions.once)
    return np.array([[int(met @ counts.astype(np.int64)) for counts in sixth_cards(least)] for met in orders])


def _own_cards(decisions: Decisions) -> Ints:
    """`counts[folded, class]` by the class of the three own cards."""
    kinds = classes().astype(np.int64)
    kinds[place([card for card in range(FULL_DECK) if card % 4 == SPADES][-OWN:])] = ROYAL_OF_SPADES
    folds = _folds(decisions)
    ends = (AFTER_HAND - folds, folds)
    return np.array([[ways[kinds == kind].sum() for kind in range(ROYAL_OF_SPADES + 1)] for ways in ends])


def _folds(decisions: Decisions) -> Ints:
    """Of the `AFTER_HAND` ways to go on from each three own cards, by place: how many end in a fold."""
    folds = ~decisions.once * np.int64(CARDS_LEFT)
    folds = ~decisions.twice * over_one_more(folds[:, None], CARDS_KNOWN)[:, 0]
    return np.asarray(~decisions.three_times * over_one_more(folds[:, None], CARDS_KNOWN - 1)[:, 0])
