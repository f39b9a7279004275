"""One hand of the player's against every dealer's, counted by ranks, then moved by the suits of the dealer's cards.

`left[rank]` is how many cards the player has not seen, the new ones taken off: the dealer's four hidden cards and the
card for a forced dealer come from them. What is added to `ends[way, combination, second]` are deals of these five
cards. A dealer's hand is first counted as if no five cards shared a suit; deals in which they do are then moved.

The dealer's four hidden cards behind an up card are a row, a multiset of four ranks, with the worth of the dealer's
five cards if no five share a suit; the rows are in rising order. What suits change is kept apart: rows of five
different ranks may be a flush, and the four cards that the dealer keeps when forced may be one short of it.

The up card is a club, which by symmetry represents every suit. A deal is known here by the player's cards, and by the
place of its ranks among the different ranks of the five (`marks`), as bits for each suit; deals of which an exchange
keeps some are counted by which of the ranks are of a suit, or of two. Not here: the player's hands after a draw, and
how often each is met (`drawn`).
"""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np

from games.compiled import Ints, helper, kernel
from games.maths.exchange import rules as ways
from games.maths.exchange.no_draw import fill_deal
from games.maths.exchange.payouts import lowest_ace_king
from games.maths.exchange.rules import Forcing
from games.maths.exchange.strategy import BET, first_decision, forces
from games.maths.ranking import HANDS, HIGH, LOW, card_key, high_part, low_part, standard

RANKS: Final = 13
HIDDEN: Final = 4


class Behind(NamedTuple):
    """Rows of hidden cards: with the first `failing` the dealer does not qualify; they have five different ranks."""

    factors: Ints  # [0 … 3, row]: rank × 5 + how many cards of it the row has, for each different rank; then rank × 5
    values: Ints  # [row]: rising
    failing: int
    tops: Ints  # [failing row]: the rank that a forced dealer discards
    masks: Ints  # [failing row]: the four hidden ranks, as bits
    replaced: Ints  # [failing row, rank]: the value with this rank for the highest
    suited: Ints  # [failing row, rank]: the same if all five share a suit; −1 where the dealer keeps a card of the rank
    flushes: Ints  # rows whose cards may be a flush with the up card
    flush_plain: Ints  # their values if they are none
    flush_masks: Ints  # their hidden ranks, as bits
    flush_values: Ints  # their values as a flush


def behind(up: int, present: Sequence[int]) -> Behind:
    """Return the hands behind an up card of this rank, from a deck with four cards of each of the ranks `present`."""
    hidden = [chosen for chosen in combinations_with_replacement(present, HIDDEN) if chosen.count(up) < HIDDEN]
    values = [_value((up, *chosen)) for chosen in hidden]
    order = sorted(range(len(hidden)), key=values.__getitem__)
    hidden, values = [hidden[place] for place in order], [values[place] for place in order]
    failing = sum(value < lowest_ace_king() for value in values)
    places = {chosen: place for place, chosen in enumerate(hidden)}
    factors = np.zeros((HIDDEN, len(hidden)), np.int64)
    for place, chosen in enumerate(hidden):
        for column, rank in enumerate(sorted(set(chosen))):
            factors[column, place] = 5 * rank + chosen.count(rank)
    replaced, suited = np.full((2, failing, RANKS), -1, np.int64)
    for place, chosen in enumerate(hidden[:failing]):
        *four, _ = sorted((up, *chosen))
        for rank in present:
            replaced[place, rank] = _value((*four, rank))
            suited[place, rank] = -1 if rank in four else _value((*four, rank), suited=True)
    flushes = [chosen for chosen in combinations(present, HIDDEN) if up not in chosen]
    return Behind(
        factors,
        np.array(values, np.int64),
        failing,
        np.array([max(up, *chosen) for chosen in hidden[:failing]], np.int64),
        np.array([_mask(chosen) for chosen in hidden[:failing]], np.int64),
        replaced,
        suited,
        np.array([places[chosen] for chosen in flushes], np.int64),
        np.array([values[places[chosen]] for chosen in flushes], np.int64),
        np.array([_mask(chosen) for chosen in flushes], np.int64),
        np.array([_value((up, *chosen), suited=True) for chosen in flushes], np.int64),
    )


def _value(ranks: Sequence[int], suited: bool = False) -> int:
    key = sum(card_key(rank, 0) for rank in ranks)
    return int(standard().values[LOW[low_part(key)] + HIGH[high_part(key)] + (HANDS if suited else 0)])


