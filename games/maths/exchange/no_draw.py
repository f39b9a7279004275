"""Rounds without a draw, counted: one's five cards, the dealer's up card and every hand behind it.

The up card is a club, which by symmetry represents every suit. Of the dealer's four other cards, a multiset of ranks
occurs as often as the cards seen leave cards of each rank; where all five are clubs the hand is moved from its
unsuited to its suited value. Not here: forcing the dealer and draws (`drawn`).
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import numpy as np

from games.compiled import Ints, kernel
from games.maths.exchange.payouts import COMBINATIONS, HandTables, appraise, hand_tables, lowest_ace_king
from games.maths.exchange.strategy import ACTIONS, BET, first_decision, highest_card_table
from games.maths.ranking import HANDS, HIGH, LOW, card_key, high_part, low_part, standard

RANKS: Final = 13
DEALS: Final = RANKS * comb(51, 5)  # up cards of one suit, and one's own five cards
HIDDEN: Final = comb(46, 4)  # the dealer's other cards
NOT_QUALIFIED, TIED, BEATEN, WON = RESULTS = range(4)

CHOOSE: Final = np.array([[comb(n, k) for k in range(6)] for n in range(6)], dtype=np.int64)
SUIT_SETS: Final = np.array([[m for m in range(16) if m.bit_count() == n] + [0] * (6 - comb(4, n)) for n in range(5)])
"""The sets of n suits, as four bits, for n = 0 … 4; clubs are the lowest."""


@dataclass(frozen=True, slots=True)
class NoDrawCounts:
    """Counts of rounds without a draw, if every hand is bet and the dealer never forced.

    `decisions[first decision]`, of `DEALS`; `bet[by strategy, combination, second, result]`, of `DEALS × HIDDEN`: 1 =
    those that the strategy bets at once, 0 = the others.
    """

    decisions: Ints
    bet: Ints


def count_no_draw() -> NoDrawCounts:
    """Return the counts of every deal, in some seconds."""
    counts = NoDrawCounts(np.zeros(ACTIONS, np.int64), np.zeros((2, len(COMBINATIONS), len(COMBINATIONS), 4), np.int64))
    own, hidden = (multisets(size) for size in (5, 4))
    values = (_values(own @ _KEYS), _dealer_values(hidden))
    shared = (highest_card_table(), lowest_ace_king(), hand_tables())
    _count(own, hidden, values, (CHOOSE, SUIT_SETS), shared, counts.decisions, counts.bet)
    return counts


_KEYS: Final = np.array([card_key(rank, 0) for rank in range(RANKS)], dtype=np.int64)


def multisets(size: int) -> Ints:
    """Return the number of cards of each rank, for each multiset of ranks that a deck has."""
    chosen = (ranks for ranks in combinations_with_replacement(range(RANKS), size))
    rows = [[ranks.count(rank) for rank in range(RANKS)] for ranks in chosen if len(set(ranks)) > (size > 4)]
    return np.array(rows, dtype=np.int64)


def _values(keys: Ints) -> Ints:
    """Return [hand, unsuited or suited] → value; −1 where there is none."""
    places = LOW[low_part(keys)].astype(np.int64) + HIGH[high_part(keys)]  # type: ignore[arg-type]  # elementwise
    return np.stack([standard().values[places + part].astype(np.int64) for part in (0, HANDS)], axis=-1)


def _dealer_values(hidden: Ints) -> Ints:
    """Return [hidden ranks, rank of the up card, unsuited or suited] → value; −1 also for five of a rank."""
    values = np.full((len(hidden), RANKS, 2), -1, dtype=np.int64)
    for up in range(RANKS):
        possible = hidden[:, up] < 4
        values[possible, up] = _values(hidden[possible] @ _KEYS + _KEYS[up])
    return values


@kernel
def _count(
    own: Ints,
    hidden: Ints,
    values: tuple[Ints, Ints],
    suits: tuple[Ints, Ints],
    shared: tuple[Ints, int, HandTables],
    decisions: Ints,
    bet: Ints,
) -> None:
    choose, suit_sets = suits
    highest_card, lowest, ranking = shared
    plain, free = np.zeros((RANKS, 2, 3), np.int64), np.zeros((32, RANKS, 2, 3), np.int64)
    cards, ranks = np.zeros(5, np.int64), np.zeros(5, np.int64)
    for hand in range(len(own)):
        distinct, deals = 0, 1
        for rank in range(RANKS):
            if own[hand, rank]:
                ranks[distinct] = rank
                deals *= choose[4, own[hand, rank]]
                distinct += 1
        _meet(own[hand], ranks[:distinct], hidden, values[0][hand], values[1], lowest, choose, plain, free)
        for deal in range(deals):
            clubs = fill_deal(deal, own[hand], ranks[:distinct], choose, suit_sets, cards)
            value, first, second = appraise(cards, 5, lowest, ranking)
            suited = 1 if value != values[0][hand, 0] else 0
            for up in range(RANKS):
                blocked = False
                for i in range(distinct):
                    blocked |= ranks[i] == up and clubs >> i & 1 == 1
                if blocked:
                    continue
                decision = first_decision(cards, 4 * up, highest_card)
                decisions[decision] += 1
                by_strategy = 1 if decision == BET else 0
                total = 0
                for result in range(3):
                    count = plain[up, suited, result] + free[clubs, up, suited, result]
                    bet[by_strategy, first, second, result if result < BEATEN else WON] += count
                    total += count
                bet[by_strategy, first, second, BEATEN] += HIDDEN - total


@kernel
def _meet(
    own: Ints,
    ranks: Ints,
    hidden: Ints,
    values: Ints,
    dealer_values: Ints,
    lowest: int,
    choose: Ints,
    plain: Ints,
    free: Ints,
) -> None:
    """Count the dealer's hands behind each up card that do not qualify, tie or are beaten.

    `plain` has all as if unsuited; `free` the difference that flushes of clubs make, by the player's ranks that are
    clubs (as bits).
    """
    plain[:] = 0
    free[:] = 0
    moved = np.zeros((32, RANKS, 2, 3), np.int64)
    for row in range(len(hidden)):
        ways, mine = 1, 0
        for rank in range(RANKS):
            ways *= choose[4 - own[rank], hidden[row, rank]]
        for i in range(len(ranks)):
            if hidden[row, ranks[i]]:
                mine |= 1 << i
        for up in range(RANKS):
            left, cards = 4 - own[up], hidden[row, up]
            if left == 0 or ways == 0 or cards == left:  # the up card itself is one of those left
                continue
            behind = ways // choose[left, cards] * choose[left - 1, cards]
            flat, flush = dealer_values[row, up, 0], dealer_values[row, up, 1]
            for t in range(1 if values[1] < 0 else 2):
                before = _result(flat, values[t], lowest)
                if before >= 0:
                    plain[up, t, before] += behind
                if flush >= 0:
                    after = _result(flush, values[t], lowest)
                    if before >= 0:
                        moved[mine, up, t, before] -= 1
                    if after >= 0:
                        moved[mine, up, t, after] += 1
    for clubs in range(1 << len(ranks)):
        for mine in range(1 << len(ranks)):
            if mine & clubs == 0:
                for up in range(RANKS):
                    for t in range(2):
                        for result in range(3):
                            free[clubs, up, t, result] += moved[mine, up, t, result]


@kernel
def _result(dealer: int, own: int, lowest: int) -> int:
    """Return 0 if the dealer does not qualify, 1 for a tie, 2 if the dealer is beaten, −1 if the dealer wins."""
    if dealer < lowest:
        return 0
    if dealer == own:
        return 1
    return 2 if dealer < own else -1


@kernel
def fill_deal(deal: int, own: Ints, ranks: Ints, choose: Ints, suit_sets: Ints, cards: Ints) -> int:
    """Fill `cards` with the deal of this number; which of the distinct ranks have a club, as bits."""
    clubs, place = 0, 0
    for i in range(len(ranks)):
        size = own[ranks[i]]
        chosen = suit_sets[size, deal % choose[4, size]]
        deal //= choose[4, size]
        clubs |= (chosen & 1) << i
        for suit in range(4):
            if chosen >> suit & 1:
                cards[place] = 4 * ranks[i] + suit
                place += 1
    return clubs
