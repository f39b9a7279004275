"""The player's hands after an exchange, counted by the ranks kept and drawn.

Suits matter in three places: the cards kept and drawn may make a flush, the dealer's hand may (all clubs, since the up
card is one), and the four cards that a forced dealer keeps may be one short of it. For each, the deals of five ranks
are counted by which of them are of the suit (`marked`). Not here: what a hand meets (`settling`).
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.exchange.behind import RANKS, Behind
from games.maths.exchange.combinations import Tables, appraise
from games.maths.exchange.ends import AFTER_DRAW
from games.maths.exchange.marked import Marked, mark
from games.maths.exchange.rules import FOLDED_AFTER_DRAW
from games.maths.exchange.settling import CLUBS, OTHER_SUIT, Table, meet_failing, meet_flushes, meet_ranks, weigh
from games.maths.exchange.starts import PLACES, Deals, as_marks, as_ranks
from games.maths.exchange.strategy import bets_after_draw

MOST_DRAWN: Final = 4
ALL_RANKS: Final = (1 << RANKS) - 1
Ints = NDArray[np.int64]


class Drawn(NamedTuple):
    """Multisets of ranks that may be drawn, of one size: `[row, 0 … 3]` the different ranks and the cards of each,
    rank 0 and none in the rest of a row; how many ranks differ; the ranks as bits."""

    size: int
    ranks: Ints
    numbers: Ints
    different: Ints
    masks: Ints


Draw = tuple[Ints, Ints, int, int, int, bool, bool]
"""For the kernels: the different ranks drawn, the cards of each, how many ranks differ; the ranks as bits, and as
places among the player's own; whether they and the cards kept may be a flush, and also one of clubs."""


@kernel
def meet_exchanged(
    own: Ints,
    ranks: Ints,
    up: int,
    kept_mask: int,
    deals: Deals,
    drawn: Drawn,
    deck: Ints,
    odds: Ints,
    ranking: Tables,
    table: Table,
    dealers: Behind,
    ends: Ints,
) -> None:
    """Add all rounds of the deals that keep these places of the different ranks."""
    marked, choose = mark(ranks, own, kept_mask, deals), table[2]
    unseen, rows = deck - own, len(dealers.values)
    unseen[up] -= 1
    dealt = marked.seen[CLUBS].sum()
    cards, left, different_kept, kept_count = np.zeros(6, np.int64), unseen.copy(), True, 0
    for place in range(len(ranks)):
        if kept_mask >> place & 1:
            different_kept &= own[ranks[place]] == 1
            for _ in range(own[ranks[place]]):
                cards[kept_count] = 4 * ranks[place] + 1 + kept_count % 3
                kept_count += 1
    kept_ranks = as_ranks(kept_mask, ranks)
    weights, below = np.zeros(rows, np.int64), np.zeros(rows + 1, np.int64)
    hidden_places = np.array([as_marks(mask, ranks) for mask in dealers.flush_masks])
    times, flush_times = np.zeros((2, len(dealers.flushes)), np.int64)
    entries, seens = np.zeros(2, np.int64), np.zeros((2, ALL_RANKS + 1), np.int64)
    places_of, numbers = np.full((2, ALL_RANKS + 1), -1), np.zeros((2, 2, ALL_RANKS + 1), np.int64)
    for row in range(len(drawn.masks)):
        every, count = dealt, kept_count
        left[:] = unseen
        for place in range(drawn.different[row]):
            rank, of_rank = drawn.ranks[row, place], drawn.numbers[row, place]
            every *= choose[unseen[rank], of_rank]
            left[rank] -= of_rank
            for _ in range(of_rank):
                cards[count] = 4 * rank + 1 + count % 3
                count += 1
        if every == 0:
            continue
        mask, dealers_hands = drawn.masks[row], left.sum()
        places = as_marks(mask, ranks)
        value, first, second = appraise(cards, 5, table[0], ranking)
        hand = (value, first, second, odds[first] + odds[second], AFTER_DRAW)
        flush_hand, flushes = hand, 0
        may_flush = different_kept and drawn.different[row] == drawn.size and mask & kept_ranks == 0
        club_free = mask >> up & 1 == 0
        if may_flush:
            flushes = marked.kept_other_avoiding[places, 0]
            flushes += marked.kept_clubs_avoiding[places] if club_free else 0
        if flushes:
            for place in range(5):
                cards[place] = cards[place] >> 2 << 2
            value, first, second = appraise(cards, 5, table[0], ranking)
            flush_hand = (value, first, second, odds[first] + odds[second], AFTER_DRAW)
            for place in range(5):
                cards[place] += 1 + place % 3
        seen_of_up = own[up] + unseen[up] - left[up]
        bets = bets_after_draw(hand[1], cards, 5, 4 * up, seen_of_up)
        if not bets:
            all_hidden = dealers_hands * (dealers_hands - 1) * (dealers_hands - 2) * (dealers_hands - 3) // 24
            ends[FOLDED_AFTER_DRAW, hand[1], hand[2]] += (every - flushes) * all_hidden * (dealers_hands - 4)
            if flushes == 0:
                continue
        weigh(left, choose, dealers, weights, below)
        if bets:
            meet_ranks(hand, every - flushes, left, table, dealers, below, ends)
        if flushes:
            meet_ranks(flush_hand, flushes, left, table, dealers, below, ends)

        draw = (drawn.ranks[row], drawn.numbers[row], drawn.different[row], mask, places, may_flush, club_free)
        _count_flushes(marked, draw, unseen, choose, hidden_places, dealers, times, flush_times)
        if bets:
            meet_flushes(hand, times, left, table, dealers, ends)
        if flushes:
            meet_flushes(flush_hand, flush_times, left, table, dealers, ends)

        may_force, flush_may_force = bets and hand[3] >= table[1][2], flushes and flush_hand[3] >= table[1][2]
        if may_force or flush_may_force:
            _count_suited(marked, draw, unseen, choose, ranks, up, kept_mask, entries, places_of, seens, numbers)
        if may_force:
            meet_failing(hand, every - flushes, (entries, seens, numbers[0]), up, left, table, dealers, weights, ends)
        if flush_may_force:
            meet_failing(flush_hand, flushes, (entries, seens, numbers[1]), up, left, table, dealers, weights, ends)


