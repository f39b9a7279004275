"""Poker hands of five cards, ranked by counting equal ranks, and hands as suits: no table and no other module is used.

A card is 4 × rank + suit, rank 0 = deuce … 12 = ace. The classes are those of a 52-card deck, lowest first. Compiled
helpers take the cards as scalars.
"""

from typing import Final

from games.compiled import helper

NO_PAIR, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)
PRINTED: Final = {
    "Royal flush": ROYAL_FLUSH,
    "Straight flush": STRAIGHT_FLUSH,
    "Four-of-a-kind": FOUR,
    "Full house": FULL_HOUSE,
    "Flush": FLUSH,
    "Straight": STRAIGHT,
    "Three-of-a-kind": THREE,
}
"""The classes from three-of-a-kind up, as most paytables print them."""
ACE, FIVE_HIGH = 12, 3
RANKS = 13
IN_SUIT, IN_RANKS = (1 << 16) - 1, (1 << RANKS) - 1


@helper
def suited(card: int) -> int:
    """Return what a card adds to its hand: 16 bits a suit, the number of its cards above thirteen bits of ranks."""
    return (1 << RANKS | 1 << (card >> 2)) << 16 * (card & 3)


@helper
def longest_flush(hand: int) -> int:
    """Return the 16 bits of the suit with the most cards, of several the one with the highest."""
    return max(hand & IN_SUIT, hand >> 16 & IN_SUIT, hand >> 32 & IN_SUIT, hand >> 48 & IN_SUIT)


@helper
def falling(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Return four numbers, the greatest first: what four suits hold, in any order of the suits."""
    a, b, c, d = max(a, b), min(a, b), max(c, d), min(c, d)
    a, b, c, d = max(a, c), max(b, d), min(a, c), min(b, d)
    return a, max(b, c), min(b, c), d


@helper
def equal_pairs(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return how many of the ten pairs of cards are of one rank: 0, 1 pair, 2 (two pair), 3, 4 (full house) or 6."""
    a, b, c, d, e = a >> 2, b >> 2, c >> 2, d >> 2, e >> 2
    return (a == b) + (a == c) + (a == d) + (a == e) + (b == c) + (b == d) + (b == e) + (c == d) + (c == e) + (d == e)


@helper
def straight_top(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the highest rank of the straight that five cards of different ranks make, an ace low too; −1 = none."""
    ranks = 1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2) | 1 << (d >> 2) | 1 << (e >> 2)
    if ranks == 1 << ACE | 15:
        return FIVE_HIGH
    top = max(a, b, c, d, e) >> 2
    return top if ranks == 31 << top >> 4 else -1


@helper
def is_flush(a: int, b: int, c: int, d: int, e: int) -> bool:
    """Return True if the five cards are of one suit."""
    return (a ^ b) & 3 == 0 and (a ^ c) & 3 == 0 and (a ^ d) & 3 == 0 and (a ^ e) & 3 == 0


@helper
def class_of_five(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the class of a hand of five cards."""
    equal = equal_pairs(a, b, c, d, e)
    if equal == 6:
        return FOUR
    if equal == 4:
        return FULL_HOUSE
    if equal:
        return equal  # 1, 2 and 3 pairs of equal cards are the classes PAIR, TWO_PAIR and THREE
    flush, top = is_flush(a, b, c, d, e), straight_top(a, b, c, d, e)
    if flush and top >= 0:
        return ROYAL_FLUSH if top == ACE else STRAIGHT_FLUSH
    if flush:
        return FLUSH
    return STRAIGHT if top >= 0 else NO_PAIR
