"""A chapter of its own for a test: made by `games new` in a folder of the test's, found like every other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import games.chapters
from games import registry
from games.__main__ import main
from games.rules.loading.files import CHAPTERS


@contextmanager
def new_chapter(parent: Path, number: str, title: str, like: str) -> Iterator[Path]:
    """Its folder."""
    assert main(["new", number, "--title", title, "--like", like, "--in", str(parent)]) == 0
    games.chapters.__path__.append(str(parent))
    writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # it would outlive a quick change
    try:
        forget()
        yield registry.folder_of(number)
    finally:
        forget()
        sys.dont_write_bytecode = writes_bytecode
        games.chapters.__path__.remove(str(parent))
        registry.folders.cache_clear()


def forget() -> None:
    """What is loaded once in a process is loaded again: a test has changed it."""
    for loaded in (registry.folders, registry.chapter, registry.words):
        loaded.cache_clear()
    for path in registry.folders().values():
        if path.parent != CHAPTERS:
            for module in [loaded for loaded in sys.modules if loaded.startswith(f"games.chapters.{path.name}")]:
                del sys.modules[module]
