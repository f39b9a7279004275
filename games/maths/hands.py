"""Hands of five cards and of three: what they are, and which of two of a kind is higher.

Plain rules in plain Python, the source of the tables in `ranking`. A rank is 0 (deuce) to 12 (ace); `wilds` counts the
cards that represent any other; `suited` says that all cards which are not wild share one suit. Classes bear the names
that the chapters' paytables print. Of three cards (Pair Plus and its kin) a straight is above a flush; an ace completes
queen, king, ace and ace, 2, 3: twelve sequences. Not here: which classes a chapter pays.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE, DEUCE, FIVE, FULL_DECK

HIGH_CARD, PAIR, TWO_PAIRS, THREE = "High Card", "Pair", "Two Pairs", "Three-of-a-Kind"
STRAIGHT, FLUSH, FULL_HOUSE, FOUR = "Straight", "Flush", "Full House", "Four-of-a-Kind"
STRAIGHT_FLUSH, ROYAL_FLUSH = "Straight Flush", "Royal Flush"
FIVE_OF_A_KIND, FIVE_WILDS = "Five-of-a-Kind", "Five Wilds"

STANDARD = (
    HIGH_CARD, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH,
)  # fmt: skip
"""Classes of a deck without wild cards, lowest first."""
PRINTED = (
    "High card", "Pair", "Two pair", "Three-of-a-kind", "Straight", "Flush", "Full house", "Four-of-a-kind",
    "Straight flush", "Royal flush",
)  # fmt: skip
"""The same as most paytables print them."""

KINDS = {
    (1, 1): HIGH_CARD, (2, 1): PAIR, (2, 2): TWO_PAIRS, (3, 1): THREE, (3, 2): FULL_HOUSE, (4, 1): FOUR,
    (5,): FIVE_OF_A_KIND,
}  # fmt: skip
"""The two largest groups of equal rank → class."""

Hand = tuple[str, tuple[int, ...]]
"""A class, and the ranks that decide between two hands of it, the weightiest first."""


def of_a_kind(ranks: Sequence[int], wilds: int = 0) -> Hand:
    """Return the best hand by equal ranks alone.

    All wilds join the largest group (of equals the highest): never worse.
    """
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True) or [(0, ACE)]
    groups[0] = (groups[0][0] + wilds, groups[0][1])
    return KINDS[tuple(count for count, _ in groups[:2])], tuple(rank for _, rank in groups)


def straight_top(ranks: Sequence[int], wilds: int = 0) -> int | None:
    """Return the highest rank of the best straight, the five for A-2-3-4-5; None if there is no straight."""
    if len(set(ranks)) + wilds < 5:
        return None
    return next((top for top in range(ACE, FIVE - 1, -1) if set(ranks) <= straight_ranks(top)), None)


def straight_ranks(top: int) -> set[int]:
    """Return the five ranks of the straight up to `top`: an ace may be below the 2."""
    return {ACE if rank < 0 else rank for rank in range(top - 4, top + 1)}


def flush_ranks(ranks: Sequence[int], wilds: int = 0) -> tuple[int, ...]:
    """Return the ranks of the flush, each wild as the highest rank that is missing."""
    missing = [rank for rank in range(ACE, -1, -1) if rank not in ranks]
    return tuple(sorted([*ranks, *missing[:wilds]], reverse=True))


def possible_hands(ranks: Sequence[int], wilds: int = 0, suited: bool = False) -> list[Hand]:
    """Return every hand that the cards can be read as, each at its best; a ranking says which one counts."""
    hands = [of_a_kind(ranks, wilds)]
    if wilds == 5:
        hands.append((FIVE_WILDS, ()))
    top = straight_top(ranks, wilds)
    if top is not None:
        name = STRAIGHT if not suited else ROYAL_FLUSH if top == ACE else STRAIGHT_FLUSH
        hands.append((name, (top,)))
    if suited:
        hands.append((FLUSH, flush_ranks(ranks, wilds)))
    return hands


def best_hand(classes: Sequence[str], hands: Sequence[Hand]) -> tuple[int, ...]:
    """Return the highest of the hands as (place of its class, deciding ranks …), tuples that compare as hands do."""
    return max((classes.index(name), *ranks) for name, ranks in hands)


ROYAL = "Royal"  # ace, king and queen of one suit
THREE_CARD_CLASSES = (HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH, ROYAL)
"""Lowest first."""
THREE_CARD_HANDS = comb(FULL_DECK, 3)
FACES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""The ranks as tables of a strategy print them."""


def three_card_class(cards: Sequence[int]) -> str:
    """Return the class of the three cards."""
    low, middle, high = sorted(card // 4 for card in cards)
    suited = len({card % 4 for card in cards}) == 1
    if low == high:
        return THREE
    if low == middle or middle == high:
        return PAIR
    if (middle, high) in ((low + 1, low + 2), (DEUCE + 1, ACE)) and (low == DEUCE or high - low == 2):
        return (ROYAL if middle == ACE - 1 else STRAIGHT_FLUSH) if suited else STRAIGHT
    return FLUSH if suited else HIGH_CARD


def set_place(cards: Sequence[int]) -> int:
    """Return the place of a set of cards a < b < c … among the sets of its size: C(a, 1) + C(b, 2) + C(c, 3) + …."""
    return sum(comb(card, number) for number, card in enumerate(sorted(cards), start=1))


def three_card_hands() -> list[tuple[int, ...]]:
    """Return every three cards a < b < c, in the order of their places."""
    return sorted(combinations(range(FULL_DECK), 3), key=lambda hand: hand[::-1])


@cache
def three_card_classes() -> NDArray[np.int8]:
    """Return the class of every hand, as its place in `THREE_CARD_CLASSES`, in order."""
    return np.array([THREE_CARD_CLASSES.index(three_card_class(hand)) for hand in three_card_hands()], dtype=np.int8)


def faces(ranks: Iterable[int]) -> str:
    """Return the faces, the highest first: `"A, 10, 2"`; a dash if there are none."""
    return ", ".join(FACES[rank] for rank in sorted(ranks, reverse=True)) or "–"
