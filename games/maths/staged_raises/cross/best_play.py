"""The two hands of a cross exactly: two own cards with the row and with the column of a cross of five cards.

The first bet, on the row, is decided on the two own cards; the second, on the column, also on the row's outer two; the
third, on the better of both, also on the column's outer two; then the middle card is turned. For each of 169 starting
hands every outer pair of the row (one for each orbit under suit permutations) meets every outer pair of the column and
every middle card.
A bet of two Antes is never better than both others (as in `streets`), and equal decisions take the larger wager. Not
here: the odds, the rows reported (`wagers`).
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import helper, kernel
from games.maths.ranking import HIGH, LOW, flush_part, high_part, low_part, standard
from games.maths.staged_raises.cross.starts import STARTS, Start, starts
from games.maths.staged_raises.ladder import LOSING, RESULTS, results
from games.maths.staged_raises.places import PAIRS
from games.maths.staged_raises.streets.best_play import EQUAL, FOLD, best_of

ROWS, COLUMNS, MIDDLES = comb(50, 2), comb(48, 2), 46  # outer pairs of the row, of the column; middle cards
DEALS = PAIRS * ROWS * COLUMNS * MIDDLES
ANTES = 2
CARDS_TAKEN = 4  # cards of a line that its middle card cannot be
WORDS = ROWS // 64 + 1

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]
Words = NDArray[np.uint64]
Shorts = NDArray[np.int16]
Lines = tuple[Bytes, Shorts, Shorts, Ints, Ints, int]
"""By outer pair and middle card the result, what an Ante and a Bet win (a card that is taken loses); by outer pair the
sums of both over the 48 cards that are not; what is lost."""
Middle = NDArray[np.int32]
Marked = tuple[tuple[int, int], Words]
Tallies = tuple[Ints, Ints, Ints, Ints]


@dataclass(frozen=True, slots=True)
class Play:
    """The best play and where it leads, in numbers of deals of `DEALS`.

    `first[start]` and `second[start, outer pair of the row]` are decisions; starts and pairs are numbered with suits
    renamed (`starts`). `ended[across thrice, down thrice, middle thrice, across result, down result]`,
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
    """The best play for what one Ante and one Bet win by result, in whole numbers of the same unit."""
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
    lost, deals = -int(bet[LOSING]), start.orbit_size * ROWS * COLUMNS * MIDDLES
    hands = np.zeros((len(start.pairs), FULL_DECK), np.int8)
    _line_up(standard().keys, results(), LOW, HIGH, start.own, start.pairs, hands)
    antes, bets = (pays.astype(np.int16)[hands] for pays in (ante, bet))
    sums = (part.sum(axis=1, dtype=np.int64) + CARDS_TAKEN * lost for part in (antes, bets))
    lines = (hands, antes, bets, *sums, lost)
    middle = np.zeros((len(start.rows), len(start.pairs)), np.int32)
    worth, second = np.zeros((len(start.rows), 2, 2), np.int64), np.zeros((len(start.rows), 2), np.int8)
    _weigh(start.orbit_size, start.pairs, start.rows, lines, middle, worth, play.worth)
    first = int(_decide(lost, start.rows, worth, second))
    play.first[start.place] = first % EQUAL
    play.chosen[0, first % EQUAL] += deals
    play.equal[0] += deals * (first // EQUAL)
    if first % EQUAL == FOLD:
        play.folded[0, 0] += deals
        return
    thrice = first % EQUAL // 2
    play.second[start.place, start.pairs[:, 0]] = second[start.same, thrice] % EQUAL
    marks = np.zeros((FULL_DECK, len(RESULTS), WORDS), np.uint64)
    _mark(start.pairs, hands, marks)
    tallies = (play.ended, play.folded, play.chosen, play.equal)
    _count(
        start.orbit_size, thrice, second[:, thrice], start.pairs, start.rows, lines, middle, (start.own, marks), tallies
    )


@kernel
def _line_up(
    keys: Ints, table: Bytes, low: Shorts, high: Shorts, own: tuple[int, int], pairs: Ints, hands: Bytes
) -> None:
    """For every outer pair and every middle card the result; a card that is taken counts as a loss."""
    for i in range(len(pairs)):
        a, b = pairs[i, 1], pairs[i, 2]
        four = keys[own[0]] + keys[own[1]] + keys[a] + keys[b]
        for card in range(FULL_DECK):
            if card != own[0] and card != own[1] and card != a and card != b:
                key = four + keys[card]
                hands[i, card] = table[low[low_part(key)] + high[high_part(key)] + flush_part(key)]


@helper
def _disjoint(a: int, b: int, c: int, d: int) -> bool:
    return a != c and a != d and b != c and b != d


@kernel
def _weigh(
    orbit_size: int, pairs: Ints, rows: Ints, lines: Lines, middle: Middle, worth: Ints, never_folded: Ints
) -> None:
    """What a third bet wins over the 46 middle cards, `middle[row, column]`; what the deals of each row are worth
    with the best third bet, `worth[row, across thrice, down thrice]`."""
    _, antes, bets, ante_sums, bet_sums, lost = lines
    for r in range(len(rows)):
        i = rows[r, 0]
        a, b = pairs[i, 1], pairs[i, 2]
        across_sum, across_ante_sum, total_sum = 0, 0, 0
        for j in range(len(pairs)):
            c, d = pairs[j, 1], pairs[j, 2]
            if not _disjoint(a, b, c, d):
                continue
            total = np.int32(0)
            for card in range(FULL_DECK):
                total += max(bets[i, card], bets[j, card])
            total += 2 * lost - bets[j, a] - bets[j, b] - bets[i, c] - bets[i, d]
            middle[r, j] = total
            across = bet_sums[i] - bets[i, c] - bets[i, d]
            down = bet_sums[j] - bets[j, a] - bets[j, b]
            across_ante = ante_sums[i] - antes[i, c] - antes[i, d]
            last = across_ante + ante_sums[j] - antes[j, a] - antes[j, b] + (3 * total if total >= 0 else total)
            across_sum, across_ante_sum = across_sum + across, across_ante_sum + across_ante
            total_sum += total
            for x in range(2):
                for y in range(2):
                    stay = last + (1 + 2 * x) * across + (1 + 2 * y) * down
                    worth[r, x, y] += max(stay, -(ANTES + 2 + 2 * x + 2 * y) * MIDDLES * lost)
        never_folded[0] += orbit_size * rows[r, 1] * across_ante_sum
        never_folded[1] += orbit_size * rows[r, 1] * across_sum
        never_folded[2] += orbit_size * rows[r, 1] * total_sum


@kernel
def _decide(lost: int, rows: Ints, worth: Ints, second: Bytes) -> int:
    """The second bet of every row after either first bet, and the first bet."""
    sums = np.zeros(2, np.int64)
    for r in range(len(rows)):
        for x in range(2):
            fold = -(ANTES + 1 + 2 * x) * COLUMNS * MIDDLES * lost
            second[r, x] = best_of(fold, worth[r, x, 0], worth[r, x, 1])
            sums[x] += rows[r, 1] * max(fold, worth[r, x, 0], worth[r, x, 1])
    return best_of(-ANTES * ROWS * COLUMNS * MIDDLES * lost, sums[0], sums[1])


@kernel
def _mark(pairs: Ints, hands: Bytes, marks: Words) -> None:
    """As bits, which columns end in each result with each middle card."""
    for j in range(len(pairs)):
        bit = np.uint64(1) << np.uint64(j % 64)
        for card in range(FULL_DECK):
            if card != pairs[j, 1] and card != pairs[j, 2]:
                marks[card, hands[j, card], j // 64] |= bit


@kernel
def _count(
    orbit_size: int,
    x: int,
    second: Bytes,
    pairs: Ints,
    rows: Ints,
    lines: Lines,
    middle: Middle,
    marked: Marked,
    tallies: Tallies,
) -> None:
    """Every deal of a starting hand that is not folded at once, `x` = its first bet is of three Antes."""
    hands, antes, bets, ante_sums, bet_sums, lost = lines
    own, marks = marked
    ended, folded, chosen, equal = tallies
    stayed = np.zeros((2, WORDS), np.uint64)
    leads = np.zeros((FULL_DECK, len(RESULTS)), np.bool_)  # whether any column does
    for card in range(FULL_DECK):
        for result in range(len(RESULTS)):
            leads[card, result] = marks[card, result].any()
    for r in range(len(rows)):
        i, deals = rows[r, 0], rows[r, 1] * orbit_size
        a, b = pairs[i, 1], pairs[i, 2]
        decision = second[r] % EQUAL
        chosen[1, decision] += deals * COLUMNS * MIDDLES
        equal[1] += deals * COLUMNS * MIDDLES * (second[r] // EQUAL)
        if decision == FOLD:
            folded[1, x] += deals * COLUMNS * MIDDLES
            continue
        y = decision // 2
        fold = -(ANTES + 2 + 2 * x + 2 * y) * MIDDLES * lost
        stayed[:] = 0
        for j in range(len(pairs)):
            c, d = pairs[j, 1], pairs[j, 2]
            if not _disjoint(a, b, c, d):
                continue
            z = 1 if middle[r, j] >= 0 else 0
            stay = ante_sums[i] + ante_sums[j] - antes[i, c] - antes[i, d] - antes[j, a] - antes[j, b]
            stay += (1 + 2 * x) * (bet_sums[i] - bets[i, c] - bets[i, d]) + (1 + 2 * z) * middle[r, j]
            stay += (1 + 2 * y) * (bet_sums[j] - bets[j, a] - bets[j, b])
            if stay >= fold:
                stayed[z, j // 64] |= np.uint64(1) << np.uint64(j % 64)
            if stay == fold or (stay > fold and middle[r, j] == 0):
                equal[2] += deals * MIDDLES
        for z in range(2):
            left = _bits(stayed[z], stayed[z]) * MIDDLES
            chosen[2, 1 + 2 * z] += deals * left
            chosen[2, FOLD] -= deals * left
            folded[2, x + y] -= deals * left
            for card in range(FULL_DECK):
                if card != a and card != b and card != own[0] and card != own[1]:
                    for result in range(len(RESULTS)):
                        if leads[card, result]:
                            count = _bits(stayed[z], marks[card, result])
                            ended[x, y, z, hands[i, card], result] += deals * count
        chosen[2, FOLD] += deals * COLUMNS * MIDDLES
        folded[2, x + y] += deals * COLUMNS * MIDDLES


@kernel
def _bits(first: Words, second: Words) -> int:
    """How many bits both have."""
    count = np.uint64(0)
    for word in range(WORDS):
        bits = first[word] & second[word]
        bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
        bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
        bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
        count += (bits * np.uint64(0x0101010101010101)) >> np.uint64(56)
    return int(count)
