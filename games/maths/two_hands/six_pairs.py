"""Player's and dealer's six cards against each other, counted over all C(53, 6) × C(47, 6) deals: exact.

Two hands of one deck share no card. The pairs that share none are counted by inclusion–exclusion: the pairs that share
k given cards are added for an even k and subtracted for an odd k, over all sets of k cards. Sets that a renaming of the
suits turns into each other form one orbit, and count alike: only the canonical set of each orbit is enumerated, with
the size of its orbit as weight. Not here: comparing two hands (`six_compare`), setting them (`six_cards`).
"""

from dataclasses import asdict, dataclass
from functools import cache
from math import comb
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER_DECK
from games.maths.compiled import kernel
from games.maths.disk_cache import cached_arrays
from games.maths.ranking import flush_part, high_part, low_part
from games.maths.two_hands.forms import KEYS, forms
from games.maths.two_hands.ranking import PAIR, packed
from games.maths.two_hands.six_cards import (
    HIGHEST_HIGH,
    HIGHEST_LOW,
    LOWS,
    REGULATION,
    SIX,
    Codes,
    Ints,
    high_hands,
    next_cards,
    settings,
    suited_form,
)
from games.maths.two_hands.six_compare import ENDS, TALLIES, compare, sort_hands

DEALS: Final = comb(53, 6) * comb(47, 6)
WAYS: Final = (REGULATION, HIGHEST_HIGH, HIGHEST_LOW)  # of the player; the dealer keeps to the first
EIGHT: Final = 6


@dataclass(frozen=True, slots=True)
class Pairs:
    """`ends[way of the player, end]` of `DEALS`; `qualified[won, lost, dealt, player's high, low]`: the deals in which
    the dealer's high hand is a pair of eights or better, by the player's hands under the house way; last, all deals."""

    ends: Ints
    qualified: Ints


def least_qualified() -> int:
    """The place of the lowest pair of eights among the high hands: with less the dealer does not qualify."""
    return int(np.searchsorted(high_hands(), packed(PAIR, [EIGHT])))


@cache
def count() -> Pairs:
    """Count every deal once, and keep the counts."""
    arrays = cached_arrays("six_pairs", lambda: asdict(_counted()))
    return Pairs(cast(Ints, arrays["ends"]), cast(Ints, arrays["qualified"]))


def _counted() -> Pairs:
    ways = [settings(way) for way in WAYS]
    by_form = np.stack([way.by_form for way in ways], axis=-1)
    by_suit = np.stack([way.by_suit for way in ways], axis=-1)
    pairs = Pairs(np.zeros((len(WAYS), ENDS), np.int64), np.zeros((TALLIES, len(high_hands()), LOWS), np.int64))
    tables = forms(SIX)
    scratch = np.zeros((comb(53, 6), len(WAYS)), np.int32)  # the codes of the hands, for one set of shared cards
    for size in range(SIX + 1):
        _count(
            *(size, KEYS, tables.low, tables.high, by_form, by_suit, least_qualified()),
            *(scratch[: comb(53 - size, 6 - size)], pairs.ends, pairs.qualified),
        )
    return pairs


@kernel
def _count(
    size: int,
    keys: Ints,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    by_form: Codes,
    by_suit: Codes,
    least: int,
    codes: Codes,
    ends: Ints,
    qualified: Ints,
) -> None:
    """The term of inclusion–exclusion for sets of `size` shared cards: added where it is even, else subtracted."""
    ways, highs = by_form.shape[1], qualified.shape[1]
    shared, cards = np.arange(size), np.zeros(6, np.int64)
    players, dealers = np.zeros((ways, highs, LOWS), np.int32), np.zeros((highs, LOWS), np.int32)
    used_highs, seen = np.zeros(highs, np.int64), np.zeros(highs, np.bool_)
    sign = 1 if size % 2 == 0 else -1
    while True:
        weight = _orbit_size(shared)
        if weight:
            enumerate_hands(shared, cards, keys, low, high, by_form, by_suit, codes)
            number = sort_hands(codes, players, dealers, used_highs, seen)
            compare(players, dealers, used_highs[:number], least, sign * weight, ends, qualified)
            for place in range(number):
                players[:, used_highs[place]] = 0
                dealers[used_highs[place]] = 0
                seen[used_highs[place]] = False
        if not next_cards(shared):
            return


@kernel
def _orbit_size(shared: Ints) -> int:
    """How many sets a renaming of the four suits turns this one into, itself included; 0 unless it is the canonical one
    of its orbit, whose suits are in falling order of their ranks taken as bits."""
    suits = 0  # four times 13 bits
    for card in shared:
        if card < 52:
            suits |= 1 << (13 * (card & 3) + (card >> 2))
    size, run = 24, 1
    for suit in range(1, 4):
        ranks, before = suits >> 13 * suit & 0x1FFF, suits >> 13 * (suit - 1) & 0x1FFF
        if ranks > before:
            return 0
        run = run + 1 if ranks == before else 1
        size //= run
    return size


@kernel
def enumerate_hands(
    shared: Ints,
    cards: Ints,
    keys: Ints,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    by_form: Codes,
    by_suit: Codes,
    codes: Codes,
) -> None:
    """Fill `codes[hand, way]` with the settings of all hands that contain the shared cards, in lexicographic order."""
    rest, left = np.zeros(JOKER_DECK, np.int64), 0  # the cards that are not shared
    size, key = len(shared), 0
    for place in range(size):
        cards[place] = shared[place]
        key += keys[shared[place]]
    taken = 0
    for card in range(JOKER_DECK):
        if taken < size and shared[taken] == card:
            taken += 1
        else:
            rest[left] = card
            left += 1
    more = 6 - size
    chosen, sums = np.arange(more), np.zeros(more + 1, np.int64)
    sums[0] = key
    changed = 0
    for hand in range(len(codes)):
        for place in range(changed, more):
            cards[size + place] = rest[chosen[place]]
            sums[place + 1] = sums[place] + keys[cards[size + place]]
        key = sums[more]
        number = low[low_part(key)] + high[high_part(key)]
        if flush_part(key) == 0:
            for way in range(codes.shape[1]):
                codes[hand, way] = by_form[number, way]
        else:
            suit, beside = suited_form(cards)
            for way in range(codes.shape[1]):
                codes[hand, way] = by_suit[suit, beside, way]
        changed = more - 1
        while changed >= 0 and chosen[changed] == left - more + changed:
            changed -= 1
        if changed >= 0:
            chosen[changed] += 1
            for after in range(changed + 1, more):
                chosen[after] = chosen[after - 1] + 1
