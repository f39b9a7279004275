"""What five cards are: which hands they make, and which of two of a kind is higher.

Plain rules in plain Python, the source of the tables in `ranking`. A rank is 0 (deuce) to 12 (ace); `wilds` counts
the cards that represent any other; `suited` says that all cards which are not wild share one suit.
Classes bear the names that the chapters' paytables print.
"""

from collections import Counter
from collections.abc import Sequence

from games.maths.cards import ACE, FIVE

HIGH_CARD, PAIR, TWO_PAIRS, THREE = "High Card", "Pair", "Two Pairs", "Three-of-a-Kind"
STRAIGHT, FLUSH, FULL_HOUSE, FOUR = "Straight", "Flush", "Full House", "Four-of-a-Kind"
STRAIGHT_FLUSH, ROYAL_FLUSH = "Straight Flush", "Royal Flush"
FIVE_OF_A_KIND, FIVE_WILDS = "Five-of-a-Kind", "Five Wilds"

STANDARD = (
    HIGH_CARD, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH,
)  # fmt: skip
"""Classes of a deck without wild cards, lowest first."""

KINDS = {
    (1, 1): HIGH_CARD, (2, 1): PAIR, (2, 2): TWO_PAIRS, (3, 1): THREE, (3, 2): FULL_HOUSE, (4, 1): FOUR,
    (5,): FIVE_OF_A_KIND,
}  # fmt: skip
"""The two largest groups of equal rank → class."""

Hand = tuple[str, tuple[int, ...]]
"""A class, and the ranks that decide between two hands of it, the weightiest first."""


def of_a_kind(ranks: Sequence[int], wilds: int = 0) -> Hand:
    """The best hand by equal ranks alone. All wilds join the largest group (of equals the highest): never worse."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True) or [(0, ACE)]
    groups[0] = (groups[0][0] + wilds, groups[0][1])
    return KINDS[tuple(count for count, _ in groups[:2])], tuple(rank for _, rank in groups)


def straight_top(ranks: Sequence[int], wilds: int = 0) -> int | None:
    """The highest rank of the best straight, the five for A-2-3-4-5; None where there is none."""
    if len(set(ranks)) + wilds < 5:
        return None
    return next((top for top in range(ACE, FIVE - 1, -1) if set(ranks) <= straight_ranks(top)), None)


def straight_ranks(top: int) -> set[int]:
    """The five ranks of the straight up to `top`: an ace may be below the 2."""
    return {ACE if rank < 0 else rank for rank in range(top - 4, top + 1)}


def flush_ranks(ranks: Sequence[int], wilds: int = 0) -> tuple[int, ...]:
    """The ranks of the flush, each wild as the highest rank that is missing."""
    missing = [rank for rank in range(ACE, -1, -1) if rank not in ranks]
    return tuple(sorted([*ranks, *missing[:wilds]], reverse=True))


def possible_hands(ranks: Sequence[int], wilds: int = 0, suited: bool = False) -> list[Hand]:
    """Everything that the cards can be read as, each at its best. Which counts is for a ranking to say."""
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
    """The highest of the hands as (place of its class, deciding ranks …): tuples that compare as the hands do."""
    return max((classes.index(name), *ranks) for name, ranks in hands)
