"""The two ways in which a function is compiled here; nothing else decides about Numba.

Numba is imported when a kernel is first called: that takes a second, which a process that only reads figures is spared.

Numba keeps compiled kernels and renews one when its own file changes, but not when a constant or a helper that it took
from another file does: old machine code would then give wrong figures in silence. So compiled code is kept under the
digest of every source that has kernels, in NUMBA_CACHE_DIR or beside the sources.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
"""Whole numbers as kernels read them, and count with them."""
_HERE: Final = Path(__file__).parent


def sources_digest() -> str:
    """Return the digest of every source of the two sides, of this module and of the random numbers."""
    digest = hashlib.sha256()
    packages = (path for package in ("maths", "second") for path in _HERE.joinpath(package).rglob("*.py"))
    for path in sorted((*packages, _HERE / "compiled.py", _HERE / "streams.py")):
        digest.update(path.relative_to(_HERE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _keep_compiled_code_apart() -> None:
    """Set the variable that Numba reads when it is first imported; a child process finds it set already."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or _HERE / "__pycache__")
    if folder.name != (digest := sources_digest()):
        os.environ["NUMBA_CACHE_DIR"] = str(folder / digest)


_keep_compiled_code_apart()

Function = TypeVar("Function", bound=Callable[..., object])


class Compiled:
    """A function that Numba compiles when it is first called, from Python or from another compiled function."""

    def __init__(self, function: Callable[..., object], *, scalar: bool) -> None:
        self.py_func, self.scalar = cast(FunctionType, function), scalar
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        _UNREGISTERED.append(self)

    def __call__(self, *arguments: object) -> object:
        if self.scalar and all(map(_is_wide, arguments)):
            return self.py_func(*arguments)  # a few steps on integers that do not overflow: nothing to compile for
        return self.dispatcher(*arguments)

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's own object for the function, called from Python. What the function calls is registered before."""
        numba = _numba()
        with _REGISTERING:
            while _UNREGISTERED:
                _register(numba, _UNREGISTERED.pop())
        return numba.njit(**_OPTIONS)(self.py_func)


_OPTIONS: Final = {"cache": True, "no_cfunc_wrapper": True, "nogil": True}
_UNREGISTERED: Final[list[Compiled]] = []  # with Numba, which is imported later
_REGISTERING: Final = Lock()


def _register(numba: Any, compiled: Compiled) -> None:
    """Register the function for calls from compiled code.

    As an overload it is compiled once for all constants that it is called with, and without the way in from Python,
    which takes long to compile where tables are passed. Its name distinguishes the compiled code that is kept of both.
    """
    outer = compiled.py_func
    inner = FunctionType(outer.__code__, outer.__globals__, outer.__name__, outer.__defaults__, outer.__closure__)
    inner.__module__, inner.__qualname__ = outer.__module__, f"{outer.__qualname__}.inner"
    numba.extending.overload(compiled, jit_options=_OPTIONS, strict=False)(lambda *types: inner)


def _is_wide(argument: object) -> bool:
    """Return True for a Python integer, or integers of 64 bits as compiled code has them."""
    return type(argument) is int or getattr(argument, "dtype", None) == np.int64


def kernel(function: Function) -> Function:
    """Return a compiled loop over arrays. It lets other threads run."""
    return cast(Function, Compiled(function, scalar=False))


def helper(function: Function) -> Function:
    """Return a function of a few scalar steps, which takes no tables. Python calls it as it is."""
    return cast(Function, Compiled(function, scalar=True))


@cache
def _numba() -> Any:
    import numba  # Start-up cost: a second of every process that compiles nothing
    import numba.extending  # Start-up cost: the same

    numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]  # if it was imported before this module
    return numba
