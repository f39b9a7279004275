"""The width of words in the portal's typeface, and fitting them into a given room."""

from collections.abc import Sequence

LEADING = 1.2  # of a line, in its letters' size
GOOD = 12
_WIDTHS = {
    0.25: " ",
    0.3: "!',.:;`ij|·’",
    0.35: "()I[]l",
    0.4: "-/\\f{}",
    0.45: "1Jrt",
    0.5: '"*^z',
    0.55: "?csv§",
    0.6: "+<=>L_aehknouxy–×",
    0.65: "#027EFTbdgpq~",
    0.7: "$345689BPRSYZ",
    0.75: "ACDKUVX",
    0.8: "&GHNOQw",
    0.85: "@",
    0.9: "m",
    0.95: "%M½",
}  # Public Sans Bold, rounded up; the regular typeface is narrower
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_WIDEST = 1.0


def width(words: str, size: float) -> float:
    return size * sum(_WIDTH.get(letter, _WIDEST) for letter in words)


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
