"""The decisions in sentences, computed from how often each is taken by size and highest card of the flush.

Not here: the flushes that other cards decide on, one by one (`advice`).
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from games.maths.cards import RANK_NAMES
from games.maths.longest_flush.exact import CYCLE, BestPlay
from games.maths.longest_flush.holdings import Ints
from games.maths.results import Choice

SIZE_NAMES = ("", "", "two", "three", "four", "five", "six", "seven")
RANK_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", *RANK_NAMES[9:])


def choices(best: BestPlay) -> tuple[Choice, ...]:
    """Each decision that is ever taken: the hands in words, and its exact share."""
    taken = best.ends.sum(axis=3)
    return tuple(
        Choice(f"Raise {raised}×" if raised else "Fold", _sentence(taken, raised), Fraction(int(pairs), CYCLE))
        for raised, pairs in enumerate(taken.sum(axis=(0, 1)).tolist())
        if pairs
    )


def either(names: Iterable[str]) -> str:
    """ "two, three or four"."""
    *rest, last = names
    return f"{', '.join(rest)} or {last}" if rest else last


def _sentence(taken: Ints, raised: int) -> str:
    """`taken[size, highest rank, raised]`. Sizes of which every flush is so played, then parts of a size."""
    by_size = taken.sum(axis=1)
    sizes = np.flatnonzero(by_size[:, raised]).tolist()
    whole = [f"{SIZE_NAMES[size]}-card" for size in sizes if np.count_nonzero(by_size[size]) == 1]
    parts = [f"a {either(whole)} flush"] if whole else []
    for size in sizes:
        if np.count_nonzero(by_size[size]) > 1:
            parts += _parts(taken[size], raised, f"{SIZE_NAMES[size]}-card flush")
    words = "; ".join(parts)
    return words[0].upper() + words[1:]


def _parts(taken: Ints, raised: int, flush: str) -> Iterator[str]:
    """`taken[highest rank, raised]` of one size: the ranks of which every flush is so played, and those of which some
    are."""
    tops = np.flatnonzero(taken.sum(axis=1)).tolist()
    alone = [top for top in tops if taken[top, raised] and np.count_nonzero(taken[top]) == 1]
    for run in _runs(alone):
        yield f"a {flush}, {_high(run, tops)}"
    shared = [top for top in tops if taken[top, raised] and top not in alone]
    for last in (False, True):
        named = [top for top in shared if (np.flatnonzero(taken[top])[-1] == raised) == last]
        if named:
            high = either(RANK_WORDS[top] for top in named)
            yield f"{'the other' if last else 'some'} {flush}es, {high} high (table)"


def _runs(ranks: list[int]) -> list[list[int]]:
    """Ranks in sequence together."""
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and runs[-1][-1] == rank - 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    return runs


def _high(run: list[int], tops: list[int]) -> str:
    first, last = RANK_WORDS[run[0]], RANK_WORDS[run[-1]]
    if run[0] == tops[0]:
        return f"{last} high or lower"
    if run[-1] == tops[-1]:
        return f"{first} high or higher"
    return f"{first} high" if first == last else f"{first} to {last} high"
