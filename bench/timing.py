"""One way of timing for all sections."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

Clock = Callable[[], float]


def seconds(work: Callable[[], object], repeats: int = 3, clock: Clock = time.process_time) -> float:
    """Return the best time of `repeats` runs, in seconds of the processor: the cost of the work on a core of its own.

    For work in processes of its own the clock is `children`.
    """
    best = float("inf")
    for _ in range(repeats):
        begun = clock()
        work()
        best = min(best, clock() - begun)
    return best


def children() -> float:
    """Return the seconds that finished child processes have had of the processor."""
    spent = os.times()
    return spent.children_user + spent.children_system


def per_second(count: int, taken: float) -> str:
    """Return the rate as `12.30 M/s`."""
    return f"{count / taken / 1e6:,.2f} M/s"
