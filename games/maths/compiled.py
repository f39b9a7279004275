"""The two ways in which a function is compiled here; nothing else decides about Numba.

Numba is imported when a kernel is first called: that takes a second, which a process that only reads figures is spared.
Compiled code is kept (`games.maths` says where), so only the first run pays for it.
"""

import os
from collections.abc import Callable
from functools import cache, cached_property
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

Function = TypeVar("Function", bound=Callable[..., object])


class Compiled:
    """A function that Numba compiles when it is first called, from Python or from another compiled function."""

    def __init__(self, function: Callable[..., object], **options: object) -> None:
        self.py_func, self.options = cast(FunctionType, function), {"cache": True, "no_cfunc_wrapper": True, **options}
        self.scalar = "inline" in options
        self.__name__, self.__doc__ = function.__name__, function.__doc__

    def __call__(self, *arguments: object) -> object:
        if self.scalar and all(map(_is_wide, arguments)):
            return self.py_func(*arguments)  # a few steps on integers that do not overflow: nothing to compile for
        return self.dispatcher(*arguments)

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's own object for the function, called from Python."""
        return _dispatcher(self.py_func, self.options)

    @cached_property
    def inner(self) -> Any:
        """Numba's object for the function, called from compiled code.

        It goes without the way in from Python, which takes long to compile where tables are passed. Its name
        distinguishes the compiled code that is kept of both.
        """
        outer = self.py_func
        inner = FunctionType(outer.__code__, outer.__globals__, outer.__name__, outer.__defaults__, outer.__closure__)
        inner.__module__, inner.__qualname__ = outer.__module__, f"{outer.__qualname__}.inner"
        return _dispatcher(inner, {**self.options, "no_cpython_wrapper": True})

    @property
    def targetoptions(self) -> Any:
        """Options that say whether Numba writes a helper into the function that calls it."""
        return self.inner.targetoptions


def _dispatcher(function: FunctionType, options: dict[str, object]) -> Any:
    """Return Numba's object for the function, in which all signed integers are `int64`.

    Left alone Numba compiles a function again for each constant that it is called with, for the 0 that a caller's
    variable begins as, and for each width of integers: half of all compiling.
    """
    numba = _numba()

    def widened(kind: Any) -> Any:
        kind = numba.types.unliteral(kind)
        return numba.types.int64 if kind in numba.types.signed_domain else kind

    dispatcher = numba.njit(**options)(function)
    called = dispatcher.get_call_template
    dispatcher.get_call_template = lambda types, named: called(
        tuple(map(widened, types)), {name: widened(kind) for name, kind in named.items()}
    )
    return dispatcher


def _is_wide(argument: object) -> bool:
    """Return True for a Python integer, or integers of 64 bits as compiled code has them."""
    return type(argument) is int or getattr(argument, "dtype", None) == np.int64


def kernel(function: Function) -> Function:
    """Return a compiled loop over arrays. It lets other threads run."""
    return cast(Function, Compiled(function, nogil=True))


def helper(function: Function) -> Function:
    """Return a function of a few scalar steps, compiled into the kernels that call it; it takes no tables."""
    return cast(Function, Compiled(function, inline="always"))


@cache
def _numba() -> Any:
    import numba  # Start-up cost: a second of every process that compiles nothing
    from numba.extending import typeof_impl  # Start-up cost: the same

    numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]  # if it was imported before `games.maths` could say so
    typeof_impl.register(Compiled, lambda function, context: typeof_impl(function.inner, context))
    return numba
