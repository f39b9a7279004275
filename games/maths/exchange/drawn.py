"""Rounds with a draw, or in which the dealer may be forced: every deal counted, by the ranks of the cards.

The player's five cards are taken by their ranks, under each up card (a club, which by symmetry represents every suit);
all deals of these ranks are counted together: those bet at once or with a sixth card, then those after an exchange, by
the ranks kept and drawn. Hands alike are met once (`settling`). Suits matter in three places: the cards kept and drawn
may make a flush, the dealer's hand may (all clubs, since the up card is one), and the four cards that a forced dealer
keeps may be one short of it. For each, the deals of five ranks are counted by which of them are of the suit.

`python -m games.maths.exchange.drawn 0,1,1,2,3,4,5,7,20,50,100 2 1 1` ships the counts, after some 25 minutes of one
core. The arguments are the odds of `payouts.COMBINATIONS`, then in Antes the Bet Wager, the fee of a draw and that of
forcing: those of the chapter that has this family. It must run when the strategy, the stakes, the odds or the ranking
of hands change: until then the old counts are refused, and the required wager is estimated. Not here: the estimate
(`estimate`), rounds that neither have a draw nor may force the dealer (`no_draw`), what the counts come to
(`required`).
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths.cards import ACE
from games.maths.exchange.no_draw import CHOOSE, DEALS, SUIT_SETS, multisets
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
from games.maths.exchange.rules import FOLDED_AFTER_DRAW, Stakes
from games.maths.exchange.settling import (
    CLUBS,
    OTHER_SUIT,
    PLACES,
    RANKS,
    SUITS,
    Behind,
    Deals,
    Marked,
    Table,
    as_marks,
    as_ranks,
    behind,
    deal_arrays,
    deals_of,
    kept_places,
    mark,
    meet_failing,
    meet_flushes,
    meet_ranks,
    weigh,
)
from games.maths.exchange.strategy import BET, SIXTH, bets_after_draw, highest_card_table

SHIPPED: Final = Path(__file__).with_suffix(".json")
NOT_ACES: Final = -1  # up cards that are no ace
UNSEEN: Final = 46  # by a player who looks at five cards and the up card


def cycle(drawn: int) -> int:
    """Return the deals: the player's five, a club up, `drawn` cards, four hidden, one for a forced dealer."""
    return DEALS * rounds_from(drawn)


def rounds_from(drawn: int) -> int:
    """Return the number of rounds from one start in which `drawn` cards are drawn."""
    return comb(UNSEEN, drawn) * comb(UNSEEN - drawn, 4) * (UNSEEN - drawn - 4)


def rules_digest(terms: Terms) -> str:
    """Return the digest of the stakes, the odds, the ranking of hands and the table of highest cards.

    All else that the counts depend on is program: the number of rounds from each first decision is compared to
    `no_draw`, and a test counts a part again.
    """
    digest = hashlib.sha256(repr((terms.odds, terms.stakes.forcing, lowest_ace_king())).encode())
    ranking: list[NDArray[np.signedinteger[Any]]] = [highest_card_table(), *hand_tables()]
    for table in ranking:
        digest.update(repr(table.shape).encode() + table.astype("<i8").tobytes())
    return digest.hexdigest()


@cache
def shipped(terms: Terms) -> dict[int, Ints] | None:
    """Return rank of the up card, or `NOT_ACES` → `ends[cards drawn, way, combination, second]`; None: other rules."""
    content = json.loads(SHIPPED.read_text("utf-8"))
    if content["rules"] != rules_digest(terms):
        return None
    return {int(up): _ends(rows) for up, rows in content["ends"].items()}


def _ends(rows: list[list[int]]) -> Ints:
    ends = np.zeros((DRAWS, WAYS, len(COMBINATIONS), len(COMBINATIONS)), np.int64)
    for *place, number in rows:
        ends[tuple(place)] = number
    return ends


def rows_of(ends: Ints) -> list[list[int]]:
    """Return the ends that occur, as rows: cards drawn, way, combination, second, number."""
    return [[*map(int, place), int(ends[tuple(place)])] for place in np.argwhere(ends)]


MOST_DRAWN: Final = 4
ALL_RANKS: Final = (1 << RANKS) - 1


class Drawn(NamedTuple):
    """Multisets of ranks that may be drawn, of one size.

    `[row, 0 … 3]` the different ranks and the cards of each, rank 0 and none in the rest of a row; the number of ranks
    that differ; the ranks as bits.
    """

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
    ranking: HandTables,
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
    """Fill in how often each of the dealer's flushes meets this draw: a hand that is not a flush, and a flush."""
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


DRAWS: Final = MOST_DRAWN + 1  # none, a sixth card, two, three or four exchanged


