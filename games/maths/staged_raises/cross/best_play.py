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

from games.maths.cards import FULL_DECK
from games.maths.compiled import kernel
from games.maths.staged_raises.cross.counts import count_ends
from games.maths.staged_raises.cross.lines import (
    ANTE,
    ANTES,
    COLUMNS,
    MIDDLES,
    ROWS,
    Bytes,
    Ints,
    Lines,
    Sums,
    bet_part,
    count_bits,
    lines_of,
)
from games.maths.staged_raises.cross.starts import STARTS, Start, starts
from games.maths.staged_raises.ladder import RESULTS
from games.maths.staged_raises.places import PAIRS
from games.maths.staged_raises.streets.best_play import EQUAL, FOLD, best_of

DEALS = PAIRS * ROWS * COLUMNS * MIDDLES
NEVER = -(2**40)  # less than all wagers can lose


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


@kernel
def _weigh(lines: Lines, rows: Ints, middles: Sums, worth: Ints) -> int:
    """What the deals of each row are worth with the best third bet: `worth[row, across thrice, down thrice]`.

    `middles[row, outer pair of the column]`: what a third bet of one Ante wins over the 46 middle cards, but that the
    column's outer cards still count in the row's wins. Returns what all third bets of one Ante win.
    Two lines that both win less than a level with a middle card win the step to it less.
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
    """The second bet of every row after either first bet, and the first bet."""
    sums = np.zeros(2, np.int64)
    for r in range(len(rows)):
        for x in range(2):
            fold = -(ANTES + 1 + 2 * x) * COLUMNS * MIDDLES * lost
            second[r, x] = best_of(fold, worth[r, x, 0], worth[r, x, 1])
            sums[x] += rows[r, 1] * max(fold, worth[r, x, 0], worth[r, x, 1])
    return best_of(-ANTES * ROWS * COLUMNS * MIDDLES * lost, sums[0], sums[1])
