"""Rounds with a draw, or in which the dealer may be forced, dealt from every start.

They serve stakes or odds of which `drawn` has no counts. Every deal of one's own five cards and the dealer's up card (a
club, which represents every suit) is gone through, and the rest of the round dealt `TIMES` times wherever `no_draw`
does not count it.

The rounds of a simulation (`games.second.exchange`) are compared to it. Both have the encoding of cards, the player's
decisions and the generator of random numbers; what hands and combinations are, and settling, are written there a second
time. No simulated round shares a stream with it: a simulation's seeds end below `SEED_LIMIT`.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from games.compiled import Ints, kernel
from games.maths.cards import FULL_DECK
from games.maths.exchange import rules as ways
from games.maths.exchange.payouts import (
    AFTER_DRAW,
    COMBINATIONS,
    WAYS,
    HandTables,
    Terms,
    appraise,
    hand_tables,
    lowest_ace_king,
)
from games.maths.exchange.rules import Forcing
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
from games.streams import SEED_LIMIT, advance, below, start

TIMES: Final = 7
UNSEEN: Final = 46  # by a player who looks at five cards and the up card


def deal_on(terms: Terms) -> Ints:
    """Return `ends[start, way, combination, second]`: the rounds dealt.

    A start is the combination dealt, odd numbers where a sixth card is bought: how many rounds begin with it is fixed.
    """
    paid, forcing = np.array(terms.odds, dtype=np.int64), terms.stakes.forcing
    shared = (highest_card_table(), lowest_ace_king(), hand_tables())

    def below_card(highest: int) -> Ints:
        ends = np.zeros((2 * len(COMBINATIONS), WAYS, len(COMBINATIONS), len(COMBINATIONS)), dtype=np.int64)
        _deal_on(SEED_LIMIT, highest, paid, forcing, shared, ends)
        return ends

    with ThreadPoolExecutor(2) as pool:
        parts: Ints = np.stack(list(pool.map(below_card, range(4, FULL_DECK))))
    total: Ints = parts.sum(axis=0)
    return total


@kernel
def _deal_on(
    seed: int, highest: int, odds: Ints, forcing: Forcing, shared: tuple[Ints, int, HandTables], ends: Ints
) -> None:
    """Deal on from all starts whose highest card this is; its number is that of the stream."""
    state = start(seed, highest)
    own = np.zeros(5, np.int64)
    for second in range(highest):
        for third in range(second):
            for fourth in range(third):
                for fifth in range(fourth):
                    own[:] = (highest, second, third, fourth, fifth)
                    state = _from_start(own, state, odds, forcing, shared, ends)


@kernel
def _from_start(
    own: Ints, state: np.uint64, odds: Ints, forcing: Forcing, shared: tuple[Ints, int, HandTables], ends: Ints
) -> np.uint64:
    """Deal `TIMES` rounds behind each up card, where they are not counted elsewhere; return the stream's state."""
    highest_card, lowest, ranking = shared
    cards, rest = np.zeros(6, np.int64), np.zeros(UNSEEN, np.int64)
    _, first_dealt, second_dealt = appraise(own, 5, lowest, ranking)
    may_force = odds[first_dealt] + odds[second_dealt] >= forcing[2]
    for up in range(0, FULL_DECK, 4):
        if up in own:
            continue
        decision = first_decision(own, up, highest_card)
        if decision in (FOLD, INSTANT) or (decision == BET and not may_force):
            continue
        _fill_unseen(own, up, rest)
        kept_count = _fill_kept(own, decision, cards)
        new = 1 if decision == SIXTH else 5 - kept_count
        begun = 2 * first_dealt + (1 if decision == SIXTH else 0)
        for _ in range(TIMES):
            for place in range(5 + new):  # the dealer's four, one's own, the one that the dealer may be forced to take
                state = advance(state)
                pick = place + below(state, UNSEEN - place)
                rest[place], rest[pick] = rest[pick], rest[place]
            cards[kept_count : kept_count + new] = rest[4 : 4 + new]
            way, first, second = _end(own, cards, kept_count, new, up, rest, odds, forcing, lowest, ranking)
            ends[begun, way, first, second] += 1
    return state


@kernel
def _fill_unseen(own: Ints, up: int, rest: Ints) -> None:
    place = 0
    for card in range(FULL_DECK):
        if card != up and card not in own:
            rest[place] = card
            place += 1


@kernel
def _fill_kept(own: Ints, decision: int, cards: Ints) -> int:
    """Fill `cards` with the cards kept; return how many they are."""
    count = 0
    for place in range(5):
        if decision == SIXTH or decision >> place & 1:
            cards[count] = own[place]
            count += 1
    return count


@kernel
def _end(
    own: Ints,
    cards: Ints,
    kept_count: int,
    new: int,
    up: int,
    rest: Ints,
    odds: Ints,
    forcing: Forcing,
    lowest: int,
    ranking: HandTables,
) -> tuple[int, int, int]:
    """Return the end of the round: (way, combination, second).

    `rest` opens with the dealer's cards, one's own new ones, and the one that replaces the dealer's highest card if the
    dealer is forced.
    """
    keys, values, low, high = ranking
    value, first, second = appraise(cards, kept_count + new, lowest, ranking)
    in_all, after = odds[first] + odds[second], AFTER_DRAW if new else 0
    if new:
        seen = 0
        for card in own:
            seen += 1 if card >> 2 == up >> 2 else 0
        for card in rest[4 : 4 + new]:
            seen += 1 if card >> 2 == up >> 2 else 0
        if not bets_after_draw(first, cards, kept_count + new, up, seen):
            return ways.FOLDED_AFTER_DRAW, first, second
    key, top = keys[up], up
    for card in rest[:4]:
        key += keys[card]
        top = max(top, card)
    dealer = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
    if dealer >= lowest:
        way = ways.WON if value > dealer else ways.TIED if value == dealer else ways.BEATEN
        return way + after, first, second
    if in_all < forcing[2]:
        return ways.NOT_QUALIFIED + after, first, second
    wins, losses, replaced = 0, 0, -1
    for card in rest[4 + new :]:
        new_key = key - keys[top] + keys[card]
        dealer = values[low[low_part(new_key)] + high[high_part(new_key)] + flush_part(new_key)]
        wins += 1 if lowest <= dealer < value else 0
        losses += 1 if dealer >= lowest and dealer > value else 0
        replaced = dealer if replaced < 0 else replaced
    if not forces(in_all, wins, losses, UNSEEN - 4 - new, forcing):
        return ways.NOT_QUALIFIED + after, first, second
    if replaced < lowest:
        return ways.FORCED_NOT_QUALIFIED + after, first, second
    way = ways.FORCED_WON if value > replaced else ways.FORCED_TIED if value == replaced else ways.FORCED_BEATEN
    return way + after, first, second
