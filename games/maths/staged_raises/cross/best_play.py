"""The two hands of a cross exactly: two own cards with the row and with the column of a cross of five cards.

The first bet, on the row, is decided on the two own cards; the second, on the column, also on the row's outer two; the
third, on the better of both, also on the column's outer two; then the middle card is turned. For each of 169 starting
hands every outer pair of the row (one for each orbit under suit permutations) meets every outer pair of the column and
every middle card. A bet of two Antes is never better than both others: what a decision is worth under one later play
grows in proportion to the bet, the best later play makes it convex, and a convex function is largest at an end. Equal
decisions take the larger wager.

Then every deal of a starting hand that is not folded at once is counted by where the best play leads. The columns with
which a row is not folded are bits; how many of them end in a result is counted by words of 64. Not here: the odds, the
rows reported (`wagers`).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, helper, kernel
from games.maths.cards import FULL_DECK, RANKS, SUITS
from games.maths.ranking import HIGH, LOW, flush_part, high_part, low_part, standard
from games.maths.staged_raises.paid_hands import LADDER, LOSING, PAIRS, RESULTS

FOLD, ONCE, THRICE = 0, 1, 3
EQUAL = 4  # added to a decision that is as good as another
STARTS = len(RANKS) ** 2
ALL_PAIRS = np.array(list(combinations(range(FULL_DECK), 2)))


@dataclass(frozen=True, slots=True)
class Start:
    """One of the 169 starting hands.

    Its cards, the number of deals of its orbit; its outer pairs (place, higher card, lower card), and those of the row
    to look at (index among the pairs, size of the orbit).
    """

    place: int
    own: tuple[int, int]
    orbit_size: int
    pairs: Ints
    rows: Ints
    same: Ints  # index among the pairs → index among `rows` of the one in its orbit

    @property
    def ranks(self) -> tuple[int, int]:
        """Return the ranks of the two cards, the higher first."""
        high, low = sorted((card // 4 for card in self.own), reverse=True)
        return high, low

    @property
    def suited(self) -> bool:
        return self.own[0] % 4 == self.own[1] % 4

    @property
    def paired(self) -> bool:
        return self.ranks[0] == self.ranks[1]


@cache
def starts() -> tuple[Start, ...]:
    """Return all 169, of one suit (the first) or of two (the first and second)."""
    all_starts = []
    for place in range(STARTS):
        row, column = divmod(place, len(RANKS))
        high, low, suited = max(row, column), min(row, column), row > column
        own = (4 * high, 4 * low + 1) if row < column else (4 * high + (row == column), 4 * low)
        all_starts.append(_start(place, own, 4 if suited else 6 if row == column else 12))
    return tuple(all_starts)


def _start(place: int, own: tuple[int, int], orbit_size: int) -> Start:
    orders = [order for order in permutations(range(len(SUITS))) if {_renamed(card, order) for card in own} == {*own}]
    low, high = ALL_PAIRS[~np.isin(ALL_PAIRS, own).any(axis=1)].T
    renamed_low, renamed_high = (
        np.array([_renamed(part, np.array(order)) for order in orders]) for part in (low, high)
    )
    least = _places(np.maximum(renamed_low, renamed_high), np.minimum(renamed_low, renamed_high)).min(axis=0)
    _, first, same, counts = np.unique(least, return_index=True, return_inverse=True, return_counts=True)
    pairs = np.stack((_places(high, low), high, low), axis=1)
    return Start(place, own, orbit_size, pairs, np.stack((first, counts), axis=1), same)


def _places(high: Ints, low: Ints) -> Ints:
    """Return the place of each of many pairs, as `set_place` has it."""
    return high * (high - 1) // 2 + low


def _renamed(cards: Any, order: Any) -> Any:
    """Return the card or cards, with suits renamed."""
    return cards - cards % 4 + order[cards % 4]


ROWS, COLUMNS, MIDDLES = comb(50, 2), comb(48, 2), 46  # outer pairs of the row, of the column; middle cards
ANTES = 2
CARDS_TAKEN = 4  # cards of a line that its middle card cannot be
ANTE = 2**32

Bytes = NDArray[np.int8]
Words = NDArray[np.uint64]
Sums = NDArray[np.int32]


class Lines(NamedTuple):
    """The lines by outer pair. What an Ante and a Bet win is one number: `ANTE` times the Ante's and the Bet's."""

    pairs: Ints  # higher or lower card × pair
    masks: Ints  # pair → both as bits
    results: Bytes  # middle card × pair; a card that is taken loses
    wins: Ints  # the same
    sums: Ints  # pair → what is won with the 48 cards that are not taken
    levels: Ints  # what a Bet can win, rising
    below: Words  # level × pair → as bits, the cards that win less than the next level
    least: Sums  # level × pair → the sum over all cards of what a Bet wins, at least the level
    lost: int


def lines_of(start: Start, ante: Ints, bet: Ints) -> Lines:
    """Return the lines for the nets of one Ante and one Bet by result."""
    number, lost, levels = len(start.pairs), -int(bet[LOSING]), np.unique(bet)
    pairs, hands = np.ascontiguousarray(start.pairs[:, 1:].T), np.zeros((FULL_DECK, number), np.int8)
    _line_up(standard().keys, LADDER.results(), LOW, HIGH, start.own, pairs, hands)
    wins = (ANTE * ante + bet)[hands]
    sums = wins.sum(axis=0) + CARDS_TAKEN * lost * (ANTE + 1)
    below, least = np.zeros((len(levels) - 1, number), np.uint64), np.zeros((len(levels), number), np.int32)
    _level(bet.astype(np.int32)[hands], levels, below, least)
    return Lines(pairs, (1 << pairs).sum(axis=0), hands, wins, sums, levels, below, least, lost)


@kernel
def _line_up(
    keys: Ints,
    table: Bytes,
    low: NDArray[np.int16],
    high: NDArray[np.int16],
    own: tuple[int, int],
    pairs: Ints,
    hands: Bytes,
) -> None:
    """Write the result for every middle card and every outer pair; a card that is taken counts as a loss."""
    index = np.zeros((FULL_DECK, FULL_DECK), np.int64)
    for j in range(pairs.shape[1]):
        index[pairs[0, j], pairs[1, j]] = j
    for j in range(pairs.shape[1]):
        a, b = pairs[0, j], pairs[1, j]
        four = keys[own[0]] + keys[own[1]] + keys[a] + keys[b]
        for c in range(b):
            if c != own[0] and c != own[1]:
                key = four + keys[c]
                result = table[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                hands[c, j] = hands[b, index[a, c]] = hands[a, index[b, c]] = result


@kernel
def _level(bets: Sums, levels: Ints, below: Words, least: Sums) -> None:
    """Fill `below` and `least` as `Lines` defines them."""
    for level in range(len(levels)):
        for card in range(FULL_DECK):
            for j in range(bets.shape[1]):
                least[level, j] += max(bets[card, j], np.int32(levels[level]))
        if level > 0:
            for card in range(FULL_DECK):
                for j in range(bets.shape[1]):
                    below[level - 1, j] |= np.uint64(bets[card, j] < levels[level]) << np.uint64(card)


@helper
def bet_part(both: int) -> int:
    """Return the Bet's part of the net of an Ante and a Bet together."""
    return ((both + ANTE // 2) & (ANTE - 1)) - ANTE // 2


@helper
def count_bits(word: np.uint64) -> np.uint64:
    """Return the number of bits set; LLVM knows these steps as one instruction."""
    bits = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (bits * np.uint64(0x0101010101010101)) >> np.uint64(56)


DEALS = PAIRS * ROWS * COLUMNS * MIDDLES
NEVER = -(2**40)  # less than all wagers can lose


@dataclass(frozen=True, slots=True)
class Play:
    """The best play and where it leads, in numbers of deals of `DEALS`.

    `first[start]` and `second[start, outer pair of the row]` are decisions; starts and pairs are numbered with suits
    renamed. `ended[across thrice, down thrice, middle thrice, across result, down result]`,
    `folded[stage, thrice]`, `chosen[stage, decision]`, `equal[stage]`; `worth` sums, over all deals, what an Ante
    on the row, a first bet and a third bet of one Ante win if the player never folds.
    """

    first: Bytes
    second: Bytes
    ended: Ints
    folded: Ints
    chosen: Ints
    equal: Ints
    worth: Ints


def best_play(ante: Ints, bet: Ints) -> Play:
    """Return the best play for what one Ante and one Bet win by result, in whole numbers of the same unit."""
    play = Play(
        np.zeros(STARTS, np.int8),
        np.zeros((STARTS, PAIRS), np.int8),
        *(np.zeros(shape, np.int64) for shape in ((2, 2, 2, len(RESULTS), len(RESULTS)), (3, 3), (3, 4), 3, 3)),
    )
    for start in starts():
        _play(start, ante, bet, play)
    return play


def _play(start: Start, ante: Ints, bet: Ints, play: Play) -> None:
    """Decide for one starting hand, and count where it leads."""
    deals, rows, lines = start.orbit_size * ROWS * COLUMNS * MIDDLES, start.rows, lines_of(start, ante, bet)
    middles = np.zeros((len(rows), len(start.pairs)), np.int32)
    worth, second = np.zeros((len(rows), 2, 2), np.int64), np.zeros((len(rows), 2), np.int8)
    third_worth = _weigh(lines, rows, middles, worth)
    bet_sums = lines.sums.astype(np.int32)  # the lower half
    line_sums = ((lines.sums - bet_sums) // ANTE, bet_sums)
    line_worths = (comb(MIDDLES + 1, 2) * (rows[:, 1] @ sums[rows[:, 0]]) for sums in line_sums)
    play.worth[:] += start.orbit_size * np.array([*line_worths, third_worth])
    first = int(_decide(lines.lost, rows, worth, second))
    play.first[start.place] = first % EQUAL
    play.chosen[0, first % EQUAL] += deals
    play.equal[0] += deals * (first // EQUAL)
    if first % EQUAL == FOLD:
        play.folded[0, 0] += deals
        return
    thrice = first % EQUAL // 2
    play.second[start.place, start.pairs[:, 0]] = second[start.same, thrice] % EQUAL
    tallies = (play.ended, play.folded, play.chosen, play.equal)
    count_ends(start, thrice, second[:, thrice].copy(), lines, middles, tallies)


@helper
def best_of(fold: int, once: int, thrice: int) -> int:
    """Return the decision by what each is worth."""
    if thrice >= once and thrice >= fold:
        return THRICE + EQUAL if thrice in (once, fold) else THRICE
    if once >= fold:
        return ONCE + EQUAL if once == fold else ONCE
    return FOLD


@kernel
def _weigh(lines: Lines, rows: Ints, middles: Sums, worth: Ints) -> int:
    """Fill `worth[row, across thrice, down thrice]`: the deals of each row with the best third bet.

    `middles[row, outer pair of the column]`: the net of a third bet of one Ante over the 46 middle cards, but that the
    column's outer cards still count in the row's wins. Returns the net of all third bets of one Ante. Two lines that
    both win less than a level with a middle card win the step to it less.
    """
    row, third_worth = np.zeros(FULL_DECK, np.int64), 0
    for r in range(len(rows)):
        i = rows[r, 0]
        a, b = lines.pairs[0, i], lines.pairs[1, i]
        for card in range(FULL_DECK):
            row[card] = lines.wins[card, i]
        top = len(lines.below)
        while top > 0 and count_bits(lines.below[top - 1, i]) == FULL_DECK:
            top -= 1
        for j in range(len(lines.masks)):
            taken_down = np.int32(lines.wins[a, j] + lines.wins[b, j])
            middles[r, j] = lines.least[top, j] + 2 * np.int32(lines.lost) - taken_down
        for level in range(top):
            step, cards = np.int32(lines.levels[level + 1] - lines.levels[level]), lines.below[level, i]
            for j in range(len(lines.masks)):
                middles[r, j] -= step * np.int32(count_bits(cards & lines.below[level, j]))
        fold, more = -(ANTES + 2) * MIDDLES * lines.lost, 2 * MIDDLES * lines.lost
        total_sum, worth_00, worth_01, worth_10, worth_11 = 0, 0, 0, 0, 0
        for j in range(len(lines.masks)):
            c, d = lines.pairs[0, j], lines.pairs[1, j]
            both_across, both_down = (
                lines.sums[i] - row[c] - row[d],
                lines.sums[j] - lines.wins[a, j] - lines.wins[b, j],
            )
            total, across, down = middles[r, j] - bet_part(row[c] + row[d]), bet_part(both_across), bet_part(both_down)
            stay = ((both_across + both_down - across - down) >> 32) + across + down + total + 2 * max(total, 0)
            if lines.masks[i] & lines.masks[j]:
                stay, total = NEVER, 0
            total_sum += total
            worth_00 += max(stay - fold, 0)
            worth_01 += max(stay + 2 * down - fold + more, 0)
            worth_10 += max(stay + 2 * across - fold + more, 0)
            worth_11 += max(stay + 2 * across + 2 * down - fold + 2 * more, 0)
        worth[r, 0, 0], worth[r, 1, 1] = worth_00 + COLUMNS * fold, worth_11 + COLUMNS * (fold - 2 * more)
        worth[r, 0, 1], worth[r, 1, 0] = worth_01 + COLUMNS * (fold - more), worth_10 + COLUMNS * (fold - more)
        third_worth += rows[r, 1] * total_sum
    return third_worth


@kernel
def _decide(lost: int, rows: Ints, worth: Ints, second: Bytes) -> int:
    """Return the second bet of every row after either first bet, and the first bet."""
    sums = np.zeros(2, np.int64)
    for r in range(len(rows)):
        for x in range(2):
            fold = -(ANTES + 1 + 2 * x) * COLUMNS * MIDDLES * lost
            second[r, x] = best_of(fold, worth[r, x, 0], worth[r, x, 1])
            sums[x] += rows[r, 1] * max(fold, worth[r, x, 0], worth[r, x, 1])
    return best_of(-ANTES * ROWS * COLUMNS * MIDDLES * lost, sums[0], sums[1])


WORDS = ROWS // 64 + 1
COUNT_BITS = 6  # of a number of middle cards

Tallies = tuple[Ints, Ints, Ints, Ints]
"""`ended`, `folded`, `chosen`, `equal` of `best_play.Play`."""


def count_ends(start: Start, x: int, second: Bytes, lines: Lines, middles: Sums, tallies: Tallies) -> None:
    """Count in `tallies`; `x`: the first bet is of three Antes, `second[row]`: the second; `middles`: `best_play`."""
    marks = np.zeros((FULL_DECK + COUNT_BITS, len(RESULTS), WORDS), np.uint64)
    _mark(start.own, lines, marks)
    _count(start.orbit_size, x, second, start.rows, lines, middles, marks, tallies)


@kernel
def _mark(own: tuple[int, int], lines: Lines, marks: Words) -> None:
    """Mark the columns that end in each result with each middle card, as bits, and the bits of their number."""
    for j in range(len(lines.masks)):
        bit = np.uint64(1) << np.uint64(j % 64)
        counts = np.zeros(len(RESULTS), np.int64)
        for card in range(FULL_DECK):
            if card != lines.pairs[0, j] and card != lines.pairs[1, j] and card != own[0] and card != own[1]:
                marks[card, lines.results[card, j], j // 64] |= bit
                counts[lines.results[card, j]] += 1
        for result in range(len(RESULTS)):
            for place in range(COUNT_BITS):
                if counts[result] >> place & 1:
                    marks[FULL_DECK + place, result, j // 64] |= bit


@kernel
def _count(
    orbit_size: int,
    x: int,
    second: Bytes,
    rows: Ints,
    lines: Lines,
    middles: Sums,
    marks: Words,
    tallies: Tallies,
) -> None:
    """Count every deal of a starting hand that is not folded at once, `x` = its first bet is of three Antes.

    The middle cards with which a row has its commonest result are counted as all less the rest.
    """
    ended, folded, chosen, equal = tallies
    stayed, often = np.zeros((2, WORDS), np.uint64), np.zeros(len(RESULTS), np.int64)
    row = np.zeros(FULL_DECK, np.int64)
    leads = np.zeros((FULL_DECK + COUNT_BITS, len(RESULTS)), np.bool_)  # whether any column does
    for card in range(FULL_DECK + COUNT_BITS):
        for result in range(len(RESULTS)):
            leads[card, result] = marks[card, result].any()
    for r in range(len(rows)):
        i, deals = rows[r, 0], rows[r, 1] * orbit_size
        a, b = lines.pairs[0, i], lines.pairs[1, i]
        decision = second[r] % EQUAL
        chosen[1, decision] += deals * COLUMNS * MIDDLES
        equal[1] += deals * COLUMNS * MIDDLES * (second[r] // EQUAL)
        if decision == FOLD:
            folded[1, x] += deals * COLUMNS * MIDDLES
            continue
        y = decision // 2
        fold = -(ANTES + 2 + 2 * x + 2 * y) * MIDDLES * lines.lost
        often[:] = 0
        for card in range(FULL_DECK):
            row[card] = lines.wins[card, i]
            often[lines.results[card, i]] += 1
        common, ties = often.argmax(), 0
        for word in range(WORDS):
            once, thrice = np.uint64(0), np.uint64(0)
            for bit in range(min(64, len(lines.masks) - 64 * word)):
                j = 64 * word + bit
                c, d = lines.pairs[0, j], lines.pairs[1, j]
                total = middles[r, j] - bet_part(row[c] + row[d])
                both_across = lines.sums[i] - row[c] - row[d]
                both_down = lines.sums[j] - lines.wins[a, j] - lines.wins[b, j]
                across, down = bet_part(both_across), bet_part(both_down)
                stay = ((both_across + both_down - across - down) >> 32) + total + 2 * max(total, 0)
                stay += (1 + 2 * x) * across + (1 + 2 * y) * down
                free = lines.masks[i] & lines.masks[j] == 0
                once |= np.uint64(free & (stay >= fold) & (total < 0)) << np.uint64(bit)
                thrice |= np.uint64(free & (stay >= fold) & (total >= 0)) << np.uint64(bit)
                ties += free & ((stay == fold) | ((stay > fold) & (total == 0)))
            stayed[0, word], stayed[1, word] = once, thrice
        equal[2] += deals * MIDDLES * ties
        for z in range(2):
            left = _both(stayed[z], stayed[z]) * MIDDLES
            chosen[2, 1 + 2 * z] += deals * left
            chosen[2, FOLD] -= deals * left
            folded[2, x + y] -= deals * left
            if left == 0:
                continue
            for result in range(len(RESULTS)):
                for card in range(FULL_DECK + COUNT_BITS):
                    if not leads[card, result]:
                        continue
                    if card >= FULL_DECK:
                        count = _both(stayed[z], marks[card, result]) << (card - FULL_DECK)
                        ended[x, y, z, common, result] += deals * count
                    elif card in (a, b) or lines.results[card, i] != common:
                        count = deals * _both(stayed[z], marks[card, result])
                        ended[x, y, z, common, result] -= count
                        if card != a and card != b:
                            ended[x, y, z, lines.results[card, i], result] += count
        chosen[2, FOLD] += deals * COLUMNS * MIDDLES
        folded[2, x + y] += deals * COLUMNS * MIDDLES


@kernel
def _both(first: Words, second: Words) -> int:
    """Return the number of bits set in both."""
    count = np.uint64(0)
    for word in range(len(first)):
        count += count_bits(first[word] & second[word])
    return int(count)
