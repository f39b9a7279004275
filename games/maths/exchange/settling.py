"""One hand of the player's against every dealer's, counted by ranks, and what the suits of the dealer's cards change.

`left[rank]` is how many cards the player has not seen, the new ones taken off: the dealer's four hidden cards and the
card for a forced dealer come from them. What is added to `ends[way, combination, second]` are deals of these five
cards. A dealer's hand is first counted as if no five cards shared a suit; deals in which they do are then moved. Not
here: which hands a player has, and how often (`own_or_six`, `exchanged`).
"""

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import helper, kernel
from games.maths.exchange.behind import RANKS, Behind
from games.maths.exchange.rules import (
    BEATEN,
    FORCED_BEATEN,
    FORCED_NOT_QUALIFIED,
    FORCED_TIED,
    FORCED_WON,
    NOT_QUALIFIED,
    TIED,
    WON,
    Forcing,
)
from games.maths.exchange.strategy import forces

Ints = NDArray[np.int64]
Hand = tuple[int, int, int, int, int]
"""For the kernels: the value, the combination, the second combination, their odds in all, what a draw adds to a way."""
Table = tuple[int, Forcing, Ints]
"""For the kernels: the value of the lowest ace-king, when to force, n over k."""
Suited = tuple[Ints, Ints, Ints]
"""For the kernels: the player's hands by what is seen of the suit that four of the dealer's cards share: for each suit
the number of entries, and for each entry the ranks seen of it, as bits, and how often."""
CLUBS, OTHER_SUIT = 0, 1  # of the up card, which is a club; of the four cards behind an up card that is the highest


@kernel
def weigh(left: Ints, choose: Ints, dealers: Behind, weights: Ints, below: Ints) -> None:
    """Fill `weights[row]`, how many dealers' hands have these ranks, and `below[row]`, how many come before the row."""
    ways = np.empty(5 * RANKS, np.int64)
    for rank in range(RANKS):
        for number in range(5):
            ways[5 * rank + number] = choose[left[rank], number]
    first, second, third, fourth = dealers.factors
    for row in range(len(weights)):
        weights[row] = ways[first[row]] * ways[second[row]] * ways[third[row]] * ways[fourth[row]]
    total = 0
    for row in range(len(weights)):
        below[row] = total
        total += weights[row]
    below[len(weights)] = total


@kernel
def meet_ranks(hand: Hand, times: int, left: Ints, table: Table, dealers: Behind, below: Ints, ends: Ints) -> None:
    """All dealers by their ranks; if the hand may force them, those who do not qualify are left to `meet_failing`."""
    value, first, second, odds, after = hand
    rows, failing = len(dealers.values), dealers.failing
    lower = max(failing, int(np.searchsorted(dealers.values, value)))
    higher = max(failing, int(np.searchsorted(dealers.values, value + 1)))
    each = times * (left.sum() - 4)
    ends[WON + after, first, second] += each * (below[lower] - below[failing])
    ends[TIED + after, first, second] += each * (below[higher] - below[lower])
    ends[BEATEN + after, first, second] += each * (below[rows] - below[higher])
    if odds < table[1][2]:
        ends[NOT_QUALIFIED + after, first, second] += each * below[failing]


@kernel
def meet_flushes(hand: Hand, times: Ints, left: Ints, table: Table, dealers: Behind, ends: Ints) -> None:
    """Dealers with five clubs, `times[flush]`: from where they count by ranks to where they count by suit."""
    value, first, second, odds, after = hand
    lowest, unseen, may_force = table[0], left.sum() - 4, odds >= table[1][2]
    won = tied = failed = 0
    for flush in range(len(times)):
        plain, suited, number = dealers.flush_plain[flush], dealers.flush_values[flush], times[flush]
        failed -= number if plain < lowest else 0
        won += (number if suited < value else 0) - (number if lowest <= plain < value else 0)
        tied += (number if suited == value else 0) - (number if lowest <= plain == value else 0)
    ends[WON + after, first, second] += won * unseen
    ends[TIED + after, first, second] += tied * unseen
    ends[BEATEN + after, first, second] -= (won + tied + failed) * unseen
    if not may_force:
        ends[NOT_QUALIFIED + after, first, second] += failed * unseen
        return
    for flush in range(len(times)):
        if times[flush] and dealers.flush_plain[flush] < lowest:
            _force(hand, -times[flush], dealers.flushes[flush], left, table, dealers, ends)


@kernel
def _force(hand: Hand, times: int, row: int, left: Ints, table: Table, dealers: Behind, ends: Ints) -> None:
    """One dealer's hand that does not qualify, by its ranks."""
    value, failed, ties, wins, losses = hand[0], 0, 0, 0, 0
    for rank in range(RANKS):
        number, replaced = left[rank] - (dealers.masks[row] >> rank & 1), dealers.replaced[row, rank]
        failed += number if replaced < table[0] else 0
        wins += number if table[0] <= replaced < value else 0
        ties += number if replaced == value else 0
        losses += number if replaced > value else 0
    _settle(hand, times, failed, ties, wins, losses, table[1], ends[:, hand[1], hand[2]])


