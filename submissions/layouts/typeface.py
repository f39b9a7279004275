"""The typeface of the reference layouts: the font for the drawing, and how wide its letters are.

A drawing has the font in itself, so that it looks the same where Public Sans is not installed; the inspection reads
the text of that typeface with the same widths, so that its boxes are on the words. The letters are those that USWDS
ships, without kerning and hints, made when they are first needed (0.3 s). Not here: other typefaces.
"""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from django.contrib.staticfiles import finders

FAMILY = "Public Sans"
FONTS = "uswds/fonts/public-sans"
WEIGHTS = {"regular": (400, "PublicSans-Regular.ttf"), "bold": (700, "PublicSans-Bold.ttf")}
LETTERS = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x100)))) + "–—‘’“”•…"


@dataclass(frozen=True, slots=True)
class Typeface:
    """One weight: the font as WOFF2 in base64, and the width of each letter in the size of the letters."""

    weight: int
    woff2: str
    widths: Mapping[str, float]


@cache
def typefaces() -> Mapping[str, Typeface]:
    """The typeface of each of the `WEIGHTS`."""
    return {name: _typeface(weight, font_file(name)) for name, (weight, _) in WEIGHTS.items()}


def font_file(name: str) -> Path:
    """The whole font of this weight, as USWDS ships it."""
    path = finders.find(f"{FONTS}/{WEIGHTS[name][1]}")
    if not path:
        raise FileNotFoundError(f"{FONTS}/{WEIGHTS[name][1]} is missing: run `make run` or `make test` to install it.")
    return Path(path)


def _typeface(weight: int, file: Path) -> Typeface:
    from fontTools.subset import Options, Subsetter  # Start-up cost: 0.1 s, for drawings only
    from fontTools.ttLib import TTFont  # Start-up cost: the same library

    font = TTFont(file, recalcTimestamp=False)
    options = Options(layout_features=[], hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 5, 13, 14])
    options.drop_tables += ["GDEF", "GPOS", "GSUB"]
    subsetter = Subsetter(options)
    subsetter.populate(text=LETTERS)
    subsetter.subset(font)
    units, advances = font["head"].unitsPerEm, font["hmtx"]
    widths = {chr(code): advances[name][0] / units for code, name in font.getBestCmap().items()}
    font.flavor = "woff2"
    content = BytesIO()
    font.save(content)
    return Typeface(weight, b64encode(content.getvalue()).decode(), widths)


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
