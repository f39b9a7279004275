"""The best poker hand of five of up to seven cards, worked out on sets of ranks, without a table.

A set of cards has 16 bits for each suit, of which the lower 13 are the ranks. Two hands compare as their strengths do:
class, then the ranks that make it, then the other ranks that count, each as bits. The classes are those of `hands`.
"""

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

RANKS = 13
OF_SUIT = (1 << RANKS) - 1
ROYAL_TOP = 1 << 9  # of `straight_of`


@helper
def as_set(card: int) -> int:
    """Return the set of one card; sets are joined by `|`."""
    return 1 << (16 * (card & 3) + (card >> 2))


@helper
def size(ranks: int) -> int:
    """Return the number of ranks in the set."""
    twos = ranks - (ranks >> 1 & 0x5555)
    fours = (twos & 0x3333) + (twos >> 2 & 0x3333)
    eights = fours + (fours >> 4) & 0x0F0F
    return eights + (eights >> 8) & 31


@helper
def highest(ranks: int, number: int) -> int:
    """Return the `number` highest ranks of the set."""
    for _ in range(size(ranks) - number):
        ranks &= ranks - 1  # without its lowest
    return ranks


@helper
def straights(ranks: int) -> int:
    """Return every straight among the ranks as a bit, from ace to 5 = 1 to ace-high = 512."""
    line = ranks << 1 | ranks >> ACE  # an ace is below the deuce too
    return line & line >> 1 & line >> 2 & line >> 3 & line >> 4


@helper
def straight_of(ranks: int) -> int:
    """Return the highest of the `straights`; 0 = none."""
    tops = straights(ranks)
    while tops & (tops - 1):
        tops &= tops - 1
    return tops


@helper
def flush_ranks(cards: int) -> int:
    """Return the ranks of the suit that has five cards or more; 0 = no suit has."""
    counts = cards - (cards >> 1 & 0x5555555555555555)
    counts = (counts & 0x3333333333333333) + (counts >> 2 & 0x3333333333333333)
    counts = counts + (counts >> 4) & 0x0F0F0F0F0F0F0F0F
    counts = counts + (counts >> 8) & 0x001F001F001F001F
    full = counts + 0x000B000B000B000B & 0x0010001000100010  # five and eleven are sixteen
    if full == 0:
        return 0
    suit = 0 if full == 16 else 16 if full == 16 << 16 else 32 if full == 16 << 32 else 48
    return cards >> suit & OF_SUIT


@helper
def strength(kind: int, made_of: int, beside: int) -> int:
    """Return the strength of a hand of the class, by its ranks."""
    return kind << 2 * RANKS | made_of << RANKS | beside


@helper
def class_of_strength(value: int) -> int:
    """Return the class of a hand of this strength."""
    return value >> 2 * RANKS


@helper
def best_five(cards: int) -> int:
    """Return the strength of the best five of five, six or seven cards."""
    flush = flush_ranks(cards)
    if flush:  # leaves no room for four of a kind or a full house
        top = straight_of(flush)
        if top:
            return strength(ROYAL_FLUSH if top == ROYAL_TOP else STRAIGHT_FLUSH, top, 0)
        return strength(FLUSH, highest(flush, 5), 0)
    a, b, c, d = cards & OF_SUIT, cards >> 16 & OF_SUIT, cards >> 32 & OF_SUIT, cards >> 48
    ranks = a | b | c | d
    top = straight_of(ranks)
    twice = a & b | c & d | (a | b) & (c | d)
    if twice == 0:
        return strength(STRAIGHT, top, 0) if top else strength(NO_PAIR, 0, highest(ranks, 5))
    thrice = a & b & (c | d) | c & d & (a | b)
    four = a & b & c & d
    if four:
        return strength(FOUR, four, highest(ranks & ~four, 1))
    if thrice:
        three = highest(thrice, 1)
        pair = highest(twice & ~three, 1)
        if pair:
            return strength(FULL_HOUSE, three, pair)
        if top == 0:
            return strength(THREE, three, highest(ranks & ~three, 2))
    if top:
        return strength(STRAIGHT, top, 0)
    pairs = highest(twice, 2)
    if pairs & (pairs - 1):
        return strength(TWO_PAIR, pairs, highest(ranks & ~pairs, 1))
    return strength(PAIR, pairs, highest(ranks & ~pairs, 3))