@helper
def count_ranks(ranks: int) -> int:
    """How many ranks these bits are."""
    ranks &= 0x1FFF
    pairs = ranks - (ranks >> 1 & 0x5555)
    fours = (pairs & 0x3333) + (pairs >> 2 & 0x3333)
    eights = fours + (fours >> 4) & 0x0F0F
    return eights + (eights >> 8) & 31


@kernel
def meet_failing(
    hand: Hand,
    times: int,
    suited: Suited,
    up: int,
    left: Ints,
    table: Table,
    dealers: Behind,
    weights: Ints,
    ends: Ints,
) -> None:
    """Dealers who do not qualify, against a hand that may force them: `times` by their ranks, then moved where the four
    cards that a forced dealer keeps share a suit, so that a card of it makes a flush."""
    value, entries, seens, numbers = hand[0], suited[0], suited[1], suited[2]
    by_seen, forced = np.zeros(RANKS + 1, np.int64), ends[:, hand[1], hand[2]]
    for row in range(dealers.failing):
        # What each rank makes of the four cards, by ranks and as a flush: as bits, and how many cards lose, tie, win.
        mask, failed, ties, wins, losses = dealers.masks[row], 0, 0, 0, 0
        plain_ties = plain_wins = plain_losses = flush_ties = flush_wins = flush_losses = 0
        for rank in range(RANKS):
            number, bit = left[rank] - (mask >> rank & 1), 1 << rank
            replaced, flush = dealers.replaced[row, rank], dealers.suited[row, rank]
            if flush >= 0:
                flush_ties |= bit if flush == value else 0
                flush_wins |= bit if flush < value else 0
                flush_losses |= bit if flush > value else 0
            if replaced < table[0]:
                failed += number
            elif replaced < value:
                wins += number
                plain_wins |= bit
            elif replaced == value:
                ties += number
                plain_ties |= bit
            else:
                losses += number
                plain_losses |= bit
        plain, top = times * weights[row], dealers.tops[row]
        suit = OTHER_SUIT if top == up else CLUBS
        if suit == CLUBS:  # the up card is kept: the highest is of one of the other suits
            mask &= ~(1 << top)
        any_flush = flush_ties | flush_wins | flush_losses
        one_way = flush_wins == any_flush or flush_losses == any_flush
        if one_way and (plain_ties | plain_wins | plain_losses) & any_flush == 0:
            # Only how many cards make a flush matters.
            by_seen[:] = 0
            for entry in range(entries[suit]):
                seen = seens[suit, entry]
                if mask & seen == 0:
                    tops = left[top] - 1 + (seen >> top & 1) if suit == CLUBS else 1
                    by_seen[count_ranks(seen)] += numbers[suit, entry] * tops
            for seen_of_suit in range(RANKS + 1):
                deals = by_seen[seen_of_suit]
                if deals:
                    plain -= deals
                    more = count_ranks(any_flush) - seen_of_suit
                    if flush_wins:
                        _settle(hand, deals, failed - more, ties, wins + more, losses, table[1], forced)
                    else:
                        _settle(hand, deals, failed - more, ties, wins, losses + more, table[1], forced)
        else:
            for entry in range(entries[suit]):
                seen = seens[suit, entry]
                if mask & seen:
                    continue
                deals = numbers[suit, entry]
                deals *= left[top] - 1 + (seen >> top & 1) if suit == CLUBS else 1
                plain -= deals
                more_wins = count_ranks(~seen & flush_wins) - count_ranks(~seen & plain_wins & any_flush)
                more_ties = count_ranks(~seen & flush_ties) - count_ranks(~seen & plain_ties & any_flush)
                more_losses = count_ranks(~seen & flush_losses) - count_ranks(~seen & plain_losses & any_flush)
                fewer = more_wins + more_ties + more_losses
                _settle(
                    *(hand, deals, failed - fewer, ties + more_ties),
                    *(wins + more_wins, losses + more_losses, table[1], forced),
                )
        _settle(hand, plain, failed, ties, wins, losses, table[1], forced)


@kernel
def _settle(
    hand: Hand, deals: int, failed: int, ties: int, wins: int, losses: int, forcing: Forcing, ends: Ints
) -> None:
    """Force the dealer, or not, where so many cards leave the dealer without a qualifying hand, tie, lose or win."""
    after = hand[4]
    if forces(hand[3], wins, losses, failed + ties + wins + losses, forcing):
        ends[FORCED_NOT_QUALIFIED + after] += deals * failed
        ends[FORCED_TIED + after] += deals * ties
        ends[FORCED_BEATEN + after] += deals * losses
        ends[FORCED_WON + after] += deals * wins
    else:
        ends[NOT_QUALIFIED + after] += deals * (failed + ties + wins + losses)
