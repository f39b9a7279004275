"""The two ways in which a function is compiled here; nothing else decides about Numba.

Compiled code is kept (`games.maths` says where), so only the first run pays for it.
"""

import os
from collections.abc import Callable
from typing import TypeVar, cast

from numba import config, njit

config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]  # where Numba was imported before `games.maths` could say so

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """A compiled loop over arrays. It lets other threads run."""
    return cast(Function, njit(cache=True, nogil=True)(function))


def helper(function: Function) -> Function:
    """A few scalar steps, compiled into the kernels that call it. Tables do not belong in its arguments."""
    return cast(Function, njit(cache=True, inline="always")(function))
