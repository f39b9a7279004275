"""The table of the run: each fault, how often, and how long nothing went forward. Not here: what was lost (`parts`)."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

HEAD = ("fault", "times", "longest", "no progress, s", "workers none, s", "then after its end, s")


@dataclass(frozen=True, slots=True)
class Broken:
    """One fault that happened: seconds since the start of the run. `until`: when the next one began."""

    name: str
    machine: str
    begin: float
    end: float
    until: float


def longest_gap(moments: Sequence[float], first: float, last: float) -> float:
    """The longest time without progress that touches these seconds, counted from `first` on.

    A gap that begins before `last` counts whole, also beyond it.
    """
    place = bisect_right(moments, first)
    longest, before = 0.0, first
    for moment in moments[place:]:
        longest = max(longest, moment - before)
        if moment >= last:
            return longest
        before = moment
    return max(longest, last - before)


def until_progress(moments: Sequence[float], end: float, last: float) -> float:
    """From `end` to the next progress; to `last` if there was none."""
    place = bisect_right(moments, end)
    return (moments[place] if place < len(moments) else last) - end


def table(broken: Sequence[Broken], progress: Sequence[float], work: Sequence[float]) -> Iterator[tuple[str, ...]]:
    """A row for each kind of fault, in the order of its longest time without progress."""
    kinds: dict[str, list[Broken]] = defaultdict(list)
    for each in broken:
        kinds[each.name].append(each)
    rows = []
    for name, cases in kinds.items():
        gap = max(longest_gap(progress, each.begin, each.until) for each in cases)
        idle = max(longest_gap(work, each.begin, each.until) for each in cases)
        after = max(until_progress(progress, each.end, each.until) for each in cases)
        lasted = max(each.end - each.begin for each in cases)
        rows.append((gap, (name, str(len(cases)), f"{lasted:.1f} s", f"{gap:.1f}", f"{idle:.1f}", f"{after:.1f}")))
    yield HEAD
    yield from (row for _, row in sorted(rows, reverse=True))


def lines(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """As a table of Markdown."""
    for place, row in enumerate(rows):
        yield f"| {row[0]:<40} | {' | '.join(f'{cell:>9}' for cell in row[1:])} |"
        if not place:
            yield f"| --- |{' ---: |' * (len(row) - 1)}"
