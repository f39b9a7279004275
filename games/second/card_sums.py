"""Classes of poker hands of three, or of five to seven cards, from sums over the cards: no table is used.

A kernel adds up three numbers over the cards of a hand: `by_rank` counts the cards of each rank, three bits a rank;
`by_suit` those of each suit, four bits a suit; `marks` has one bit a card, sixteen bits a suit. The class is that of
the best five of the cards, numbered as in `hands`.
"""

from typing import Final

from games.compiled import helper
from games.second.hands import (
    ACE,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    NO_PAIR,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
)

EACH_RANK = 0o1111111111111  # one card of each
ACE_ALONE = 0o1000000000000
FIVE_OF_A_SUIT, THREE_EACH = 0x8888, 0x3333
LOW_ACES, HIGH_ACES = 0x0001000100010001, 0x2000200020002000
TENS = 0x0200020002000200  # the lowest cards of the four royal flushes

MIDDLE_PAIR, HIGH_PAIR, FIVE_OF_A_KIND = 10, 11, 12
"""More classes of five cards: pairs from two ranks up, where lower ones are of the class `PAIR`; with a wild card."""
CLASSES = 13
NOTHING_3, PAIR_3, FLUSH_3, STRAIGHT_3, THREE_3, STRAIGHT_FLUSH_3, MINI_ROYAL = range(7)
"""The classes of three cards, lowest first."""
PRINTED_3: Final = {
    "Mini-royal": MINI_ROYAL,
    "Straight flush": STRAIGHT_FLUSH_3,
    "Three-of-a-kind": THREE_3,
    "Straight": STRAIGHT_3,
    "Flush": FLUSH_3,
    "Pair": PAIR_3,
}


@helper
def by_rank(card: int) -> int:
    """Return the card's part of the sum by rank."""
    return 1 << 3 * (card >> 2)


@helper
def by_suit(card: int) -> int:
    """Return the card's part of the sum by suit."""
    return 1 << 4 * (card & 3)


@helper
def mark(card: int) -> int:
    """Return the card's own bit."""
    return 2 << 16 * (card & 3) + (card >> 2)


@helper
def pairs_of(ranks: int) -> int:
    """Return the ranks with exactly two cards, as one bit at the place of each in the sum by rank."""
    return ranks >> 1 & ~ranks & EACH_RANK


@helper
def class_of_pair(pairs: int, middle: int, high: int) -> int:
    """Return the class of a pair, by the rank of the highest of `pairs` and the least ranks of two classes.

    All three are as in the sum by rank: one card of a rank there is more than all lower ranks.
    """
    return HIGH_PAIR if pairs >= high else MIDDLE_PAIR if pairs >= middle else PAIR


@helper
def class_of_ranks(ranks: int) -> int:
    """Return the best class that the ranks make, the suits aside."""
    if ranks >> 2 & EACH_RANK:
        return FOUR
    threes, pairs = ranks >> 1 & ranks & EACH_RANK, pairs_of(ranks)
    if threes and (pairs or threes & (threes - 1)):
        return FULL_HOUSE
    present = (ranks | ranks >> 1) & EACH_RANK
    line = present << 3 | (1 if present & ACE_ALONE else 0)  # an ace below the deuce too
    if line & line >> 3 & line >> 6 & line >> 9 & line >> 12:
        return STRAIGHT
    if threes:
        return THREE
    if pairs & (pairs - 1):
        return TWO_PAIR
    return PAIR if pairs else NO_PAIR


@helper
def has_flush(suits: int) -> bool:
    """Return True if five cards, of seven at most, are of one suit."""
    return (suits + THREE_EACH) & FIVE_OF_A_SUIT != 0


@helper
def class_of_flush(marks: int) -> int:
    """Return the best class of cards of which five are of one suit: no class of their ranks alone is higher."""
    line = marks | (marks & HIGH_ACES) >> 13
    lowest = line & line >> 1 & line >> 2 & line >> 3 & line >> 4
    if lowest & TENS:
        return ROYAL_FLUSH
    return STRAIGHT_FLUSH if lowest else FLUSH


@helper
def class_of_three(a: int, b: int, c: int) -> int:
    """Return the class of three cards, in any order; an ace, deuce and three are a straight."""
    present = by_rank(a) + by_rank(b) + by_rank(c)
    if present & ~EACH_RANK:
        return PAIR_3 if present & EACH_RANK & ~(present >> 1) else THREE_3
    line = present << 3 | (1 if present & ACE_ALONE else 0)
    straight = line & line >> 3 & line >> 6 != 0
    if (a ^ b) & 3 or (a ^ c) & 3:
        return STRAIGHT_3 if straight else NOTHING_3
    if straight:
        return MINI_ROYAL if min(a, b, c) >> 2 == ACE - 2 else STRAIGHT_FLUSH_3
    return FLUSH_3


@helper
def place_of_two(a: int, b: int) -> int:
    """Return the place of a set of two cards among all, those without the higher cards first."""
    high = max(a, b)
    return high * (high - 1) // 2 + min(a, b)


@helper
def place_of_three(a: int, b: int, c: int) -> int:
    """Return the place of a set of three cards, in any order. Only minima and maxima: a branch would cost more."""
    a, b = min(a, b), max(a, b)
    b, c = min(b, c), max(b, c)
    return c * (c - 1) * (c - 2) // 6 + place_of_two(a, b)


@helper
def place_of_four(a: int, b: int, c: int, d: int) -> int:
    """Return the place of a set of four cards, in any order."""
    a, b = min(a, b), max(a, b)
    b, c = min(b, c), max(b, c)
    c, d = min(c, d), max(c, d)
    return d * (d - 1) * (d - 2) * (d - 3) // 24 + place_of_three(a, b, c)


@helper
def place_of_five(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the place of a set of five cards, in any order."""
    a, b = min(a, b), max(a, b)
    b, c = min(b, c), max(b, c)
    c, d = min(c, d), max(c, d)
    d, e = min(d, e), max(d, e)
    return e * (e - 1) * (e - 2) * (e - 3) * (e - 4) // 120 + place_of_four(a, b, c, d)
