"""A chapter as a constant of a test module, loaded by the first test that looks into it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, cast

from games.registry import chapter
from games.rules.model import Chapter

KNOWN = {field.name for field in fields(Chapter)} | {name for name in vars(Chapter) if not name.startswith("_")}


class _LazyChapter:
    """Unlike Django's lazy objects it keeps its own class, which pytest asks for while it collects."""

    def __init__(self, number: str) -> None:
        self.number = number

    def __getattr__(self, name: str) -> Any:
        if name not in KNOWN:  # plugins of pytest ask every constant for marks of their own
            raise AttributeError(name)
        return getattr(chapter(self.number), name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _LazyChapter | Chapter) and other.number == self.number

    def __hash__(self) -> int:
        return hash(chapter(self.number))


def lazy_chapter(number: str) -> Chapter:
    """The chapter; nothing is loaded while tests are collected."""
    return cast(Chapter, _LazyChapter(number))
