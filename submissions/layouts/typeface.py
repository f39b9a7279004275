"""The typeface of the reference layouts, from `typeface.toml`: the font for the drawing, and how wide its letters are.

A drawing has the font in itself, so that it looks the same where Public Sans is not installed; the inspection reads
the text of that typeface with the same widths, so that its boxes are on the words. Not here: other typefaces.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FAMILY = "Public Sans"
FILE = Path(__file__).with_name("typeface.toml")
WEIGHTS = {"regular": 400, "bold": 700}


@dataclass(frozen=True, slots=True)
class Typeface:
    """One weight: the font as WOFF2 in base64, and the width of each letter in the size of the letters."""

    weight: int
    woff2: str
    widths: Mapping[str, float]


@cache
def typefaces() -> Mapping[str, Typeface]:
    """The typeface of each of the `WEIGHTS`."""
    data = tomllib.loads(FILE.read_text("utf-8"))
    return {name: _typeface(weight, data[name]) for name, weight in WEIGHTS.items()}


def _typeface(weight: int, table: Mapping[str, object]) -> Typeface:
    units, woff2, widths = table["units"], table["woff2"], table["widths"]
    if not (isinstance(units, int) and isinstance(woff2, str) and isinstance(widths, dict)):
        raise TypeError(f"{FILE.name} does not have units, woff2 and widths for the weight {weight}.")
    return Typeface(
        weight, woff2, {letter: int(wide) / units for wide, letters in widths.items() for letter in letters}
    )


@cache
def font_faces() -> str:
    """The rules of a style sheet that give a drawing its letters."""
    return "".join(
        f'@font-face{{font-family:"{FAMILY}";font-weight:{face.weight};'
        f'src:url("data:font/woff2;base64,{face.woff2}")format("woff2")}}'
        for face in typefaces().values()
    )


def letter_width(letter: str, *, bold: bool) -> float | None:
    """In the size of the letters; None if the typeface does not have the letter."""
    return typefaces()["bold" if bold else "regular"].widths.get(letter)
