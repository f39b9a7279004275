"""Six cards counted: player's and dealer's against each other, and every one of the hands.

There are C(53, 6) × C(47, 6) deals and C(53, 6) = 22,957,480 hands, counted by their best five cards and by the line of
the house way that sets them.

Every setting of the player's cards meets every dealer (`pairs`), so the counts say which one is best; the player looks
at nothing but the ranks and the suit that five cards share. Not here: what the counts come to (`six_wagers`).
"""

from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths.cards import JOKER, JOKER_DECK
from games.maths.enumerations import cached_arrays, in_shares, next_cards, orbit_size
from games.maths.ranking import KEYS, flush_part, forms, high_part, low_part
from games.maths.two_hands.pairs import RANKS, SIX, HandTables, count_hands_with, suited_ranks
from games.maths.two_hands.ranking import PAIR, high_table, packed, place_table
from games.maths.two_hands.six_cards import (
    BEST,
    BOTH_COPY,
    BOTH_LOWER,
    ENDS,
    HIGH_COPY,
    HIGH_WINS,
    HIGHEST_HIGH,
    HIGHEST_LOW,
    LINES,
    LOW_COPY,
    LOW_WINS,
    LOWS,
    REGULATION,
    WIN,
    Codes,
    Settings,
    all_outside,
    all_settings,
    by_form_and_suit,
    high_hands,
    high_of,
    line_of,
    low_of,
    settings,
)

DEALS: Final = comb(53, 6) * comb(47, 6)
WAYS: Final = (BEST, REGULATION, HIGHEST_HIGH, HIGHEST_LOW)  # of the player; the dealer keeps to the regulation's
TALLIES: Final = 4
QUALIFIED_WIN, QUALIFIED_LOSS, QUALIFIED, ALL_DEALS = range(TALLIES)
DIFFERENCES: Final = 3
COPIES_LOSE, BOTH_WAGERS = range(2)
AS_HOUSE_WAY, HIGHER_LOW, LOWER_LOW = range(DIFFERENCES)  # how the best low hand differs from the house way's

SETTINGS: Final = 7  # by the house way, then those that no other beats in both hands, the highest high hand first
BY_HOUSE_WAY: Final = 0
HANDS_BITS: Final = 0x1FFFF  # of a code (`six_cards`): both hands
LOW_BITS: Final = 15  # the low hand


@dataclass(frozen=True, slots=True)
class Pairs:
    """Deals by their ends under each way of setting.

    `ends[place in WAYS, end]` of `DEALS`; `qualified[place in WAYS, tally, player's high, low]` for the best setting
    and the house way: the deals in which the dealer's high hand is a pair of eights or better, won, lost and all by the
    player's hands; last, all deals. `chosen[hand]`: the place of the best setting in `_codes`. `differs[line of the
    house way, difference]`, of C(53, 6) hands. `copies`: deals in which one hand is identical and the other wins, by
    the place in `WAYS`. `edges`, deals won more than lost: `COPIES_LOSE`, set best if those deals lost; `BOTH_WAGERS`,
    set and doubled best for both wagers at once.
    """

    ends: Ints
    qualified: Ints
    chosen: NDArray[np.int8]
    differs: Ints
    copies: Ints
    edges: Ints


@cache
def count_deals() -> Pairs:
    """Count every deal once, and keep the counts."""
    arrays = cached_arrays(
        "six_pairs", lambda: asdict(_summed(_codes(), count_settings(np.arange(JOKER_DECK), _codes())))
    )
    ends, qualified, differs, copies, edges = (
        cast(Ints, arrays[name]) for name in ("ends", "qualified", "differs", "copies", "edges")
    )
    return Pairs(ends, qualified, cast(NDArray[np.int8], arrays["chosen"]), differs, copies, edges)


@cache
def best_settings() -> Settings:
    """Return the codes of the best settings, as `six_cards.settings` has those of the house way."""
    codes, chosen = _codes(), count_deals().chosen
    best = np.where(codes[:, BY_HOUSE_WAY] < 0, 0, codes[np.arange(len(codes)), chosen])
    return by_form_and_suit(best)


@cache
def best_low_hands() -> tuple[Ints, Ints, Ints]:
    """Return of each hand its six ranks, rising, the places of cards outside of a suit of five, and the best low hand.

    The places are bits, all six where no five cards share a suit; the low hand is a rank, 13 = the joker.
    """
    (_, hands, ranks), best = all_settings(), best_settings()
    codes = np.concatenate([best.by_form, best.by_suit.ravel()])[hands]
    return ranks, all_outside(), np.asarray(codes & LOW_BITS, np.int64)


