"""A chapter is compiled once, and not at all where nothing can be kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.registry import chapter
from games.runs.engine import compile_chapter

CHEAP = "688a"


def test_chapter_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    assert compile_chapter(chapter(CHEAP))
    assert not compile_chapter(chapter(CHEAP))
    assert [CHEAP in path.name for path in (tmp_path / "kept").glob("*.compiled")] == [True]


def test_nothing_is_compiled_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(file / "kept"))
    assert not compile_chapter(chapter(CHEAP))
