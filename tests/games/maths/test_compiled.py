"""Compiled code is kept where a change of any source is noticed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba

import games.maths
import games.maths.compiled


def test_numba_keeps_compiled_code_under_the_digest_of_the_sources():
    assert Path(numba.config.CACHE_DIR).name == games.maths._digest()


def test_child_process_keeps_compiled_code_in_the_same_place():
    code = "import games.maths, os; print(os.environ['NUMBA_CACHE_DIR'])"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout.strip() == os.environ["NUMBA_CACHE_DIR"]
