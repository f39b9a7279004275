"""The typeface of the reference layouts: the drawing's font, the width of its letters, and fitting words into a room.

A drawing has the font in itself, so that it looks the same where Public Sans is not installed; the inspection reads
the text of that typeface with the same widths, so that its boxes are on the words. The letters are those that USWDS
ships, without kerning and hints, made when they are first needed (0.3 s). Not here: other typefaces.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

from django.contrib.staticfiles import finders

FAMILY = "Public Sans"
FONTS = "uswds/fonts/public-sans"
WEIGHTS = {"regular": (400, "PublicSans-Regular.ttf"), "bold": (700, "PublicSans-Bold.ttf")}
LETTERS = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x100)))) + "–—‘’“”•…"


def font_file(name: str) -> Path:
    """Return the whole font of this weight, as USWDS ships it."""
    path = finders.find(f"{FONTS}/{WEIGHTS[name][1]}")
    if not path:
        raise FileNotFoundError(f"{FONTS}/{WEIGHTS[name][1]} is missing: run `make run` or `make test` to install it.")
    return Path(path)


@cache
def letter_widths(name: str) -> Mapping[str, float]:
    """Return the widths of this weight's letters, in the size of the letters."""
    from fontTools.ttLib import TTFont  # Start-up cost: 0.05 s, for drawings only

    with TTFont(font_file(name), lazy=True) as font:
        units, names, advances = font["head"].unitsPerEm, font.getBestCmap(), font["hmtx"]
        return {letter: advances[names[ord(letter)]][0] / units for letter in LETTERS if ord(letter) in names}


def letter_width(letter: str, *, bold: bool) -> float | None:
    """Return the width in the size of the letters; None if the typeface does not have the letter."""
    return letter_widths("bold" if bold else "regular").get(letter)


@cache
def font_faces() -> str:
    """Return the rules of a style sheet that give a drawing its letters."""
    return "".join(
        f'@font-face{{font-family:"{FAMILY}";font-weight:{weight};'
        f'src:url("data:font/woff2;base64,{b64encode(_woff2(name)).decode()}")format("woff2")}}'
        for name, (weight, _) in WEIGHTS.items()
    )


def _woff2(name: str) -> bytes:
    from fontTools.subset import Options, Subsetter  # Start-up cost: 0.1 s, for drawings only
    from fontTools.ttLib import TTFont  # Start-up cost: the same library

    font = TTFont(font_file(name), recalcTimestamp=False)
    options = Options(layout_features=[], hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 5, 13, 14])
    options.drop_tables += ["GDEF", "GPOS", "GSUB"]
    subsetter = Subsetter(options)
    subsetter.populate(text=LETTERS)
    subsetter.subset(font)
    font.flavor = "woff2"
    content = BytesIO()
    font.save(content)
    return content.getvalue()


LEADING = 1.2  # of a line, in its letters' size
GOOD = 12
_UNKNOWN = 1.2  # of a letter that the typeface does not have


def text_width(words: str, size: float) -> float:
    """Return the room that the words need, bold or not."""
    return size * sum(_widest(letter) for letter in words)


@cache
def _widest(letter: str) -> float:
    widths = [letter_width(letter, bold=bold) for bold in (True, False)]
    return max((width for width in widths if width is not None), default=_UNKNOWN)


def shorten(words: str, size: float, room: float) -> str:
    """Return as many of the letters as fit."""
    if text_width(words, size) <= room:
        return words
    while words and text_width(f"{words}…", size) > room:
        words = words[:-1]
    return f"{words.rstrip()}…"


def break_lines(words: str, size: float, rooms: Sequence[float]) -> list[str]:
    """Return the words in lines; `rooms`: their widths, the last for all others; a long word has its own line."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else ""
        if longer and text_width(longer, size) <= rooms[min(len(lines), len(rooms)) - 1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fit_words(words: str, room: tuple[float, float], sizes: Sequence[float]) -> tuple[float, list[str]]:
    """Return the largest size in which the words fit into a width and height, else the smallest, and their lines.

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
        widest = max(text_width(line, size) for line in lines) if lines else 0
        if widest <= room[0] and len(lines) * size * LEADING <= room[1]:
            return size, lines
    return sizes[-1], lines
