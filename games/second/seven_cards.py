"""Rounds of seven cards a side, set into a high hand of five and a low hand of two; the dealer's are seen first.

The dealer follows the filed house way: the first of its lines that describes the seven cards says which class the high
hand keeps. Then the low hand is the highest that is left, and the high hand the highest beside it. The player sets so
as to beat both of the dealer's hands, else one. Shared with the exact side: the order of the lines, by their words. The
dealer's seven cards are dealt first, then the player's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play
from games.second.cashier import endings, reset_meters
from games.second.hands import ACE, FLUSH, FOUR, FULL_HOUSE, NO_PAIR, PAIR, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH, THREE
from games.second.table import Dealt, Ending, Stream
from games.second.two_hands import (
    CLASS,
    DECK,
    FIVE_ALIKE,
    FLUSHES,
    GROUPED,
    JOKER,
    NO_FLUSH,
    Ints,
    cards_of,
    class_of,
    five_cards,
    keys,
    lower,
    numbers,
    rank_of,
    suit,
    upper,
)
from games.streams import advance, below, start

SEVEN: Final = 7
SETTINGS: Final = 21
PLACES: Final = np.array(
    [(*low, *(place for place in range(SEVEN) if place not in low)) for low in combinations(range(SEVEN), 2)]
)
"""Of each setting the places of the low hand's two cards, then of the high hand's five."""
QUEEN, KING = 10, 11
FIVE_ACES, THREE_PAIR, ROYAL_MATCH, SEVEN_NATURAL, SEVEN_WITH_JOKER = range(FIVE_ALIKE + 1, FIVE_ALIKE + 6)
MADE: Final = 1 << SEVEN_WITH_JOKER + 1
"""Bits of what seven cards make: `1 << FLUSH`, … `1 << FIVE_ALIKE` of five cards, and these."""
BEATEN: Final = (("Neither hand wins", -1), ("One hand wins", 0), ("Both hands win", 1))
PUSHED: Final = 3
BOTH, WITH_JOKER, NO_JOKER = range(3)
LOW: Final = (1 << 27) - 1  # of a code: the low hand; above it is the high hand
Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a house way. Cards of one rank are a group, the joker is an ace."""

    keep: int  # the least class of the high hand
    groups: tuple[tuple[int, int, int], ...]  # the sizes of the three largest groups
    largest: tuple[int, int] = (0, ACE)  # from which to which rank the largest, or the highest of these, is
    one_of: tuple[int, ...] = ()  # ranks of which the hand has one
    none_of: tuple[int, ...] = ()
    run: bool = False  # five of the cards make a straight, a flush or both


@dataclass(frozen=True, slots=True, kw_only=True)
class SevenCardTable:
    """The table of one game; the required wager pays even money, and ties where the dealer is ace high."""

    required: str  # keys of the wagers
    ace_high: str
    pushed: str  # the outcome of the required wager where the dealer is ace high
    ace_high_rows: tuple[str, str, str]  # printed rows: both are ace high; the dealer alone, with the joker and without
    hands: Mapping[str, tuple[int, ...]]  # printed row → bits of what seven cards make, any of which it pays
    natural: str  # a row that, beside one for hands with the joker, is for hands without it alone
    lines: Mapping[str, Line]  # words of a line of a house way → what they say

    def deal(self, chapter: Chapter, answers: Answers, strategy: Sequence[str], stream: Stream) -> Dealt:
        """Deal and settle the rounds; `strategy`: the words of the lines of the dealer's house way, in order.

        The last are the dealer's seven cards, then the player's.
        """
        settled, ace_high, made = np.zeros(4, np.int64), np.zeros(3, np.int64), np.zeros((2, MADE), np.int64)
        known, numbered, deck = by_ranks(), numbers(SEVEN), np.arange(DECK)
        keeps = keeps_of([self.lines[words] for words in strategy])
        dealers = np.zeros(len(known.groups), np.int64)
        _set_dealers(known.groups, known.runs, known.highs, known.lows, keeps, dealers)
        if dealers.min() < 0:
            raise ValueError(f"no line of the house way fits {numbered.ranks[int(dealers.argmin())].tolist()}")
        by_kind = np.zeros(len(known.made), np.int64)
        sums = keys(), numbered.low, numbered.high
        players = known.first, known.fronts, known.kinds, known.ace_high
        _deal(*stream, sums, dealers, players, keeps, (settled, ace_high, by_kind, made), deck)
        for wild in range(2):
            np.add.at(made[wild], known.made[:, wild], by_kind)
        ends: dict[str, Sequence[Ending]] = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if wager == self.required:
                outcomes = (*BEATEN, (self.pushed, 0))
                ends[wager] = [
                    Ending(outcome, Fraction(1), Fraction(net), int(rounds))
                    for (outcome, net), rounds in zip(outcomes, settled, strict=True)
                ]
                continue
            table = chapter.paytable(wager, name)
            if wager == self.ace_high:
                counts = dict(zip(self.ace_high_rows, ace_high.tolist(), strict=True))
            else:
                counts = self.by_row(table, made[int(table.fully_wild_joker)])
            ends[wager] = endings(table, counts, stream[2], reset_meters(table, answers))
        return Dealt(ends, tuple(deck[: 2 * SEVEN].tolist()))

    def by_row(self, table: Paytable, made: Ints) -> dict[str, int]:
        """Return printed row → rounds: a hand is paid by the first row that it fills."""
        counts = {row.outcome: 0 for row in table.rows}
        paid = {row: sum(1 << bit for bit in self.hands[row]) for row in counts}
        if any(bits == 1 << SEVEN_WITH_JOKER for bits in paid.values()) and self.natural in paid:
            paid[self.natural] = 1 << SEVEN_NATURAL
        for bits in np.flatnonzero(made):
            if row := next((row for row, pays in paid.items() if pays & int(bits)), ""):
                counts[row] += int(made[bits])
        return counts


