"""Which chapters there are, and where each one's data and mathematics come from.

Loaded once per process. Not here: reading a folder (`loader`).
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from games.play import Play
from games.rules.loader import load
from games.rules.model import Chapter

CHAPTERS = Path(__file__).parent.parent / "chapters"
_FOLDER = re.compile(r"ch(\d+[a-z]?)_[a-z0-9_]+")


class UnknownChapter(LookupError):
    """There is no such chapter here; the message names those that there are."""


@cache
def folders() -> dict[str, Path]:
    """Chapter number → its folder, in the Code's order."""
    found = {}
    for path in CHAPTERS.iterdir():
        if path.is_dir() and (match := _FOLDER.fullmatch(path.name)):
            found[match[1]] = path
    return dict(sorted(found.items(), key=lambda item: (int(item[0].rstrip("abcdefgh")), item[0])))


@cache
def chapter(number: str) -> Chapter:
    """The chapter with this number, "687a"; `UnknownChapter` if there is none."""
    found = load(_folder(number))
    if found.number != number:
        raise UnknownChapter(f"the folder {_folder(number).name} says that it is chapter {found.number}")
    return found


def held(number: str) -> Chapter | None:
    """The same, or None where the portal holds it no more: what was filed under it can still be read."""
    return chapter(number) if number in folders() else None


def title_of(number: str) -> str:
    """The game; of a chapter that is held no more, none."""
    found = held(number)
    return found.title if found else ""


def chapters() -> tuple[Chapter, ...]:
    """Every chapter, in the Code's order."""
    return tuple(chapter(number) for number in folders())


def play(number: str) -> Play:
    """The chapter's mathematics, imported only when it is asked for."""
    return cast(Play, import_module(f"games.chapters.{_folder(number).name}.play"))


def _folder(number: str) -> Path:
    if number not in folders():
        raise UnknownChapter(f"there is no chapter {number!r}; known are {', '.join(folders())}")
    return folders()[number]
