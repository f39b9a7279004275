"""Every round of Lunar Poker from one start dealt card by card: the slow count that the fast one is compared to.

Compiled, since a small deck has a million rounds. It shares with the count the decisions, and what hands are worth.
"""

import numpy as np

from games.compiled import kernel
from games.maths.exchange.payouts import AFTER_DRAW, WAYS, appraise, hand_tables, lowest_ace_king
from games.maths.exchange.rules import BEATEN, FOLDED_AFTER_DRAW, FORCED_NOT_QUALIFIED, NOT_QUALIFIED, TIED, WON
from games.maths.exchange.strategy import (
    BET,
    FOLD,
    INSTANT,
    SIXTH,
    bets_after_draw,
    first_decision,
    forces,
    highest_card_table,
)
from games.maths.ranking import flush_part, high_part, low_part


def rounds_from(terms, starts, up, deck):
    """`ends[cards drawn, way, combination, second]` of these starts (five cards each) behind the up card."""
    ends = np.zeros((5, WAYS, 11, 11), np.int64)
    shared = (np.array(terms.odds), terms.stakes.forcing, highest_card_table(), lowest_ace_king(), hand_tables())
    for own in starts:
        rest = [card for card in deck if card not in own and card != up]
        _deal_all(np.array(own), up, np.array(rest), *shared, ends)
    return ends


@kernel
def _value(key, values, low, high):
    return values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]


@kernel
def _deal_all(own, up, rest, odds, forcing, highest_card, lowest, ranking, ends):
    decision = first_decision(own, up, highest_card)
    _, dealt, beside = appraise(own, 5, lowest, ranking)
    if decision in (FOLD, INSTANT) or (decision == BET and odds[dealt] + odds[beside] < forcing[2]):
        return
    hand, kept = np.zeros(6, np.int64), 0
    for place in range(5):
        if decision == SIXTH or decision >> place & 1:
            hand[kept] = own[place]
            kept += 1
    count = 6 if decision == SIXTH else 5
    new = count - kept
    chosen, left = np.arange(new), np.zeros(len(rest) - new, np.int64)
    while True:
        number, taken = 0, 0
        for place in range(len(rest)):
            if taken < new and chosen[taken] == place:
                hand[kept + taken] = rest[place]
                taken += 1
            else:
                left[number] = rest[place]
                number += 1
        seen = 0
        for card in own:
            seen += 1 if card >> 2 == up >> 2 else 0
        for place in range(kept, count):
            seen += 1 if hand[place] >> 2 == up >> 2 else 0
        value, first, second = appraise(hand, count, lowest, ranking)
        bets = new == 0 or bets_after_draw(first, hand, count, up, seen)
        met, after = ends[new, :, first, second], AFTER_DRAW if new else 0
        _meet_all(value, odds[first] + odds[second], bets, up, left, forcing, lowest, ranking, met, after)
        place = new - 1
        while place >= 0 and chosen[place] == len(rest) - new + place:
            place -= 1
        if place < 0:
            return
        chosen[place] += 1
        for later in range(place + 1, new):
            chosen[later] = chosen[later - 1] + 1


@kernel
def _meet_all(value, odds, bets, up, left, forcing, lowest, ranking, met, after):
    keys, values, low, high = ranking
    last = len(left) - 4
    for a in range(len(left)):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    if not bets:
                        met[FOLDED_AFTER_DRAW] += last
                        continue
                    key = keys[up] + keys[left[a]] + keys[left[b]] + keys[left[c]] + keys[left[d]]
                    dealer = _value(key, values, low, high)
                    if dealer >= lowest:
                        met[(WON if value > dealer else TIED if value == dealer else BEATEN) + after] += last
                        continue
                    failed, ties, losses, wins = 0, 0, 0, 0
                    for card in left:
                        if card not in (left[a], left[b], left[c], left[d]):
                            replaced = _value(key - keys[max(up, left[a])] + keys[card], values, low, high)
                            failed += 1 if replaced < lowest else 0
                            ties += 1 if replaced == value else 0
                            losses += 1 if replaced >= lowest and replaced > value else 0
                            wins += 1 if replaced >= lowest and replaced < value else 0
                    if odds >= forcing[2] and forces(odds, wins, losses, last, forcing):
                        for step, number in enumerate((failed, ties, losses, wins)):
                            met[FORCED_NOT_QUALIFIED + step + after] += number
                    else:
                        met[NOT_QUALIFIED + after] += last
