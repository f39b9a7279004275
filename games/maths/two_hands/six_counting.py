"""Each setting of a player's six cards against each dealer's hands, by inclusion–exclusion over the cards they share.

Hands that are set alike are met once, with their number. Not here: which settings there are, and what the counts come
to (`six_pairs`).
"""

from typing import Final

import numpy as np

from games.maths.compiled import kernel
from games.maths.forms import KEYS, forms
from games.maths.ranking import flush_part, high_part, low_part
from games.maths.shares import in_shares
from games.maths.two_hands.ranking import PAIR, packed
from games.maths.two_hands.six_cards import LOWS, SIX, Codes, Ints, high_hands, high_of, low_of, settings, suited_form
from games.maths.two_hands.six_ways import REGULATION
from games.maths.two_hands.suits import next_cards, orbit_size

EIGHT: Final = 6
SIZES: Final = ((0, 1, 4, 5), (2, 3, 6))  # of shared cards, so divided that both shares take about as long
COUNTS: Final = 11
(
    BELOW_BOTH, BELOW_HIGH, BELOW_LOW, DEALT,  # dealers with both hands, the high, the low hand below the player's; all
    SAME_BOTH, SAME_HIGH, SAME_LOW,  # identical, or one identical and the other above the player's
    COPY_AND_WIN,  # one identical, the other below
    STRONG_BOTH, STRONG_LOST, STRONG,  # of the dealers with whom a double is settled: won, lost, all
) = range(COUNTS)  # fmt: skip


def least_qualified() -> int:
    """The place of the lowest pair of eights among the high hands: with less the dealer does not qualify."""
    return int(np.searchsorted(high_hands(), packed(PAIR, [EIGHT])))


def counted(deck: Ints, codes: Codes) -> Ints:
    """`[hand, setting, count]`, summed over the suits of a hand. `deck` has rising cards, of each rank all four suits
    or none; fewer than 53 serve tests."""
    house_way, numbers = settings(REGULATION), forms(SIX)
    tables = (KEYS, numbers.low, numbers.high, len(house_way.by_form), least_qualified(), codes)

    def count(share: int) -> Ints:
        counts = np.zeros((*codes.shape, COUNTS), np.int64)
        for size in SIZES[share]:
            _count(size, deck, *tables, counts)
        return counts

    first, second = in_shares(count)
    first += second
    return first


@kernel
def _count(
    size: int,
    deck: Ints,
    keys: Ints,
    low: Codes,
    high: Codes,
    first_suited: int,
    least: int,
    codes: Codes,
    counts: Ints,
) -> None:
    """The term of inclusion–exclusion for sets of `size` shared cards: added where it is even, else subtracted."""
    picked, cards, rest = np.arange(size), np.zeros(6, np.int64), np.zeros(len(deck), np.int64)
    more, left = 6 - size, len(deck) - size
    chosen, so_far = np.zeros(more, np.int64), np.zeros(more + 1, np.int64)
    times, alike = np.zeros(len(codes), np.int64), np.zeros(len(codes), np.int64)
    dealers = np.zeros((8192, LOWS), np.int64)
    met, rows = np.zeros(8192, np.bool_), np.zeros(8192, np.int64)
    below = np.zeros((8193, LOWS + 1), np.int64)  # [high hands below, low hands below]; all low hands in the last
    while True:
        for place in range(size):
            cards[place] = deck[picked[place]]
        weight = orbit_size(cards[:size]) * (1 if size % 2 == 0 else -1)
        if weight == 0:
            if not next_cards(picked, len(deck)):
                return
            continue
        taken, unshared = 0, 0
        so_far[0] = 0
        for card in deck:
            if taken < size and cards[taken] == card:
                so_far[0] += keys[card]
                taken += 1
            else:
                rest[unshared] = card
                unshared += 1

        # All hands that contain the shared cards, in lexicographic order of the rest.
        different, changed = 0, 0
        for place in range(more):
            chosen[place] = place
        while changed >= 0:
            for place in range(changed, more):
                cards[size + place] = rest[chosen[place]]
                so_far[place + 1] = so_far[place] + keys[cards[size + place]]
            key = so_far[more]
            if flush_part(key):
                suit, beside = suited_form(cards)
                hand = first_suited + 14 * suit + beside
            else:
                hand = low[low_part(key)] + high[high_part(key)]
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

        # All of them as the dealer's hands, then each setting of each as the player's.
        number = 0
        for hand in alike[:different]:
            row = high_of(codes[hand, 0])
            dealers[row, min(low_of(codes[hand, 0]), 12)] += times[hand]
            if not met[row]:
                met[row] = True
                rows[number] = row
                number += 1
        rows[:number].sort()
        for row in range(number):
            running = 0
            for rank in range(14):
                below[row + 1, rank] = below[row, rank] + running
                running += dealers[rows[row], rank]
            below[row + 1, 14] = below[row, 14] + running
            dealers[rows[row]] = 0
            met[rows[row]] = False
        weak = int(np.searchsorted(rows[:number], least))
        for hand in alike[:different]:
            for slot in range(codes.shape[1]):
                if codes[hand, slot] >= 0:
                    _add(codes[hand, slot], rows[:number], below, weak, weight * times[hand], counts[hand, slot])
            times[hand] = 0
        if not next_cards(picked, len(deck)):
            return


@kernel
def _add(code: int, rows: Ints, below: Ints, weak: int, weight: int, counts: Ints) -> None:
    """Add the dealers whom one setting meets, from the running sums `below`."""
    own_high, own_low, number = high_of(code), low_of(code), len(rows)
    row = int(np.searchsorted(rows, own_high))
    same = row + 1 if row < number and rows[row] == own_high else row
    up_to = own_low + 1 if own_low < 12 else 13  # low hands not above the player's
    both, high, low_hand, every = below[row, own_low], below[row, 14], below[number, own_low], below[number, 14]
    same_high_not_above = below[same, up_to] - below[row, up_to]
    same_high_below = below[same, own_low] - both
    same_low_below = below[row, up_to] - both
    counts[BELOW_BOTH] += weight * both
    counts[BELOW_HIGH] += weight * high
    counts[BELOW_LOW] += weight * low_hand
    counts[DEALT] += weight * every
    counts[SAME_BOTH] += weight * (same_high_not_above - same_high_below)
    counts[SAME_HIGH] += weight * (below[same, 14] - high - same_high_not_above)
    counts[SAME_LOW] += weight * (below[number, up_to] - low_hand - below[same, up_to] + below[same, own_low])
    counts[COPY_AND_WIN] += weight * (same_high_below + same_low_below)
    settled = row if row < weak else weak
    strong, strong_both = every - below[weak, 14], both - below[settled, own_low]
    strong_high, strong_low = high - below[settled, 14], low_hand - below[weak, own_low]
    counts[STRONG_BOTH] += weight * strong_both
    counts[STRONG_LOST] += weight * (strong - strong_high - strong_low + strong_both)
    counts[STRONG] += weight * strong
