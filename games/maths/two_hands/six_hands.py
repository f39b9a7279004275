"""Every one of the C(53, 6) = 22,957,480 hands of six cards, counted: what its best five cards are, how it is set.

Here live the counts that the optional wagers are paid by, and how often each line of the house way sets a
hand. Not here: the dealer's hands beside the player's (`six_pairs`), odds (`six_wagers`).
"""

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER, JOKER_DECK
from games.maths.compiled import kernel
from games.maths.forms import KEYS, forms
from games.maths.ranking import flush_part, high_part, low_part
from games.maths.two_hands.ranking import high_table, place_table
from games.maths.two_hands.six_cards import LINES, SIX, Codes, Ints, line_of, settings, suited_form
from games.maths.two_hands.six_ways import REGULATION
from games.maths.two_hands.suits import next_cards

HANDS: Final = comb(53, 6)
BESTS: Final = 1 << 8  # 16 × category + first rank (`six_cards.best_of`)


@dataclass(frozen=True, slots=True)
class SixCards:
    """Of `HANDS`: `best[16 × category + first rank of the best five cards]`, `lines[line of the house way]`."""

    best: Ints
    lines: Ints


@cache
def count() -> SixCards:
    """The best five by ranking all six choices of five; the line from the tables of the house way."""
    way, tables = settings(REGULATION), forms(SIX)
    counts = SixCards(np.zeros(BESTS, np.int64), np.zeros(LINES, np.int64))
    _count(
        *(place_table(), high_table(), KEYS, tables.low, tables.high, way.by_form, way.by_suit),
        *(counts.best, counts.lines),
    )
    return counts


@kernel
def _count(
    places: Ints,
    values: NDArray[np.int32],
    keys: Ints,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    by_form: Codes,
    by_suit: Codes,
    best: Ints,
    lines: Ints,
) -> None:
    cards = np.arange(6)
    five = cards[:5]
    number, suits = np.zeros(5, np.int64), np.zeros(5, np.int64)  # of the five without card 0, 1, … 4
    while True:
        without_last, suit_of_all, five_key = 0, 15, 0
        for place in range(5):
            without_last += places[place, five[place] >> 2]
            suit_of_all &= 1 << (five[place] & 3)
            five_key += keys[five[place]]
        for without in range(5):
            number[without], suits[without] = 0, 15
            for place in range(5):
                if place != without:
                    number[without] += places[place - (1 if place > without else 0), five[place] >> 2]
                    suits[without] &= 1 << (five[place] & 3)
        for last in range(five[4] + 1, JOKER_DECK):
            cards[5] = last
            suit = 15 if last == JOKER else 1 << (last & 3)
            most = values[1 if suit_of_all else 0, without_last]
            for without in range(5):
                suited = 1 if suits[without] & suit else 0
                most = max(most, values[suited, number[without] + places[4, last >> 2]])
            best[most >> 16] += 1
            key = five_key + keys[last]
            if flush_part(key):
                in_suit, beside = suited_form(cards)
                lines[line_of(by_suit[in_suit, beside])] += 1
            else:
                lines[line_of(by_form[low[low_part(key)] + high[high_part(key)]])] += 1
        if not next_cards(five):
            return
