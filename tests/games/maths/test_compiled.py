"""Compiled code is kept where a change of any source is noticed, and Numba is imported only to compile or run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import games.compiled
from games.compiled import helper, kernel


@helper
def doubled(number: int) -> int:
    return 2 * number


@kernel
def doubled_twice(number: int) -> int:
    return doubled(doubled(number))


@kernel
def tripled(number: int) -> int:
    return 3 * number


@kernel
def tripled_constants(number: int) -> int:
    return tripled(1) + tripled(2) + tripled(number)


def test_numba_keeps_compiled_code_under_the_digest_of_the_sources():
    assert doubled_twice(3) == 12
    assert Path(numba.config.CACHE_DIR).name == games.compiled.sources_digest()


def test_function_is_compiled_once_for_all_constants_and_once_more_for_python(tmp_path, monkeypatch):
    """A version of Numba that compiles it for each constant would double the time of all compiling.

    In a folder of its own: other checkouts with the same sources keep their code under the same digest.
    """
    assert doubled_twice(3) == 12  # imports Numba, which then knows its folder
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert (tripled_constants(3), tripled(4)) == (18, 12)
    kept = [path.name for path in tmp_path.rglob("test_compiled.tripled*-*.nbc")]
    assert sorted(name.split("-")[0] for name in kept) == [
        "test_compiled.tripled",
        "test_compiled.tripled.inner",
        "test_compiled.tripled_constants",
    ]


def test_kernel_that_fails_to_compile_says_why():
    @kernel
    def wrong(number):
        return number.no_such_attribute

    with pytest.raises(numba.TypingError, match="no_such_attribute"):
        wrong(1)


def test_child_process_keeps_compiled_code_in_the_same_place():
    assert said_by("import games.compiled, os; print(os.environ['NUMBA_CACHE_DIR'])") == os.environ["NUMBA_CACHE_DIR"]


def test_numba_is_not_imported_with_the_mathematics():
    chapters = "from games import registry; [registry.play(number) for number in registry.folders()]"
    assert said_by(f"{chapters}; import games.runs.engine, sys; print('numba' in sys.modules)") == "False"


def said_by(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
