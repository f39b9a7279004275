"""Where the best play on a cross leads: every deal of a starting hand that is not folded at once, counted.

The columns with which a row is not folded are bits; how many of them end in a result is counted by words of 64. Not
here: the decisions on the two own cards and the row (`best_play`).
"""

import numpy as np

from games.maths.cards import FULL_DECK
from games.maths.compiled import kernel
from games.maths.staged_raises.cross.lines import (
    ANTES,
    COLUMNS,
    MIDDLES,
    ROWS,
    Bytes,
    Ints,
    Lines,
    Sums,
    Words,
    bet_part,
    count_bits,
)
from games.maths.staged_raises.cross.starts import Start
from games.maths.staged_raises.ladder import RESULTS
from games.maths.staged_raises.streets.best_play import EQUAL, FOLD

WORDS = ROWS // 64 + 1
COUNT_BITS = 6  # of a number of middle cards

Tallies = tuple[Ints, Ints, Ints, Ints]
"""`ended`, `folded`, `chosen`, `equal` of `best_play.Play`."""


def count_ends(start: Start, x: int, second: Bytes, lines: Lines, middles: Sums, tallies: Tallies) -> None:
    """Into `tallies`; `x`: the first bet is of three Antes, `second[row]`: the second; `middles`: see `best_play`."""
    marks = np.zeros((FULL_DECK + COUNT_BITS, len(RESULTS), WORDS), np.uint64)
    _mark(start.own, lines, marks)
    _count(start.orbit_size, x, second, start.rows, lines, middles, marks, tallies)


@kernel
def _mark(own: tuple[int, int], lines: Lines, marks: Words) -> None:
    """As bits, which columns end in each result with each middle card, and the bits of the number of such cards."""
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
    """Every deal of a starting hand that is not folded at once, `x` = its first bet is of three Antes.

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
    """How many bits both have."""
    count = np.uint64(0)
    for word in range(len(first)):
        count += count_bits(first[word] & second[word])
    return int(count)