def keeps_of(lines: Sequence[Line]) -> Ints:
    """Return `[groups_of a hand, run]`: the class that the first line that fits keeps; −1 = none fits."""
    keeps = np.full((4 * 13 * 128, 2), -1)
    for line in reversed(lines):
        ranks = range(line.largest[0], line.largest[1] + 1)
        for sizes, largest, ace, king, straight in product(line.groups, ranks, (0, 1), (0, 1), (0, 1)):
            there = {ACE: ace, KING: king}
            fits = not line.one_of or any(there[rank] for rank in line.one_of)
            if fits and not any(there[rank] for rank in line.none_of) and (straight or not line.run):
                keeps[_packed(*sizes, largest) << 2 | ace << 1 | king, straight] = line.keep
    return keeps


@helper
def _packed(largest: int, second: int, third: int, rank: int) -> int:
    return 13 * (16 * largest + 4 * second + third) + rank


@helper
def groups_of(counts: int) -> int:
    """Return the sizes of the three largest groups and the rank of the largest, and if there is an ace, a king.

    `counts`: four bits for each rank; what is returned is packed.
    """
    largest, second, third, highest = 0, 0, 0, 0
    for rank in range(ACE + 1):
        size = counts >> 4 * rank & 15
        if size >= largest and size:
            largest, second, third, highest = size, largest, second, rank
        elif size > second:
            second, third = size, second
        elif size > third:
            third = size
    ace, king = counts >> 4 * ACE & 15 > 0, counts >> 4 * KING & 15 > 0
    return _packed(largest, second, third, highest) << 2 | ace << 1 | king


@helper
def longest(ranks: int, cards: int) -> int:
    """Return the most ranks that lie in a straight of so many cards."""
    most = 0
    for low in range(-1, ACE + 2 - cards):
        inside = ranks & ((1 << cards) - 1 << low if low >= 0 else 1 << ACE | (1 << cards - 1) - 1)
        size = 0
        while inside:
            inside &= inside - 1
            size += 1
        most = max(most, size)
    return most


@helper
def made_of(counts: int, in_suit: int, joker: int, wild: int) -> int:
    """Return what seven cards make, as bits; `counts` and the ranks of a suit of five are without the joker."""
    ranks = 0
    for rank in range(ACE + 1):
        ranks |= (counts >> 4 * rank & 15 > 0) << rank
    more = joker if wild else 0  # cards to a group, whichever it is
    counts += joker - more << 4 * ACE
    sizes = (groups_of(counts) >> 2) // 13
    largest, second, third = sizes >> 4, sizes >> 2 & 3, sizes & 3
    bits = (largest + more >= 3) << THREE | (largest + more >= 4) << FOUR | (largest + more >= 5) << FIVE_ALIKE
    bits |= ((counts >> 4 * ACE & 15) + more >= 5) << FIVE_ACES | (third >= 2) << THREE_PAIR
    bits |= (min(largest, 3) + min(second, 2) + more >= 5) << FULL_HOUSE
    bits |= (longest(ranks, 5) + joker >= 5) << STRAIGHT
    if in_suit:
        bits |= 1 << FLUSH | (longest(in_suit, 5) + joker >= 5) << STRAIGHT_FLUSH
        bits |= (longest(in_suit & 31 << 8, 5) + joker >= 5) << ROYAL_FLUSH
        bits |= (longest(in_suit, 7) + joker >= 7) << (SEVEN_WITH_JOKER if joker else SEVEN_NATURAL)
    return bits


