"""The three own cards as a hand of their own: what an optional wager on them is paid, for all games of this family.

Not here: what three cards are (`three_cards`), how often each is dealt and folded (`made`, `best_play`).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import ACE, DEUCE, FULL_DECK, SUITS
from games.maths.compiled import helper
from games.maths.parameters import ParameterError
from games.maths.staged_raises.bonus_wagers import LOST_OUTCOME
from games.maths.three_cards import CLASSES, ROYAL, classes, place
from games.rules.model import Paytable

OWN = 3
SPADES = SUITS.index("s")
ROYAL_OF_SPADES = "Royal of spades"
OWN_CLASSES = (*CLASSES, ROYAL_OF_SPADES)
"""Lowest first; the royal of spades apart from the other three."""
NOTHING, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH, ROYAL_PLACE, SPADES_PLACE = range(len(OWN_CLASSES))

ClassCounts = NDArray[np.int64]
"""`[class]`: how many of the hands or rounds have own cards of each of `OWN_CLASSES`."""


def own_classes() -> NDArray[np.int8]:
    """The class of every three cards, as its place in `OWN_CLASSES`, in the order of `three_cards`."""
    kinds = classes().copy()
    kinds[place([card for card in range(FULL_DECK) if card % 4 == SPADES][-OWN:])] = SPADES_PLACE
    return kinds


@helper
def own_class(a: int, b: int, c: int) -> int:
    """The class of three cards, in any order: its place in `OWN_CLASSES`."""
    low, high = min(a, b, c) // 4, max(a, b, c) // 4
    middle = a // 4 + b // 4 + c // 4 - low - high
    suited = a % 4 == b % 4 and b % 4 == c % 4
    kind = FLUSH if suited else NOTHING
    if low == middle and middle == high:
        kind = THREE
    elif low == middle or middle == high:
        kind = PAIR
    elif (low + 1 == middle and middle + 1 == high) or (low == DEUCE and middle == DEUCE + 1 and high == ACE):
        kind = STRAIGHT_FLUSH if suited else STRAIGHT
    if kind == STRAIGHT_FLUSH and low == ACE - 2:
        return SPADES_PLACE if a % 4 == SPADES else ROYAL_PLACE
    return kind


def check_rows(key: str, rows: Sequence[str]) -> None:
    """`ParameterError` for a row of a class that three cards cannot be."""
    for name in rows:
        if name not in OWN_CLASSES[PAIR:]:
            raise ParameterError(
                key, f"{name!r} is not a hand of three cards; allowed are {', '.join(OWN_CLASSES[PAIR:])}"
            )


def own_counts(class_counts: ClassCounts, rows: Sequence[str], table: Paytable) -> dict[str, int]:
    """Outcome → count; `rows`: the class of each row. A royal without a row of its own is paid as the next lower."""
    by_class = dict(zip(OWN_CLASSES, (int(count) for count in class_counts), strict=True))
    for royal, lower in ((ROYAL_OF_SPADES, ROYAL), (ROYAL, hands.STRAIGHT_FLUSH)):
        if royal not in rows:
            by_class[lower] += by_class.pop(royal)
    counts = {line.outcome: by_class[name] for line, name in zip(table.rows, rows, strict=True)}
    return counts | {LOST_OUTCOME: sum(by_class.values()) - sum(counts.values())}
