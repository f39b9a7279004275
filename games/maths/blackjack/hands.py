"""A number for every hand of blackjack, and the decisions of a strategy: what both paths share.

A card is its value: 0 = ace, 1 = deuce … 8 = nine, 9 = ten-valued. A hand is the multiset of its values, with a
number: 0 = no card, then every hand of at most 21 (fewer cards first), then, from `HANDS` on, every hand that one
card takes above 21. Not here: dealing, probabilities, what a hand is paid.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ACE, TEN = 0, 9
VALUES = 10
VALUE_OF_RANK = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 0], dtype=np.int8)  # of `cards`: deuce … king, ace
VALUE_NAMES = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10")

# decisions
STAND, HIT, DOUBLE, SPLIT, SURRENDER, FREE_DOUBLE, RESCUE, SECOND_CHANCE = range(8)

# A phase is the kind of a hand and its stage: phase = 3 × kind + stage.
FIRST, SPLIT_HAND, LAMMER, SPLIT_ACE = range(4)
"""Kinds: the first two cards; a hand formed by splitting; one whose wager the house stakes with a lammer; a split
ace that gets one card only."""
TWO_CARDS, DRAWN, DOUBLED = range(3)
"""Stages: two cards; a card has been drawn; the one card after doubling has been drawn."""
PHASES = 12

Table = NDArray[np.int16]
Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """A decision for every phase, hand and card that the dealer shows.

    `decision[3 * kind + stage, hand, up card]`; at a hand above 21: STAND (it is lost) or SECOND_CHANCE. A pair is
    split again, for as long as the rules allow it, exactly if `decision[3 * FIRST + TWO_CARDS, pair, up]` is SPLIT;
    the rows of the other kinds say what to do with a hand that is not split (again).
    """

    decision: NDArray[np.int8]  # PHASES × all hands × VALUES
    attack: NDArray[np.bool_]  # [up card]: whether a wager as large as the required one is added


def points(counts: Counts) -> tuple[int, bool]:
    """Total of a hand, and whether an ace counts 11 in it."""
    hard = sum((value + 1) * number for value, number in enumerate(counts))
    soft = counts[ACE] > 0 and hard <= 11
    return hard + 10 * soft, soft


def _grown(hands: list[Counts]) -> tuple[list[Counts], list[Counts]]:
    """The hands that one more card makes of these, of at most 21 and above; none is drawn to above 20."""
    grown: dict[Counts, bool] = {}
    for counts in hands:
        if points(counts)[0] < 21:
            for value in range(VALUES):
                more = (*counts[:value], counts[value] + 1, *counts[value + 1 :])
                grown[more] = points(more)[0] <= 21
    return [hand for hand, alive in grown.items() if alive], [hand for hand, alive in grown.items() if not alive]


def _numbered() -> tuple[list[Counts], int]:
    generation: list[Counts] = [(0,) * VALUES]
    alive, above = [], dict[Counts, None]()
    while generation:
        alive += generation
        generation, dead = _grown(generation)
        above.update(dict.fromkeys(dead))
    return alive + list(above), len(alive)


def _moves(hands: list[Counts], alive: int) -> Table:
    number = {counts: index for index, counts in enumerate(hands)}
    moves = np.full((len(hands), VALUES), -1, dtype=np.int16)
    for index, counts in enumerate(hands[:alive]):
        if points(counts)[0] < 21:
            moves[index] = [number[(*counts[:v], counts[v] + 1, *counts[v + 1 :])] for v in range(VALUES)]
    return moves


_hands, HANDS = _numbered()
ALL_HANDS = len(_hands)
NEXT_HAND = _moves(_hands, HANDS)
"""Hand and card drawn → hand; −1 from a hand of 21 or above, which is never drawn to."""
COUNTS = np.array(_hands, dtype=np.int8)
CARDS = COUNTS.sum(axis=1, dtype=np.int8)
TOTAL = np.array([points(counts)[0] for counts in _hands], dtype=np.int8)
SOFT = np.array([points(counts)[1] for counts in _hands], dtype=np.bool_)
PAIR = np.where((CARDS == 2) & (COUNTS.max(axis=1) == 2), COUNTS.argmax(axis=1), -1).astype(np.int8)
"""The value of which the hand is a pair; −1 for every other hand."""
BLACKJACK = int(NEXT_HAND[NEXT_HAND[0, ACE], TEN])
