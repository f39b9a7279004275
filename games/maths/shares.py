"""Work that is divided between threads: compiled loops let other threads run. The result is the same."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

SHARES: Final = 2  # as many as the smallest machine for the portal has cores
Part = TypeVar("Part")


def in_shares(work: Callable[[int], Part]) -> list[Part]:
    """`work(share)` of every share from 0 to `SHARES` − 1, side by side."""
    with ThreadPoolExecutor(SHARES) as pool:
        return list(pool.map(work, range(SHARES)))
