"""The decisions so that a person can check them, flush by flush, and what simplified strategies lose more.

Not here: how they are found (`exact`), the same in sentences (`words`).
"""

import numpy as np

from games.maths.cards import RANK_NAMES
from games.maths.longest_flush.endings import INITIAL, outcome_rows
from games.maths.longest_flush.exact import BestPlay
from games.maths.longest_flush.holdings import OF_SIZE, SIZES, SUITS, Ints, beside
from games.maths.longest_flush.rules import ENDS, Rules, Sections
from games.maths.longest_flush.words import RANK_WORDS, SIZE_NAMES, either
from games.maths.results import SimplifiedPlay, StrategyTable
from games.maths.wagers import required

PATTERNS = ((3, 1, 0), (2, 2, 0), (2, 1, 1))  # four cards in the three other suits


def strategy_tables(rules: Rules, best: BestPlay) -> tuple[StrategyTable, ...]:
    """By the flush alone, and by the other four cards where those decide."""
    return (_by_flush(rules, best), _by_others(best)) if (best.rows >= 0).any() else (_by_flush(rules, best),)


def _by_flush(rules: Rules, best: BestPlay) -> StrategyTable:
    """Share of the hands that each decision is taken with, by the size of the flush; by its highest card too, where
    flushes of one size are not all played alike."""
    decisions = (0, *rules.amounts)
    rows = []
    for size, tops in enumerate(best.ends.sum(axis=3)[:, :, decisions]):
        name = f"{SIZE_NAMES[size].capitalize()}-card flush"
        if np.count_nonzero(tops.sum(axis=0)) == 1:
            rows.append(_shares(name, tops.sum(axis=0)))
        else:
            named = ((f"{name}, {RANK_NAMES[top]} high", tops[top]) for top in range(len(tops)))
            rows += [_shares(high, taken) for high, taken in named if taken.any()]
    header = ("Flush", "Fold", *(f"{raised}×" for raised in rules.amounts))
    return StrategyTable("By the longest flush", header, tuple(rows))


def _shares(name: str, taken: Ints) -> tuple[str, ...]:
    return (name, *(f"{100 * int(number) / int(taken.sum()):.2f}%" if number else "–" for number in taken))


def _by_others(best: BestPlay) -> StrategyTable:
    """The flushes that do not decide alone: of how many hands, by how the other four cards lie, how many are raised."""
    other_suits, ways = beside(4)
    sizes = SIZES[other_suits]
    mixed = np.flatnonzero(best.rows >= 0)
    tops = sorted({OF_SIZE[3][place].bit_length() - 1 for place in mixed})
    least = int(np.flatnonzero(best.ends[3, tops].sum(axis=(0, 2)))[0])
    rows = []
    for place in mixed:
        own = OF_SIZE[3][place]
        fits = (sizes < 3).all(axis=1) | (other_suits[:, 0] <= own)
        hands = np.where(fits, ways * SUITS // (1 + (other_suits[:, 0] == own)), 0)
        raised = best.by_others[best.rows[place]] > least
        cells = []
        for pattern in PATTERNS:
            of_pattern = (sizes == pattern).all(axis=1)
            cells.append(f"{hands[of_pattern & raised].sum():,} of {hands[of_pattern].sum():,}")
        rows.append((_ranks(own), *cells))
    header = ("Flush", *(f"Other suits hold {'-'.join(map(str, pattern))}" for pattern in PATTERNS))
    high = either(RANK_WORDS[top] for top in tops)
    how = f"raised more than {least}×" if least else "raised"
    return StrategyTable(f"Three-card flushes, {high} high: hands {how}", header, tuple(rows))


def _ranks(ranks: int) -> str:
    return "-".join(RANK_NAMES[rank] for rank in range(len(RANK_NAMES) - 1, -1, -1) if ranks >> rank & 1)


def simplified_plays(rules: Rules, best: BestPlay, sections: Sections) -> tuple[SimplifiedPlay, ...]:
    """Simplified strategies, exactly: by how high the flush is, and by never raising more than one Ante."""
    qualifying = (rules.qualifier.size, rules.qualifier.top)
    thresholds = {
        "Always raises": (0, 0),
        "Raises what would qualify": qualifying,
        f"Raises from {_start_name(*_raised_from(best), qualifying[0])}": _raised_from(best),
    }
    rows = {name: (_from_in_words(*start), _raised(rules, best, start)) for name, start in thresholds.items()}
    if len(rules.amounts) > 1:
        rows["Never raises more than the Ante"] = ("As is best, but always one Ante", _at_most_one(best))
    return tuple(
        SimplifiedPlay(name, when, required(outcome_rows(rules, counts, sections), INITIAL))
        for name, (when, counts) in rows.items()
    )


def _start_name(size: int, top: int, qualifying_size: int) -> str:
    high = f"{RANK_WORDS[top]} high"
    return high if size == qualifying_size else f"a {SIZE_NAMES[size]}-card flush, {high}"


def _from_in_words(size: int, top: int) -> str:
    if size == 0:
        return "As much as is allowed, with every hand"
    return f"A {SIZE_NAMES[size]}-card flush, {RANK_WORDS[top]} high, or better, as much as is allowed; else folds"


def _raised_from(best: BestPlay) -> tuple[int, int]:
    """The lowest (size, highest rank) from which on no flush is ever folded."""
    taken = best.ends.sum(axis=3)
    reached = list(zip(*np.nonzero(taken.sum(axis=2)), strict=True))
    folded = [place for place in reached if taken[place][0]]
    size, top = next(place for place in reached if not folded or place > folded[-1])
    return int(size), int(top)


def _raised(rules: Rules, best: BestPlay, start: tuple[int, int]) -> Ints:
    """[raised, end], where flushes of this size from this highest rank on, and longer ones, are raised."""
    by_flush = best.ends.sum(axis=2)  # [size, highest rank, end]
    totals = np.zeros((best.ends.shape[2], len(ENDS)), np.int64)
    for size, tops in enumerate(by_flush):
        for top, ends in enumerate(tops):
            totals[rules.allowed[size] if (size, top) >= start else 0] += ends
    return totals


def _at_most_one(best: BestPlay) -> Ints:
    """[raised, end], where every Raise Wager is one Ante."""
    counts: Ints = best.ends.sum(axis=(0, 1))
    totals: Ints = np.zeros_like(counts)
    totals[0], totals[1] = counts[0], counts[1:].sum(axis=0)
    return totals
