"""Long results on disk: read back, computed anew where the file is broken, left out where nothing can be written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games.maths.enumerations import cached_arrays


@pytest.fixture
def computed(tmp_path, monkeypatch):
    """A computation that says how often it ran, in a directory of its own."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    runs = []

    def compute():
        runs.append(None)
        return {"counts": np.arange(5), "raised": np.array([True, False])}

    return runs, compute


def test_result_is_computed_once_and_read_back_as_it_was(computed, tmp_path):
    runs, compute = computed
    for _ in range(2):
        found = cached_arrays("answer", compute)
        assert found["counts"].tolist() == [0, 1, 2, 3, 4]
        assert found["raised"].dtype == np.bool_
    assert len(runs) == 1
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["answer.npz"]  # no partial file is left


@pytest.mark.parametrize("broken", [b"", b"PK\x03\x04 cut off", b"no archive at all"])
def test_broken_file_is_computed_anew_and_replaced(computed, tmp_path, broken):
    runs, compute = computed
    cached_arrays("answer", compute)
    (tmp_path / "kept" / "answer.npz").write_bytes(broken)
    assert cached_arrays("answer", compute)["counts"].sum() == 10
    assert len(runs) == 2
    cached_arrays("answer", compute)
    assert len(runs) == 2


def test_damaged_array_is_computed_anew(computed, tmp_path):
    runs, compute = computed
    cached_arrays("answer", compute)
    path = tmp_path / "kept" / "answer.npz"
    content = bytearray(path.read_bytes())
    content[content.index(np.arange(5).tobytes()) + 8] ^= 1
    path.write_bytes(content)
    assert cached_arrays("answer", compute)["counts"].sum() == 10
    assert len(runs) == 2


def test_directory_that_cannot_be_made_is_done_without(computed, tmp_path):
    runs, compute = computed
    Path(tmp_path / "kept").write_text("a file where the directory should be")
    assert cached_arrays("answer", compute)["counts"].sum() == 10
    assert cached_arrays("answer", compute)["counts"].sum() == 10
    assert len(runs) == 2


def test_one_result_may_need_another(computed):
    _, compute = computed
    found = cached_arrays("outer", lambda: {"twice": 2 * cached_arrays("inner", compute)["counts"]})
    assert found["twice"].tolist() == [0, 2, 4, 6, 8]
