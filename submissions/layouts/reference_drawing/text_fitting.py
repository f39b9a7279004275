"""The width of words in the portal's typeface, and fitting them into a given room."""

from collections.abc import Sequence
from functools import cache

from submissions.layouts.typeface import letter_width

LEADING = 1.2  # of a line, in its letters' size
GOOD = 12
_UNKNOWN = 1.2  # of a letter that the typeface does not have


def width(words: str, size: float) -> float:
    """The room that the words need, bold or not."""
    return size * sum(_widest(letter) for letter in words)


@cache
def _widest(letter: str) -> float:
    widths = [letter_width(letter, bold=bold) for bold in (True, False)]
    return max((width for width in widths if width is not None), default=_UNKNOWN)


def shorten(words: str, size: float, room: float) -> str:
    """As many of the letters as fit."""
    if width(words, size) <= room:
        return words
    while words and width(f"{words}…", size) > room:
        words = words[:-1]
    return f"{words.rstrip()}…"


def break_lines(words: str, size: float, rooms: Sequence[float]) -> list[str]:
    """The words in lines; `rooms`: their widths, the last also of all further lines; a long word has its own line."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else ""
        if longer and width(longer, size) <= rooms[min(len(lines), len(rooms)) - 1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fit_words(words: str, room: tuple[float, float], sizes: Sequence[float]) -> tuple[float, list[str]]:
    """The largest of the sizes in which the words fit into a width and height, and their lines; else the smallest.

    A word is parted at its hyphens where that makes the letters larger and keeps a good size from being lost.
    """
    size, lines = _fitted(words, room, sizes)
    if size >= GOOD or "-" not in words or " - " in words:
        return size, lines
    larger, parted = _fitted(words.replace("-", "- "), room, sizes)
    return (larger, [line.replace("- ", "-") for line in parted]) if larger > size else (size, lines)


def _fitted(words: str, room: tuple[float, float], sizes: Sequence[float]) -> tuple[float, list[str]]:
    lines: list[str] = []
    for size in sizes:
        lines = break_lines(words, size, [room[0]])
        widest = max(width(line, size) for line in lines) if lines else 0
        if widest <= room[0] and len(lines) * size * LEADING <= room[1]:
            return size, lines
    return sizes[-1], lines
