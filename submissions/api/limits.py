"""How often one may call: so many requests a minute for each credential, or for each address without one.

Each web process counts for itself: the limit is there to stop what runs wild, and a count shared by all would cost a
write for every read. The headers are those of draft-ietf-httpapi-ratelimit-headers.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from threading import Lock
from time import monotonic

WINDOW = 60  # seconds
WITH_CREDENTIAL, WITHOUT = 12_000, 600  # requests in a window
MOST_CALLERS = 10_000  # that are remembered at a time

_lock = Lock()
_windows: dict[str, tuple[float, int]] = {}  # caller → when its window began, requests since


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a caller stands with this request; `ends`: in how many seconds the window does."""

    most: int
    made: int
    ends: int

    @property
    def over(self) -> bool:
        return self.made > self.most

    @property
    def headers(self) -> dict[str, str]:
        left = max(self.most - self.made, 0)
        return {
            "RateLimit-Policy": f'"minute";q={self.most};w={WINDOW}',
            "RateLimit": f'"minute";r={left};t={self.ends}',
        }


def count(caller: str, most: int) -> Standing:
    """Count a request of the caller."""
    now = monotonic()
    with _lock:
        began, made = _windows.get(caller, (now, 0))
        if now - began >= WINDOW:
            began, made = now, 0
        if caller not in _windows and len(_windows) >= MOST_CALLERS:
            _forget(now)
        _windows[caller] = (began, made + 1)
    return Standing(most, made + 1, max(1, ceil(began + WINDOW - now)))


def start_anew() -> None:
    """Forget every count."""
    with _lock:
        _windows.clear()


def _forget(now: float) -> None:
    """Whoever's window is over; if that is nobody, whoever came first."""
    for caller in [caller for caller, (began, _) in _windows.items() if now - began >= WINDOW]:
        del _windows[caller]
    while len(_windows) >= MOST_CALLERS:
        del _windows[next(iter(_windows))]
