"""The player's five cards, bet at once, where they may force the dealer; or with a sixth card.

Every deal of the five ranks is gone through, with every sixth card; hands alike are then met once (`settling`). Not
here: hands bet at once that never force the dealer (`no_draw`), exchanges (`exchanged`).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.exchange.behind import Behind
from games.maths.exchange.combinations import Tables, appraise
from games.maths.exchange.ends import AFTER_DRAW
from games.maths.exchange.rules import FOLDED_AFTER_DRAW
from games.maths.exchange.settling import CLUBS, OTHER_SUIT, Table, meet_failing, meet_flushes, meet_ranks, weigh
from games.maths.exchange.starts import SUITS, Deals, as_marks, as_ranks
from games.maths.exchange.strategy import BET, bets_after_draw

MOST_HANDS: Final = 32  # of one set of ranks, distinguished by what they are worth
MARKS: Final = 1 << 6
Ints = NDArray[np.int64]


@kernel
def meet_own(
    own: Ints,
    ranks: Ints,
    up: int,
    deals: Deals,
    decision: int,
    sixth: int,
    deck: Ints,
    odds: Ints,
    ranking: Tables,
    table: Table,
    dealers: Behind,
    ends: Ints,
) -> None:
    """Add all rounds of the deals with this decision; `sixth` is the rank of the sixth card, −1 with `BET`."""
    number, cards, decisions, marks = deals
    new = 0 if decision == BET else 1
    local = np.zeros(len(ranks) + 1, np.int64)
    local[: len(ranks)] = ranks
    different, place_of_sixth = len(ranks), -1
    left = deck - own
    left[up] -= 1
    if new:
        left[sixth] -= 1
        if left[sixth] < 0:
            return
        for place in range(len(ranks)):
            if ranks[place] == sixth:
                place_of_sixth = place
        if place_of_sixth < 0:
            local[different] = sixth
            place_of_sixth = different
            different += 1
    local = local[:different]

    hands, known = np.zeros((MOST_HANDS, 5), np.int64), 0
    bets, totals = np.zeros(MOST_HANDS, np.bool_), np.zeros(MOST_HANDS, np.int64)
    of_suit = np.zeros((MOST_HANDS, 2, MARKS), np.int64)  # by what is seen of clubs, and of each other suit
    hand = np.zeros(6, np.int64)
    for deal in range(number):
        if decisions[deal] != decision:
            continue
        hand[:5] = cards[deal]
        for suit in range(SUITS if new else 1):
            if new:
                hand[5] = 4 * sixth + suit
                if hand[5] == 4 * up or (place_of_sixth < len(ranks) and marks[deal, suit] >> place_of_sixth & 1):
                    continue
            value, first, second = appraise(hand, 5 + new, table[0], ranking)
            in_all = odds[first] + odds[second]
            if not new and in_all < table[1][2]:
                continue
            which = 0
            while which < known and (hands[which, 0] != value or hands[which, 1] != first or hands[which, 2] != second):
                which += 1
            if which == known:
                known += 1
                seen = own[up] + (1 if sixth == up else 0)
                bets[which] = not new or bets_after_draw(first, hand, 6, 4 * up, seen)
                hands[which] = (value, first, second, in_all, AFTER_DRAW * new)
            totals[which] += 1
            for seen_suit in range(SUITS):
                seen_of_suit = marks[deal, seen_suit] | (1 << place_of_sixth if new and seen_suit == suit else 0)
                of_suit[which, CLUBS if seen_suit == 0 else OTHER_SUIT, seen_of_suit] += 1
    if known == 0:
        return

    rows = len(dealers.values)
    weights, below = np.zeros(rows, np.int64), np.zeros(rows + 1, np.int64)
    weigh(left, table[2], dealers, weights, below)
    avoiding, times = np.zeros(MARKS, np.int64), np.zeros(len(dealers.flushes), np.int64)
    entries, (seens, numbers) = np.zeros(2, np.int64), np.zeros((2, 2, MARKS), np.int64)
    for which in range(known):
        hand_met = (hands[which, 0], hands[which, 1], hands[which, 2], hands[which, 3], hands[which, 4])
        if not bets[which]:
            folded = totals[which] * below[rows] * (left.sum() - 4)
            ends[FOLDED_AFTER_DRAW, hands[which, 1], hands[which, 2]] += folded
            continue
        meet_ranks(hand_met, totals[which], left, table, dealers, below, ends)
        avoiding[:] = 0
        for seen in range(MARKS):
            if of_suit[which, CLUBS, seen]:
                for hidden in range(MARKS):
                    if hidden & seen == 0:
                        avoiding[hidden] += of_suit[which, CLUBS, seen]
        for flush in range(len(times)):
            times[flush] = avoiding[as_marks(dealers.flush_masks[flush], local)]
        meet_flushes(hand_met, times, left, table, dealers, ends)
        if hands[which, 3] >= table[1][2]:
            entries[:] = 0
            for suit in (CLUBS, OTHER_SUIT):
                for seen in range(MARKS):
                    if of_suit[which, suit, seen]:
                        seens[suit, entries[suit]] = as_ranks(seen, local)
                        numbers[suit, entries[suit]] = of_suit[which, suit, seen]
                        entries[suit] += 1
            suited = (entries, seens, numbers)
            meet_failing(hand_met, totals[which], suited, up, left, table, dealers, weights, ends)
