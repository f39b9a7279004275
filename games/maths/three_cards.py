"""Three cards as a poker hand of their own: Pair Plus and its kin. Plain rules in plain Python, as a table of all.

A straight is above a flush; an ace completes queen, king, ace and ace, 2, 3: twelve sequences.
Not here: which classes a chapter pays (`play.py`), hands of five (`hands`, `ranking`).
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE, DEUCE, FULL_DECK
from games.maths.hands import FLUSH, HIGH_CARD, PAIR, STRAIGHT, STRAIGHT_FLUSH, THREE

ROYAL = "Royal"  # ace, king and queen of one suit
CLASSES = (HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH, ROYAL)
"""Lowest first."""
HANDS = comb(FULL_DECK, 3)
FACES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""The ranks as tables of a strategy print them."""


def three_card_class(cards: Sequence[int]) -> str:
    """What the three cards are."""
    low, middle, high = sorted(card // 4 for card in cards)
    suited = len({card % 4 for card in cards}) == 1
    if low == high:
        return THREE
    if low == middle or middle == high:
        return PAIR
    if (middle, high) in ((low + 1, low + 2), (DEUCE + 1, ACE)) and (low == DEUCE or high - low == 2):
        return (ROYAL if middle == ACE - 1 else STRAIGHT_FLUSH) if suited else STRAIGHT
    return FLUSH if suited else HIGH_CARD


def place(cards: Sequence[int]) -> int:
    """Of a set of cards a < b < c … among the sets of its size: C(a, 1) + C(b, 2) + C(c, 3) + …"""
    return sum(comb(card, number) for number, card in enumerate(sorted(cards), start=1))


def hands_in_order() -> list[tuple[int, ...]]:
    """Every three cards a < b < c, in the order of their places."""
    return sorted(combinations(range(FULL_DECK), 3), key=lambda hand: hand[::-1])


@cache
def classes() -> NDArray[np.int8]:
    """The class of every hand, as its place in `CLASSES`, in order."""
    return np.array([CLASSES.index(three_card_class(hand)) for hand in hands_in_order()], dtype=np.int8)


def faces(ranks: Iterable[int]) -> str:
    """`"A, 10, 2"`, the highest first; a dash for none."""
    return ", ".join(FACES[rank] for rank in sorted(ranks, reverse=True)) or "–"
