"""Chapters of a test's own: made by `games new`, or lying in a folder of the tests; found like every other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import games.chapters
from games import registry
from games.__main__ import main
from games.rules.files import CHAPTERS


@contextmanager
def new_chapter(parent: Path, number: str, title: str, like: str) -> Iterator[Path]:
    """Its folder."""
    assert main(["new", number, "--title", title, "--like", like, "--in", str(parent)]) == 0
    with further_chapters(parent):
        yield registry.folder_of(number)


@contextmanager
def further_chapters(parent: Path) -> Iterator[None]:
    """This process knows the chapters of the folder, too, as one that is started with it in `GAMES_CHAPTERS`."""
    games.chapters.__path__.append(str(parent))
    writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # it would outlive a quick change
    try:
        forget()
        yield
    finally:
        forget()
        sys.dont_write_bytecode = writes_bytecode
        games.chapters.__path__.remove(str(parent))
        registry.forget()


def forget() -> None:
    """What is loaded once in a process is loaded again: a test has changed it."""
    registry.forget()
    for path in registry.folders().values():
        if path.parent != CHAPTERS:
            for module in [loaded for loaded in sys.modules if loaded.startswith(f"games.chapters.{path.name}")]:
                del sys.modules[module]