def _mask(ranks: Sequence[int]) -> int:
    return sum(1 << rank for rank in ranks)


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
    chosen = np.empty(5 * RANKS, np.int64)
    for rank in range(RANKS):
        for number in range(5):
            chosen[5 * rank + number] = choose[left[rank], number]
    first, second, third, fourth = dealers.factors
    for row in range(len(weights)):
        weights[row] = chosen[first[row]] * chosen[second[row]] * chosen[third[row]] * chosen[fourth[row]]
    total = 0
    for row in range(len(weights)):
        below[row] = total
        total += weights[row]
    below[len(weights)] = total


@kernel
def meet_ranks(hand: Hand, times: int, left: Ints, table: Table, dealers: Behind, below: Ints, ends: Ints) -> None:
    """Count all dealers by their ranks; those who fail and may be forced are left to `meet_failing`."""
    value, first, second, odds, after = hand
    rows, failing = len(dealers.values), dealers.failing
    lower = max(failing, int(np.searchsorted(dealers.values, value)))
    higher = max(failing, int(np.searchsorted(dealers.values, value + 1)))
    each = times * (left.sum() - 4)
    ends[ways.WON + after, first, second] += each * (below[lower] - below[failing])
    ends[ways.TIED + after, first, second] += each * (below[higher] - below[lower])
    ends[ways.BEATEN + after, first, second] += each * (below[rows] - below[higher])
    if odds < table[1][2]:
        ends[ways.NOT_QUALIFIED + after, first, second] += each * below[failing]


@kernel
def meet_flushes(hand: Hand, times: Ints, left: Ints, table: Table, dealers: Behind, ends: Ints) -> None:
    """Move dealers with five clubs, `times[flush]`, from their count by ranks to that by suit."""
    value, first, second, odds, after = hand
    lowest, unseen, may_force = table[0], left.sum() - 4, odds >= table[1][2]
    won = tied = failed = 0
    for flush in range(len(times)):
        plain, suited, number = dealers.flush_plain[flush], dealers.flush_values[flush], times[flush]
        failed -= number if plain < lowest else 0
        won += (number if suited < value else 0) - (number if lowest <= plain < value else 0)
        tied += (number if suited == value else 0) - (number if lowest <= plain == value else 0)
    ends[ways.WON + after, first, second] += won * unseen
    ends[ways.TIED + after, first, second] += tied * unseen
    ends[ways.BEATEN + after, first, second] -= (won + tied + failed) * unseen
    if not may_force:
        ends[ways.NOT_QUALIFIED + after, first, second] += failed * unseen
        return
    for flush in range(len(times)):
        if times[flush] and dealers.flush_plain[flush] < lowest:
            _force(hand, -times[flush], dealers.flushes[flush], left, table, dealers, ends)


@kernel
def _force(hand: Hand, times: int, row: int, left: Ints, table: Table, dealers: Behind, ends: Ints) -> None:
    """Count one dealer's hand that does not qualify, by its ranks."""
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
    """Return the number of ranks in these bits."""
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
    """Count dealers who do not qualify, against a hand that may force them.

    They are counted `times` by their ranks, then moved where the four cards that a forced dealer keeps share a suit, so
    that a card of it makes a flush.
    """
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
    """Force the dealer, or not, by the cards that leave the dealer without a qualifying hand, tie, lose or win."""
    after = hand[4]
    if forces(hand[3], wins, losses, failed + ties + wins + losses, forcing):
        ends[ways.FORCED_NOT_QUALIFIED + after] += deals * failed
        ends[ways.FORCED_TIED + after] += deals * ties
        ends[ways.FORCED_BEATEN + after] += deals * losses
        ends[ways.FORCED_WON + after] += deals * wins
    else:
        ends[ways.NOT_QUALIFIED + after] += deals * (failed + ties + wins + losses)


MOST_DEALS: Final = 4**5
SUITS: Final = 4
PLACES: Final = 1 << 5
Deals = tuple[int, Ints, Ints, Ints]
"""For the kernels: how many; `cards[deal]`, `decisions[deal]`, `marks[deal, suit]`; rows beyond are of no meaning."""


def deal_arrays() -> tuple[Ints, Ints, Ints]:
    """Return arrays for `deals_of` to fill."""
    return np.zeros((MOST_DEALS, 5), np.int64), np.zeros(MOST_DEALS, np.int64), np.zeros((MOST_DEALS, SUITS), np.int64)


