"""Sets of cards numbered without gaps: the place of two, three or four cards, and of a set with one card more.

A set's place does not depend on the order in which its cards came. Scalars only, compiled into the kernels.
"""

from math import comb

from games.maths.cards import FULL_DECK
from games.maths.compiled import helper

PAIRS, TRIPLES, QUADRUPLES = (comb(FULL_DECK, size) for size in (2, 3, 4))


@helper
def place_2(a: int, b: int) -> int:
    """The place of two cards, a above b."""
    return a * (a - 1) // 2 + b


@helper
def place_3(a: int, b: int, c: int) -> int:
    """The place of three cards, from the highest down."""
    return a * (a - 1) * (a - 2) // 6 + b * (b - 1) // 2 + c


@helper
def place_4(a: int, b: int, c: int, d: int) -> int:
    """The place of four cards, from the highest down."""
    return a * (a - 1) * (a - 2) * (a - 3) // 24 + b * (b - 1) * (b - 2) // 6 + c * (c - 1) // 2 + d


@helper
def with_third(a: int, b: int, new: int) -> int:
    """The place of two cards, a above b, and a new one."""
    if new > a:
        return place_3(new, a, b)
    return place_3(a, new, b) if new > b else place_3(a, b, new)


@helper
def with_fourth(a: int, b: int, c: int, new: int) -> int:
    """The place of three cards, from the highest down, and a new one."""
    if new > b:
        return place_4(new, a, b, c) if new > a else place_4(a, new, b, c)
    return place_4(a, b, new, c) if new > c else place_4(a, b, c, new)
