"""A number for every hand of blackjack, the decisions of a strategy, and the shapes of the family's arrays.

A card is its value: 0 = ace, 1 = deuce … 8 = nine, 9 = ten-valued. A hand is the multiset of its values, with a number:
0 = no card, then every hand of at most 21 (fewer cards first), then, from `HANDS` on, every hand that one card takes
above 21. Not here: probabilities, what a hand is paid.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

ValueCounts = NDArray[np.int64]
"""`[value]`: cards of each value."""
Floats = NDArray[np.float64]
"""Chances or worths, their axes named where they are used."""
HandClasses = NDArray[np.int8]
"""`[hand]`: how a hand is compared, or which bonus it earns."""
HandFlags = NDArray[np.bool_]
"""`[hand]`: yes or no."""
HandFigures = NDArray[np.float64]
"""`[hand]`: a chance, or what a hand is worth in halves of the wager."""
PhaseDecisions = NDArray[np.int8]
"""`[phase, hand]`: the decision against one up card."""
EndChances = NDArray[np.float64]
"""`[dealer's end]`: chance of 17, 18, 19, 20, 21, 22 or more, the dealer having no Blackjack."""
RoundEndings = NDArray[np.float64]
"""`[units wagered, net in halves of the wager + NO_ROUND_NET]`: chance of a round that ends so."""


ACE, TEN = 0, 9
VALUES = 10
VALUE_NAMES = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10")

# decisions
STAND, HIT, DOUBLE, SPLIT, SURRENDER, FREE_DOUBLE, RESCUE, SECOND_CHANCE = range(8)

# A phase is the kind of a hand and its stage: phase = 3 × kind + stage.
FIRST, SPLIT_HAND, LAMMER, SPLIT_ACE = range(4)
"""Kinds: the first two cards; a hand formed by splitting; one whose wager the house stakes with a lammer; a split
ace that gets one card only."""
TWO_CARDS, DRAWN, DOUBLED = range(3)
"""Stages: two cards; a card has been drawn; the one card after doubling has been drawn."""
KINDS, PHASES = 4, 12

Table = NDArray[np.int16]
Counts = NDArray[np.int64]
"""`[hand, value]`: cards of each value."""


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """A decision for every phase, hand and card that the dealer shows.

    `decision[3 * kind + stage, hand, up card]`; at a hand above 21: STAND (it is lost) or SECOND_CHANCE. A pair is
    split again, for as long as the rules allow it, exactly if `decision[3 * FIRST + TWO_CARDS, pair, up]` is SPLIT;
    the rows of the other kinds say what to do with a hand that is not split (again).
    """

    decision: NDArray[np.int8]  # PHASES × all hands × VALUES
    attack: NDArray[np.bool_]  # [up card]: whether a wager as large as the required one is added


def points(counts: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the totals of hands, and True for those in which an ace counts 11; `counts[…, value]`."""
    hard = np.asarray(counts) @ np.arange(1, VALUES + 1)
    soft = (np.asarray(counts)[..., ACE] > 0) & (hard <= 11)
    return hard + 10 * soft, soft


def one_more(hands: Counts) -> tuple[Counts, NDArray[np.int64]]:
    """Return the different hands that one more card makes of these, as they come, and hand × value → its place."""
    more = (hands[:, None] + np.eye(VALUES, dtype=np.int64)).reshape(-1, VALUES)
    _, first, which = np.unique(more @ _KEYS, return_index=True, return_inverse=True)
    return more[np.sort(first)], np.argsort(np.argsort(first))[which].reshape(-1, VALUES)


_KEYS = 32 ** np.arange(VALUES)  # no hand has 32 cards of a value


def _numbered() -> tuple[Counts, int]:
    """Return all hands, and the number of them that are at most 21; none is drawn to above 20."""
    generation = np.zeros((1, VALUES), dtype=np.int64)
    alive, above = [generation], list[Counts]()
    while len(generation):
        grown, _ = one_more(generation[points(generation)[0] < 21])
        dead = points(grown)[0] > 21
        generation = grown[~dead]
        alive.append(generation)
        above.append(grown[dead])
    return np.concatenate(alive + above), sum(map(len, alive))


def _moves(hands: Counts) -> Table:
    moves = np.full((len(hands), VALUES), -1, dtype=np.int16)
    drawn_to, keys = points(hands)[0] < 21, hands @ _KEYS
    by_key = np.argsort(keys)
    moves[drawn_to] = by_key[np.searchsorted(keys, keys[drawn_to, None] + _KEYS, sorter=by_key)]
    return moves


_hands, HANDS = _numbered()
ALL_HANDS = len(_hands)
NEXT_HAND = _moves(_hands)
"""Hand and card drawn → hand; −1 from a hand of 21 or above, which is never drawn to."""
COUNTS = _hands.astype(np.int8)
CARDS = COUNTS.sum(axis=1, dtype=np.int8)
TOTAL, SOFT = points(_hands)[0].astype(np.int8), points(_hands)[1]
PAIR = np.where((CARDS == 2) & (COUNTS.max(axis=1) == 2), COUNTS.argmax(axis=1), -1).astype(np.int8)
"""The value of which the hand is a pair; −1 for every other hand."""
BLACKJACK = int(NEXT_HAND[NEXT_HAND[0, ACE], TEN])
