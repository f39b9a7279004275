"""Player's and dealer's six cards against each other, counted over all C(53, 6) × C(47, 6) deals: exact.

Two hands of one deck share no card. Pairs that share none are counted by inclusion and exclusion: from all pairs of
hands those are taken off that both hold a card, those added that both hold two, … For each set of cards held by both
(of sets alike but for the suits' names only one, with its weight) all hands with these cards are set
against each other. Not here: how (`six_compare`), setting (`six_cards`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from math import comb
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER_DECK
from games.maths.compiled import kernel
from games.maths.kept import kept
from games.maths.pai_gow.forms import KEYS, forms
from games.maths.pai_gow.ranking import PAIR, packed
from games.maths.pai_gow.six_cards import (
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
from games.maths.pai_gow.six_compare import ENDS, TALLIES, compare, sort_hands
from games.maths.ranking import flush_part, high_part, low_part

DEALS: Final = comb(53, 6) * comb(47, 6)
WAYS: Final = (REGULATION, HIGHEST_HIGH, HIGHEST_LOW)  # of the player; the dealer keeps to § 588.11(d)
EIGHT: Final = 6


@dataclass(frozen=True, slots=True)
class Pairs:
    """`ends[way of the player, end]` of `DEALS`; `qualified[won, lost, dealt, player's high, low]`: the deals in which
    the dealer's high hand is a pair of eights or better, by the player's hands under § 588.11(d); last, all deals."""

    ends: Ints
    qualified: Ints


def least_qualified() -> int:
    """The place of the lowest pair of eights among the high hands: § 588.11(g)."""
    return int(np.searchsorted(high_hands(), packed(PAIR, [EIGHT])))


@cache
def count() -> Pairs:
    """Count every deal once, and keep the counts."""
    found = kept("six_pairs", lambda: asdict(_counted()))
    return Pairs(cast(Ints, found["ends"]), cast(Ints, found["qualified"]))


def _counted() -> Pairs:
    ways = [settings(way) for way in WAYS]
    by_form = np.stack([way.by_form for way in ways], axis=-1)
    by_suit = np.stack([way.by_suit for way in ways], axis=-1)
    found = Pairs(np.zeros((len(WAYS), ENDS), np.int64), np.zeros((TALLIES, len(high_hands()), LOWS), np.int64))
    tables = forms(SIX)
    room = np.zeros((comb(53, 6), len(WAYS)), np.int32)
    for common in range(SIX + 1):
        _count(
            *(common, KEYS, tables.low, tables.high, by_form, by_suit, least_qualified()),
            *(room[: comb(53 - common, 6 - common)], found.ends, found.qualified),
        )
    return found


@kernel
def _count(
    common: int,
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
    """Add or take off the pairs of hands that share (at least) so many cards."""
    ways, highs = by_form.shape[1], qualified.shape[1]
    held, cards = np.arange(common), np.zeros(6, np.int64)
    players, dealers = np.zeros((ways, highs, LOWS), np.int32), np.zeros((highs, LOWS), np.int32)
    touched, seen = np.zeros(highs, np.int64), np.zeros(highs, np.bool_)
    sign = 1 if common % 2 == 0 else -1
    while True:
        weight = _alike(held)
        if weight:
            _hold(held, cards, keys, low, high, by_form, by_suit, codes)
            number = sort_hands(codes, players, dealers, touched, seen)
            compare(players, dealers, touched[:number], least, sign * weight, ends, qualified)
            for place in range(number):
                players[:, touched[place]] = 0
                dealers[touched[place]] = 0
                seen[touched[place]] = False
        if not next_cards(held):
            return


@kernel
def _alike(held: Ints) -> int:
    """How many sets become this one by renaming suits, itself included; 0 if another stands for them all."""
    suits = 0  # four times 13 bits
    for card in held:
        if card < 52:
            suits |= 1 << (13 * (card & 3) + (card >> 2))
    alike, run = 24, 1
    for suit in range(1, 4):
        ranks, before = suits >> 13 * suit & 0x1FFF, suits >> 13 * (suit - 1) & 0x1FFF
        if ranks > before:
            return 0
        run = run + 1 if ranks == before else 1
        alike //= run
    return alike


@kernel
def _hold(
    held: Ints,
    cards: Ints,
    keys: Ints,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    by_form: Codes,
    by_suit: Codes,
    codes: Codes,
) -> None:
    """The codes [hand, way] of all hands that hold these cards."""
    rest, others = np.zeros(JOKER_DECK, np.int64), 0
    common, key = len(held), 0
    for place in range(common):
        cards[place] = held[place]
        key += keys[held[place]]
    taken = 0
    for card in range(JOKER_DECK):
        if taken < common and held[taken] == card:
            taken += 1
        else:
            rest[others] = card
            others += 1
    more = 6 - common
    chosen, sums = np.arange(more), np.zeros(more + 1, np.int64)
    sums[0] = key
    changed = 0
    for hand in range(len(codes)):
        for place in range(changed, more):
            cards[common + place] = rest[chosen[place]]
            sums[place + 1] = sums[place] + keys[cards[common + place]]
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
        while changed >= 0 and chosen[changed] == others - more + changed:
            changed -= 1
        if changed >= 0:
            chosen[changed] += 1
            for after in range(changed + 1, more):
                chosen[after] = chosen[after - 1] + 1
