"""Seconds of the processor that a promise is held to, whatever else the machine does.

A core that shares its execution units with another test takes up to twice its seconds for the same work. So a
yardstick runs beside the work, and what is counted is seconds of a core that runs the yardstick in `QUIET`.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time

QUIET = 0.025  # seconds for the yardstick on the quiet two-core machine that the promises were made on
TIMES = 5


def is_quicker(work: Callable[[], object], seconds: float, times: int = TIMES) -> bool:
    """Whether one of so many runs takes less on a quiet core; those after it are left out."""
    return any(took(work) < seconds for _ in range(times))


def took(work: Callable[[], object]) -> float:
    """Seconds of one run, on a quiet core; a core that is quicker than that has no advantage of it."""
    before, own, after = _seconds(_yardstick), _seconds(work), _seconds(_yardstick)
    return own * min(1.0, 2 * QUIET / (before + after))


def _seconds(work: Callable[[], object]) -> float:
    began = thread_time()
    work()
    return thread_time() - began


def _yardstick() -> None:
    seen: dict[str, int] = {}
    for number in range(100_000):
        seen[str(number % 997)] = number * number
