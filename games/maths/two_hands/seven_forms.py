"""Seven cards set into a high and a low hand, as tables by form (`forms`): for all hands without a flush.

Each form is worked out once by the kernels of `setting`, as if no two of its cards were of a suit; a kernel that meets
five cards of one suit (one hand in twenty) goes to `setting` itself. Two hands make a code, `high << 8 | low`, both as
places among all high and all low hands. The front of a form has the codes of those settings that no other beats in
both hands, from the highest high hand to the highest low hand: what a player can beat can be beaten with one of these.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE, JOKER
from games.maths.compiled import helper, kernel
from games.maths.forms import forms
from games.maths.two_hands.hands import THREE_PAIR
from games.maths.two_hands.house_ways import NO_PAIR, THREE_PAIRS, rule_table
from games.maths.two_hands.ranking import high_table, low_table, place_table, wild_table
from games.maths.two_hands.setting import RUN_BITS, SETTINGS, arrange, dealer_setting, shape

SEVEN: Final = 7
NO_SUIT: Final = 0b1111111  # every card outside of the suit: nothing can be a flush
FRONT: Final = 16  # one more than the longest front; the rest of a row is 0, which beats nothing

Ints = NDArray[np.int64]
Values = NDArray[np.int32]


@helper
def high_of(code: int) -> int:
    """The place of the high hand among `highs`."""
    return code >> 8


@helper
def low_of(code: int) -> int:
    """The place of the low hand among `lows`."""
    return code & 255


@dataclass(frozen=True, slots=True)
class SevenForms:
    """By form: the front; the bits of `hands`, also under a fully wild joker; ace high; the joker's presence.

    `highs` and `lows` are the values of all high and low hands, rising.
    """

    fronts: Values
    bits: Ints
    wild_bits: Ints
    ace_high: NDArray[np.bool_]
    joker: NDArray[np.bool_]
    highs: Values
    lows: Values


@cache
def tables() -> SevenForms:
    """Of all forms, for every house way."""
    ranks = forms(SEVEN).ranks
    by_form = SevenForms(
        np.zeros((len(ranks), FRONT), np.int32),
        *(np.zeros(len(ranks), np.int64), np.zeros(len(ranks), np.int64), np.zeros(len(ranks), np.bool_)),
        *(ranks[:, -1] << 2 == JOKER, np.unique(high_table()), np.unique(low_table())),
    )
    _fill(
        *(ranks, place_table(), high_table(), wild_table(), low_table(), by_form.highs, by_form.lows),
        *(by_form.fronts, by_form.bits, by_form.wild_bits, by_form.ace_high),
    )
    return by_form


@dataclass(frozen=True, slots=True)
class DealerSets:
    """By form: the code of the dealer's hands under a house way, and the line that sets them."""

    codes: Values
    lines: Ints


@cache
def dealer_sets(house_way: str) -> DealerSets:
    """`ValueError` where no line of the house way fits a form."""
    ranks = forms(SEVEN).ranks
    sets = DealerSets(np.zeros(len(ranks), np.int32), np.zeros(len(ranks), np.int64))
    values = (place_table(), high_table(), low_table(), tables().highs, tables().lows)
    _fill_dealer(ranks, *values, rule_table(house_way), sets.codes, sets.lines)
    if sets.lines.min() < 0:
        raise ValueError(f"no line of the {house_way} house way fits a dealer's seven cards")
    return sets


@kernel
def front(highs: Ints, lows: Ints, high_values: Values, low_values: Values, codes: Values) -> int:
    """Write the codes of the settings that no other beats in both hands, the highest high hand first; their number."""
    number, least = 0, -1
    while True:
        best_high, best_low = -1, -1
        for setting in range(SETTINGS):
            high, low = highs[setting], lows[setting]
            if low > least and high >= low and (high > best_high or (high == best_high and low > best_low)):
                best_high, best_low = high, low
        if best_high < 0:
            return number
        codes[number] = code(best_high, best_low, high_values, low_values)
        least = best_low
        number += 1


@kernel
def code(high: int, low: int, high_values: Values, low_values: Values) -> int:
    """The code of two hands by their values."""
    return int(np.searchsorted(high_values, high)) << 8 | int(np.searchsorted(low_values, low))


@kernel
def _fill(
    ranks: Ints,
    places: Ints,
    values: Values,
    wild_values: Values,
    low_table: Values,
    high_values: Values,
    low_values: Values,
    fronts: Values,
    bits: Ints,
    wild_bits: Ints,
    ace_high: NDArray[np.bool_],
) -> None:
    sums, highs, lows = np.zeros((3, 8), np.int64), np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
    for number in range(len(ranks)):
        cards = ranks[number] << 2
        form, lead = shape(cards)
        met = arrange(cards, NO_SUIT, places, values, low_table, sums, highs, lows)
        met |= THREE_PAIR if form == THREE_PAIRS else 0
        front(highs, lows, high_values, low_values, fronts[number])
        bits[number] = met
        ace_high[number] = form == NO_PAIR and lead == ACE and met & RUN_BITS == 0
        if cards[6] == JOKER:
            met |= arrange(cards, NO_SUIT, places, wild_values, low_table, sums, highs, lows)
        wild_bits[number] = met


@kernel
def _fill_dealer(
    ranks: Ints,
    places: Ints,
    values: Values,
    low_table: Values,
    high_values: Values,
    low_values: Values,
    rules: Ints,
    codes: Values,
    lines: Ints,
) -> None:
    sums, highs, lows = np.zeros((3, 8), np.int64), np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
    for number in range(len(ranks)):
        cards = ranks[number] << 2
        form, lead = shape(cards)
        met = arrange(cards, NO_SUIT, places, values, low_table, sums, highs, lows)
        lines[number], chosen = dealer_setting(form, 1 if met & RUN_BITS else 0, lead, rules, highs, lows)
        codes[number] = code(highs[chosen], lows[chosen], high_values, low_values)
