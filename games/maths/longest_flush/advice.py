"""The decisions so that a person can check them: in words, flush by flush, and what plain players lose more.

Not here: how they are found (`exact`).
"""

from fractions import Fraction

import numpy as np

from games.maths.cards import RANK_NAMES
from games.maths.longest_flush.endings import INITIAL, outcome_rows
from games.maths.longest_flush.exact import ALLOWED, CYCLE, BestPlay
from games.maths.longest_flush.holdings import NINE, OF_SIZE, SIZES, SUITS, TEN, Ints, beside
from games.maths.results import Choice, SimplifiedPlay, StrategyTable
from games.maths.wagers import required

WORDS = {
    0: ("Fold", "A two-card flush; a three-card flush, nine high or lower; some three-card flushes, ten high (table)"),
    1: (
        "Raise 1×",
        "A four-card flush; a three-card flush, jack high or higher; the other three-card flushes, ten high (table)",
    ),
    2: ("Raise 2×", "A five-card flush"),
    3: ("Raise 3×", "A six-card or seven-card flush"),
}
SIZE_NAMES = ("", "", "Two", "Three", "Four", "Five", "Six", "Seven")
PATTERNS = ((3, 1, 0), (2, 2, 0), (2, 1, 1))  # four cards in the three other suits
JACK = TEN + 1


def choices(best: BestPlay) -> tuple[Choice, ...]:
    """Each decision with how often it is taken."""
    taken = best.ends.sum(axis=(0, 1, 3))
    return tuple(Choice(*WORDS[raised], Fraction(int(taken[raised]), CYCLE)) for raised in WORDS)


def strategy_tables(best: BestPlay) -> tuple[StrategyTable, ...]:
    return _by_flush(best), _ten_high(best)


def _by_flush(best: BestPlay) -> StrategyTable:
    """Share of the hands that each decision is taken with, by the size of the flush; by its highest card too, where
    flushes of one size are not all played alike."""
    rows = []
    for size, tops in enumerate(best.ends.sum(axis=3)):
        if np.count_nonzero(tops.sum(axis=0)) == 1:
            rows.append(_shares(f"{SIZE_NAMES[size]}-card flush", tops.sum(axis=0)))
        else:
            named = ((f"{SIZE_NAMES[size]}-card flush, {RANK_NAMES[top]} high", tops[top]) for top in range(len(tops)))
            rows += [_shares(name, taken) for name, taken in named if taken.any()]
    return StrategyTable("By the longest flush", ("Flush", "Fold", "1×", "2×", "3×"), tuple(rows))


def _shares(name: str, taken: Ints) -> tuple[str, ...]:
    return (name, *(f"{100 * int(number) / int(taken.sum()):.2f}%" if number else "–" for number in taken))


def _ten_high(best: BestPlay) -> StrategyTable:
    """The flushes that do not decide alone: of how many hands, by how the other four cards lie, how many are raised."""
    other_suits, ways = beside(4)
    sizes = SIZES[other_suits]
    rows = []
    for place in np.flatnonzero(best.rows >= 0):
        own = OF_SIZE[3][place]
        fits = (sizes < 3).all(axis=1) | (other_suits[:, 0] <= own)
        hands = np.where(fits, ways * SUITS // (1 + (other_suits[:, 0] == own)), 0)
        raised = best.by_others[best.rows[place]] > 0
        cells = []
        for pattern in PATTERNS:
            of_pattern = (sizes == pattern).all(axis=1)
            cells.append(f"{hands[of_pattern & raised].sum():,} of {hands[of_pattern].sum():,}")
        rows.append((_ranks(own), *cells))
    header = ("Flush", *(f"Other suits hold {'-'.join(map(str, pattern))}" for pattern in PATTERNS))
    return StrategyTable("Three-card flushes, ten high: hands raised", header, tuple(rows))


def _ranks(ranks: int) -> str:
    return "-".join(RANK_NAMES[rank] for rank in range(len(RANK_NAMES) - 1, -1, -1) if ranks >> rank & 1)


def simplified_plays(best: BestPlay) -> tuple[SimplifiedPlay, ...]:
    """Simplified strategies, exactly."""
    by_flush = best.ends.sum(axis=2)  # [size, highest rank, end]
    timid = best.ends.sum(axis=(0, 1))
    timid = np.stack([timid[0], timid[1:].sum(axis=0), *np.zeros((2, 4), np.int64)])
    return (
        _simplified("Always raises", "As much as is allowed, with every hand", _raised_from(by_flush, 0, 0)),
        _simplified(
            "Raises what would qualify",
            "A three-card flush, nine high, or better, as much as is allowed; else folds",
            _raised_from(by_flush, 3, NINE),
        ),
        _simplified(
            "Raises from jack high",
            "A three-card flush, jack high, or better, as much as is allowed; else folds",
            _raised_from(by_flush, 3, JACK),
        ),
        _simplified("Never raises more than the Ante", "As is best, but always one Ante", timid),
    )


def _raised_from(by_flush: Ints, size: int, top: int) -> Ints:
    """[raised, end], where flushes of the size from this highest rank on, and longer ones, are raised."""
    totals = np.zeros((4, 4), np.int64)
    for length, tops in enumerate(by_flush):
        for highest, ends in enumerate(tops):
            totals[ALLOWED[length] if (length, highest) >= (size, top) else 0] += ends
    return totals


def _simplified(name: str, when: str, counts: Ints) -> SimplifiedPlay:
    return SimplifiedPlay(name, when, required(outcome_rows(counts), INITIAL))
