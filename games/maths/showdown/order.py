"""Hands in their order: what a value stands for, and how parameters name a hand.

Not here: how cards get their value (`ranking`, `four_cards`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.parameters import ParameterError

Strength = tuple[int, ...]
"""The place of a class, and the ranks that decide between two hands of it, the weightiest first."""
Hand = tuple[str | int, ...]
"""A class by its name, and as many of the deciding ranks as matter: `(PAIR, ACE)` are all pairs of aces."""
Rows = dict[Hand, str]
"""Hand → the row of a paytable; of several hands that fit, the one with the most ranks."""
ALL_CLASSES = (*hands.STANDARD, hands.FIVE_OF_A_KIND, hands.FIVE_WILDS)


def rows_named(*names: str) -> Rows:
    """Rows that are called as the classes are, but for capitals, "Two pair" too; `ParameterError` for any other."""
    usual = {name.lower(): name for name in ALL_CLASSES} | {"two pair": hands.TWO_PAIRS}
    if unknown := [name for name in names if name.lower() not in usual]:
        raise ParameterError("rows", f"{unknown[0]!r} is not a class; say which hands take it")
    return {(usual[name.lower()],): name for name in names}


@dataclass(frozen=True, slots=True, eq=False)
class HandOrder:
    """`strengths[value]` of every hand, the values rising; the names of the classes, lowest first; how many cards
    make a hand."""

    cards: int
    classes: tuple[str, ...]
    strengths: Mapping[int, Strength]

    @property
    def size(self) -> int:
        """One more than the highest value."""
        return max(self.strengths) + 1

    def strength(self, hand: Hand) -> Strength:
        """The beginning that all strengths of the hand share; `ValueError` if there is no such hand."""
        name, *ranks = hand
        if name in self.classes:
            start = (self.classes.index(str(name)), *map(int, ranks))
            if any(strength[: len(start)] == start for strength in self.strengths.values()):
                return start
        raise ValueError(f"{hand} is not a hand; the classes are {', '.join(self.classes)}")

    def least_value(self, strength: Strength) -> int:
        """The value of the lowest hand that is no lower than this beginning of a strength."""
        return next(value for value, hand_strength in self.strengths.items() if hand_strength >= strength)

    def row_of(self, rows: Rows, strength: Strength) -> str:
        """The row that this hand takes; "" if it takes none."""
        return row_of(rows, self.hand(strength))

    def hand(self, strength: Strength) -> Hand:
        """The strength with the name of its class."""
        return (self.classes[strength[0]], *strength[1:])

    def check(self, key: str, hands: Iterable[Hand]) -> None:
        """`ParameterError` for a hand that the order does not have."""
        for hand in hands:
            try:
                self.strength(hand)
            except ValueError as error:
                raise ParameterError(key, str(error)) from error


def row_of(rows: Rows, hand: Hand) -> str:
    """The row that the hand takes; "" if it takes none."""
    starts = (hand[:length] for length in range(len(hand), 0, -1))
    return next((rows[start] for start in starts if start in rows), "")


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Values in groups that every paytable pays alike: `numbers[value]`, and the lowest strength of each group."""

    numbers: NDArray[np.int16]
    strengths: tuple[Strength, ...]


def groups_of(order: HandOrder, rows: Iterable[Rows], *, by_class: bool = False) -> Groups:
    """Values apart that take different rows; `by_class`: also those of different classes. Numbered from the lowest."""
    all_rows = tuple(rows)
    numbers = np.zeros(order.size, np.int16)
    firsts: dict[tuple[int, tuple[str, ...]], tuple[int, Strength]] = {}
    for value, strength in order.strengths.items():
        key = strength[0] if by_class else 0, tuple(order.row_of(each, strength) for each in all_rows)
        numbers[value], _ = firsts.setdefault(key, (len(firsts), strength))
    return Groups(numbers, tuple(strength for _, strength in firsts.values()))