def count_drawn(
    terms: Terms, ups: Iterable[int], present: Sequence[int] = range(RANKS), hands: Sequence[Ints] | None = None
) -> Ints:
    """Return `ends[cards drawn, way, combination, second]` under up cards of these ranks, each a club.

    Counted is every deal of the player's, each choice of new cards, of the dealer's four hidden ones, and of the card
    for a forced dealer.

    Of no cards drawn only hands that may force the dealer. `present` are the ranks of the deck, four cards each, and
    `hands` the player's cards of each rank; fewer than all serve tests. `ValueError` for an exchange that keeps some
    cards of a rank only: the counting has no place for it.
    """
    deck = np.zeros(RANKS, np.int64)
    deck[list(present)] = 4
    own = np.array([hand for hand in multisets(5) if (hand <= deck).all()]) if hands is None else np.array(hands)
    draws = (drawn_cards(2, present), drawn_cards(3, present), drawn_cards(4, present))
    table = (lowest_ace_king(), terms.stakes.forcing, CHOOSE)
    ends = np.zeros((DRAWS, WAYS, len(COMBINATIONS), len(COMBINATIONS)), np.int64)
    for up in ups:
        shared = (np.array(terms.odds, np.int64), (CHOOSE, SUIT_SETS), highest_card_table(), hand_tables(), table)
        if not _count(own, up, deck, *shared, behind(up, present), draws, deal_arrays(), ends):
            raise ValueError("the strategy keeps some cards of a rank and exchanges others")
    return ends


def drawn_cards(size: int, present: Sequence[int]) -> Drawn:
    """Return all multisets of `size` cards of the ranks `present`."""
    chosen = list(combinations_with_replacement(present, size))
    ranks, numbers = np.zeros((2, len(chosen), MOST_DRAWN), np.int64)
    for row, drawn in enumerate(chosen):
        for place, rank in enumerate(sorted(set(drawn))):
            ranks[row, place], numbers[row, place] = rank, drawn.count(rank)
    masks = np.array([sum(1 << rank for rank in set(drawn)) for drawn in chosen], np.int64)
    return Drawn(size, ranks, numbers, (numbers > 0).sum(axis=1), masks)


@kernel
def _count(
    own: Ints,
    up: int,
    deck: Ints,
    odds: Ints,
    suits: tuple[Ints, Ints],
    highest_card: Ints,
    ranking: HandTables,
    table: Table,
    dealers: Behind,
    draws: tuple[Drawn, Drawn, Drawn],
    arrays: tuple[Ints, Ints, Ints],
    ends: Ints,
) -> bool:
    """Count the rounds; return True if every exchange keeps all cards of a rank or none."""
    for hand in own:
        if hand[up] == 4:
            continue
        ranks = np.flatnonzero(hand)
        number = deals_of(hand, ranks, up, suits, highest_card, arrays)
        deals = (number, arrays[0], arrays[1], arrays[2])
        met, bet, sixth = np.zeros(PLACES, np.bool_), False, False
        for deal in range(number):
            decision = arrays[1][deal]
            bet |= decision == BET
            sixth |= decision == SIXTH
            if decision < BET:
                kept_mask = kept_places(deals, deal, ranks)
                if kept_mask < 0:
                    return False
                met[kept_mask] = True
        if bet:
            meet_own(hand, ranks, up, deals, BET, -1, deck, odds, ranking, table, dealers, ends[0])
        if sixth:
            for rank in range(len(deck)):
                meet_own(hand, ranks, up, deals, SIXTH, rank, deck, odds, ranking, table, dealers, ends[1])
        for kept_mask in range(PLACES):
            if met[kept_mask]:
                size = 5
                for place in range(len(ranks)):
                    size -= hand[ranks[place]] if kept_mask >> place & 1 else 0
                meet_exchanged(
                    hand, ranks, up, kept_mask, deals, draws[size - 2], deck, odds, ranking, table, dealers, ends[size]
                )
    return True


MOST_HANDS: Final = 32  # of one set of ranks, distinguished by what they are worth
MARKS: Final = 1 << 6


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
    ranking: HandTables,
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


def main() -> None:
    """Ship the counts of the terms in the arguments; the part of an ace up apart, which a test counts again."""
    odds, bet, draw_fee, force_fee = sys.argv[1:]
    stakes = Stakes(bet=int(bet), draw_fee=int(draw_fee), force_fee=int(force_fee))
    terms = Terms(tuple(map(int, odds.split(","))), stakes)
    ends = {ACE: count_drawn(terms, (ACE,)), NOT_ACES: count_drawn(terms, range(RANKS - 1))}
    content = {"rules": rules_digest(terms), "ends": {str(up): rows_of(part) for up, part in ends.items()}}
    SHIPPED.write_text(json.dumps(content) + "\n", "utf-8")


if __name__ == "__main__":
    main()
