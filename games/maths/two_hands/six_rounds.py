"""Rounds of six cards a side, dealt and settled: the simulation.

Here live the deal and the count of what came of it. Not here: odds (`six_wagers`), the exact counts
(`six_pairs`), which share with this path the ranking of hands and the tables that set them: of the dealer the house
way's, of the player the best settings.

Six cards go to each of six positions and the dealer; by exchangeability a player's results depend on the own six
cards and the dealer's six alone, so only these twelve are dealt. Every round starts from a full deck of 53.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE, JOKER_DECK
from games.maths.compiled import kernel
from games.maths.ranking import KEYS, flush_part, forms, high_part, low_part
from games.maths.streams import advance, below, start
from games.maths.two_hands.six_cards import (
    BOTH_COPY,
    BOTH_LOWER,
    ENDS,
    HIGH_COPY,
    HIGH_WINS,
    LOW_COPY,
    LOW_WINS,
    REGULATION,
    SIX,
    WIN,
    Codes,
    Ints,
    best_of,
    high_of,
    low_of,
    settings,
    suited_form,
)
from games.maths.two_hands.six_pairs import BESTS, best_settings

DOUBLE_ENDS: Final = 5
DOUBLE_WIN, DOUBLE_TIE, DOUBLE_LOSS, RETURNED, NOT_PLACED = range(DOUBLE_ENDS)


@dataclass(frozen=True, slots=True)
class Counts:
    """The rounds by their ends, before any odds are looked at; `deck` opens with the last six cards of each side."""

    ends: Ints  # by `six_cards.WIN` …: how the player's hands compare to the dealer's
    doubled: Ints  # by `DOUBLE_WIN` …
    best: Ints  # 16 × category + first rank of the player's best five cards
    deck: Ints


def play(seed: int, block: int, rounds: int, doubles: Ints, least: int) -> Counts:
    """Deal and settle `rounds` rounds of stream (seed, block).

    The player doubles if the place of the high hand is at least `doubles[low hand]`; `least` is the dealer's lowest
    high hand with which the double is settled.
    """
    own, way, tables = best_settings(), settings(REGULATION), forms(SIX)
    ends, doubled, best = (np.zeros(size, np.int64) for size in (ENDS, DOUBLE_ENDS, BESTS))
    counts = Counts(ends, doubled, best, np.arange(JOKER_DECK))
    _play(
        *(seed, block, rounds, KEYS, tables.low, tables.high, own.by_form, own.by_suit, way.by_form, way.by_suit),
        *(doubles, least),
        *(counts.ends, counts.doubled, counts.best, counts.deck),
    )
    return counts


@kernel
def _play(
    seed: int,
    block: int,
    rounds: int,
    keys: Ints,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    own_by_form: Codes,
    own_by_suit: Codes,
    by_form: Codes,
    by_suit: Codes,
    doubles: Ints,
    least: int,
    ends: Ints,
    doubled: Ints,
    best: Ints,
    deck: Ints,
) -> None:
    state = start(seed, block)
    codes = np.zeros(2, np.int64)
    for _ in range(rounds):
        for who in range(2):
            key = 0
            for place in range(6 * who, 6 * who + 6):
                state = advance(state)
                pick = place + below(state, JOKER_DECK - place)
                card = deck[pick]
                deck[pick] = deck[place]
                deck[place] = card
                key += keys[card]
            if flush_part(key):
                suit, beside = suited_form(deck[6 * who : 6 * who + 6])
                codes[who] = by_suit[suit, beside] if who else own_by_suit[suit, beside]
            else:
                form = low[low_part(key)] + high[high_part(key)]
                codes[who] = by_form[form] if who else own_by_form[form]

        # The dealer has set by the house way, the player in the best way; the dealer's joker is an ace.
        high_hand, low_hand = high_of(codes[0]), low_of(codes[0])
        dealer_high, dealer_low = high_of(codes[1]), min(low_of(codes[1]), ACE)

        # The required wager.
        if high_hand > dealer_high:
            end = WIN if low_hand > dealer_low else HIGH_WINS
        elif low_hand > dealer_low:
            end = LOW_WINS
        elif high_hand == dealer_high:
            end = BOTH_COPY if low_hand == dealer_low else HIGH_COPY
        else:
            end = LOW_COPY if low_hand == dealer_low else BOTH_LOWER
        ends[end] += 1

        # The wager that doubles it.
        if high_hand < doubles[low_hand]:
            doubled[NOT_PLACED] += 1
        elif dealer_high < least:
            doubled[RETURNED] += 1
        elif end == WIN:
            doubled[DOUBLE_WIN] += 1
        else:
            doubled[DOUBLE_TIE if end in (HIGH_WINS, LOW_WINS) else DOUBLE_LOSS] += 1

        # The player's six cards, for the wagers on them alone.
        best[best_of(codes[0])] += 1
