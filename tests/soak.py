"""The long variants of tests: `make soak` sets `PORTAL_SOAK`, to the number of filings, configurations or other cases.

A test that is too long for every merge takes all its cases then, and some of them otherwise.
"""

from __future__ import annotations

import os

SOAK = int(os.environ.get("PORTAL_SOAK") or 0)


def also(usual: list[str], more: list[str]) -> list[str]:
    """Return the usual cases; the others too with `PORTAL_SOAK`."""
    return [*usual, *more] if SOAK else usual