def loss_if(way: int) -> tuple[Fraction, Fraction]:
    """Return the loss per wager with the best setting and by the house way, if that were `way`; takes some seconds."""
    codes = _codes(way)
    hands = np.flatnonzero(codes[:, BY_HOUSE_WAY] >= 0)
    codes, edge = codes[hands], _edge(count_settings(np.arange(JOKER_DECK), codes)[hands])
    best = int(np.where(codes < 0, np.iinfo(np.int64).min // 2, edge).max(axis=1).sum())
    return Fraction(-best, DEALS), Fraction(-int(edge[:, BY_HOUSE_WAY].sum()), DEALS)


def _codes(way: int = REGULATION) -> Codes:
    """Return `[hand, setting]`: the code by the house way, then those of the front; −1 after the last."""
    house_way, (every, _, _) = settings(way), all_settings()
    by_house_way = np.concatenate([house_way.by_form, house_way.by_suit.ravel()])
    codes = np.full((len(every), SETTINGS), -1, np.int32)
    codes[:, BY_HOUSE_WAY] = np.where(every.max(axis=1) < 0, -1, by_house_way)
    _fill_fronts(every, codes)
    return codes


@kernel
def _fill_fronts(every: Codes, codes: Codes) -> None:
    for hand in range(len(every)):
        least, slot = -1, BY_HOUSE_WAY + 1
        while True:
            highest = -1
            for code in every[hand]:
                if code >= 0 and low_of(code) > least and (highest < 0 or code & HANDS_BITS > highest & HANDS_BITS):
                    highest = code
            if highest < 0:
                break
            codes[hand, slot] = highest
            least = low_of(highest)
            slot += 1


def _summed(codes: Codes, counts: Ints) -> Pairs:
    """Choose the best setting of every hand, and sum up."""
    hands = np.flatnonzero(codes[:, BY_HOUSE_WAY] >= 0)
    codes, counts = codes[hands], counts[hands]
    edge = np.where(codes < 0, np.iinfo(np.int64).min // 2, _edge(counts))
    # Of equal settings the house way's; else the one with the highest high hand.
    places = {BEST: edge.argmax(axis=1), REGULATION: np.full(len(hands), BY_HOUSE_WAY)}
    places |= {HIGHEST_HIGH: np.full(len(hands), BY_HOUSE_WAY + 1), HIGHEST_LOW: (codes >= 0).sum(axis=1) - 1}
    rows = np.arange(len(hands))
    sums = np.stack([counts[rows, places[way]].sum(axis=0) for way in WAYS])
    qualified = np.zeros((2, TALLIES, len(high_hands()), LOWS), np.int64)
    for place, way in enumerate(WAYS[:2]):
        code, taken = codes[rows, places[way]], counts[rows, places[way]]
        for tally, column in enumerate((STRONG_BOTH, STRONG_LOST, STRONG, DEALT)):
            np.add.at(qualified[place, tally], (code >> 4 & 0x1FFF, code & LOW_BITS), taken[:, column])
    best, house_way = codes[rows, places[BEST]], codes[:, BY_HOUSE_WAY]
    how = np.where(best & LOW_BITS > house_way & LOW_BITS, HIGHER_LOW, LOWER_LOW)
    differs = np.zeros((LINES, DIFFERENCES), np.int64)
    dealt = counts[:, BY_HOUSE_WAY, DEALT] // comb(47, 6)
    np.add.at(differs, (house_way >> 17, np.where(best == house_way, AS_HOUSE_WAY, how)), dealt)
    doubling = np.maximum(0, counts[..., STRONG_BOTH] - counts[..., STRONG_LOST])
    edges = [(edge - counts[..., COPY_AND_WIN]).max(axis=1).sum(), (edge + doubling).max(axis=1).sum()]
    chosen = np.zeros(len(_codes()), np.int8)
    chosen[hands] = places[BEST]
    return Pairs(_ends(sums), qualified, chosen, differs, sums[:, COPY_AND_WIN], np.array(edges))


def _edge(counts: Ints) -> Ints:
    """Return the deals that the required wager wins, less those that it loses."""
    return np.asarray(counts[..., BELOW_HIGH] + counts[..., BELOW_LOW] - counts[..., DEALT])


def _ends(sums: Ints) -> Ints:
    both, high, low, dealt = (sums[:, column] for column in (BELOW_BOTH, BELOW_HIGH, BELOW_LOW, DEALT))
    copies = {BOTH_COPY: sums[:, SAME_BOTH], HIGH_COPY: sums[:, SAME_HIGH], LOW_COPY: sums[:, SAME_LOW]}
    # HIGH_COPY: the high hand identical, the low hand lower; LOW_COPY the other way round.
    lower = dealt - high - low + both - sum(copies.values())
    ends = {WIN: both, HIGH_WINS: high - both, LOW_WINS: low - both, BOTH_LOWER: lower, **copies}
    return np.stack([ends[end] for end in range(ENDS)], axis=1)


HANDS: Final = comb(53, 6)
BESTS: Final = 1 << 8  # 16 × category + first rank


@dataclass(frozen=True, slots=True)
class SixCards:
    """Counts of `HANDS`: `best[16 × category + first rank of the best five cards]`, `lines[line of the house way]`."""

    best: Ints
    lines: Ints


@cache
def count_hands() -> SixCards:
    """Return the best five by ranking all six choices of five; the line from the tables of the house way.

    The hands by line are compared to those of `count_deals`, which shares these tables but walks over hands by itself.
    """
    counts = SixCards(np.zeros(BESTS, np.int64), np.zeros(LINES, np.int64))
    house_way, tables = settings(REGULATION), forms(SIX)
    _count_lines((KEYS, tables.low, tables.high), house_way.by_form, house_way.by_suit, counts.lines)
    _count_best(place_table(), high_table(), counts.best)
    return counts


@kernel
def _count_lines(numbers: tuple[Ints, Codes, Codes], by_form: Codes, by_suit: Codes, lines: Ints) -> None:
    """Count every hand by its line."""
    keys, low, high = numbers
    cards = np.arange(SIX)
    while True:
        key = 0
        for card in cards:
            key += keys[card]
        if flush_part(key):
            lines[line_of(by_suit[suited_ranks(cards)])] += 1
        else:
            lines[line_of(by_form[low[low_part(key)] + high[high_part(key)]])] += 1
        if not next_cards(cards):
            return


@kernel
def _count_best(places: Ints, values: NDArray[np.int32], best: Ints) -> None:
    """Count every hand by the highest of its choices of five. It does not read the tables of the house way."""
    five = np.arange(5)
    number, suits = np.zeros(5, np.int64), np.zeros(5, np.int64)  # of the five without card 0, 1, … 4
    while True:
        without_last, suit_of_all = 0, 15
        for place in range(5):
            without_last += places[place, five[place] >> 2]
            suit_of_all &= 1 << (five[place] & 3)
        for without in range(5):
            number[without], suits[without] = 0, 15
            for place in range(5):
                if place != without:
                    number[without] += places[place - (1 if place > without else 0), five[place] >> 2]
                    suits[without] &= 1 << (five[place] & 3)
        for last in range(five[4] + 1, JOKER_DECK):
            suit = 15 if last == JOKER else 1 << (last & 3)
            most = values[1 if suit_of_all else 0, without_last]
            for without in range(5):
                suited = 1 if suits[without] & suit else 0
                most = max(most, values[suited, number[without] + places[4, last >> 2]])
            best[most >> 16] += 1
        if not next_cards(five):
            return


def _hand_tables() -> HandTables:
    tables = forms(SIX)
    return KEYS, tables.low, tables.high, len(tables.ranks) + LOWS * np.arange(1 << RANKS)


EIGHT: Final = 6
SIZES: Final = ((0, 1, 4, 5), (2, 3, 6))  # of shared cards, so divided that both shares take about as long
COUNTS: Final = 11
(
    BELOW_BOTH, BELOW_HIGH, BELOW_LOW, DEALT,  # dealers with both hands, the high, the low hand below the player's; all
    SAME_BOTH, SAME_HIGH, SAME_LOW,  # identical, or one identical and the other above the player's
    COPY_AND_WIN,  # one identical, the other below
    STRONG_BOTH, STRONG_LOST, STRONG,  # of the dealers with whom a double is settled: won, lost, all
) = range(COUNTS)  # fmt: skip


def least_qualified() -> int:
    """Return the place of the lowest pair of eights among the high hands: with less the dealer does not qualify."""
    return int(np.searchsorted(high_hands(), packed(PAIR, [EIGHT])))


def count_settings(deck: Ints, codes: Codes) -> Ints:
    """Return `[hand, setting, count]`, summed over the suits of a hand.

    `deck` has rising cards, of each rank all four suits or none; fewer than 53 serve tests.
    """
    least, numbers = least_qualified(), _hand_tables()

    def count(share: int) -> Ints:
        counts = np.zeros((*codes.shape, COUNTS), np.int64)
        for size in SIZES[share]:
            _count_shared(size, deck, numbers, least, codes, counts)
        return counts

    first, second = in_shares(count)
    first += second
    return first


@kernel
def _count_shared(size: int, deck: Ints, numbers: HandTables, least: int, codes: Codes, counts: Ints) -> None:
    """Add the term of inclusion–exclusion for sets of `size` shared cards if `size` is even, else subtract it."""
    picked, cards, more_sets = np.arange(size), np.zeros(6, np.int64), True
    times, alike = np.zeros(len(codes), np.int32), np.zeros(len(codes), np.int32)
    dealers = np.zeros((8192, LOWS), np.int64)
    met, rows = np.zeros(8192, np.bool_), np.zeros(8192, np.int64)
    below = np.zeros((8193, LOWS + 1), np.int64)  # [high hands below, low hands below]; all low hands in the last
    while more_sets:
        for place in range(size):
            cards[place] = deck[picked[place]]
        weight = orbit_size(cards[:size]) * (1 if size % 2 == 0 else -1)
        more_sets = next_cards(picked, len(deck))
        if weight == 0:
            continue
        different = count_hands_with(cards, size, deck, numbers, times, alike)

        # All of them as the dealer's hands, then each setting of each as the player's.
        number = 0
        for hand in alike[:different]:
            row = high_of(codes[hand, 0])
            dealers[row, min(low_of(codes[hand, 0]), 12)] += times[hand]
            if not met[row]:
                met[row] = True
                rows[number] = row
                number += 1
        rows[:number].sort()
        for row in range(number):
            running = 0
            for rank in range(14):
                below[row + 1, rank] = below[row, rank] + running
                running += dealers[rows[row], rank]
            below[row + 1, 14] = below[row, 14] + running
            dealers[rows[row]] = 0
            met[rows[row]] = False
        weak = int(np.searchsorted(rows[:number], least))
        for hand in alike[:different]:
            for slot in range(codes.shape[1]):
                if codes[hand, slot] >= 0:
                    _add(codes[hand, slot], rows[:number], below, weak, weight * times[hand], counts[hand, slot])
            times[hand] = 0


@kernel
def _add(code: int, rows: Ints, below: Ints, weak: int, weight: int, counts: Ints) -> None:
    """Add the dealers whom one setting meets, from the running sums `below`."""
    own_high, own_low, number = high_of(code), low_of(code), len(rows)
    row = int(np.searchsorted(rows, own_high))
    same = row + 1 if row < number and rows[row] == own_high else row
    up_to = own_low + 1 if own_low < 12 else 13  # low hands not above the player's
    both, high, low_hand, every = below[row, own_low], below[row, 14], below[number, own_low], below[number, 14]
    same_high_not_above = below[same, up_to] - below[row, up_to]
    same_high_below = below[same, own_low] - both
    same_low_below = below[row, up_to] - both
    counts[BELOW_BOTH] += weight * both
    counts[BELOW_HIGH] += weight * high
    counts[BELOW_LOW] += weight * low_hand
    counts[DEALT] += weight * every
    counts[SAME_BOTH] += weight * (same_high_not_above - same_high_below)
    counts[SAME_HIGH] += weight * (below[same, 14] - high - same_high_not_above)
    counts[SAME_LOW] += weight * (below[number, up_to] - low_hand - below[same, up_to] + below[same, own_low])
    counts[COPY_AND_WIN] += weight * (same_high_below + same_low_below)
    settled = row if row < weak else weak
    strong, strong_both = every - below[weak, 14], both - below[settled, own_low]
    strong_high, strong_low = high - below[settled, 14], low_hand - below[weak, own_low]
    counts[STRONG_BOTH] += weight * strong_both
    counts[STRONG_LOST] += weight * (strong - strong_high - strong_low + strong_both)
    counts[STRONG] += weight * strong