@kernel
def deals_of(
    own: Ints, ranks: Ints, up: int, suits: tuple[Ints, Ints], highest_card: Ints, arrays: tuple[Ints, Ints, Ints]
) -> int:
    """Fill the arrays with every deal of `own[rank]` cards, whose different ranks are `ranks`; how many there are."""
    choose, suit_sets = suits
    cards, decisions, marks = arrays
    number, deals = 0, 1
    for rank in ranks:
        deals *= choose[4, own[rank]]
    for deal in range(deals):
        clubs = fill_deal(deal, own, ranks, choose, suit_sets, cards[number])
        blocked = False
        for place in range(len(ranks)):
            blocked |= ranks[place] == up and clubs >> place & 1 == 1
        if blocked:
            continue
        decisions[number] = first_decision(cards[number], 4 * up, highest_card)
        marks[number] = 0
        for card in cards[number]:
            for place in range(len(ranks)):
                if ranks[place] == card >> 2:
                    marks[number, card & 3] |= 1 << place
        number += 1
    return number


@kernel
def kept_places(deals: Deals, deal: int, ranks: Ints) -> int:
    """Return the different ranks that an exchange keeps, as bits; −1 where it keeps some cards of a rank only."""
    _, cards, decisions, _ = deals
    kept_mask, dropped = 0, 0
    for card in range(5):
        for place in range(len(ranks)):
            if ranks[place] == cards[deal, card] >> 2:
                if decisions[deal] >> card & 1:
                    kept_mask |= 1 << place
                else:
                    dropped |= 1 << place
    return -1 if kept_mask & dropped else kept_mask


@kernel
def as_ranks(marks: int, ranks: Ints) -> int:
    """Turn places among the different ranks into the ranks themselves, both as bits."""
    bits = 0
    for place in range(len(ranks)):
        if marks >> place & 1:
            bits |= 1 << ranks[place]
    return bits


@kernel
def as_marks(mask: int, ranks: Ints) -> int:
    """Turn ranks into places among the different ranks, both as bits; others are left out."""
    bits = 0
    for place in range(len(ranks)):
        if mask >> ranks[place] & 1:
            bits |= 1 << place
    return bits


class Marked(NamedTuple):
    """The deals that keep these ranks, by their cards of one suit or of two, as places among the different ranks.

    A suit is *kept* where all cards kept are of it and of different ranks. `avoiding` tables have, for each set of
    places, the deals with none of them in the suit.
    """

    seen: Ints  # [CLUBS or OTHER_SUIT, of the suit]; each of the three other suits counts
    clubs_avoiding: Ints  # [places in clubs]
    kept_clubs_avoiding: Ints  # [places in clubs, which are kept]
    kept_other: Ints  # [places avoided in the suit kept, not clubs; of clubs]
    kept_other_avoiding: Ints  # [the same; places avoided in clubs]
    beside_clubs: Ints  # [places avoided in clubs, which are kept; of another suit]
    beside_other: Ints  # [places avoided in the suit kept, not clubs; of another suit, not clubs]


@kernel
def mark(ranks: Ints, own: Ints, kept_mask: int, deals: Deals) -> Marked:
    """Return the marks of the deals that keep these places."""
    number, _, _, marks = deals
    seen, two = np.zeros((2, PLACES), np.int64), np.zeros((3, PLACES, PLACES), np.int64)
    kept_clubs = np.zeros(PLACES, np.int64)
    different = True
    for place in range(len(ranks)):
        different &= kept_mask >> place & 1 == 0 or own[ranks[place]] == 1
    for deal in range(number):
        if deals[2][deal] >= BET or kept_places(deals, deal, ranks) != kept_mask:
            continue
        clubs = marks[deal, 0]
        seen[CLUBS, clubs] += 1
        for suit in range(1, SUITS):
            seen[OTHER_SUIT, marks[deal, suit]] += 1
        for suit in range(SUITS):
            if not different or marks[deal, suit] & kept_mask != kept_mask:
                continue
            if suit == 0:
                kept_clubs[clubs] += 1
            else:
                two[0, marks[deal, suit], clubs] += 1
            for beside in range(1, SUITS):
                if beside != suit:
                    two[1 if suit == 0 else 2, marks[deal, suit], marks[deal, beside]] += 1
    clubs_avoiding, kept_clubs_avoiding = np.zeros((2, PLACES), np.int64)
    avoided, both = np.zeros((3, PLACES, PLACES), np.int64), np.zeros((PLACES, PLACES), np.int64)
    for places in range(PLACES):
        for of_suit in range(PLACES):
            if places & of_suit == 0:
                clubs_avoiding[places] += seen[CLUBS, of_suit]
                kept_clubs_avoiding[places] += kept_clubs[of_suit]
                for table in range(3):
                    avoided[table, places] += two[table, of_suit]
    for places in range(PLACES):
        for clubs in range(PLACES):
            if places & clubs == 0:
                both[:, places] += avoided[0, :, clubs]
    return Marked(seen, clubs_avoiding, kept_clubs_avoiding, avoided[0], both, avoided[1], avoided[2])
