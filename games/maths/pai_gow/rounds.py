"""Rounds dealt and settled as § 688a.11 says: the simulation of chapter 688a, and the method for its required wager.

Here live the deal and the count of what came of it. Not here: odds (`wagers`), the exact counts (`seven_cards`,
`ace_high`), which share with this path only the numbering of the cards and the ranking of hands.

Seven cards go to each of six positions and the dealer; by exchangeability a player's results depend on his seven
and the dealer's seven alone, so only these fourteen are dealt. Every round starts from a full deck of 53.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE, JOKER, JOKER_DECK
from games.maths.compiled import kernel
from games.maths.pai_gow.hands import ROYAL_MATCH, SEVEN_NATURAL, SEVEN_WITH_JOKER, SIZE, THREE_PAIR
from games.maths.pai_gow.house_ways import NO_PAIR, THREE_PAIRS, rule_table
from games.maths.pai_gow.ranking import ROYAL_FLUSH, high_table, low_table, place_table, wild_table
from games.maths.pai_gow.setting import (
    RUN_BITS,
    SETTINGS,
    arrange,
    best_answer,
    dealer_setting,
    off_suit,
    shape,
    sort_by_rank,
)
from games.maths.streams import advance, below, start

QUEEN, KING = 10, 11
BOTH, WITH_JOKER, NO_JOKER, NOT = range(4)  # the dealer's Ace High Pai Gow: ends of the Ace High Bonus Wager


@dataclass(frozen=True, slots=True)
class Counts:
    """What came of the rounds, counted before any odds are looked at."""

    settled: NDArray[np.int64]  # the player loses, ties, wins
    ace_high: NDArray[np.int64]  # BOTH, WITH_JOKER, NO_JOKER, NOT
    held: NDArray[np.int64]  # by the bits of `hands`: what the player's seven cards hold
    held_wild: NDArray[np.int64]  # the same with a fully wild joker
    followed: NDArray[np.int64]  # how often each line of the house way set the dealer's hand


def play(seed: int, block: int, rounds: int, house_way: str) -> Counts:
    """Deal and settle `rounds` rounds of stream (seed, block)."""
    rules = rule_table(house_way)
    counts = Counts(*(np.zeros(size, np.int64) for size in (3, 4, SIZE, SIZE, len(rules))))
    _play(
        *(seed, block, rounds, rules, place_table(), high_table(), wild_table(), low_table()),
        *(counts.settled, counts.ace_high, counts.held, counts.held_wild, counts.followed),
    )
    return counts


@kernel
def seven_card_hands(cards: NDArray[np.int64], off: int, highs: NDArray[np.int64]) -> int:
    """Bits for the hands of seven cards: a straight flush of seven, a royal flush with a Royal Match."""
    held = 0
    if off == 0:
        naturals = 7 if cards[6] < JOKER else 6
        low, second = cards[0] >> 2, cards[naturals - 2] >> 2
        high = cards[naturals - 1] >> 2
        if high - low <= 6 or (high == ACE and second <= 5):
            held |= SEVEN_NATURAL if naturals == 7 else SEVEN_WITH_JOKER
    setting = 0
    for first in range(6):
        for second in range(first + 1, 7):
            if highs[setting] >> 20 == ROYAL_FLUSH:
                pair = (cards[first] >> 2 == QUEEN) and (cards[second] >> 2 == KING)
                if pair and cards[first] & 3 == cards[second] & 3:
                    held |= ROYAL_MATCH
            setting += 1
    return held


@kernel
def _play(
    seed: int,
    block: int,
    rounds: int,
    rules: NDArray[np.int64],
    places: NDArray[np.int64],
    values: NDArray[np.int32],
    wild_values: NDArray[np.int32],
    low_values: NDArray[np.int32],
    settled: NDArray[np.int64],
    ace_high: NDArray[np.int64],
    held: NDArray[np.int64],
    held_wild: NDArray[np.int64],
    followed: NDArray[np.int64],
) -> None:
    state = start(seed, block)
    deck = np.arange(JOKER_DECK)
    sums = np.zeros((3, 8), np.int64)
    highs, lows = np.empty(SETTINGS, np.int64), np.empty(SETTINGS, np.int64)
    for _ in range(rounds):
        for place in range(14):
            state = advance(state)
            other = place + below(state, JOKER_DECK - place)
            deck[place], deck[other] = deck[other], deck[place]
        dealer, player = deck[:7], deck[7:14]
        sort_by_rank(dealer)
        sort_by_rank(player)

        # § 688a.11(a): the dealer sets his hands by the house way and shows them.
        met = arrange(dealer, off_suit(dealer), places, values, low_values, sums, highs, lows)
        form, lead = shape(dealer)
        rule, chosen = dealer_setting(form, 1 if met & RUN_BITS else 0, lead, rules, highs, lows)
        if rule < 0:
            raise ValueError("no line of the house way fits the dealer's seven cards")
        followed[rule] += 1
        dealer_high, dealer_low = highs[chosen], lows[chosen]
        dealer_ace_high = form == NO_PAIR and lead == ACE and met & RUN_BITS == 0

        # § 688a.11(b)-(f): the player answers what he sees; against an Ace High Pai Gow he ties.
        off = off_suit(player)
        met = arrange(player, off, places, values, low_values, sums, highs, lows)
        settled[1 if dealer_ace_high else best_answer(dealer_high, dealer_low, highs, lows)] += 1

        # § 688a.11(h)(1): the Ace High Bonus Wager.
        form, lead = shape(player)
        if not dealer_ace_high:
            ace_high[NOT] += 1
        elif form == NO_PAIR and lead == ACE and met & RUN_BITS == 0:
            ace_high[BOTH] += 1
        else:
            ace_high[WITH_JOKER if dealer[6] == JOKER else NO_JOKER] += 1

        # § 688a.11(h)(2), (3): the player's seven cards, for the Fortune Bonus and Progressive Payout Wagers.
        special = seven_card_hands(player, off, highs) | (THREE_PAIR if form == THREE_PAIRS else 0)
        held[met | special] += 1
        if player[6] == JOKER:
            met |= arrange(player, off, places, wild_values, low_values, sums, highs, lows)
        held_wild[met | special] += 1
