"""One way of timing for all sections."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The best of so many runs: what the work costs where nothing else disturbs it."""
    best = float("inf")
    for _ in range(repeats):
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return best


def per_second(count: int, taken: float) -> str:
    """`12.30 M/s`."""
    return f"{count / taken / 1e6:,.2f} M/s"