@dataclass(frozen=True, slots=True)
class ByRanks:
    """The ranks of seven cards of which no five are of one suit, by number, with their settings.

    `fronts[first[number] : first[number + 1]]` are the settings that no other beats in both hands.
    """

    highs: Ints
    lows: Ints
    groups: Ints
    runs: Ints
    ace_high: NDArray[np.uint8]  # 1 = an ace is the highest card, 2 = the joker is that ace
    first: Numbers
    fronts: Ints
    kinds: NDArray[np.uint16]  # by number: the row of `made`
    made: Ints  # `[kind, whether the joker is fully wild]`


@cache
def by_ranks() -> ByRanks:
    cards = cards_of(numbers(SEVEN).ranks)
    size = len(cards)
    highs, lows = np.zeros((2, size, SETTINGS), np.int64)
    groups, runs, first = np.zeros((3, size + 1), np.int64)
    ace_high, made, fronts = np.zeros(size, np.uint8), np.zeros((size, 2), np.int64), np.zeros(16 * size, np.int64)
    _fill(cards, highs, lows, groups, runs, ace_high, made, first, fronts)
    kinds, number = np.unique(made[:, 0] * MADE + made[:, 1], return_inverse=True)
    by_kind = np.stack([kinds // MADE, kinds % MADE], axis=1)
    return ByRanks(
        *(highs, lows, groups[:-1], runs[:-1], ace_high, first.astype(np.int32), fronts[: first[-1]].copy()),
        *(number.astype(np.uint16), by_kind),
    )


@kernel
def _fill(
    cards: Ints,
    highs: Ints,
    lows: Ints,
    groups: Ints,
    runs: Ints,
    ace_high: NDArray[np.uint8],
    made: Ints,
    first: Ints,
    fronts: Ints,
) -> None:
    used = 0
    for number in range(len(cards)):
        joker = 1 if cards[number, 6] == JOKER else 0
        arrange(cards[number], highs[number], lows[number])
        groups[number] = groups_of(counts_of(cards[number], True))
        best = 0
        for high in highs[number]:
            best = max(best, high)
            runs[number] |= is_run(high)
        if best < 2 << ACE and best >> ACE:
            ace_high[number] = 1 + joker
        counts = counts_of(cards[number], False)
        for wild in range(2):
            made[number, wild] = made_of(counts, 0, joker, wild)
        least = -1  # the fronts, from the highest high hand on
        while True:
            best_high, best_low = -1, -1
            for setting in range(SETTINGS):
                high, low = highs[number, setting], lows[number, setting]
                if low > least and high >= low and (high, low) > (best_high, best_low):
                    best_high, best_low = high, low
            if best_high < 0:
                break
            fronts[used] = best_high << 27 | best_low
            used += 1
            least = best_low
        first[number + 1] = used


@kernel
def counts_of(cards: Ints, joker_is_ace: bool) -> int:
    """Return how many cards of each rank there are, four bits for a rank; the joker is an ace, or left out."""
    counts = 0
    for card in cards:
        if card != JOKER or joker_is_ace:
            counts += 1 << 4 * rank_of(card)
    return counts


@kernel
def arrange(cards: Ints, highs: Ints, lows: Ints) -> None:
    """Write the high and the low hand of each of the 21 settings of seven cards."""
    for setting in range(SETTINGS):
        a, b, c, d, e, f, g = PLACES[setting]
        lows[setting] = two_cards(cards[a], cards[b])
        highs[setting] = five_cards(cards[c], cards[d], cards[e], cards[f], cards[g])


@helper
def two_cards(a: int, b: int) -> int:
    """Return the number of a low hand."""
    first, second = 1 << rank_of(a), 1 << rank_of(b)
    return PAIR << CLASS | first << GROUPED if first == second else first | second


@helper
def is_run(high: int) -> bool:
    """Return True if a high hand is a straight, a flush or both."""
    return class_of(high) in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)


@kernel
def choose(keep: int, highs: Ints, lows: Ints) -> int:
    """Return the code of the setting with the highest low hand beside a high hand of the class, or −1."""
    best_high, best_low = -1, -1
    for setting in range(SETTINGS):
        high, low = highs[setting], lows[setting]
        if class_of(high) >= keep >= NO_PAIR and high >= low and (low, high) > (best_low, best_high):
            best_high, best_low = high, low
    return best_high << 27 | best_low if best_high >= 0 else -1


@kernel
def _set_dealers(groups: Ints, runs: Ints, highs: Ints, lows: Ints, keeps: Ints, dealers: Ints) -> None:
    for number in range(len(dealers)):
        dealers[number] = choose(keeps[groups[number], runs[number]], highs[number], lows[number])


@kernel
def most_beaten(dealer_high: int, dealer_low: int, highs: Ints, lows: Ints) -> int:
    """Return how many of the dealer's hands the best setting beats."""
    most = 0
    for setting in range(SETTINGS):
        if highs[setting] >= lows[setting]:
            most = max(most, (highs[setting] > dealer_high) + (lows[setting] > dealer_low))
    return most


@kernel
def made_with_flush(cards: Ints, wild: int) -> int:
    """Return what seven cards make of which five are of one suit, as bits."""
    joker, beside, ranks, suits = 0, 0, 0, 0
    shared, in_suit = suit(cards)
    for card in cards:
        if card == JOKER:
            joker = 1
        elif card & 3 != shared:
            beside += 1
            ranks |= 1 << (card >> 2)
            suits |= 1 << (card & 3)
    bits = made_of(counts_of(cards, False), in_suit, joker, wild)
    one_suit = suits & (suits - 1) == 0
    if bits >> ROYAL_FLUSH & 1 and ranks == 1 << QUEEN | 1 << KING and beside == 2 and one_suit:
        bits |= 1 << ROYAL_MATCH
    return bits


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    sums: tuple[Ints, Numbers, Numbers],
    dealers: Ints,
    players: tuple[Numbers, Ints, NDArray[np.uint16], NDArray[np.uint8]],
    keeps: Ints,
    tallies: tuple[Ints, Ints, Ints, Ints],
    deck: Ints,
) -> None:
    keys_of, low_numbers, high_numbers = sums
    first, fronts, kinds, ace_highs = players
    settled, ace_high, by_kind, made = tallies
    highs, lows = np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
    state = start(seed, block)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        for place in range(2 * SEVEN):
            state = advance(state)
            pick = place + below(state, DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        dealer_total, player_total = NO_FLUSH, NO_FLUSH
        for place in range(SEVEN):
            dealer_total += keys_of[deck[place]]
            player_total += keys_of[deck[SEVEN + place]]
        if dealer_total & FLUSHES:
            arrange(deck[:SEVEN], highs, lows)
            shown = choose(keeps[groups_of(counts_of(deck[:SEVEN], True)), 1], highs, lows)
            dealer_ace = 0
        else:
            number = low_numbers[lower(dealer_total)] + high_numbers[upper(dealer_total)]
            shown, dealer_ace = int(dealers[number]), int(ace_highs[number])
        dealer_high, dealer_low = shown >> 27, shown & LOW
        beaten, player_ace = 0, 0
        if player_total & FLUSHES:
            arrange(deck[SEVEN : 2 * SEVEN], highs, lows)
            beaten = most_beaten(dealer_high, dealer_low, highs, lows)
            for wild in range(2):
                made[wild, made_with_flush(deck[SEVEN : 2 * SEVEN], wild)] += 1
        else:
            number = low_numbers[lower(player_total)] + high_numbers[upper(player_total)]
            for place in range(first[number], first[number + 1]):
                code = fronts[place]
                beaten = max(beaten, (code >> 27 > dealer_high) + (code & LOW > dealer_low))
            by_kind[kinds[number]] += 1
            player_ace = int(ace_highs[number])
        if dealer_ace == 0:
            settled[beaten] += 1
            continue
        settled[PUSHED] += 1
        if player_ace:
            ace_high[BOTH] += 1
        else:
            ace_high[WITH_JOKER if dealer_ace == 2 else NO_JOKER] += 1
