"""Running pyHanko's coroutines to their end from ordinary code."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def apart(work: Coroutine[object, object, Result]) -> Result:
    """The coroutine's result, from a thread of its own: the caller's may have an event loop running already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