@kernel
def _count_flushes(
    marked: Marked,
    draw: Draw,
    unseen: Ints,
    choose: Ints,
    hidden_places: Ints,
    dealers: Behind,
    times: Ints,
    flush_times: Ints,
) -> None:
    """Fill in how often each of the dealer's flushes meets this draw: a hand that is none, and a flush."""
    ranks, numbers, _, mask, places, may_flush, club_free = draw
    ways = np.ones(1 << MOST_DRAWN, np.int64)  # by which of the ranks drawn have their club among the dealer's cards
    for hidden in range(len(ways)):
        for place in range(MOST_DRAWN):
            if numbers[place]:
                ways[hidden] *= choose[max(0, unseen[ranks[place]] - (hidden >> place & 1)), numbers[place]]
    for flush in range(len(times)):
        clubs, hidden_place = dealers.flush_masks[flush], hidden_places[flush]
        flush_times[flush] = 0
        if may_flush:
            flush_times[flush] = marked.kept_other_avoiding[places, hidden_place]
            if club_free and clubs & mask == 0:
                flush_times[flush] += marked.kept_clubs_avoiding[places | hidden_place]
        hidden = clubs >> ranks[0] & 1 | (clubs >> ranks[1] & 1) << 1
        hidden |= (clubs >> ranks[2] & 1) << 2 | (clubs >> ranks[3] & 1) << 3
        times[flush] = marked.clubs_avoiding[hidden_place] * ways[hidden] - flush_times[flush]


@kernel
def _count_suited(
    marked: Marked,
    draw: Draw,
    unseen: Ints,
    choose: Ints,
    ranks: Ints,
    up: int,
    kept_mask: int,
    entries: Ints,
    places_of: Ints,
    seens: Ints,
    numbers: Ints,
) -> None:
    """Fill in the entries for `meet_failing`: how often the player has seen which ranks of a suit, with this draw."""
    ranks_drawn, numbers_drawn, different, mask, places, may_flush, club_free = draw
    entries[:] = 0
    for suit in (CLUBS, OTHER_SUIT):
        for own_places in range(PLACES):
            if marked.seen[suit, own_places] == 0:
                continue
            of_own = as_ranks(own_places, ranks)
            taken_ranks = of_own | (1 << up if suit == CLUBS else 0)
            for chosen in range(1 << different):  # the ranks drawn of which one card is of the suit
                ways, of_drawn = marked.seen[suit, own_places], 0
                for place in range(different):
                    rank, taken = ranks_drawn[place], chosen >> place & 1
                    free = 1 - (taken_ranks >> rank & 1)
                    of_drawn |= taken << rank
                    ways *= choose[unseen[rank] - free, numbers_drawn[place] - taken] if taken <= free else 0
                if ways == 0:
                    continue
                flushes = 0
                if may_flush and of_drawn == mask and own_places & kept_mask == kept_mask:
                    flushes = ways
                elif may_flush and of_drawn == 0 and suit == CLUBS:
                    flushes = marked.kept_other[places, own_places]
                elif may_flush and of_drawn == 0:
                    flushes = marked.beside_other[places, own_places]
                    flushes += marked.beside_clubs[places, own_places] if club_free else 0
                seen = of_own | of_drawn
                if places_of[suit, seen] < 0:
                    places_of[suit, seen] = entries[suit]
                    seens[suit, entries[suit]] = seen
                    numbers[:, suit, entries[suit]] = 0
                    entries[suit] += 1
                numbers[0, suit, places_of[suit, seen]] += ways - flushes
                numbers[1, suit, places_of[suit, seen]] += flushes
    for suit in (CLUBS, OTHER_SUIT):
        for entry in range(entries[suit]):
            places_of[suit, seens[suit, entry]] = -1
