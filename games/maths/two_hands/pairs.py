"""Two hands of one deck, of six or of seven cards each: all hands that contain some shared cards.

Two hands of one deck share no card. The pairs that share none are counted by inclusion–exclusion: the pairs that share
k given cards are added for an even k and subtracted for an odd k, over all sets of k cards, one canonical set for each
orbit of the suits. Hands are distinguished by their form (`maths.ranking`) or, where five cards or more share a suit,
by the ranks of the suit and the cards beside it; hands that are set alike are met once, with their number. Not here:
what is counted of the pairs (`six_pairs`, `seven_pairs`).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths.cards import JOKER
from games.maths.ranking import flush_part, high_part, low_part

RANKS: Final = 13  # also stands for a card that there is not
SIX: Final = 6

Numbers = NDArray[np.int32]
HandTables = tuple[Ints, Numbers, Numbers, Ints]
"""Keys of cards; `ranking.Forms.low` and `high`; the number of the first hand by the ranks of its suit, as bits."""


@kernel
def count_hands_with(cards: Ints, shared: int, deck: Ints, tables: HandTables, times: Numbers, alike: Numbers) -> int:
    """Count the hands that contain the first `shared` of the `cards`: `times[hand]`, and the hands met in `alike`.

    Return how many are met. `cards` has room for a whole hand, `deck` is in rising order.
    """
    keys, low, high, suits = tables
    more, left = len(cards) - shared, len(deck) - shared
    rest, chosen, so_far = np.zeros(left, np.int64), np.arange(more), np.zeros(more + 1, np.int64)
    taken, unshared = 0, 0
    for card in deck:
        if taken < shared and cards[taken] == card:
            so_far[0] += keys[card]
            taken += 1
        else:
            rest[unshared] = card
            unshared += 1
    different, changed = 0, 0
    while changed >= 0:  # in lexicographic order of the rest
        for place in range(changed, more):
            cards[shared + place] = rest[chosen[place]]
            so_far[place + 1] = so_far[place] + keys[cards[shared + place]]
        key = so_far[more]
        if flush_part(key):
            suit, beside = suited_ranks(cards)
            hand = suits[suit] + beside
        else:
            hand = np.int64(low[low_part(key)] + high[high_part(key)])
        if times[hand] == 0:
            alike[different] = hand
            different += 1
        times[hand] += 1
        changed = more - 1
        while changed >= 0 and chosen[changed] == left - more + changed:
            changed -= 1
        if changed >= 0:
            chosen[changed] += 1
            for after in range(changed + 1, more):
                chosen[after] = chosen[after - 1] + 1
    return different


@kernel
def suited_ranks(cards: Ints) -> tuple[int, int]:
    """Return (ranks of the suit as bits, what lies beside it) of six or seven cards with a flush.

    Beside the suit of six cards lies one rank, the joker's if the suit has five; of seven the number of two ranks.
    """
    suits = np.zeros(4, np.int64)
    longest = 0
    for card in cards:
        if card < JOKER:
            suits[card & 3] += 1 << 16 | 1 << (card >> 2)
            longest = max(longest, suits[card & 3])
    first, second = RANKS, RANKS
    for card in cards:
        if card < JOKER and suits[card & 3] != longest:
            first, second = card >> 2, first
    return longest & 0x1FFF, first if len(cards) == SIX else beside_number(first, second)


@kernel
def beside_number(first: int, second: int) -> int:
    """Return the number of two ranks, in any order; 13 where there is no card."""
    low, high = min(first, second), max(first, second)
    return high * (high + 1) // 2 + low
