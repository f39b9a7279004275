"""The hands that this family pays, and sets of cards numbered without gaps.

The hands are the ladder of eleven results of the paytables on five cards, from a lost hand to a royal flush, and the
three own cards as a hand of their own.

Several games pay the ladder, each with odds of its own. The place of a set of two, three or four cards does not depend
on the order in which its cards came. Scalars only, compiled into the kernels. Not here: the ranking itself
(`maths.ranking`), what three cards are (`maths.hands`), how often each hand is dealt and folded.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import ACE, DEUCE, FULL_DECK, SUITS, cards
from games.maths.compiled import helper
from games.maths.hands import ROYAL, THREE_CARD_CLASSES, set_place, three_card_classes
from games.maths.ranking import CLASS_BITS, standard
from games.maths.results import LOST_NET, net_of
from games.maths.staged_raises.bonuses import LOST_OUTCOME
from games.rules.errors import ParameterError
from games.rules.model import Paytable

PAIRS, TRIPLES, QUADRUPLES = (comb(FULL_DECK, size) for size in (2, 3, 4))


@helper
def place_2(a: int, b: int) -> int:
    """Return the place of two cards, a above b."""
    return a * (a - 1) // 2 + b


@helper
def place_3(a: int, b: int, c: int) -> int:
    """Return the place of three cards, from the highest down."""
    return a * (a - 1) * (a - 2) // 6 + b * (b - 1) // 2 + c


@helper
def place_4(a: int, b: int, c: int, d: int) -> int:
    """Return the place of four cards, from the highest down."""
    return a * (a - 1) * (a - 2) * (a - 3) // 24 + b * (b - 1) * (b - 2) // 6 + c * (c - 1) // 2 + d


@helper
def with_third(a: int, b: int, new: int) -> int:
    """Return the place of two cards, a above b, and a new one."""
    if new > a:
        return place_3(new, a, b)
    return place_3(a, new, b) if new > b else place_3(a, b, new)


@helper
def with_fourth(a: int, b: int, c: int, new: int) -> int:
    """Return the place of three cards, from the highest down, and a new one."""
    if new > b:
        return place_4(new, a, b, c) if new > a else place_4(a, new, b, c)
    return place_4(a, b, new, c) if new > c else place_4(a, b, c, new)


RESULTS = (
    "Less than a pair of 6s", "Pair of 6s to 10s", "Pair of jacks or better", "Two pair", "Three-of-a-kind",
    "Straight", "Flush", "Full house", "Four-of-a-kind", "Straight flush", "Royal flush",
)  # fmt: skip
"""As the paytables print them, lowest first."""
LOSING, PUSHING, HIGH_PAIR = range(3)
LEAST_PUSHING, LEAST_HIGH_PAIR = "6c 6d 2c 3d 4h", "Jc Jd 2c 3d 4h"

Results = NDArray[np.int8]


@cache
def results() -> Results:
    """Return the result of every hand, placed as `Ranking.values` are."""
    ranking = standard()
    values = ranking.values
    above_pair = (values >> CLASS_BITS) - hands.STANDARD.index(hands.TWO_PAIRS) + RESULTS.index("Two pair")
    pair = (values >= ranking.value(cards(LEAST_PUSHING))).astype(np.int8)
    pair += values >= ranking.value(cards(LEAST_HIGH_PAIR))
    return np.where(values >> CLASS_BITS > hands.STANDARD.index(hands.PAIR), above_pair, pair).astype(np.int8)


def pays_of(table: Paytable) -> tuple[Fraction, ...]:
    """Return the net of one unit by each result, from a paytable with a row for each that does not lose."""
    if len(table.rows) != len(RESULTS) - 1:
        raise ValueError(f"{table.citation} {table.name} has {len(table.rows)} rows, not those of {RESULTS[1:]}")
    return (LOST_NET, *(net_of(line.pays[0], table) for line in reversed(table.rows)))


def in_whole_numbers(pays: tuple[Fraction, ...]) -> tuple[NDArray[np.int64], int]:
    """Return the pays times their common denominator, and that denominator: kernels add whole numbers."""
    unit = lcm(*(pay.denominator for pay in pays))
    return np.array([int(pay * unit) for pay in pays], dtype=np.int64), unit


OWN = 3
SPADES = SUITS.index("s")
ROYAL_OF_SPADES = "Royal of spades"
OWN_CLASSES = (*THREE_CARD_CLASSES, ROYAL_OF_SPADES)
"""Lowest first; the royal of spades apart from the other three."""
NOTHING, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH, ROYAL_PLACE, SPADES_PLACE = range(len(OWN_CLASSES))

ClassCounts = NDArray[np.int64]
"""`[class]`: how many of the hands or rounds have own cards of each of `OWN_CLASSES`."""


def own_classes() -> NDArray[np.int8]:
    """Return the class of every three cards, as its place in `OWN_CLASSES`, in the order of `three_card_hands`."""
    kinds = three_card_classes().copy()
    kinds[set_place([card for card in range(FULL_DECK) if card % 4 == SPADES][-OWN:])] = SPADES_PLACE
    return kinds


@helper
def own_class(a: int, b: int, c: int) -> int:
    """Return the class of three cards, in any order: its place in `OWN_CLASSES`."""
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
    """Raise `ParameterError` for a row of a class that three cards cannot be."""
    for name in rows:
        if name not in OWN_CLASSES[PAIR:]:
            raise ParameterError(
                key, f"{name!r} is not a hand of three cards; allowed are {', '.join(OWN_CLASSES[PAIR:])}"
            )


def own_counts(class_counts: ClassCounts, rows: Sequence[str], table: Paytable) -> dict[str, int]:
    """Return outcome → count; `rows`: the class of each row; a royal without a row is paid as the next lower."""
    by_class = dict(zip(OWN_CLASSES, (int(count) for count in class_counts), strict=True))
    for royal, lower in ((ROYAL_OF_SPADES, ROYAL), (ROYAL, hands.STRAIGHT_FLUSH)):
        if royal not in rows:
            by_class[lower] += by_class.pop(royal)
    counts = {line.outcome: by_class[name] for line, name in zip(table.rows, rows, strict=True)}
    return counts | {LOST_OUTCOME: sum(by_class.values()) - sum(counts.values())}
